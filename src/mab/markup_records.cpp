#include "mab/markup_records.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "base/bytes.hpp"
#include "base/crc32.hpp"

namespace mabkit::mab {
namespace {

constexpr std::array object_magic{std::byte{'n'}, std::byte{'b'}, std::byte{'C'}, std::byte{'F'}};

/// The record at `position`, where its object begins with the magic and has the stored CRC-32.
std::optional<MarkupRecord> record_at(std::span<const std::byte> region, std::uint64_t position,
                                      std::uint64_t origin) {
  if (!base::fits(position, markup_header_size + object_magic.size(), region.size())) {
    return std::nullopt;
  }
  const auto at = static_cast<std::size_t>(position);
  const MarkupRecord record{
      .offset = origin + position,
      .crc = base::load<std::uint32_t>(region, at),
      .time = base::load<float>(region, at + 4),
      .unknown = base::load<std::uint32_t>(region, at + 8),
      .size = base::load<std::uint16_t>(region, at + 12),
      .second_size = base::load<std::uint16_t>(region, at + 14),
  };
  if (record.size < object_magic.size() ||
      !base::fits(position + markup_header_size, record.size, region.size())) {
    return std::nullopt;
  }
  const auto object = region.subspan(at + markup_header_size, record.size);
  if (!std::equal(object_magic.begin(), object_magic.end(), object.begin())) return std::nullopt;
  if (base::crc32(object) != record.crc) return std::nullopt;
  return record;
}

}  // namespace

std::vector<MarkupRecord> find_markup_records(std::span<const std::byte> region,
                                              std::uint64_t origin) {
  std::vector<MarkupRecord> records;
  // A hostile region could make every byte be hashed thousands of times.
  std::uint64_t vain_bytes_left = 4 * std::uint64_t{region.size()} + 0x10000;
  std::uint64_t position = 0;
  while (position + markup_header_size < region.size() && vain_bytes_left > 0) {
    const auto* const end = region.data() + region.size();
    const auto* const found = std::search(region.data() + position + markup_header_size, end,
                                          object_magic.begin(), object_magic.end());
    if (found == end) break;
    position = static_cast<std::uint64_t>(found - region.data()) - markup_header_size;
    if (const auto record = record_at(region, position, origin)) {
      records.push_back(*record);
      position += markup_header_size + record->size;
    } else {
      const auto size = base::load<std::uint16_t>(region, static_cast<std::size_t>(position) + 12);
      vain_bytes_left -= std::min<std::uint64_t>(vain_bytes_left, size);
      ++position;
    }
  }
  return records;
}

}  // namespace mabkit::mab
