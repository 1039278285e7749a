#pragma once

#include <cstdint>
#include <mabkit/pose.hpp>
#include <mabkit/skeleton.hpp>
#include <span>
#include <vector>

#include "motion/resample.hpp"
#include "motion/rig_pose.hpp"

namespace mabkit::motion {

/// What dropping keys does to a clip on its rig: how far virtual vertices stray at the samples that
/// are interpolated, when the keys themselves are exact.
class InterpolationError {
 public:
  /// `is_interpolated` has one entry a track: whether the file stores keys of it, rather than one
  /// value. All outlive the object.
  InterpolationError(const SampledClip& clip, const std::vector<bool>& is_interpolated,
                     const Skeleton& skeleton, const Binding& binding, double vertex_distance);

  /// Whether every sample between two keys stays within `bound` metres.
  [[nodiscard]] bool is_within(std::uint32_t first, std::uint32_t last, double bound) const;

  /// The largest error between the keys, in metres.
  [[nodiscard]] double worst(std::span<const std::uint32_t> kept) const;

 private:
  /// A bone, and its tracks; null where it stays in its bind pose.
  struct Joint {
    std::uint32_t bone = 0;
    const SampledTrack* rotation = nullptr;
    const SampledTrack* translation = nullptr;
    bool interpolates_rotation = false;
    bool interpolates_translation = false;
    bool is_measured = false;  ///< it or a joint above it is interpolated
  };

  [[nodiscard]] double error_at(std::uint32_t first, std::uint32_t last, std::uint32_t sample,
                                double enough) const;

  const SampledClip& clip_;
  double vertex_distance_;
  RigPose rig_;
  std::vector<Joint> joints_;               ///< parents before their children
  mutable std::vector<Placement> places_;   ///< of the sample in hand, by bone
  mutable std::vector<Placement> strayed_;  ///< the same, interpolated
};

}  // namespace mabkit::motion
