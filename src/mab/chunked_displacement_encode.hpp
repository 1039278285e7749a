#pragma once

#include <cstdint>
#include <mabkit/error.hpp>

#include "mab/chunked_fields.hpp"
#include "motion/resample.hpp"

namespace mabkit::mab {

/// A channel of the root motion as a displacement stream (spec mab-chunked, 3.4).
struct EncodedDisplacement {
  StreamFields stream;
  std::uint32_t table_entry = 0;  ///< 0 for rotations, which have none
  double error = 0.0;             ///< radians or metres
  bool moves = false;             ///< that a reader of the game takes it so is a guess
};

/// Encodes root motion at the clip's keys: in one chunk where a single value is within `tolerance`
/// of all samples, else in chunks of 8 keys at a depth that a reader finds. Fails where there is no
/// such depth, with what to do.
[[nodiscard]] Result<EncodedDisplacement> encode_displacement(const motion::SampledTrack& track,
                                                              std::uint32_t keys, double tolerance);

}  // namespace mabkit::mab
