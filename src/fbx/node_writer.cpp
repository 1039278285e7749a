#include "fbx/node_writer.hpp"

#include <array>

namespace mabkit::fbx {
namespace {

using Id = std::array<std::uint8_t, 16>;

constexpr std::array<char, 23> magic{'K', 'a', 'y', 'd', 'a', 'r', 'a', ' ', 'F',  'B',    'X', ' ',
                                     'B', 'i', 'n', 'a', 'r', 'y', ' ', ' ', '\0', '\x1A', '\0'};
/// A record begins with three words of 32 bits: where it ends, how many values it has, and the
/// bytes that they take.
constexpr std::size_t end_offset = 0;
constexpr std::size_t value_count_offset = 4;
constexpr std::size_t values_size_offset = 8;
constexpr std::size_t record_words = 12;
/// A record of zeros ends a list of children.
constexpr std::size_t null_record_size = 13;
/// What the SDK ends a file with. The first one belongs to the creation time of 1970 and the file
/// id that the header has.
constexpr Id footer_id{0xFA, 0xBC, 0xAB, 0x09, 0xD0, 0xC8, 0xD4, 0x66,
                       0xB1, 0x76, 0xFB, 0x83, 0x1C, 0xF7, 0x26, 0x7E};
constexpr Id footer_magic{0xF8, 0x5A, 0x8C, 0x6A, 0xDE, 0xF5, 0xD9, 0x7E,
                          0xEC, 0xE9, 0x0C, 0xE3, 0x75, 0x8F, 0x29, 0x0B};
constexpr std::size_t footer_gap = 4;
constexpr std::size_t footer_alignment = 16;
constexpr std::size_t footer_zeros = 120;

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

}  // namespace

NodeWriter::NodeWriter() {
  out_.put(magic);
  out_.put(fbx_version);
}

void NodeWriter::begin(std::string_view name) {
  if (!open_.empty()) {
    if (!open_.back().has_children) end_values(open_.back());
    open_.back().has_children = true;
  }
  OpenNode node{.start = out_.size()};
  out_.put_zeros(record_words);
  out_.put(static_cast<std::uint8_t>(name.size()));
  out_.put_bytes(bytes_of(name));
  node.values_start = out_.size();
  open_.push_back(node);
}

void NodeWriter::end_values(OpenNode& node) {
  out_.patch(node.start + value_count_offset, node.values);
  out_.patch(node.start + values_size_offset,
             static_cast<std::uint32_t>(out_.size() - node.values_start));
}

void NodeWriter::end() {
  OpenNode& node = open_.back();
  if (!node.has_children) end_values(node);
  // The SDK ends an empty node as one that could have had children.
  if (node.has_children || node.values == 0) put_null_record();
  out_.patch(node.start + end_offset, static_cast<std::uint32_t>(out_.size()));
  open_.pop_back();
}

void NodeWriter::put_null_record() {
  out_.put_zeros(null_record_size);
}

void NodeWriter::type(char code) {
  out_.put(code);
  ++open_.back().values;
}

void NodeWriter::value(bool value) {
  type('C');
  out_.put(static_cast<std::uint8_t>(value ? 1 : 0));
}
void NodeWriter::value(std::int32_t value) {
  type('I');
  out_.put(value);
}
void NodeWriter::value(std::int64_t value) {
  type('L');
  out_.put(value);
}
void NodeWriter::value(double value) {
  type('D');
  out_.put(value);
}
void NodeWriter::value(std::string_view text) {
  type('S');
  out_.put(static_cast<std::uint32_t>(text.size()));
  out_.put_bytes(bytes_of(text));
}
void NodeWriter::raw(std::span<const std::byte> bytes) {
  type('R');
  out_.put(static_cast<std::uint32_t>(bytes.size()));
  out_.put_bytes(bytes);
}

void NodeWriter::object_name(std::string_view name, std::string_view kind) {
  constexpr std::string_view separator{"\0\x01", 2};
  type('S');
  out_.put(static_cast<std::uint32_t>(name.size() + separator.size() + kind.size()));
  out_.put_bytes(bytes_of(name));
  out_.put_bytes(bytes_of(separator));
  out_.put_bytes(bytes_of(kind));
}

template <class T>
void NodeWriter::put_array(char code, std::span<const T> values) {
  constexpr std::uint32_t uncompressed = 0;
  type(code);
  out_.put(static_cast<std::uint32_t>(values.size()));
  out_.put(uncompressed);
  out_.put(static_cast<std::uint32_t>(values.size_bytes()));
  out_.put_bytes(std::as_bytes(values));
}

void NodeWriter::array(std::span<const std::int32_t> values) {
  put_array('i', values);
}
void NodeWriter::array(std::span<const std::int64_t> values) {
  put_array('l', values);
}
void NodeWriter::array(std::span<const float> values) {
  put_array('f', values);
}
void NodeWriter::array(std::span<const double> values) {
  put_array('d', values);
}

std::vector<std::byte> NodeWriter::finish() && {
  put_null_record();
  out_.put(footer_id);
  out_.put_zeros(footer_gap);
  // One byte at least.
  out_.put_zeros(1);
  out_.align(footer_alignment);
  out_.put(fbx_version);
  out_.put_zeros(footer_zeros);
  out_.put(footer_magic);
  return std::move(out_).take();
}

}  // namespace mabkit::fbx
