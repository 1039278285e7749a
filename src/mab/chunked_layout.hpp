#pragma once

#include <array>
#include <cstdint>
#include <mabkit/game.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mabkit::mab {

/// What a slot of the section table holds (spec mab-chunked, 1.3 and 1.5).
enum class Section : std::uint8_t {
  key_times,
  translation_table,
  displacement_orientations,
  displacement_translations,
  constant_rotations,
  constant_translations,
  joint_rotations,
  joint_translations,
  parts,
  markup,
  end_mark,
  unknown,
};

/// The spec's name: `KeyTimes`, `JointRotations`, ...
[[nodiscard]] std::string_view section_name(Section section);

/// A header field that a game may lack.
using FieldPosition = std::optional<std::uint32_t>;
inline constexpr FieldPosition absent = std::nullopt;

inline constexpr std::size_t max_section_slots = 12;
using SectionMap = std::array<Section, max_section_slots>;

/// What the end marks of a section table hold (spec mab-chunked, 1.3).
enum class EndMark : std::uint8_t { zero, data_size };

/// One game of the chunked family. Positions count from the block's base, which for the main block
/// is file offset 0x10.
struct ChunkedLayout {
  Game game = Game::wd1;
  std::uint32_t magic = 0;     ///< u32 at file offset 0 (1.1)
  FieldPosition skeleton_crc;  ///< u32 or u64, skeleton_crc_size bytes
  std::uint32_t skeleton_crc_size = 0;
  FieldPosition skeleton_path;    ///< u64: hash of the skeleton's path
  std::uint32_t signature = 0;    ///< 'aNi' or 'aNp', then the flags byte (1.2)
  FieldPosition data_size;        ///< u32: bytes from the base to the end of the data
  std::uint32_t duration = 0;     ///< f32, seconds
  FieldPosition frame_rate;       ///< f32, frames per second
  std::uint32_t joint_count = 0;  ///< u16: 12 bits of count, 4 of flags
  FieldPosition counts;           ///< u16[count_slots]
  std::uint32_t count_slots = 0;
  std::uint32_t offsets = 0;  ///< u16 or u32 [offset_slots]
  std::uint32_t offset_slots = 0;
  std::uint32_t offset_width = 4;   ///< bytes: 2 or 4
  std::uint32_t offset_origin = 0;  ///< what offsets count from
  FieldPosition last_frame;         ///< u16: index of the last key
  FieldPosition hashes_offset;      ///< u32 offset of the bone CRCs; absent: they follow the header
  FieldPosition flags_offset;       ///< u32 offset of the bone flags; absent: they follow the CRCs
  std::uint32_t header_size = 0;    ///< bytes
  SectionMap sections{};            ///< meaning of each slot
  std::uint32_t first_end_mark = 0;    ///< slot from which the table holds end marks
  EndMark end_mark = EndMark::zero;    ///< what a writer puts there
  std::uint32_t part_record_size = 0;  ///< bytes, 0: no parts (6.1)
  float ticks_per_second = 0.0F;       ///< of key times; 0: the stored frame rate (section 4)
  float frames_per_second = 30.0F;     ///< of the authoring grid where no rate is stored
  std::uint8_t constant_mask = 0x30;   ///< flags that mark a constant rotation when all are set (5)
  std::uint8_t constant_bits = 0x30;   ///< what they are compared with
  bool has_markup_records = false;    ///< event records stand in the file, after the sections (6.2)
  std::uint32_t tail_size = 0;        ///< zero bytes after the data (1.2)
  bool aligns_empty_sections = true;  ///< a writer aligns a section that holds nothing
  bool has_guessed_translations = false;  ///< slots of constants and table are a guess ([L], 1.5)
  bool needs_template = false;            ///< header words are unknown, so no new file (1.5)
  bool is_guess = false;                  ///< the row rests on a guess of the spec ([L])
};

/// A row a game, in the order in which a file of unknown magic is tried (1.7).
[[nodiscard]] std::span<const ChunkedLayout> chunked_layouts();

/// The row with that magic, or null.
[[nodiscard]] const ChunkedLayout* layout_of_magic(std::uint32_t magic);

/// A word of a block's header.
struct HeaderField {
  std::string name;          ///< `duration`, `dataCounts[3]`, `unknown_0x1E`, ...
  std::uint32_t offset = 0;  ///< from the block's base
  std::uint32_t size = 0;    ///< bytes, 1 to 8
  bool is_float = false;
};

/// Every byte of the header as fields, ascending, without gap or overlap. What the row does not
/// name is called `unknown_0x..` by its offset from the base.
[[nodiscard]] std::vector<HeaderField> header_fields(const ChunkedLayout& layout);

}  // namespace mabkit::mab
