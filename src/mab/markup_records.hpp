#pragma once

#include <cstddef>
#include <cstdint>
#include <mabkit/error.hpp>
#include <span>
#include <vector>

namespace mabkit::mab {

/// Bytes of a markup record before its object (spec mab-chunked, 6.2): u32 CRC-32 of the object,
/// f32 time, u32 unknown, u16 size, u16 second size.
inline constexpr std::uint32_t markup_header_size = 16;

/// An event record inside a `.mab` of Far Cry 4 (spec mab-chunked, 6.2).
struct MarkupRecord {
  std::uint64_t offset = 0;  ///< from the start of the file
  std::uint32_t crc = 0;
  float time = 0.0F;  ///< seconds
  std::uint32_t unknown = 0;
  std::uint16_t size = 0;  ///< bytes of the object
  std::uint16_t second_size = 0;

  [[nodiscard]] std::uint64_t object_offset() const { return offset + markup_header_size; }
  [[nodiscard]] std::uint64_t end() const { return object_offset() + size; }
};

/// What a search for event records found.
struct MarkupScan {
  std::vector<MarkupRecord> records;
  std::vector<Diagnostic> oddities;  ///< bytes that look like a record and are none
};

/// Finds the records in `region`, which starts at file offset `origin`: each verified by its
/// object's magic and CRC-32. Their place is a guess of the spec, so what does not verify is not
/// taken, and said. Fails with `truncated` where an object reaches past the region's end.
[[nodiscard]] Result<MarkupScan> find_markup_records(std::span<const std::byte> region,
                                                     std::uint64_t origin);

}  // namespace mabkit::mab
