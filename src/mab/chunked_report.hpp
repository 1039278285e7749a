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

/// Compares what was decoded from a file with the source, of which both name the same joints, and
/// completes the reports of its tracks, one a track of the source.
[[nodiscard]] ClipReport report_clip(std::uint32_t position, const motion::SampledClip& source,
                                     std::vector<TrackReport> tracks, const Clip& decoded,
                                     const ErrorMeasure& measure);

}  // namespace mabkit::mab
