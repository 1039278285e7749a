#pragma once

#include <mabkit/math.hpp>
#include <vector>

#include "codec/packed_quaternion.hpp"
#include "motion/precise.hpp"

namespace mabkit::mab {

/// A point that a joint carries, and where it should come to lie, both seen from where the joint
/// turns: `point` in the joint's frame, `target` in that of its parent moved to the joint.
struct AimPoint {
  motion::Point point;
  motion::Point target;
  double weight = 1.0;  ///< one over the tolerated distance
};

/// What one joint is to do at one frame.
using Aim = std::vector<AimPoint>;

/// The largest weighted distance of a point from its target: up to 1 is tolerated.
[[nodiscard]] double aim_error(const Aim& aim, const motion::Turn& turn);

/// The rotation that brings the points nearest to their targets, by least squares of the weighted
/// distances, starting from `start`.
[[nodiscard]] motion::Turn best_turn(const Aim& aim, const motion::Turn& start);

/// The words around `turn` that do best by `aim_error`.
[[nodiscard]] codec::PackedQuaternion best_words(const Aim& aim, const motion::Turn& turn);

}  // namespace mabkit::mab
