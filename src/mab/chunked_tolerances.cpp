#include "mab/chunked_tolerances.hpp"

#include <algorithm>
#include <mabkit/pose.hpp>

#include "motion/difference.hpp"

namespace mabkit::mab {
namespace {

/// The share of the object-space bound that one joint's error may take: errors add up along the
/// chain, but seldom in the same direction.
constexpr double share_of_one_joint = 0.5;
/// Kept free for float32 in what measures the result.
constexpr double rounding_share = 1e-3;

/// Distance from each bone to the farthest vertex below it, in the bind pose.
std::vector<double> lever_arms(const Skeleton& skeleton, double vertex_distance) {
  std::vector<Transform> local;
  for (const Bone& bone : skeleton.bones) local.push_back({bone.rotation, bone.translation});
  const std::vector<Transform> object = object_pose(skeleton, local);
  std::vector<double> arms(skeleton.bones.size(), vertex_distance);
  for (std::size_t bone = 0; bone < skeleton.bones.size(); ++bone) {
    std::optional<std::uint32_t> above = skeleton.bones[bone].parent;
    // No chain is longer than the rig, whatever its parents say.
    for (std::size_t steps = 0; above && steps < skeleton.bones.size(); ++steps) {
      const double reach =
          motion::distance(object[bone].translation, object[*above].translation) + vertex_distance;
      arms[*above] = std::max(arms[*above], reach);
      above = skeleton.bones[*above].parent;
    }
  }
  return arms;
}

}  // namespace

std::vector<double> track_tolerances(const motion::SampledClip& clip, const EncodeOptions& options,
                                     const Skeleton* skeleton, const Binding* binding) {
  std::vector<double> arms;
  if (skeleton != nullptr) arms = lever_arms(*skeleton, options.vertex_distance);
  std::vector<double> tolerances;
  for (const motion::SampledTrack& track : clip.tracks) {
    const bool is_rotation = track.channel == Channel::rotation;
    double tolerance = is_rotation ? options.max_rotation_error : options.max_translation_error;
    const std::optional<std::uint32_t> bone =
        binding != nullptr ? binding->bone_of_joint[track.joint] : std::nullopt;
    if (skeleton != nullptr && bone) {
      const double bound = share_of_one_joint * options.max_object_error;
      tolerance = is_rotation ? bound / arms[*bone] : bound;
    }
    tolerances.push_back(tolerance * (1.0 - rounding_share));
  }
  return tolerances;
}

}  // namespace mabkit::mab
