#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codec/object_motion.hpp"
#include "codec/object_shape.hpp"

namespace mabkit::codec {

/// Who hangs from whom; the same for every chunk.
struct ObjectTree {
  explicit ObjectTree(const ObjectMotion& motion);

  std::vector<std::vector<std::uint32_t>> below;  ///< each joint and all that hang from it
  std::vector<std::uint32_t> joint_of_track;
  std::size_t moved_joints = 0;  ///< of all lists in `below` together
};

/// Quantises all tracks of one chunk together, so that the error stays small where it is seen: at
/// the virtual vertices, in object space.
///
/// Parents are quantised before their children, and each joint takes the stored value nearest to
/// the rotation that best makes up for its ancestors' errors. Where a vertex is still too far off,
/// single raws are moved as long as that brings it nearer. Constant components stay constant.
/// Errors are taken as linear in what is stored, which they are to a thousandth of a millimetre.
class ChunkQuantiser {
 public:
  /// `motion` and `tree` outlive the quantiser. `scales` has one entry a track: metres of a
  /// translation component of 1.
  ChunkQuantiser(const ObjectMotion& motion, const ObjectTree& tree, std::uint32_t chunk,
                 std::span<const double> scales);

  /// Sets the depth of a track that is not kept.
  void set_depth(std::size_t track, unsigned bits) { fit(shapes_[track], bits); }

  /// Quantises every key. Returns the largest error of a vertex in metres; or the first that is
  /// above `bound`, in which case the rest is left undone.
  double quantise(double bound);

  /// Makes components constant that move little, the most worthwhile first, as long as all errors
  /// stay within `bound`. `reach` says, track by track, how far in metres a change of 1 moves a
  /// vertex. Tries at most `trials`. The chunk has to be within the bound, and is quantised after.
  void add_constants(double bound, std::span<const double> reach, unsigned trials);

  /// The track over this chunk; of no meaning for kept tracks.
  [[nodiscard]] const TrackShape& shape(std::size_t track) const { return shapes_[track]; }
  /// Joints times keys that were quantised so far.
  [[nodiscard]] std::uint64_t work() const { return work_; }

 private:
  /// The error that has come together at a joint.
  struct Offset {
    motion::Point shift;
    motion::Point turn;
  };

  [[nodiscard]] const JointPose& pose(unsigned key, std::size_t joint) const {
    return poses_[std::size_t{key} * motion_.joints.size() + joint];
  }
  [[nodiscard]] Offset inherited(unsigned key, std::size_t joint) const;
  void quantise_translation(TrackShape& shape, unsigned key, Offset& offset) const;
  void quantise_rotation(TrackShape& shape, unsigned key, Offset& offset) const;
  double quantise_key(unsigned key);
  double improve_key(unsigned key, double bound);
  bool improve_track(TrackShape& shape, unsigned key, double squared_bound);
  [[nodiscard]] Offset moved(const TrackShape& shape, unsigned key, std::uint32_t joint,
                             const motion::Point& change) const;
  [[nodiscard]] bool is_kept(std::size_t track) const { return motion_.is_kept[track]; }

  const ObjectMotion& motion_;
  const ObjectTree& tree_;
  std::uint32_t first_key_;
  unsigned keys_;
  std::vector<JointPose> poses_;
  std::vector<TrackShape> shapes_;  ///< one a track
  std::vector<Offset> offsets_;     ///< one a joint, of the key in hand
  std::vector<double> costs_;       ///< one a joint, of the key in hand
  std::uint64_t work_ = 0;
};

}  // namespace mabkit::codec
