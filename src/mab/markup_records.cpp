#include "mab/markup_records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "base/bytes.hpp"
#include "base/crc32.hpp"

namespace mabkit::mab {
namespace {

constexpr std::array object_magic{std::byte{'n'}, std::byte{'b'}, std::byte{'C'}, std::byte{'F'}};

/// Positions of a record's fields (spec mab-chunked, 6.2).
enum MarkupField : std::uint8_t {
  crc_field = 0,
  time_field = 4,
  unknown_field = 8,
  size_field = 12,
  second_size_field = 14,
};

/// The fields at `position`, where the region has room for them.
MarkupRecord read_record(std::span<const std::byte> region, std::uint64_t position,
                         std::uint64_t origin) {
  const auto at = static_cast<std::size_t>(position);
  return {
      .offset = origin + position,
      .crc = base::load<std::uint32_t>(region, at + crc_field),
      .time = base::load<float>(region, at + time_field),
      .unknown = base::load<std::uint32_t>(region, at + unknown_field),
      .size = base::load<std::uint16_t>(region, at + size_field),
      .second_size = base::load<std::uint16_t>(region, at + second_size_field),
  };
}

std::string event_path(std::size_t number) {
  return fmt::format("clip[0].markup[{}]", number);
}

}  // namespace

Result<MarkupScan> find_markup_records(std::span<const std::byte> region, std::uint64_t origin) {
  MarkupScan scan;
  // A hostile region could make every byte be hashed thousands of times.
  std::uint64_t vain_bytes_left = 4 * std::uint64_t{region.size()} + 0x10000;
  std::uint64_t position = 0;
  while (position + markup_header_size < region.size() && vain_bytes_left > 0) {
    const auto* const end = region.data() + region.size();
    const auto* const found = std::search(region.data() + position + markup_header_size, end,
                                          object_magic.begin(), object_magic.end());
    if (found == end) break;
    position = static_cast<std::uint64_t>(found - region.data()) - markup_header_size;
    const MarkupRecord record = read_record(region, position, origin);
    if (!base::fits(position + markup_header_size, record.size, region.size())) {
      return tl::unexpected(
          Error{ErrorCode::truncated, record.offset, event_path(scan.records.size()),
                fmt::format("the event's object of {} bytes reaches past the end of the events",
                            record.size)});
    }
    const auto object =
        region.subspan(static_cast<std::size_t>(position) + markup_header_size, record.size);
    if (base::crc32(object) == record.crc && record.size >= object_magic.size()) {
      scan.records.push_back(record);
      position += markup_header_size + record.size;
      continue;
    }
    if (scan.oddities.empty()) {
      scan.oddities.push_back({record.offset, event_path(scan.records.size()),
                               "looks like an event, but its CRC-32 differs: kept, not read"});
    }
    vain_bytes_left -= std::min<std::uint64_t>(vain_bytes_left, record.size);
    ++position;
  }
  return scan;
}

}  // namespace mabkit::mab
