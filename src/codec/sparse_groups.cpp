#include "codec/sparse_groups.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>

#include "base/bytes.hpp"

namespace mabkit::codec {
namespace {

constexpr std::size_t array_header_size = 8;  // spec mab-sparse, 1.7
constexpr std::size_t table_entry_size = 4;
constexpr std::size_t key_size = sizeof(PackedQuaternion);
constexpr std::size_t presence_alignment = 2;  // spec mab-sparse, 3.1: run 2

/// Mirrors bits 0 to 6 and clears bit 7.
constexpr std::uint8_t mirrored(unsigned presence) {
  unsigned out = 0;
  for (unsigned bit = 0; bit < 7; ++bit) out |= ((presence >> bit) & 1U) << (6 - bit);
  return static_cast<std::uint8_t>(out);
}

constexpr std::array<std::uint8_t, 256> mirror_table() {
  std::array<std::uint8_t, 256> table{};
  for (unsigned presence = 0; presence < table.size(); ++presence) {
    table[presence] = mirrored(presence);
  }
  return table;
}
constexpr std::array mirror = mirror_table();

std::size_t further_keys(std::span<const std::byte> presence) {
  std::size_t keys = 0;
  for (const std::byte stored : presence) {
    keys +=
        static_cast<std::size_t>(std::popcount(std::to_integer<unsigned>(stored) & presence_mask));
  }
  return keys;
}

/// Presence bits of group `group` that lie at or before the last frame.
unsigned bits_within(const SparseGroups& groups, std::uint32_t group) {
  if (group + 1 < groups.count()) return presence_mask;
  return (1U << (groups.last_frame() % frames_per_group)) - 1U;
}

tl::unexpected<Error> group_error(ErrorCode code, std::uint64_t offset, std::string path,
                                  std::string message) {
  return tl::unexpected(Error{code, offset, std::move(path), std::move(message)});
}

/// Where a track's next decoded key goes.
struct Cursor {
  float* time = nullptr;
  float* value = nullptr;
};

bool decode_key(std::span<const std::byte> run, std::size_t index, float time, Cursor& cursor) {
  const auto [rotation, radicand] = unpack(packed_at(run, index), sparse_packed_half);
  if (!(radicand >= least_radicand)) return false;
  *cursor.time++ = time;
  cursor.value[0] = rotation.x;
  cursor.value[1] = rotation.y;
  cursor.value[2] = rotation.z;
  cursor.value[3] = rotation.w;
  cursor.value += 4;
  return true;
}

}  // namespace

Result<SparseGroups> SparseGroups::open(std::span<const std::byte> section, std::uint32_t tracks,
                                        std::uint32_t last_frame) {
  SparseGroups groups;
  groups.tracks_ = tracks;
  groups.last_frame_ = last_frame;
  if (tracks == 0) {
    groups.section_ = section.first(std::min(section.size(), array_header_size));
    return groups;
  }

  const std::uint64_t first_group =
      array_header_size + table_entry_size * (std::uint64_t{groups.count()} + 1);
  if (first_group > section.size()) {
    return group_error(ErrorCode::truncated, array_header_size, "group_table",
                       fmt::format("frames 0 to {} need a table of {} group offsets, but the "
                                   "section has {} bytes",
                                   last_frame, groups.count() + 1, section.size()));
  }
  groups.section_ = section;
  if (groups.table_entry(0) != first_group) {
    return group_error(ErrorCode::inconsistent, array_header_size, "group_table[0]",
                       fmt::format("the first group starts at 0x{:X}, but its table ends at 0x{:X}",
                                   groups.table_entry(0), first_group));
  }
  for (std::uint32_t i = 0; i < groups.count(); ++i) {
    if (const auto checked = groups.check_group(i, section.size()); !checked) {
      return tl::unexpected(checked.error());
    }
  }
  groups.section_ = section.first(groups.table_entry(groups.count()));
  return groups;
}

SparseGroups SparseGroups::reopen(std::span<const std::byte> section, std::uint32_t tracks,
                                  std::uint32_t last_frame) {
  SparseGroups groups;
  groups.section_ = section;
  groups.tracks_ = tracks;
  groups.last_frame_ = last_frame;
  return groups;
}

Result<void> SparseGroups::check_group(std::uint32_t index, std::size_t section_size) const {
  const std::uint64_t start = table_entry(index);
  const std::uint64_t end = table_entry(index + 1);
  const std::uint64_t entry = array_header_size + table_entry_size * (std::uint64_t{index} + 1);
  if (end > section_size || end < start) {
    return group_error(
        ErrorCode::inconsistent, entry, fmt::format("group_table[{}]", index + 1),
        fmt::format("group {} runs from 0x{:X} to 0x{:X}, but the section has 0x{:X} "
                    "bytes",
                    index, start, end, section_size));
  }
  const std::uint64_t presence_start = start + key_size * tracks_;
  const std::uint64_t keys_start = presence_start + base::align_up(tracks_, presence_alignment);
  std::uint64_t needed = keys_start - start;
  if (needed <= end - start) {
    needed += key_size *
              further_keys(section_.subspan(static_cast<std::size_t>(presence_start), tracks_));
  }
  if (needed != end - start) {
    return group_error(ErrorCode::inconsistent, start, fmt::format("group[{}]", index),
                       fmt::format("the group has {} bytes, but its tracks and presence bytes ask "
                                   "for {}",
                                   end - start, needed));
  }
  return {};
}

std::uint32_t SparseGroups::table_entry(std::uint32_t index) const {
  return base::load<std::uint32_t>(section_, array_header_size + table_entry_size * index);
}

SparseGroup SparseGroups::group(std::uint32_t index) const {
  const std::size_t start = table_entry(index);
  const std::span bytes = section_.subspan(start, table_entry(index + 1) - start);
  const std::size_t presence = key_size * tracks_;
  const auto padding =
      static_cast<std::size_t>(base::align_up(tracks_, presence_alignment)) - tracks_;
  return {.first_keys = bytes.first(presence),
          .presence = bytes.subspan(presence, tracks_),
          .padding = bytes.subspan(presence + tracks_, padding),
          .further_keys = bytes.subspan(presence + tracks_ + padding)};
}

std::uint8_t presence_bits(std::byte stored, PresenceOrder order) {
  const auto presence = std::to_integer<std::uint8_t>(stored);
  if (order == PresenceOrder::msb) return mirror[presence];
  return static_cast<std::uint8_t>(presence & presence_mask);
}

PackedQuaternion packed_at(std::span<const std::byte> run, std::size_t index) {
  return base::load<PackedQuaternion>(run, key_size * index);
}

LostKeys count_keys(const SparseGroups& groups, PresenceOrder order,
                    std::span<std::uint32_t> counts) {
  LostKeys past_last;
  for (std::uint32_t& count : counts) count = groups.count();
  for (std::uint32_t g = 0; g < groups.count(); ++g) {
    const SparseGroup group = groups.group(g);
    const unsigned within = bits_within(groups, g);
    for (std::uint32_t track = 0; track < groups.tracks(); ++track) {
      const unsigned present = presence_bits(group.presence[track], order);
      counts[track] += static_cast<std::uint32_t>(std::popcount(present & within));
      for (unsigned past = present & ~within; past != 0; past &= past - 1) {
        past_last.add(
            track, g * frames_per_group + 1 + static_cast<std::uint32_t>(std::countr_zero(past)));
      }
    }
  }
  return past_last;
}

LostKeys decode_keys(const SparseGroups& groups, PresenceOrder order,
                     std::span<const float> frame_times, const SparseOutput& out) {
  LostKeys no_rotation;
  std::vector<Cursor> cursors(groups.tracks());
  for (std::uint32_t track = 0; track < groups.tracks(); ++track) {
    cursors[track] = {out.times.data() + out.tracks[track].first_time,
                      out.values.data() + out.tracks[track].first_value};
  }
  for (std::uint32_t g = 0; g < groups.count(); ++g) {
    const SparseGroup group = groups.group(g);
    const unsigned within = bits_within(groups, g);
    const std::uint32_t first_frame = g * frames_per_group;
    std::size_t next = 0;
    for (std::uint32_t track = 0; track < groups.tracks(); ++track) {
      Cursor& cursor = cursors[track];
      if (!decode_key(group.first_keys, track, frame_times[first_frame], cursor)) {
        no_rotation.add(track, first_frame);
      }
      for (unsigned present = presence_bits(group.presence[track], order); present != 0;
           present &= present - 1, ++next) {
        const auto bit = static_cast<std::uint32_t>(std::countr_zero(present));
        if (((within >> bit) & 1U) == 0) continue;
        const std::uint32_t frame = first_frame + bit + 1;
        if (!decode_key(group.further_keys, next, frame_times[frame], cursor)) {
          no_rotation.add(track, frame);
        }
      }
    }
  }
  for (std::uint32_t track = 0; track < groups.tracks(); ++track) {
    Keys& keys = out.tracks[track];
    keys.count =
        static_cast<std::uint32_t>(cursors[track].time - (out.times.data() + keys.first_time));
  }
  return no_rotation;
}

}  // namespace mabkit::codec
