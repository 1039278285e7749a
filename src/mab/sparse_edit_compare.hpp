#pragma once

#include <mabkit/bank.hpp>

namespace mabkit::mab {

/// How far from a frame of `rate` a time may lie to count as on it, in seconds:
/// `motion::grid_tolerance`, and always well below half a frame.
[[nodiscard]] double frame_tolerance(double rate);

/// A copy of a clip whose key times stand exactly on the frames of `rate` that they are within
/// `frame_tolerance` of, as a decoder gives them. Two keys of a curve never come to stand on one
/// frame.
[[nodiscard]] Clip snapped(const Clip& clip, double rate);

/// How far an edited curve may be from the stored one that it came from.
struct KeepTolerance {
  Channel channel = Channel::rotation;
  double amount = 0.0;  ///< radians or metres
};

/// Whether an edited curve says what the stored one says: within the tolerance at the stored keys
/// and midway between them. At keys of its own between those, it may also be off by as much as
/// blending components, which is what other programs do, differs from slerp: what was only
/// resampled counts as unchanged.
[[nodiscard]] bool is_unchanged(const Clip& stored, const Keys& stored_keys, const Clip& edited,
                                const Keys& edited_keys, const KeepTolerance& tolerance);

}  // namespace mabkit::mab
