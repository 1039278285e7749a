#pragma once

#include <mabkit/bank.hpp>
#include <random>
#include <string>
#include <vector>

#include "support/plain_chunked_decoder.hpp"

namespace mabkit::test {

/// Every fixture of the chunked family.
[[nodiscard]] std::vector<std::string> chunked_fixtures();

/// Appends a track; `times` and `values` are flat.
void add_track(Clip& clip, std::uint32_t joint, Channel channel, TrackKind kind,
               const std::vector<float>& times, const std::vector<float>& values);

/// A clip with named joints that swing smoothly, at 30 frames per second: tracks of every kind, on
/// key times of their own, with root motion now and then.
[[nodiscard]] Clip random_clip(std::mt19937& random);

/// A bank of a random clip, sometimes with children and participants.
[[nodiscard]] Bank random_bank(std::mt19937& random);

/// Largest differences between a source clip and what the plain decoder reads, over all key times
/// of the source: short-way slerp and linear interpolation.
struct PlainChunkedErrors {
  double rotation = 0.0;     ///< radians
  double translation = 0.0;  ///< metres
};
[[nodiscard]] PlainChunkedErrors plain_errors(const Clip& source, const PlainChunkedClip& decoded,
                                              double ticks_per_second);

}  // namespace mabkit::test
