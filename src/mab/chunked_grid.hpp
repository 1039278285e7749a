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

/// The grid of a game's key times at `frames_per_second`. Fails where its ticks can't hold the
/// rate.
[[nodiscard]] Result<motion::SampleGrid> key_grid(const ChunkedLayout& layout,
                                                  double frames_per_second);

/// Brings a clip onto the grid, within the limits of key times (spec mab-chunked, section 4).
[[nodiscard]] Result<motion::SampledClip> sample_keys(const Clip& clip,
                                                      const motion::SampleGrid& grid,
                                                      const std::string& path);

/// Most keys of a clip and its last tick (spec mab-chunked, sections 4 and 9.3).
inline constexpr std::uint32_t most_keys = 65536;
inline constexpr std::uint32_t last_possible_tick = 65535;

}  // namespace mabkit::mab
