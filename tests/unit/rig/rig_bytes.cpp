#include "unit/rig/rig_bytes.hpp"

#include <fmt/format.h>

#include <charconv>
#include <mabkit/names.hpp>
#include <span>

namespace mabkit::test {
namespace {

void put_text(ByteWriter& out, std::string_view text) {
  out.put_bytes(std::as_bytes(std::span(text)));
}

}  // namespace

void put_hex(ByteWriter& out, std::string_view digits) {
  std::string packed;
  for (const char c : digits) {
    if (c != ' ') packed.push_back(c);
  }
  for (std::size_t i = 0; i + 1 < packed.size(); i += 2) {
    std::uint8_t byte = 0;
    std::from_chars(packed.data() + i, packed.data() + i + 2, byte, 16);
    out.put(byte);
  }
}

std::string text_hex(std::string_view text) {
  ByteWriter out;
  out.put(name_hash(text));
  out.put(static_cast<std::uint32_t>(text.size()));
  put_text(out, text);
  std::string hex;
  for (const std::byte byte : out.bytes()) hex += fmt::format("{:02X}", byte);
  return hex;
}

std::string empty_tail() {
  std::string tail = "0000 0000803F 0000";
  for (int mask = 0; mask < 3; ++mask) tail += "05000000" + std::string(40, '0');
  return tail;
}

std::vector<std::byte> raw_lks(const std::vector<RawLksBone>& bones) {
  return raw_lks(bones, 0, empty_tail());
}

std::vector<std::byte> raw_lks(const std::vector<RawLksBone>& bones, std::uint16_t common_count,
                               std::string_view tail) {
  ByteWriter out;
  put_hex(out, "4C4B5300 12000000 B168DE3A 07000000");
  out.put(static_cast<std::uint16_t>(bones.size()));
  out.put(common_count);
  for (const RawLksBone& bone : bones) {
    out.put(bone.mark);
    out.put(bone.mark_version);
    out.put(bone.rotation);
    out.put(bone.offset);
    out.put(bone.length);
    out.put(bone.id);
    out.put(bone.parent);
    out.put(bone.first_child);
    out.put(bone.next_sibling);
    put_hex(out, bone.orientation);
    put_hex(out, bone.position);
    out.put(name_hash(bone.name) ^ bone.hash);
    out.put(static_cast<std::uint32_t>(bone.name.size()));
    put_text(out, bone.name);
    out.put(bone.animated_translation);
    out.put(bone.body_part);
    out.put(bone.mass_weight);
  }
  put_hex(out, tail);
  return std::move(out).take();
}

std::vector<std::byte> raw_nodes(const std::vector<RawXbgNode>& nodes) {
  ByteWriter out;
  out.put(static_cast<std::uint32_t>(nodes.size()));
  for (const RawXbgNode& node : nodes) {
    out.put(name_hash(node.name) ^ node.hash);
    out.put(node.first_child);
    out.put(node.next_sibling);
    out.put(node.parent);
    out.put(node.rotation);
    out.put(node.translation);
    out.put(node.scale);
    put_hex(out, "FFFFFFFF 0000803F FF929000");
    put_hex(out, node.before_name);
    out.put(static_cast<std::uint32_t>(node.name.size()));
    put_text(out, node.name);
    put_hex(out, node.after_name);
  }
  return std::move(out).take();
}

std::vector<std::byte> raw_chunk(std::string_view tag,
                                 const std::vector<std::vector<std::byte>>& inside,
                                 const std::vector<std::byte>& payload) {
  std::size_t inside_size = 0;
  for (const auto& chunk : inside) inside_size += chunk.size();
  ByteWriter out;
  put_text(out, tag);
  out.put(std::uint32_t{0});
  out.put(static_cast<std::uint32_t>(20 + inside_size + payload.size()));
  out.put(static_cast<std::uint32_t>(payload.size()));
  out.put(static_cast<std::uint32_t>(inside.size()));
  for (const auto& chunk : inside) out.put_bytes(chunk);
  out.put_bytes(payload);
  return std::move(out).take();
}

std::vector<std::byte> raw_xbg(std::uint16_t major,
                               const std::vector<std::vector<std::byte>>& chunks) {
  ByteWriter out;
  put_text(out, "HSEM");
  out.put(major);
  out.put(std::uint16_t{6});
  out.put_zeros(20);
  out.put(static_cast<std::uint32_t>(chunks.size()));
  for (const auto& chunk : chunks) out.put_bytes(chunk);
  return std::move(out).take();
}

}  // namespace mabkit::test
