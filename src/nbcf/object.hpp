#pragma once

#include <cstddef>
#include <cstdint>
#include <mabkit/error.hpp>
#include <mabkit/limits.hpp>
#include <span>
#include <string>
#include <vector>

/// Compiled `nbCF` objects, the payload of animation events (spec mab-sparse, 1.10).
namespace mabkit::nbcf {

/// A named value; what its bytes mean depends on the name.
struct Value {
  std::uint32_t name_hash = 0;
  std::span<const std::byte> bytes;
};

/// An object of a class, with its values and the objects in it. Views the bytes that it was read
/// from.
struct Object {
  std::uint32_t class_hash = 0;
  std::vector<Value> values;
  std::vector<Object> children;

  /// The first value of that name, or nothing.
  [[nodiscard]] const Value* find(std::uint32_t name_hash) const;
};

/// Name of the value that holds an event's type as text (spec mab-sparse, 1.10).
inline constexpr std::uint32_t type_name_hash = 0x60534B32;

/// Reads the object of a payload that starts with `nbCF`. Bytes after the object are let be. Offset
/// and path of an error are relative to the payload.
[[nodiscard]] Result<Object> parse_object(std::span<const std::byte> payload,
                                          const ReadLimits& limits);

/// The bytes of a value as text, up to its first NUL.
[[nodiscard]] std::string text(const Value& value);

}  // namespace mabkit::nbcf
