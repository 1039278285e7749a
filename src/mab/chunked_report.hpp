#pragma once

#include <mabkit/encode.hpp>
#include <mabkit/skeleton.hpp>
#include <vector>

#include "motion/resample.hpp"

namespace mabkit::mab {

/// How the errors of a clip are measured.
struct ErrorMeasure {
  const Skeleton* skeleton = nullptr;  ///< null: joint by joint
  const Binding* binding = nullptr;    ///< of the clip's joints
  double vertex_distance = 0.0;        ///< metres
};

/// Compares what was decoded from a file with the source, and completes the reports of its tracks,
/// one a track of the source. `joint_in_decoded` has an entry a joint of the source.
[[nodiscard]] ClipReport report_clip(
    std::uint32_t position, const motion::SampledClip& source, std::vector<TrackReport> tracks,
    const Clip& decoded, const std::vector<std::optional<std::uint32_t>>& joint_in_decoded,
    const ErrorMeasure& measure);

/// Joints of a clip that stand at the same positions in what was decoded.
[[nodiscard]] std::vector<std::optional<std::uint32_t>> same_joints(const Clip& clip);

}  // namespace mabkit::mab
