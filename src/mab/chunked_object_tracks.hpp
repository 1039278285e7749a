#pragma once

#include <mabkit/error.hpp>
#include <vector>

#include "codec/chunked_track.hpp"
#include "mab/chunked_track_set.hpp"

namespace mabkit::mab {

/// Encodes the tracks of joints that have a bone, bounded in object space; a result a track of the
/// set, without chunks for those of other joints. The set has a rig.
[[nodiscard]] Result<std::vector<codec::EncodedTrack>> encode_object_tracks(const TrackSet& set);

}  // namespace mabkit::mab
