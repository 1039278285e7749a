#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "motion/resample.hpp"

namespace mabkit::motion {

/// What dropping keys may cost, before the ones that stay are quantised.
struct ReductionBounds {
  std::vector<double> tracks;     ///< one a track: radians of rotation angle, or metres; may be
                                  ///< infinite
  double root_rotation = 0.0;     ///< radians
  double root_translation = 0.0;  ///< metres
};

/// Whether the samples between two may be dropped.
using SpanTest = std::function<bool(std::uint32_t first, std::uint32_t last)>;

/// Most samples from one kept key to the next.
inline constexpr std::uint32_t longest_span = 64;

/// Positions of the fewest samples from which short-way slerp and linear interpolation bring back
/// every other sample of every track, root motion included, within the bounds (spec mab-chunked, 4:
/// one set of keys serves all tracks). The first and the last always stay. Fewest among spans of at
/// most `longest_span` samples that are reached by lengthening lawful ones.
///
/// `is_within` is a further condition that a span between two samples has to meet, such as one in
/// object space; none where it is empty.
[[nodiscard]] std::vector<std::uint32_t> reduce_keys(const SampledClip& clip,
                                                     const ReductionBounds& bounds,
                                                     const SpanTest& is_within = {});

/// The clip with the samples at `kept` (rising positions, the first is 0) only.
[[nodiscard]] SampledClip keep_samples(const SampledClip& clip,
                                       std::span<const std::uint32_t> kept);

/// Largest error of a track, in radians or metres, between its own samples and what `kept` ones
/// are interpolated to.
[[nodiscard]] double reduction_error(const SampledClip& clip, const SampledTrack& track,
                                     std::span<const std::uint32_t> kept);

}  // namespace mabkit::motion
