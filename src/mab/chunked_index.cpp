#include "mab/chunked_index.hpp"

#include <algorithm>

namespace mabkit::mab {
namespace {

/// 5000 / (2^24 - 1) metres, the unit of a translation's scale (spec mab-chunked, 3.1).
constexpr float translation_unit = 0.00029802325F;

}  // namespace

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
  return {word & 0xFFU, static_cast<float>(word >> 8U) * translation_unit};
}

std::uint32_t first_joint_entry(const ChunkedBlock& block) {
  const std::uint32_t entries = block.translation_table ? block.translation_table->entries : 0;
  return entries - std::min(entries, block.census.animated_translations);
}

}  // namespace mabkit::mab
