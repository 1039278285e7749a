#pragma once

#include <cstdint>
#include <mabkit/bank.hpp>
#include <mabkit/encode.hpp>
#include <optional>
#include <string>
#include <vector>

#include "mab/chunked_fields.hpp"
#include "motion/resample.hpp"

namespace mabkit::mab {

/// A clip of a template, and how it may be edited.
struct BlockToEdit {
  const ChunkedLayout* layout = nullptr;
  const ChunkedBlock* block = nullptr;
  BlockFields fields;            ///< of the block; children do not matter
  const Clip* stored = nullptr;  ///< what the block decodes to
  const EncodeOptions* options = nullptr;
  const Skeleton* skeleton = nullptr;  ///< the rig of the clip; null: errors are measured by joint
  const Binding* binding = nullptr;    ///< of the edited clip's joints, with the rig
  /// What is aimed at, as a part of the bounds.
  double share_of_bounds = 1.0;
  std::uint64_t max_bytes = 0;  ///< that the edited clip's values may take
  std::string path;             ///< `clip[0]`
};

/// What an edited clip makes of a block.
struct EditedBlock {
  std::optional<BlockFields> fields;  ///< absent: nothing changed
  motion::SampledClip source;         ///< the edited tracks that the block has, on its grid
  std::vector<TrackReport> tracks;    ///< one a track of the source; errors are not filled in
  std::vector<bool> is_changed;       ///< one a track of the source: by the edit
  /// Position in the block of each joint of the edited clip.
  std::vector<std::optional<std::uint32_t>> joint_in_block;
  std::vector<Diagnostic> notices;
};

/// Takes an edited clip over into a block of a template: tracks that stay within `keep_tolerance`
/// of the stored ones, at the stored keys and midway between them, keep their bits; others are
/// encoded anew, starting at the depth that they had. Joints match by hash.
[[nodiscard]] Result<EditedBlock> edit_block(const BlockToEdit& target, const Clip& edited);

}  // namespace mabkit::mab
