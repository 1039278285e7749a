#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mabkit/error.hpp>
#include <span>
#include <string_view>
#include <vector>

#include "base/bits.hpp"

namespace mabkit::codec {

/// Keys in every chunk but the last (spec mab-chunked, 2.1).
inline constexpr unsigned keys_in_chunk = 8;
/// Bits that the smallest rotation and translation block of one joint takes: every component
/// constant, no signs (spec mab-chunked, 2.2 and 3.2).
inline constexpr unsigned least_rotation_bits = 6 + 3 * 16;
inline constexpr unsigned least_translation_bits = 3 + 3 * 16;

/// Chunks that hold `keys` keys.
[[nodiscard]] constexpr std::uint32_t chunk_count(std::uint32_t keys) {
  return (keys + keys_in_chunk - 1) / keys_in_chunk;
}

/// Keys in chunk `chunk` of a stream of `keys` keys; `chunk` < `chunk_count(keys)`.
[[nodiscard]] constexpr unsigned keys_of_chunk(std::uint32_t keys, std::uint32_t chunk) {
  const std::uint32_t left = keys - chunk * keys_in_chunk;
  return left < keys_in_chunk ? left : keys_in_chunk;
}

/// Where the chunks of a stream stand: `starts[c]` to `starts[c + 1]`, relative to the section.
struct ChunkTable {
  std::vector<std::uint32_t> starts;  ///< one more than there are chunks

  [[nodiscard]] std::uint32_t chunks() const {
    return static_cast<std::uint32_t>(starts.size() - 1);
  }
  /// Bytes of table and chunks.
  [[nodiscard]] std::uint32_t size() const { return starts.back(); }
};

/// Reads a stream's chunk table (spec mab-chunked, 2.1) and checks that it rises and stays within
/// `section`. `offset` and `path` name the section in errors.
[[nodiscard]] Result<ChunkTable> read_chunk_table(std::span<const std::byte> section,
                                                  std::uint64_t offset, std::string_view path);

/// One component of a joint over one chunk, as stored (spec mab-chunked, 2.2).
struct ComponentBlock {
  bool is_constant = false;
  std::uint16_t word = 0;                           ///< where constant
  std::uint8_t base = 0;                            ///< where not
  std::uint8_t slope = 0;                           ///< where not
  std::array<std::uint16_t, keys_in_chunk> raws{};  ///< where not
  friend bool operator==(const ComponentBlock&, const ComponentBlock&) = default;
};

/// A joint's rotation or translation over one chunk, as stored.
struct JointBlock {
  bool has_signs = false;     ///< rotations only
  std::uint8_t implicit = 0;  ///< rotations only: the component left out, 0 = x .. 3 = w
  std::uint8_t signs = 0;     ///< bit f: the implicit component of key f is negative
  std::array<ComponentBlock, 3> components;
  friend bool operator==(const JointBlock&, const JointBlock&) = default;
};

enum class BlockKind : std::uint8_t {
  rotation,     ///< 6 control bits, optional signs
  translation,  ///< 3 control bits
};

/// Reads a block of `keys` (1..8) keys at `bits` (1..16) a varying component. Check `in.overran()`
/// afterwards.
[[nodiscard]] JointBlock read_block(base::BitReader& in, BlockKind kind, unsigned bits,
                                    unsigned keys);

/// Writes what `read_block` reads.
void write_block(base::BitWriter& out, const JointBlock& block, BlockKind kind, unsigned bits,
                 unsigned keys);

/// Bits that `write_block` writes.
[[nodiscard]] std::uint64_t block_bits(const JointBlock& block, BlockKind kind, unsigned bits,
                                       unsigned keys);

/// Bits of the block at the reader's position, which moves past it.
std::uint64_t skip_block(base::BitReader& in, BlockKind kind, unsigned bits, unsigned keys);

/// Decodes one joint's rotations over one chunk: `keys` (1..8) unit quaternions, xyzw, into `out`
/// (4 * keys floats), in the engine's float32 order (spec mab-chunked, 2.2). A sum of squares above
/// one renormalises the stored three and leaves the fourth at zero. Check `in.overran()`
/// afterwards.
void decode_rotation_block(base::BitReader& in, unsigned bits, unsigned keys, std::span<float> out);

/// Decodes one joint's translations over one chunk: `keys` vectors in metres into `out` (3 * keys
/// floats); `scale` is the table entry's (spec mab-chunked, 3.1 and 3.2).
void decode_translation_block(base::BitReader& in, unsigned bits, unsigned keys, float scale,
                              std::span<float> out);

/// `decode_rotation_block` and `decode_translation_block` of a block that was read before: the same
/// bits.
void decode_rotations(const JointBlock& block, unsigned bits, unsigned keys, std::span<float> out);
void decode_translations(const JointBlock& block, unsigned bits, unsigned keys, float scale,
                         std::span<float> out);

}  // namespace mabkit::codec
