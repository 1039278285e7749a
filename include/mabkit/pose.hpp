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

/// Value of a rotation curve at `time` seconds: slerp the short way, held before the first and
/// after the last key (spec mab-sparse 3.3, mab-chunked 2.4).
[[nodiscard]] Quat sample_rotation(const Clip& clip, const Keys& keys, float time);

/// Value of a translation curve at `time` seconds: linear, held at both ends.
[[nodiscard]] Vec3 sample_translation(const Clip& clip, const Keys& keys, float time);

/// Local transforms of every bone at `time`: the clip's tracks where there are some, else the bind
/// pose (spec mab-sparse, section 4). One entry a bone of `skeleton`.
[[nodiscard]] std::vector<Transform> local_pose(const Clip& clip, const Skeleton& skeleton,
                                                const Binding& binding, float time);

/// Object-space transforms of local ones: world(bone) = world(parent) * local. Scale is ignored:
/// the formats have none.
[[nodiscard]] std::vector<Transform> object_pose(const Skeleton& skeleton,
                                                 std::span<const Transform> local);

}  // namespace mabkit
