#pragma once

#include <cstdint>
#include <mabkit/bank.hpp>
#include <mabkit/error.hpp>
#include <string>

#include "mab/chunked_layout.hpp"
#include "motion/resample.hpp"

namespace mabkit::mab {

/// CRC-32 by which a file names a joint: its hash, else that of its name. Fails where it has
/// neither.
[[nodiscard]] Result<std::uint32_t> joint_hash(const Joint& joint, std::uint32_t position,
                                               const std::string& path);

/// Fails where a track moves a joint that the clip lacks, or is the second of one channel.
[[nodiscard]] Result<void> check_tracks(const Clip& clip, const std::string& path);

/// Rates of a new file's keys: from one key in a hundred seconds to as many a second as there are
/// ticks (spec mab-chunked, section 4).
inline constexpr double least_frames_per_second = 0.01;
inline constexpr double most_frames_per_second = 65535.0;
[[nodiscard]] constexpr bool is_frame_rate(double frames_per_second) {
  return frames_per_second >= least_frames_per_second &&
         frames_per_second <= most_frames_per_second;
}

/// The grid of a game's key times at `frames_per_second`. Fails where that is no frame rate, or the
/// game's ticks can't hold it.
[[nodiscard]] Result<motion::SampleGrid> key_grid(const ChunkedLayout& layout,
                                                  double frames_per_second);

/// Brings a clip onto the grid, within the limits of key times (spec mab-chunked, section 4).
[[nodiscard]] Result<motion::SampledClip> sample_keys(const Clip& clip,
                                                      const motion::SampleGrid& grid,
                                                      const std::string& path);

/// Most bytes of values, of all clips of a bank, that are encoded at once: a hundred joints over
/// all keys that a clip can have. What is made of them on the way takes several times as much.
inline constexpr std::uint64_t most_encoded_bytes = std::uint64_t{1} << 28U;

/// Most keys of a clip and its last tick (spec mab-chunked, sections 4 and 9.3).
inline constexpr std::uint32_t most_keys = 65536;
inline constexpr std::uint32_t last_possible_tick = 65535;

}  // namespace mabkit::mab
