#pragma once

#include <cstdint>
#include <mabkit/bank.hpp>
#include <mabkit/encode.hpp>
#include <mabkit/skeleton.hpp>
#include <optional>
#include <vector>

#include "motion/resample.hpp"

namespace mabkit::motion {

/// What encoding cost, measured between a source and what was decoded from the file.
struct ClipErrors {
  ErrorFigures rotation;               ///< parent-relative, radians
  ErrorFigures translation;            ///< parent-relative, metres
  std::optional<ErrorFigures> object;  ///< at virtual vertices, metres; with a skeleton
  std::vector<double> worst_of_track;  ///< one a track of the source: radians or metres
};

/// Compares `decoded` with `source` at every sample of the source. Joints of the source have the
/// positions of `joint_in_decoded` there (absent: the joint has no track). A track that
/// the decoded clip lacks counts for nothing: it was left out on purpose. `binding` is that of the
/// source's joints in `skeleton`, both null where errors are only measured joint by joint.
[[nodiscard]] ClipErrors measure_errors(
    const SampledClip& source, const Clip& decoded,
    const std::vector<std::optional<std::uint32_t>>& joint_in_decoded, const Skeleton* skeleton,
    const Binding* binding, double vertex_distance);

}  // namespace mabkit::motion
