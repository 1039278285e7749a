#pragma once

#include <cstdint>
#include <mabkit/bank.hpp>
#include <mabkit/error.hpp>
#include <mabkit/math.hpp>
#include <mabkit/skeleton.hpp>
#include <optional>
#include <vector>

#include "codec/sparse_encode.hpp"

/// From what a clip should show to what its sections hold, within a bound on the error.
namespace mabkit::mab {

/// A rotation track on its way into a file.
struct RotationTrack {
  std::uint32_t joint = 0;   ///< position in the source clip's joints
  std::vector<Quat> source;  ///< one a frame; one alone where constant
  /// Frames that must be keys; one entry a frame.
  std::vector<bool> required;
  bool may_drop_keys = true;
  /// The words below stand: the track keeps a template's bits.
  bool is_kept = false;
  /// An edited template stores it as keys, whether it moves or not.
  bool must_be_keyed = false;
  /// Words of a template that stand wherever their frame is a key; empty or one entry a frame.
  std::vector<std::optional<codec::PackedQuaternion>> stored;

  TrackKind kind = TrackKind::animated;
  codec::SparseKeys keys;  ///< one key, at frame 0, where constant

  [[nodiscard]] const Quat& source_at(std::uint32_t frame) const {
    return source[source.size() == 1 ? 0 : frame];
  }
  /// The word that stands at a frame if the frame is a key.
  [[nodiscard]] std::optional<codec::PackedQuaternion> word_at(std::uint32_t frame) const {
    return stored.empty() ? std::nullopt : stored[frame];
  }
};

/// A translation track on its way into a file, which stores it exactly but for what becomes
/// constant.
struct TranslationTrack {
  std::uint32_t joint = 0;
  std::vector<Vec3> source;  ///< one a frame; one alone where constant
  std::vector<Vec3> stored;  ///< the same, as it is written
  bool is_kept = false;      ///< a template's bits

  [[nodiscard]] const Vec3& source_at(std::uint32_t frame) const {
    return source[source.size() == 1 ? 0 : frame];
  }
  [[nodiscard]] const Vec3& stored_at(std::uint32_t frame) const {
    return stored[stored.size() == 1 ? 0 : frame];
  }
};

/// What becomes of a clip's tracks at the frames 0 to `frames` - 1.
struct ClipFit {
  std::uint32_t frames = 1;
  std::vector<RotationTrack> rotations;
  std::vector<TranslationTrack> translations;
};

/// The word in the middle of rotations of one hemisphere.
[[nodiscard]] codec::PackedQuaternion middle_word(const std::vector<Quat>& rotations);

/// The largest angle between the rotations and what the word decodes to, in radians.
[[nodiscard]] double worst_angle(const std::vector<Quat>& rotations, codec::PackedQuaternion word);

/// The bound on each joint alone.
struct LocalBound {
  double rotation = 0.0;  ///< radians
};

/// Chooses words and keys of every rotation track that `is_kept` doesn't name, each by itself.
void fit_rotation(RotationTrack& track, std::uint32_t frames, const LocalBound& bound);

/// The bound in object space, at the virtual vertices.
struct ObjectBound {
  const Skeleton* skeleton = nullptr;
  /// A bone for each of the source's joints.
  std::vector<std::optional<std::uint32_t>> bone_of_joint;
  double error = 0.0;            ///< metres
  double vertex_distance = 0.0;  ///< metres
};

/// Chooses words and keys of the rotation tracks whose joints have bones, all together: parents
/// first, each joint aiming where the source has its vertices and its children, under the decoded
/// pose of its parents. Fewest keys under the bound. Where the bound can't be met, what is off has
/// all the keys that could help. Joints without a bone are fitted one by one to `unbound`. Fails
/// with `limit` where the poses would take too much memory.
[[nodiscard]] Result<void> fit_in_object_space(ClipFit& clip, const ObjectBound& bound,
                                               const LocalBound& unbound);

}  // namespace mabkit::mab
