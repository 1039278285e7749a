#include "nbcf/object.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/bytes.hpp"

namespace mabkit::nbcf {
namespace {

constexpr std::uint32_t magic = 0x4643626E;  // "nbCF"
constexpr std::uint16_t version = 2;
constexpr std::uint64_t version_at = 4;
constexpr std::uint64_t header_size = 16;  // magic, version, flags, object count, value count
/// A count or size of this byte is followed by the real one as a u32.
constexpr std::uint8_t long_form = 0xFF;
constexpr std::uint64_t least_value_size = 5;   // name hash, size
constexpr std::uint64_t least_object_size = 6;  // child count, class hash, value count

class ObjectReader {
 public:
  ObjectReader(std::span<const std::byte> payload, const ReadLimits& limits)
      : in_(payload), limits_(limits) {}

  Result<Object> read_object(std::uint32_t depth) {
    if (depth > limits_.max_depth) {
      return fail(ErrorCode::limit, "child_count",
                  fmt::format("objects are nested more than {} deep", limits_.max_depth));
    }
    const auto child_count = read_count("child_count", least_object_size);
    if (!child_count) return tl::unexpected(child_count.error());
    const auto class_hash = read<std::uint32_t>("class");
    if (!class_hash) return tl::unexpected(class_hash.error());
    const auto value_count = read_count("value_count", least_value_size);
    if (!value_count) return tl::unexpected(value_count.error());

    Object object;
    object.class_hash = *class_hash;
    object.values.reserve(*value_count);
    for (std::uint32_t i = 0; i < *value_count; ++i) {
      auto value = read_value();
      if (!value) return within(fmt::format("value[{}]", i), std::move(value.error()));
      object.values.push_back(*value);
    }
    for (std::uint32_t i = 0; i < *child_count; ++i) {
      auto child = read_object(depth + 1);
      if (!child) return within(fmt::format("child[{}]", i), std::move(child.error()));
      object.children.push_back(std::move(*child));
    }
    return object;
  }

  void skip(std::uint64_t size) { position_ += size; }

 private:
  template <class T>
  Result<T> read(std::string_view path) {
    auto value = in_.read<T>(position_, path);
    if (value) position_ += sizeof(T);
    return value;
  }

  /// A count of things of which each takes at least `least_size` bytes.
  Result<std::uint32_t> read_count(std::string_view path, std::uint64_t least_size) {
    const auto short_count = read<std::uint8_t>(path);
    if (!short_count) return tl::unexpected(short_count.error());
    std::uint32_t count = *short_count;
    if (*short_count == long_form) {
      const auto long_count = read<std::uint32_t>(path);
      if (!long_count) return tl::unexpected(long_count.error());
      count = *long_count;
    }
    if (count * least_size > in_.size() - position_) {
      return fail(ErrorCode::truncated, path,
                  fmt::format("a count of {} doesn't fit into the {} bytes left", count,
                              in_.size() - position_));
    }
    return count;
  }

  Result<Value> read_value() {
    const auto name_hash = read<std::uint32_t>("name");
    if (!name_hash) return tl::unexpected(name_hash.error());
    const auto size = read_count("size", 1);
    if (!size) return tl::unexpected(size.error());
    const auto bytes = in_.slice(position_, *size, "bytes");
    if (!bytes) return tl::unexpected(bytes.error());
    position_ += *size;
    return Value{*name_hash, *bytes};
  }

  [[nodiscard]] tl::unexpected<Error> fail(ErrorCode code, std::string_view path,
                                           std::string message) const {
    return tl::unexpected(Error{code, position_, std::string(path), std::move(message)});
  }

  /// The error with the place that it happened in put before its path.
  static tl::unexpected<Error> within(const std::string& place, Error error) {
    error.path = place + "." + error.path;
    return tl::unexpected(std::move(error));
  }

  base::ByteReader in_;
  const ReadLimits& limits_;
  std::uint64_t position_ = 0;
};

}  // namespace

const Value* Object::find(std::uint32_t name_hash) const {
  const auto found = std::find_if(values.begin(), values.end(), [name_hash](const Value& value) {
    return value.name_hash == name_hash;
  });
  return found == values.end() ? nullptr : &*found;
}

Result<Object> parse_object(std::span<const std::byte> payload, const ReadLimits& limits) {
  const base::ByteReader in(payload);
  const auto found_magic = in.read<std::uint32_t>(0, "magic");
  if (!found_magic) return tl::unexpected(found_magic.error());
  if (*found_magic != magic) {
    return tl::unexpected(
        Error{ErrorCode::unknown_format, 0, "magic",
              fmt::format("starts with 0x{:08X}, not with `nbCF`", *found_magic)});
  }
  const auto found_version = in.read<std::uint16_t>(version_at, "version");
  if (!found_version) return tl::unexpected(found_version.error());
  if (*found_version != version) {
    return tl::unexpected(
        Error{ErrorCode::unsupported, version_at, "version",
              fmt::format("version is {}, only {} is known", *found_version, version)});
  }
  if (const auto header = in.slice(0, header_size, "header"); !header) {
    return tl::unexpected(header.error());
  }
  ObjectReader reader(payload, limits);
  reader.skip(header_size);
  return reader.read_object(1);
}

std::string text(const Value& value) {
  const auto end = std::find(value.bytes.begin(), value.bytes.end(), std::byte{0});
  std::string out;
  for (auto at = value.bytes.begin(); at != end; ++at) out.push_back(std::to_integer<char>(*at));
  return out;
}

}  // namespace mabkit::nbcf
