#pragma once

#include <cstddef>
#include <cstdint>
#include <mabkit/bank.hpp>
#include <mabkit/error.hpp>
#include <mabkit/presence_order.hpp>
#include <optional>
#include <span>

#include "codec/packed_quaternion.hpp"

namespace mabkit::codec {

/// Keyed rotations come in groups of eight frames (spec mab-sparse, 3.1).
inline constexpr std::uint32_t frames_per_group = 8;
/// Bits of a presence byte that mark keys; bit 7 is ignored (spec mab-sparse, 3.2).
inline constexpr unsigned presence_mask = 0x7F;

/// One group: every track's rotation at frame 8g, a presence byte a track, the further keys track
/// by track (spec mab-sparse, 3.1).
struct SparseGroup {
  std::span<const std::byte> first_keys;    ///< 6 bytes a track
  std::span<const std::byte> presence;      ///< 1 byte a track
  std::span<const std::byte> padding;       ///< 1 byte where the number of tracks is odd
  std::span<const std::byte> further_keys;  ///< 6 bytes a key
};

/// A section of keyed rotations whose offset table and presence bytes agree with its size.
class SparseGroups {
 public:
  /// No track.
  SparseGroups() = default;

  /// Checks that the groups of `tracks` tracks over frames 0 to `last_frame` tile `section`, which
  /// starts at the array header and may be followed by bytes that don't belong to it. Offset and
  /// path of an error are relative to the section, such as `group[3]`.
  [[nodiscard]] static Result<SparseGroups> open(std::span<const std::byte> section,
                                                 std::uint32_t tracks, std::uint32_t last_frame);

  /// The same without the checks: `section` is, to the byte, one that `open` accepted.
  [[nodiscard]] static SparseGroups reopen(std::span<const std::byte> section, std::uint32_t tracks,
                                           std::uint32_t last_frame);

  [[nodiscard]] std::uint32_t tracks() const { return tracks_; }
  [[nodiscard]] std::uint32_t last_frame() const { return last_frame_; }
  /// 0 where there is no track.
  [[nodiscard]] std::uint32_t count() const {
    return tracks_ == 0 ? 0 : last_frame_ / frames_per_group + 1;
  }
  /// Group `index` < `count()`.
  [[nodiscard]] SparseGroup group(std::uint32_t index) const;
  /// Bytes from the array header to the end of the last key.
  [[nodiscard]] std::uint64_t size() const { return section_.size(); }

 private:
  [[nodiscard]] std::uint32_t table_entry(std::uint32_t index) const;
  [[nodiscard]] Result<void> check_group(std::uint32_t index, std::size_t section_size) const;

  std::span<const std::byte> section_;
  std::uint32_t tracks_ = 0;
  std::uint32_t last_frame_ = 0;
};

/// The presence byte in LSB order: bit i marks a key at subframe i + 1. Bit 7 is clear.
[[nodiscard]] std::uint8_t presence_bits(std::byte stored, PresenceOrder order);

/// Packed quaternion number `index` of a run of them.
[[nodiscard]] PackedQuaternion packed_at(std::span<const std::byte> run, std::size_t index);

/// A key that was dropped, the first of its kind, and how many there were.
struct LostKeys {
  std::uint64_t count = 0;
  std::uint32_t track = 0;  ///< of the first
  std::uint32_t frame = 0;  ///< of the first

  void add(std::uint32_t lost_track, std::uint32_t lost_frame) {
    if (count++ == 0) {
      track = lost_track;
      frame = lost_frame;
    }
  }
};

/// Keys at or before the last frame, of each track (`counts` has one entry a track). The result
/// says which keys lie past it.
[[nodiscard]] LostKeys count_keys(const SparseGroups& groups, PresenceOrder order,
                                  std::span<std::uint32_t> counts);

/// Where the decoded keys go: `tracks[t]` says where in `times` and `values` those of track t
/// start, with room for as many as `count_keys` counts.
struct SparseOutput {
  std::span<Keys> tracks;
  std::span<float> times;
  std::span<float> values;
};

/// Decodes every key at or before the last frame; `frame_times[f]` is the time of frame f. Sets
/// each track's count to the keys written. The result says which keys were dropped because they
/// are no rotation (spec mab-sparse, section 2: a radicand below `least_radicand`).
[[nodiscard]] LostKeys decode_keys(const SparseGroups& groups, PresenceOrder order,
                                   std::span<const float> frame_times, const SparseOutput& out);

/// Radicands from here up are rounding: the dropped component is 0. Below, a key counts as missing
/// (spec mab-sparse, section 2).
inline constexpr float least_radicand = -1e-3F;

}  // namespace mabkit::codec
