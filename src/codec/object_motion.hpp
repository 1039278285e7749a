#pragma once

#include <array>
#include <cstdint>
#include <mabkit/pose.hpp>
#include <optional>
#include <span>
#include <vector>

#include "codec/chunked_track.hpp"
#include "motion/precise.hpp"

namespace mabkit::codec {

/// A joint of the tree along which errors add up.
struct ObjectJoint {
  std::optional<std::uint32_t> parent;       ///< position, below the joint's own
  std::optional<std::uint32_t> rotation;     ///< position in `ObjectMotion::tracks`; else constant
  std::optional<std::uint32_t> translation;  ///< the same
  /// What a constant channel should be, parent-relative.
  Transform expected;
  /// What the file makes of it.
  Transform actual;
  /// The file stores one value, that of `actual`, although the track moves: by little. The track is
  /// a kept one.
  bool stores_constant_rotation = false;
  bool stores_constant_translation = false;
};

/// The tracks of a clip and the tree that they move.
struct ObjectMotion {
  std::uint32_t keys = 0;
  std::vector<ObjectJoint> joints;  ///< parents before their children
  /// Each belongs to exactly one joint.
  std::vector<TrackToEncode> tracks;
  /// One a track: whether it is stored already, and moves the joints exactly as it says.
  std::vector<bool> is_kept;
  /// Distance of the virtual vertices from their joint, one along each axis, in metres.
  double vertex_distance = 0.03;
};

/// Virtual vertices a joint has.
inline constexpr std::size_t vertices_of_joint = 3;

/// A joint at one key, in object space.
struct JointPose {
  motion::Point origin;
  motion::Turn parent_rotation;
  std::array<motion::Point, vertices_of_joint> vertices;  ///< from the origin
  /// What a turn of the joint does to the vertices that hang from it, far ones counting less: the
  /// sum of their squared movements is turn · resistance · turn, and a common shift of them pulls
  /// by moment × shift.
  motion::Matrix resistance;
  motion::Matrix inverse_resistance;
  motion::Point moment;
};

/// What a joint's own channels should be at a key.
[[nodiscard]] motion::Turn expected_rotation(const ObjectMotion& motion, const ObjectJoint& joint,
                                             std::uint32_t key);
[[nodiscard]] motion::Point expected_translation(const ObjectMotion& motion,
                                                 const ObjectJoint& joint, std::uint32_t key);

/// Poses of every joint at the keys of one chunk: key by key, `joints` entries each.
[[nodiscard]] std::vector<JointPose> chunk_poses(const ObjectMotion& motion, std::uint32_t chunk);

/// The largest distance of a virtual vertex from its place at the keys of a chunk, in metres,
/// decoded from `encoded` (one entry a track; those of kept tracks count for nothing). Exact, where
/// the quantiser is linear.
[[nodiscard]] double decoded_error(const ObjectMotion& motion,
                                   std::span<const EncodedTrack> encoded, std::uint32_t chunk);

/// How far, squared, the worst vertex of a joint is off when its origin is off by `shift` and its
/// orientation by the small rotation `turn`.
[[nodiscard]] double squared_vertex_error(const JointPose& pose, const motion::Point& shift,
                                          const motion::Point& turn);

}  // namespace mabkit::codec
