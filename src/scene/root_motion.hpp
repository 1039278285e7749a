#pragma once

#include <mabkit/bank.hpp>
#include <vector>

#include "scene/affine.hpp"

namespace mabkit::scene {

/// Whether every curve of the clip's root motion has keys at rising times. The clip has one.
[[nodiscard]] bool has_lawful_root_motion(const Clip& clip);

/// Whether it moves anything: some curve has more than one key.
[[nodiscard]] bool has_moving_root_motion(const Clip& clip);

/// A joint's own curves, null where it has none and keeps `rest`.
struct JointTracks {
  const Track* rotation = nullptr;
  const Track* translation = nullptr;
  Trs rest;
};

/// Keys of both channels at the same times; values as in a clip.
struct ComposedCurves {
  std::vector<float> times;
  std::vector<float> rotations;
  std::vector<float> translations;
};

/// The curves of a root joint under the motion of the actor: T(p(t) - p(0)) R(r(0)⁻¹ r(t)) times
/// the joint's own transform, at the key times of all curves together (spec mab-sparse, section 4:
/// the engine's order is not published, this one is a guess). Every curve has lawful keys.
/// Resampling happens here and nowhere else.
[[nodiscard]] ComposedCurves compose_root_motion(const Clip& clip, const JointTracks& joint);

}  // namespace mabkit::scene
