#pragma once

#include <cstdint>
#include <mabkit/error.hpp>
#include <mabkit/limits.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "codec/chunked_stream.hpp"
#include "mab/chunked_layout.hpp"
#include "mab/markup_records.hpp"

namespace mabkit::mab {

/// File offset of the main block (spec mab-chunked, 1.1).
inline constexpr std::uint64_t main_base = 0x10;
/// The wrapper's fields before the main block: the magic and three words.
inline constexpr std::uint32_t wrapper_words = 4;

/// The bits of a block's joint count that count; the other four are flags (spec mab-chunked, 1.2).
inline constexpr std::uint16_t joint_count_mask = 0x0FFF;

/// Slots of dataCounts (spec mab-chunked, 1.3).
enum CountSlot : std::uint8_t {
  displacement_orientation_count,
  displacement_translation_count,
  constant_rotation_count,
  constant_translation_count,
  joint_rotation_count,
  joint_translation_count,
  table_entry_count,
};

/// A section that holds something.
struct SectionSpan {
  Section section = Section::unknown;
  std::uint32_t slot = 0;
  std::uint64_t offset = 0;   ///< from the start of the file
  std::uint64_t size = 0;     ///< bytes, padding left out
  std::uint64_t limit = 0;    ///< file offset of what comes next, where the section must end
  std::uint32_t entries = 0;  ///< keys, tracks, table entries or records
};

/// A chunked stream that a decoder reads, with its chunk table.
struct StreamSpan {
  SectionSpan span;
  codec::ChunkTable table;
  /// Displacement only: what a varying component takes, found from the bytes; 0 where every
  /// component is constant.
  unsigned bits = 0;
  /// Displacement only: keys of a constant stream whose sign bits are stored (spec mab-chunked, 6.4
  /// rule 1); else the keys of the clip.
  unsigned constant_keys = 1;
};

/// How many joints are driven, by the census of the flags (spec mab-chunked, section 5).
struct FlagCensus {
  std::uint32_t constant_rotations = 0;
  std::uint32_t animated_rotations = 0;
  std::uint32_t constant_translations = 0;
  std::uint32_t animated_translations = 0;
};

/// One block (CAnimData) of a file: a clip.
struct ChunkedBlock {
  std::uint64_t base = 0;    ///< of the header, from the start of the file
  std::uint64_t end = 0;     ///< of the data, from the start of the file
  std::uint32_t owner = 0;   ///< block whose record named this one first
  std::uint32_t joints = 0;  ///< high bits masked away
  std::uint32_t keys = 0;
  float duration = 0.0F;          ///< seconds, as stored
  float frame_rate = 0.0F;        ///< frames per second
  float ticks_per_second = 0.0F;  ///< of the key times
  std::uint64_t hashes = 0;       ///< file offset of u32[joints]
  std::uint64_t flags = 0;        ///< file offset of u8[joints]
  FlagCensus census;
  std::vector<std::uint16_t> counts;   ///< as stored
  std::vector<std::uint32_t> offsets;  ///< as stored

  std::optional<SectionSpan> key_times;
  std::optional<SectionSpan> translation_table;
  std::optional<SectionSpan> constant_rotations;
  std::optional<SectionSpan> constant_translations;
  std::optional<StreamSpan> joint_rotations;
  std::optional<StreamSpan> joint_translations;
  /// Displacement that a decoder understands.
  std::optional<StreamSpan> displacement_orientations;
  std::optional<StreamSpan> displacement_translations;
  std::optional<SectionSpan> parts;
  std::optional<SectionSpan> markup;
  std::vector<MarkupRecord> markup_records;
};

/// One record of a parts section (spec mab-chunked, 6.1).
struct PartRecord {
  std::uint32_t block = 0;             ///< whose section it stands in
  std::uint32_t index = 0;             ///< position in that section
  std::uint64_t offset = 0;            ///< from the start of the file
  std::optional<std::uint32_t> child;  ///< position in `ChunkedIndex::blocks`
  float start = 0.0F;                  ///< seconds
  float end = 0.0F;                    ///< seconds
  std::uint32_t child_bone = 0;        ///< CRC-32
  std::uint32_t parent_bone = 0;       ///< CRC-32
  std::uint32_t target_bone = 0;       ///< CRC-32
  std::uint8_t kind = 0;
  std::optional<std::uint64_t> name_offset;  ///< from the start of the file
  std::uint64_t name_size = 0;               ///< bytes without the NUL
};

/// What stands where in a file of the chunked family. Block 0 is the main one; the others follow in
/// the order of the records that name them, depth first (spec mab-chunked, 6.4 rule 2).
struct ChunkedIndex {
  const ChunkedLayout* layout = nullptr;
  Game game = Game::wd1;  ///< by the magic, or by the structure where that says otherwise
  ReadLimits limits;
  std::uint32_t part_record_size = 0;  ///< as found; the row's is the first guess
  std::vector<ChunkedBlock> blocks;
  std::vector<PartRecord> records;
  std::vector<Diagnostic> diagnostics;
  std::string inferred;  ///< see `FileSummary::inferred`
};

// Flags of a joint (spec mab-chunked, section 5).
inline constexpr std::uint8_t rotation_flag = 0x10;
inline constexpr std::uint8_t constant_rotation_flags = 0x30;
inline constexpr std::uint8_t depth_mask = 0x0F;  ///< of an animated rotation: bits - 1
inline constexpr std::uint8_t translation_flag = 0x40;
inline constexpr std::uint8_t constant_translation_flags = 0xC0;

[[nodiscard]] inline bool has_constant_rotation(const ChunkedLayout& layout, std::uint8_t flags) {
  return (flags & layout.constant_mask) == layout.constant_bits;
}
[[nodiscard]] inline bool has_animated_rotation(const ChunkedLayout& layout, std::uint8_t flags) {
  return (flags & rotation_flag) != 0 && !has_constant_rotation(layout, flags);
}
[[nodiscard]] inline bool has_constant_translation(std::uint8_t flags) {
  return (flags & constant_translation_flags) == constant_translation_flags;
}
[[nodiscard]] inline bool has_animated_translation(std::uint8_t flags) {
  return (flags & constant_translation_flags) == translation_flag;
}
/// Bits of an animated rotation's varying component.
[[nodiscard]] inline unsigned rotation_bits(std::uint8_t flags) {
  return (flags & depth_mask) + 1U;
}

/// Counts driven joints over the flags of a block.
[[nodiscard]] FlagCensus take_census(const ChunkedLayout& layout, std::span<const std::byte> flags);

/// Metres in one step of a constant translation (spec mab-chunked, 3.3).
inline constexpr float constant_translation_unit = 1.0F / 16384.0F;

/// An entry of the translation table: bits 0-7 depth, bits 8-31 scale (spec mab-chunked, 3.1).
struct TranslationEntry {
  unsigned bits = 0;   ///< 1..16 in lawful files
  float scale = 0.0F;  ///< metres
};
[[nodiscard]] TranslationEntry translation_entry(std::uint32_t word);

/// Position in the table of the first joint's entry: displacement's come first (spec mab-chunked,
/// 3.1).
[[nodiscard]] std::uint32_t first_joint_entry(const ChunkedBlock& block);

}  // namespace mabkit::mab
