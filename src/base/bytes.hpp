#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mabkit/error.hpp>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace mabkit::base {

static_assert(std::endian::native == std::endian::little,
              "every format is little-endian; loads copy bytes as they are");

/// The value whose bytes stand at `offset`. The caller has checked that they are there.
template <class T>
[[nodiscard]] T load(std::span<const std::byte> bytes, std::size_t offset) {
  static_assert(std::is_trivially_copyable_v<T>);
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

/// Reinterprets bits; `std::bit_cast` is absent from one of the standard libraries that we support.
template <class To, class From>
[[nodiscard]] To cast_bits(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof(To));
  return to;
}

/// Whether `size` bytes from `offset` lie within `total`, whatever the numbers.
[[nodiscard]] constexpr bool fits(std::uint64_t offset, std::uint64_t size, std::uint64_t total) {
  return offset <= total && size <= total - offset;
}

/// A bounds-checked view of a file.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }
  [[nodiscard]] std::uint64_t size() const { return bytes_.size(); }
  [[nodiscard]] bool has(std::uint64_t offset, std::uint64_t size) const {
    return fits(offset, size, bytes_.size());
  }

  /// The value at `offset`, or an error `truncated` with `path`.
  template <class T>
  [[nodiscard]] Result<T> read(std::uint64_t offset, std::string_view path) const {
    if (!has(offset, sizeof(T))) return truncated(offset, sizeof(T), path);
    return load<T>(bytes_, static_cast<std::size_t>(offset));
  }

  /// `size` bytes from `offset`, or an error `truncated` with `path`.
  [[nodiscard]] Result<std::span<const std::byte>> slice(std::uint64_t offset, std::uint64_t size,
                                                         std::string_view path) const {
    if (!has(offset, size)) return truncated(offset, size, path);
    return bytes_.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
  }

 private:
  [[nodiscard]] tl::unexpected<Error> truncated(std::uint64_t offset, std::uint64_t size,
                                                std::string_view path) const;

  std::span<const std::byte> bytes_;
};

/// Appends little-endian values to a growing buffer.
class ByteWriter {
 public:
  [[nodiscard]] std::size_t size() const { return bytes_.size(); }
  [[nodiscard]] std::vector<std::byte> take() && { return std::move(bytes_); }
  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

  template <class T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    const std::size_t at = bytes_.size();
    bytes_.resize(at + sizeof(T));
    std::memcpy(bytes_.data() + at, &value, sizeof(T));
  }
  void put_bytes(std::span<const std::byte> bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  void put_zeros(std::size_t count) { bytes_.resize(bytes_.size() + count); }
  /// Zeros up to the next multiple of `alignment`, counted from `origin`.
  void align(std::size_t alignment, std::size_t origin = 0) {
    put_zeros((alignment - (bytes_.size() - origin) % alignment) % alignment);
  }
  /// Overwrites bytes already written; `offset + sizeof(T)` is within them.
  template <class T>
  void patch(std::size_t offset, const T& value) {
    std::memcpy(bytes_.data() + offset, &value, sizeof(T));
  }

 private:
  std::vector<std::byte> bytes_;
};

/// Smallest multiple of `alignment` that is not below `value`.
[[nodiscard]] constexpr std::uint64_t align_up(std::uint64_t value, std::uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

/// Whether every byte is zero.
[[nodiscard]] bool all_zero(std::span<const std::byte> bytes);

}  // namespace mabkit::base
