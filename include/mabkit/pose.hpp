#pragma once

#include <mabkit/bank.hpp>
#include <mabkit/math.hpp>
#include <mabkit/skeleton.hpp>
#include <span>
#include <vector>

namespace mabkit {

/// A rigid transform, child to parent: rotate, then translate.
struct Transform {
  Quat rotation;
  Vec3 translation;
};

/// The rotation `fraction` of the way from `a` to `b`, the short way round; unit for unit inputs
/// (spec mab-sparse, 3.3).
[[nodiscard]] Quat slerp(const Quat& a, const Quat& b, double fraction);

/// Hamilton product: the rotation `b`, then `a`.
[[nodiscard]] Quat multiply(const Quat& a, const Quat& b);

/// The inverse of a unit quaternion.
[[nodiscard]] Quat conjugate(const Quat& q);

/// `v` turned by the unit quaternion `q`.
[[nodiscard]] Vec3 rotate(const Quat& q, const Vec3& v);

/// The transform `child`, then `parent`.
[[nodiscard]] Transform combine(const Transform& parent, const Transform& child);

/// Value of a rotation curve at `time` seconds: slerp the short way, held before the first and
/// after the last key (spec mab-sparse 3.3, mab-chunked 2.4). At a key exactly that key; identity
/// for a curve without keys.
[[nodiscard]] Quat sample_rotation(const Clip& clip, const Keys& keys, float time);

/// Value of a translation curve at `time` seconds: linear, held at both ends. Zero for a curve
/// without keys.
[[nodiscard]] Vec3 sample_translation(const Clip& clip, const Keys& keys, float time);

/// Local transforms of every bone at `time`: the clip's tracks where there are some, else the bind
/// pose (spec mab-sparse, section 4). One entry a bone of `skeleton`; joints without a bone drive
/// nothing.
[[nodiscard]] std::vector<Transform> local_pose(const Clip& clip, const Skeleton& skeleton,
                                                const Binding& binding, float time);

/// Object-space transforms of local ones: world(bone) = world(parent) * local. Scale is ignored:
/// the formats have none. `local` has one entry a bone; a bone in a cycle of parents keeps its
/// local one.
[[nodiscard]] std::vector<Transform> object_pose(const Skeleton& skeleton,
                                                 std::span<const Transform> local);

}  // namespace mabkit
