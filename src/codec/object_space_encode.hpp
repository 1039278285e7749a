#pragma once

#include <mabkit/error.hpp>
#include <vector>

#include "codec/object_motion.hpp"

namespace mabkit::codec {

/// Encodes the tracks of a clip that are not kept so that no virtual vertex of any joint is farther
/// than `bound` metres from where the source puts it, at every key, in object space, and looks for
/// the depths, constants and raws that take the fewest bytes for it.
///
/// Depths are per track and clip (the format has no other), so they are searched over the chunks
/// that move most and then checked against all of them. One entry a track; those of kept tracks are
/// empty. Deterministic. Fails with `bad_argument` where 16 bits are not enough, naming the error
/// that they reach.
[[nodiscard]] Result<std::vector<EncodedTrack>> encode_in_object_space(const ObjectMotion& motion,
                                                                       double bound);

}  // namespace mabkit::codec
