#pragma once

#include <cstdint>
#include <mabkit/bank.hpp>
#include <mabkit/encode.hpp>
#include <mabkit/skeleton.hpp>
#include <string>
#include <vector>

#include "mab/chunked_fields.hpp"
#include "motion/resample.hpp"

namespace mabkit::mab {

/// Where a clip goes, and how.
struct ClipTarget {
  const ChunkedLayout* layout = nullptr;
  double frames_per_second = 30.0;
  const EncodeOptions* options = nullptr;
  const Skeleton* skeleton = nullptr;  ///< the clip's rig; null: errors are measured by joint
  const Binding* binding = nullptr;    ///< of the clip's joints, with the rig
  std::uint64_t max_bytes = 0;         ///< that the clip's values may take
  std::string path;                    ///< `clip[0]`
};

/// A clip as a block, and what became of its tracks.
struct EncodedClip {
  BlockFields fields;
  motion::SampledClip source;       ///< the clip on the grid of the file
  std::vector<TrackReport> tracks;  ///< one a track of the source; errors are not filled in
  std::vector<Diagnostic> notices;
};

/// Makes a block of a clip from nothing but the clip (spec mab-chunked, section 7): the smallest of
/// several sets of keys whose decoded bytes are within the bounds at every sample. Children and
/// parts are the caller's.
[[nodiscard]] Result<EncodedClip> encode_clip(const Clip& clip, const ClipTarget& target);

}  // namespace mabkit::mab
