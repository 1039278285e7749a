#pragma once

#include <cstdint>
#include <mabkit/bank.hpp>
#include <mabkit/error.hpp>
#include <optional>
#include <string>
#include <vector>

#include "mab/chunked_block_build.hpp"
#include "mab/chunked_edit_block.hpp"
#include "mab/tick_curve.hpp"
#include "motion/resample.hpp"

namespace mabkit::mab {

/// A track of the edited clip that the block takes over.
struct EditedTrack {
  std::uint32_t joint = 0;    ///< of the edited clip
  std::size_t stored = 0;     ///< position in the block's tracks
  bool is_untouched = false;  ///< to the bit
  bool is_changed = false;
  TickCurve curve;
  double tolerance = 0.0;  ///< radians or metres
};

/// An edited clip beside the tracks of a block.
struct MatchedClip {
  std::vector<EditedTrack> edits;  ///< one a track of the source
  std::vector<StoredTrack> added;  ///< channels that the block lacked, behind its own tracks
  motion::SampledClip source;      ///< the tracks that the block takes over, on its grid
  std::vector<std::optional<std::uint32_t>> joint_in_block;  ///< of each joint of the edited clip
  std::vector<Diagnostic> notices;                           ///< what is left out
};

/// Finds the tracks of a block that an edited clip's tracks stand for, joints by their hash. Fails
/// where no joint matches, with what to do.
[[nodiscard]] Result<MatchedClip> match_clip(const BlockToEdit& target, const Clip& edited,
                                             const std::vector<StoredTrack>& stored);

/// The grid of a block's key times.
[[nodiscard]] motion::SampleGrid grid_of(const ChunkedBlock& block);

}  // namespace mabkit::mab
