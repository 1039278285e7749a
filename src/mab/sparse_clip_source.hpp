#pragma once

#include <cstddef>
#include <cstdint>
#include <mabkit/bank.hpp>
#include <mabkit/encode.hpp>
#include <mabkit/error.hpp>
#include <vector>

#include "mab/sparse_bone_ids.hpp"
#include "mab/sparse_fit.hpp"
#include "motion/resample.hpp"

namespace mabkit::mab {

/// The value at a frame of a track that has one a frame, or one alone.
template <class Value>
[[nodiscard]] const Value& value_at(const std::vector<Value>& values, std::size_t frame) {
  return values[values.size() == 1 ? 0 : frame];
}

/// A clip that is to be written, at every frame of its grid.
struct ClipSource {
  Clip clip;  ///< with the tracks that the format takes
  BoneIds bones;
  motion::SampledClip sampled;
  std::uint16_t rate = 0;

  [[nodiscard]] std::uint32_t frames() const {
    return static_cast<std::uint32_t>(sampled.ticks.size());
  }
  /// Skeleton bone id of a joint that has tracks.
  [[nodiscard]] std::uint32_t id(std::uint32_t joint) const { return *bones.ids[joint]; }
};

/// What a clip is prepared for.
struct SparseClipTarget {
  std::size_t number = 0;  ///< position in the bank
  std::uint32_t most_bones = 0;
  bool has_ids = false;                ///< joint ids are skeleton bone ids
  const Skeleton* skeleton = nullptr;  ///< of this clip; may be null
};

/// Finds the joints' bones, drops what the format can't hold, with a notice, and brings the rest
/// onto the grid (spec mab-sparse 1.4, 3.5 and 4.1, rule 7).
///
/// Fails with `limit` for bone ids and frames past the format's, with `bad_argument` for rates that
/// it can't store and where no joint has a bone.
[[nodiscard]] Result<ClipSource> prepare_clip(const Clip& clip, const SparseClipTarget& target,
                                              const EncodeOptions& options,
                                              std::vector<Diagnostic>& notices);

/// One value where all stay within `tolerance` metres of it, else all of them.
[[nodiscard]] std::vector<Vec3> stored_translations(const std::vector<Vec3>& source,
                                                    double tolerance);

/// What translations that become constant may be off by, in metres.
struct StillTolerance {
  double with_bone = 0.0;  ///< of joints that are measured in object space
  double without_bone = 0.0;
};

/// The tracks on their way into the file. Translations that stay near enough to one value become
/// constants.
[[nodiscard]] ClipFit fit_of(const ClipSource& source, const StillTolerance& tolerance);

}  // namespace mabkit::mab
