#pragma once

#include <cstdint>

namespace mabkit::mab {

/// Bytes of a parts section before its records: their count (spec mab-chunked, 6.1).
inline constexpr std::uint32_t part_count_size = 4;
/// The record of FC5, WDL, WD1 and WD2, and the one of FC6, which lacks the first word (spec
/// mab-chunked, 6.1).
inline constexpr std::uint32_t long_part_record = 32;
inline constexpr std::uint32_t short_part_record = 28;
/// What the spec has in the byte after the kind, always (6.1).
inline constexpr std::uint8_t usual_part_byte = 3;
/// A parent that stands for any bone (6.1).
inline constexpr std::uint32_t any_bone = 0xFFFFFFFF;
/// Records may share a name, so a long one would be copied for each; no name of a bone or prop
/// comes near.
inline constexpr std::uint32_t longest_part_name = 255;

/// Positions of a record's fields, after the first word that short records lack.
enum PartField : std::uint32_t {
  part_child = 0x00,        ///< u32 from the record's start to the child block; 0: none
  part_start = 0x04,        ///< f32 seconds
  part_end = 0x08,          ///< f32 seconds
  part_child_bone = 0x0C,   ///< u32 CRC-32
  part_parent_bone = 0x10,  ///< u32 CRC-32
  part_target_bone = 0x14,  ///< u32 CRC-32
  part_kind = 0x18,         ///< u8
  part_byte = 0x19,         ///< u8, unknown
  part_name = 0x1A,         ///< u16 from the record's start to the name; 0: none
};

/// Where a record's fields begin, behind the word that short records lack.
[[nodiscard]] constexpr std::uint64_t part_fields(std::uint64_t record, std::uint32_t size) {
  return record + size - short_part_record;
}

}  // namespace mabkit::mab
