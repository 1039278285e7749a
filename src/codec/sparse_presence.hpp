#pragma once

#include <cstdint>

#include "codec/sparse_groups.hpp"

namespace mabkit::codec {

/// What tells the two orders of presence bits apart (spec mab-sparse, 3.2), over any number of
/// sections.
struct PresenceEvidence {
  std::uint64_t past_last_lsb = 0;  ///< keys past the last frame when read LSB first
  std::uint64_t past_last_msb = 0;  ///< and MSB first
  std::uint64_t votes_lsb = 0;      ///< groups that move more evenly when read LSB first
  std::uint64_t votes_msb = 0;      ///< and MSB first
};

/// Counts the keys that land past the last frame under each order.
void count_range(const SparseGroups& groups, PresenceEvidence& evidence);

/// Lets every track of every group vote for the order under which it moves more evenly.
///
/// A group votes where its presence bits differ from their mirror image. The last group doesn't: a
/// file stores its last frame whatever the motion, which biases it. The cost of an order is the sum
/// of the squared changes of angular speed at each key between two intervals of which one at least
/// is in the group; an interval in the last group counts for none. A group also has no vote if two
/// of its neighbouring keys are more than a quarter turn apart: the joint need not have gone the
/// short way, so there is no speed to speak of. That keeps random rotations from voting at all; the
/// spec doesn't ask for it.
void count_votes(const SparseGroups& groups, PresenceEvidence& evidence);

}  // namespace mabkit::codec
