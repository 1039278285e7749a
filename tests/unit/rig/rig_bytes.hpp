#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mabkit/math.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"

namespace mabkit::test {

using base::ByteWriter;

/// Appends bytes written as hex digits, spaces ignored.
void put_hex(ByteWriter& out, std::string_view digits);

/// A `.skeleton` bone laid out by the table of spec mab-sparse, 6.1, with fields to spoil.
struct RawLksBone {
  std::uint32_t mark = 0x3ADE68B1;
  std::uint32_t mark_version = 7;
  Quat rotation{};
  Vec3 offset{};
  float length = 0.0F;
  std::uint16_t id = 0;
  std::uint16_t parent = 0xFFFF;
  std::uint16_t first_child = 0xFFFF;
  std::uint16_t next_sibling = 0xFFFF;
  std::string_view orientation = "00";  ///< kind and payload in hex
  std::string_view position = "00";     ///< kind and payload in hex
  std::uint32_t hash = 0;               ///< xor on the name's CRC-32
  std::string name = "Root";
  std::uint8_t animated_translation = 0;
  std::uint8_t body_part = 0;
  float mass_weight = 0.0F;
};

/// A whole `.skeleton` of `bones`, with an empty common table, no handles and empty masks.
[[nodiscard]] std::vector<std::byte> raw_lks(const std::vector<RawLksBone>& bones);
/// The same with `tail` (hex) in place of what follows the bones.
[[nodiscard]] std::vector<std::byte> raw_lks(const std::vector<RawLksBone>& bones,
                                             std::uint16_t common_count, std::string_view tail);

/// Text as a `.skeleton` has it: hash, length, characters.
[[nodiscard]] std::string text_hex(std::string_view text);

/// What follows the bones of an otherwise empty `.skeleton`: no handles, scale 1, no translation
/// bones, three masks of five zero words.
[[nodiscard]] std::string empty_tail();

/// A node of an `.xbg` by the table of spec mab-sparse, 6.5, with fields to spoil.
struct RawXbgNode {
  std::uint32_t hash = 0;  ///< xor on the name's CRC-32
  std::int32_t first_child = -1;
  std::int32_t next_sibling = -1;
  std::int32_t parent = -1;
  Quat rotation{};
  Vec3 translation{};
  Vec3 scale{1.0F, 1.0F, 1.0F};
  std::string name = "Root";
  std::string_view before_name{};      ///< hex, before the name's length
  std::string_view after_name = "00";  ///< hex, behind the name
};

/// The payload of a node chunk.
[[nodiscard]] std::vector<std::byte> raw_nodes(const std::vector<RawXbgNode>& nodes);

/// A chunk by spec mab-sparse, 6.4: header, the chunks inside, payload.
[[nodiscard]] std::vector<std::byte> raw_chunk(std::string_view tag,
                                               const std::vector<std::vector<std::byte>>& inside,
                                               const std::vector<std::byte>& payload);

/// An `.xbg` of the given major version.
[[nodiscard]] std::vector<std::byte> raw_xbg(std::uint16_t major,
                                             const std::vector<std::vector<std::byte>>& chunks);

}  // namespace mabkit::test
