#include <cmath>
#include <mabkit/pose.hpp>
#include <mabkit/retarget.hpp>

#include "motion/precise.hpp"

namespace mabkit {
namespace {

/// Bind poses turned less than this (a sixth of a quarter turn) tell nothing.
constexpr double telling_angle = 0.2617993877991494;
/// Votes needed, and how many times more than the other side has.
constexpr unsigned least_votes = 3;
constexpr unsigned least_ratio = 2;

double angle_between(const Quat& a, const Quat& b) {
  return motion::angle_between(motion::precise(a), motion::precise(b));
}

/// Replaces every rotation of every joint that has a bone by what `change` makes of it and of the
/// bone's bind rotation.
template <class Change>
void change_rotations(Clip& clip, const Skeleton& skeleton, const Binding& binding, Change change) {
  for (const Track& track : clip.tracks) {
    const auto bone = binding.bone_of_joint[track.joint];
    if (track.channel != Channel::rotation || !bone) continue;
    const Quat& bind = skeleton.bones[*bone].rotation;
    for (std::uint32_t key = 0; key < track.keys.count; ++key) {
      const Quat q = change(bind, clip.rotation(track.keys, key));
      float* const out = clip.values.data() + track.keys.first_value + 4 * std::size_t{key};
      out[0] = q.x;
      out[1] = q.y;
      out[2] = q.z;
      out[3] = q.w;
    }
  }
}

}  // namespace

std::optional<BindMode> detect_bind_mode(const Clip& clip, const Skeleton& skeleton,
                                         const Binding& binding) {
  unsigned absolute = 0;
  unsigned delta = 0;
  for (const Track& track : clip.tracks) {
    const auto bone = binding.bone_of_joint[track.joint];
    if (track.channel != Channel::rotation || !bone || track.keys.count == 0) continue;
    const Quat& bind = skeleton.bones[*bone].rotation;
    if (angle_between(bind, Quat{}) < telling_angle) continue;
    const Quat first = clip.rotation(track.keys, 0);
    ++(angle_between(first, bind) <= angle_between(first, Quat{}) ? absolute : delta);
  }
  if (absolute >= least_votes && absolute >= least_ratio * delta) return BindMode::absolute;
  if (delta >= least_votes && delta >= least_ratio * absolute) return BindMode::delta;
  return std::nullopt;
}

void apply_bind_pose(Clip& clip, const Skeleton& skeleton, const Binding& binding) {
  change_rotations(clip, skeleton, binding,
                   [](const Quat& bind, const Quat& q) { return multiply(bind, q); });
}

void remove_bind_pose(Clip& clip, const Skeleton& skeleton, const Binding& binding) {
  change_rotations(clip, skeleton, binding,
                   [](const Quat& bind, const Quat& q) { return multiply(conjugate(bind), q); });
}

}  // namespace mabkit
