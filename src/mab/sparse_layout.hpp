#pragma once

#include <array>
#include <cstdint>
#include <mabkit/game.hpp>
#include <string_view>

namespace mabkit::mab {

/// How the frame rate stands in an array header, at +4 (spec mab-sparse, 1.7 and 5.1).
enum class RateForm : std::uint8_t {
  u16,        ///< frames per second as u16
  f32_or_u16  ///< as f32 where that is 1 to 1000, else as u16 where that is
};

/// Where things stand in the files of one game (spec mab-sparse, 1.1 to 1.3, 5.1). Positions count
/// from the clip base.
struct SparseLayout {
  Game game = Game::fc2;
  std::uint16_t version = 0;           ///< the file's first word
  std::uint32_t least_mask_words = 0;  ///< width of a bone mask; where it differs from
  std::uint32_t most_mask_words = 0;   ///< the most, the file has to tell (spec 5.2)
  std::uint32_t reference = 0;         ///< reference rotation, f32[4]
  std::uint32_t loop = 0;              ///< loop rotation, f32[4]
  std::uint32_t tag = 0;               ///< `AnD\x1A`
  std::uint32_t duration = 0;          ///< f32, seconds
  std::uint32_t section_table = 0;     ///< i32[9]
  std::uint32_t runtime_pointer = 0;   ///< u32, 0 on disk
  std::uint32_t header_size = 0;       ///< first byte that a section may have
  RateForm rate = RateForm::u16;
  std::string_view guess;  ///< what the row itself is a guess about; empty where it is none
  /// Why no file can be made from nothing; empty where one can.
  std::string_view needs_template;

  [[nodiscard]] constexpr bool infers_masks() const { return least_mask_words != most_mask_words; }
};

/// Of the later games' header 64 bytes are unknown (spec mab-sparse, 5.2 and 5.3).
inline constexpr std::string_view unknown_header = "no source tells the whole of its header";

/// One row a game. Avatar shares Far Cry 2's version and parser (spec mab-sparse, 1.1).
inline constexpr std::array sparse_games{
    SparseLayout{.game = Game::fc2,
                 .version = 0x4C,
                 .least_mask_words = 5,
                 .most_mask_words = 5,
                 .reference = 0x50,
                 .loop = 0x60,
                 .tag = 0x70,
                 .duration = 0x74,
                 .section_table = 0x78,
                 .runtime_pointer = 0x9C,
                 .header_size = 0xA0,
                 .rate = RateForm::u16,
                 .guess = {},
                 .needs_template = {}},
    SparseLayout{.game = Game::fc3,
                 .version = 0x61,
                 .least_mask_words = 5,
                 .most_mask_words = 9,
                 .reference = 0x90,
                 .loop = 0xA0,
                 .tag = 0xB0,
                 .duration = 0xB4,
                 .section_table = 0xB8,
                 .runtime_pointer = 0xDC,
                 .header_size = 0xE0,
                 .rate = RateForm::f32_or_u16,
                 .guess = {},
                 .needs_template = unknown_header},
    SparseLayout{.game = Game::fc3bd,
                 .version = 0x62,
                 .least_mask_words = 5,
                 .most_mask_words = 9,
                 .reference = 0x90,
                 .loop = 0xA0,
                 .tag = 0xB0,
                 .duration = 0xB4,
                 .section_table = 0xB8,
                 .runtime_pointer = 0xDC,
                 .header_size = 0xE0,
                 .rate = RateForm::f32_or_u16,
                 .guess = "that version 0x62 is laid out as 0x61 is a guess",
                 .needs_template = unknown_header},
};

/// The row of a version, or nothing.
[[nodiscard]] constexpr const SparseLayout* find_sparse_layout(std::uint16_t version) {
  for (const SparseLayout& row : sparse_games) {
    if (row.version == version) return &row;
  }
  return nullptr;
}

/// Bytes before the first clip (spec mab-sparse, 1.2).
inline constexpr std::uint32_t file_header_size = 16;
enum FileField : std::uint32_t {
  file_version = 0x00,
  file_unknown_02 = 0x02,
  file_unknown_04 = 0x04,  ///< perhaps a hash
  file_unknown_08 = 0x08,
};
/// `AnD` and 0x1A (spec mab-sparse, 1.3).
inline constexpr std::uint32_t clip_tag = 0x1A446E41;
/// Sections start and end at multiples of this, from the clip base (spec mab-sparse, 1.6).
inline constexpr std::uint32_t section_alignment = 16;
/// Zeros that stand for the tag table where there is none (spec mab-sparse, 1.6).
inline constexpr std::uint32_t empty_tag_table_size = 16;
/// Widest mask of any row.
inline constexpr std::uint32_t most_mask_words = 9;

/// Entries of the section table (spec mab-sparse, 1.5).
enum SparseSlot : std::uint32_t {
  trajectory_translation = 0,
  trajectory_rotation = 1,
  constant_rotations = 2,
  keyed_rotations = 3,
  constant_translations = 4,
  animated_translations = 5,
  tag_table = 6,
  event_chain = 7,
  next_clip = 8,
};
inline constexpr std::uint32_t slot_count = 9;

/// The order in which the sections stand in a file (spec mab-sparse, 1.5); `next_clip` follows.
inline constexpr std::array<std::uint32_t, 8> disk_order{
    trajectory_rotation,   trajectory_translation, constant_rotations, keyed_rotations,
    constant_translations, animated_translations,  tag_table,          event_chain};

/// The spec's name of a slot's content.
[[nodiscard]] std::string_view slot_name(std::uint32_t slot);

/// The last frame's index is a u16 (spec mab-sparse, 3.5, rule 8).
inline constexpr std::uint16_t most_last_frame = 65535;

/// Bones in one word of a mask (spec mab-sparse, 1.4).
inline constexpr std::uint32_t bones_per_word = 32;

/// The array header of slots 0 to 5 (spec mab-sparse, 1.7).
inline constexpr std::uint32_t array_header_size = 8;
inline constexpr std::uint32_t array_last_frame = 2;
inline constexpr std::uint32_t array_rate = 4;
inline constexpr std::uint32_t array_unknown = 6;

/// A tag record (spec mab-sparse, 1.9).
inline constexpr std::uint32_t tag_table_header_size = 4;
inline constexpr std::uint32_t tag_record_size = 0xAC;
inline constexpr std::uint32_t tag_text_size = 32;
enum TagField : std::uint32_t {
  tag_kind = 0x00,
  tag_unknown_01 = 0x01,
  tag_id = 0x02,
  tag_unknown_04 = 0x04,
  tag_unknown_08 = 0x08,
  tag_clip_offset = 0x0C,
  tag_start = 0x10,
  tag_end = 0x14,
  tag_name = 0x18,
  tag_parent = 0x3C,
  tag_target = 0x60,
  tag_reference = 0x84,
  tag_runtime_pointer = 0xA8,
};

/// A node of the event chain (spec mab-sparse, 1.10).
inline constexpr std::uint32_t event_header_size = 12;
/// Zero bytes between an event's payload and the next node.
inline constexpr std::uint32_t event_terminator_size = 1;
enum EventField : std::uint32_t {
  event_time = 0x00,
  event_type = 0x04,
  event_payload_size = 0x08,
  event_next = 0x0A,
};

}  // namespace mabkit::mab
