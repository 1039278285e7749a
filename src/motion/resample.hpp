#pragma once

#include <cstdint>
#include <mabkit/bank.hpp>
#include <mabkit/error.hpp>
#include <optional>
#include <span>
#include <vector>

namespace mabkit::motion {

/// Whether no number is infinite or none.
[[nodiscard]] bool all_finite(std::span<const float> numbers);

/// Times this close to the grid, in seconds, count as on it.
inline constexpr double grid_tolerance = 1e-4;

/// A channel of a joint on a clip's common grid. One value a sample; exactly one where constant.
struct SampledTrack {
  std::uint32_t joint = 0;  ///< position in the clip's joints
  Channel channel = Channel::rotation;
  TrackKind kind = TrackKind::constant;
  std::vector<Quat> rotations;     ///< unit, each in the hemisphere of the one before
  std::vector<Vec3> translations;  ///< metres
};

/// A clip with all its tracks at common times.
struct SampledClip {
  double ticks_per_second = 30.0;
  std::vector<std::uint32_t> ticks;  ///< strictly rising, the first is 0; never empty
  std::vector<SampledTrack> tracks;  ///< by joint, rotation first
  std::optional<SampledTrack> root_translation;
  std::optional<SampledTrack> root_rotation;
  bool was_resampled = false;  ///< some key did not lie on the grid

  [[nodiscard]] double time(std::size_t sample) const {
    return static_cast<double>(ticks[sample]) / ticks_per_second;
  }
};

/// The grid to bring a clip onto.
struct SampleGrid {
  double ticks_per_second = 30.0;
  /// Samples lie at multiples of this many ticks where keys are resampled (WD1: 4 of 120).
  std::uint32_t ticks_per_frame = 1;
  /// Take every frame from the first to the last, not only where the source has keys.
  bool is_dense = false;
  /// Keys on ticks between two frames are off the grid as well.
  bool frames_only = false;
};

/// Brings every track onto the grid: the union of all key times where each is within
/// `grid_tolerance` of a tick, otherwise every frame of the grid. Between keys rotations are
/// slerped the short way, translations linear; both are held before the first and after the last
/// key. Animated tracks whose samples are all equal stay animated. Fails with `bad_value` where a
/// value or time is not finite, a rotation has no length, or times don't rise, and with `limit`
/// above `max_samples` samples.
[[nodiscard]] Result<SampledClip> sample_on_grid(const Clip& clip, const SampleGrid& grid,
                                                 std::uint32_t max_samples);

}  // namespace mabkit::motion
