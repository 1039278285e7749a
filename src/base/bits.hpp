#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace mabkit::base {

/// Reads bits, least significant first, from bytes (spec mab-chunked, "Bits are numbered
/// LSB-first"). Reading past the end gives zeros and is remembered, so that a decoder checks once.
class BitReader {
 public:
  explicit BitReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  /// The next `count` bits, 0 to 24.
  [[nodiscard]] std::uint32_t take(unsigned count) {
    const std::uint32_t value = peek() & ((1U << count) - 1U);
    position_ += count;
    return value;
  }
  void skip(std::uint64_t count) { position_ += count; }

  [[nodiscard]] std::uint64_t position() const { return position_; }
  [[nodiscard]] bool overran() const { return position_ > bytes_.size() * 8U; }

 private:
  /// At least 24 bits from the current position.
  [[nodiscard]] std::uint32_t peek() const {
    const std::uint64_t first = position_ / 8;
    std::uint32_t word = 0;
    if (first + sizeof(word) <= bytes_.size()) {
      std::memcpy(&word, bytes_.data() + first, sizeof(word));
      return word >> (position_ % 8);
    }
    for (unsigned i = 0; i < 4; ++i) {
      if (first + i < bytes_.size()) {
        word |= std::to_integer<std::uint32_t>(bytes_[static_cast<std::size_t>(first + i)])
                << (8 * i);
      }
    }
    return word >> (position_ % 8);
  }

  std::span<const std::byte> bytes_;
  std::uint64_t position_ = 0;
};

/// Writes bits, least significant first.
class BitWriter {
 public:
  /// Appends the low `count` bits of `value`, 0 to 24.
  void put(std::uint32_t value, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      if (size_ % 8 == 0) bytes_.push_back(std::byte{0});
      if (((value >> i) & 1U) != 0) bytes_.back() |= std::byte{1} << (size_ % 8);
      ++size_;
    }
  }
  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// What was written, the last byte filled with zeros.
  [[nodiscard]] std::vector<std::byte> take() && { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
  std::uint64_t size_ = 0;
};

}  // namespace mabkit::base
