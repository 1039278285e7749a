#pragma once

#include <cstdint>
#include <mabkit/presence_order.hpp>
#include <vector>

#include "codec/sparse_encode.hpp"
#include "mab/sparse_fields.hpp"

namespace mabkit::mab {

/// A track's part of one group of slot 3 (spec mab-sparse, 3.1), as stored.
struct KeyedGroup {
  codec::PackedQuaternion first_key;
  std::uint8_t presence = 0;
  std::vector<codec::PackedQuaternion> further_keys;
};

/// One track of slot 3: its parts of all groups.
using KeyedTrackFields = std::vector<KeyedGroup>;

/// Takes the groups apart by track.
[[nodiscard]] std::vector<KeyedTrackFields> split_tracks(const KeyedRotationFields& section);

/// Puts tracks together again, in as many groups as the last frame in the header of `section` asks
/// for; a track with fewer holds its last first key, of one with more the rest is left out. Padding
/// bytes of groups that `section` has stay.
void join_tracks(const std::vector<KeyedTrackFields>& tracks, KeyedRotationFields& section);

/// The keys at or before the last frame that decode to rotations.
[[nodiscard]] codec::SparseKeys keys_of(const KeyedTrackFields& track, std::uint32_t last_frame,
                                        PresenceOrder order);

/// A track with these keys, presence bits in the order that the file has.
[[nodiscard]] KeyedTrackFields track_of(const codec::SparseKeys& keys, std::uint32_t last_frame,
                                        PresenceOrder order);

}  // namespace mabkit::mab
