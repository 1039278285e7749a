#include "support/fbx_tree.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>

namespace mabkit::test {
namespace {

constexpr std::size_t null_record = 13;

class TreeReader {
 public:
  explicit TreeReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  FbxNode read() && {
    expect(text(21) == std::string("Kaydara FBX Binary  \0", 21), "magic");
    expect(take<std::uint16_t>() == 0x001A, "magic");
    expect(take<std::uint32_t>() == 7400, "version");
    FbxNode root;
    while (!at_null_record()) root.children.push_back(node());
    at_ += null_record;
    footer();
    return root;
  }

 private:
  static void expect(bool holds, const std::string& what) {
    if (!holds) throw std::runtime_error("not as FBX has it: " + what);
  }
  template <class T>
  T take() {
    expect(at_ + sizeof(T) <= bytes_.size(), "the file ends early");
    T value;
    std::memcpy(&value, bytes_.data() + at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }
  std::string text(std::size_t size) {
    expect(size <= bytes_.size() - at_, "a text ends beyond the file");
    std::string out(size, '\0');
    std::memcpy(out.data(), bytes_.data() + at_, size);
    at_ += size;
    return out;
  }
  bool are_zeros(std::size_t count) const {
    expect(count <= bytes_.size() - at_, "the file ends early");
    const auto first = bytes_.begin() + static_cast<std::ptrdiff_t>(at_);
    return std::all_of(first, first + static_cast<std::ptrdiff_t>(count),
                       [](std::byte b) { return b == std::byte{0}; });
  }
  bool at_null_record() const { return are_zeros(null_record); }

  FbxNode node() {
    const auto end = take<std::uint32_t>();
    const auto count = take<std::uint32_t>();
    const auto size = take<std::uint32_t>();
    FbxNode out;
    out.name = text(take<std::uint8_t>());
    const std::size_t values_start = at_;
    for (std::uint32_t i = 0; i < count; ++i) out.values.push_back(value());
    expect(at_ - values_start == size, out.name + " has another size of values");
    if (at_ != end) {
      while (!at_null_record()) out.children.push_back(node());
      at_ += null_record;
    }
    expect(at_ == end, out.name + " ends elsewhere");
    return out;
  }

  template <class T>
  std::vector<T> array() {
    const auto count = take<std::uint32_t>();
    expect(take<std::uint32_t>() == 0, "arrays are not compressed");
    expect(take<std::uint32_t>() == count * sizeof(T), "an array has another size");
    std::vector<T> out;
    for (std::uint32_t i = 0; i < count; ++i) out.push_back(take<T>());
    return out;
  }

  FbxValue value() {
    switch (take<char>()) {
      case 'C':
        return take<std::uint8_t>() != 0;
      case 'I':
        return take<std::int32_t>();
      case 'L':
        return take<std::int64_t>();
      case 'D':
        return take<double>();
      case 'S':
      case 'R':
        return text(take<std::uint32_t>());
      case 'i':
        return array<std::int32_t>();
      case 'l':
        return array<std::int64_t>();
      case 'f':
        return array<float>();
      case 'd':
        return array<double>();
      default:
        throw std::runtime_error("a value of a type that is not written");
    }
  }

  /// As the FBX SDK writes it: an id, a gap, padding of 1 to 16 bytes, the version, zeros, a magic.
  void footer() {
    constexpr std::array<std::uint8_t, 16> id{0xFA, 0xBC, 0xAB, 0x09, 0xD0, 0xC8, 0xD4, 0x66,
                                              0xB1, 0x76, 0xFB, 0x83, 0x1C, 0xF7, 0x26, 0x7E};
    constexpr std::array<std::uint8_t, 16> magic{0xF8, 0x5A, 0x8C, 0x6A, 0xDE, 0xF5, 0xD9, 0x7E,
                                                 0xEC, 0xE9, 0x0C, 0xE3, 0x75, 0x8F, 0x29, 0x0B};
    expect(take<std::array<std::uint8_t, 16>>() == id, "footer id");
    const std::size_t padding = 16 - (at_ + 4) % 16;
    expect(are_zeros(4 + padding), "padding of the footer");
    at_ += 4 + padding;
    expect(take<std::uint32_t>() == 7400, "version in the footer");
    expect(are_zeros(120), "zeros of the footer");
    at_ += 120;
    expect(take<std::array<std::uint8_t, 16>>() == magic, "magic of the footer");
    expect(at_ == bytes_.size(), "bytes after the footer");
  }

  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
};

}  // namespace

const FbxNode& FbxNode::child(std::string_view wanted) const {
  for (const FbxNode& node : children) {
    if (node.name == wanted) return node;
  }
  throw std::runtime_error(name + " has no " + std::string(wanted));
}

std::vector<const FbxNode*> FbxNode::all(std::string_view wanted) const {
  std::vector<const FbxNode*> out;
  for (const FbxNode& node : children) {
    if (node.name == wanted) out.push_back(&node);
  }
  return out;
}

const FbxNode& FbxNode::property(std::string_view wanted) const {
  for (const FbxNode* line : child("Properties70").all("P")) {
    if (line->value<std::string>(0) == wanted) return *line;
  }
  throw std::runtime_error(name + " has no property " + std::string(wanted));
}

FbxNode parse_fbx(std::span<const std::byte> bytes) {
  return TreeReader(bytes).read();
}

}  // namespace mabkit::test
