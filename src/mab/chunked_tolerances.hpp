#pragma once

#include <mabkit/bank.hpp>
#include <mabkit/encode.hpp>
#include <mabkit/skeleton.hpp>
#include <vector>

#include "motion/resample.hpp"

namespace mabkit::mab {

/// How far each track of a clip may be off, in radians or metres: the options' bounds without a
/// rig; with one, what moves the virtual vertices of the joint and of all joints below it by a part
/// of `max_object_error`, in the bind pose. The latter is a first guess, to be measured.
[[nodiscard]] std::vector<double> track_tolerances(const motion::SampledClip& clip,
                                                   const EncodeOptions& options,
                                                   const Skeleton* skeleton,
                                                   const Binding* binding);

}  // namespace mabkit::mab
