#include "mab/chunked_index.hpp"

#include <algorithm>

#include "codec/chunked_arithmetic.hpp"

namespace mabkit::mab {
FlagCensus take_census(const ChunkedLayout& layout, std::span<const std::byte> flags) {
  FlagCensus census;
  for (const std::byte byte : flags) {
    const auto joint = std::to_integer<std::uint8_t>(byte);
    if (has_constant_rotation(layout, joint)) ++census.constant_rotations;
    if (has_animated_rotation(layout, joint)) ++census.animated_rotations;
    if (has_constant_translation(joint)) ++census.constant_translations;
    if (has_animated_translation(joint)) ++census.animated_translations;
  }
  return census;
}

TranslationEntry translation_entry(std::uint32_t word) {
  return {word & 0xFFU, codec::translation_scale(word >> 8U)};
}

std::uint32_t first_joint_entry(const ChunkedBlock& block) {
  const std::uint32_t entries = block.translation_table ? block.translation_table->entries : 0;
  return entries - std::min(entries, block.census.animated_translations);
}

}  // namespace mabkit::mab
