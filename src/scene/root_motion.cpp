#include "scene/root_motion.hpp"

#include <algorithm>
#include <mabkit/pose.hpp>

#include "scene/values.hpp"

namespace mabkit::scene {
namespace {

bool is_lawful(const Clip& clip, const Keys& keys, Channel channel) {
  return has_keys(clip, keys, channel) && are_key_times(clip.times_of(keys));
}

void add_times(std::vector<float>& times, const Clip& clip, const Keys& keys) {
  const auto more = clip.times_of(keys);
  times.insert(times.end(), more.begin(), more.end());
}

Vec3 difference(const Vec3& a, const Vec3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}

/// Where the actor is at `time`, relative to its place at the first key.
Transform actor_at(const Clip& clip, float time) {
  const RootMotion& motion = *clip.root_motion;
  Transform actor;
  if (motion.translation) {
    actor.translation = difference(sample_translation(clip, *motion.translation, time),
                                   clip.translation(*motion.translation, 0));
  }
  if (motion.rotation) {
    actor.rotation = multiply(conjugate(clip.rotation(*motion.rotation, 0)),
                              sample_rotation(clip, *motion.rotation, time));
  }
  return actor;
}

}  // namespace

bool has_lawful_root_motion(const Clip& clip) {
  const RootMotion& motion = *clip.root_motion;
  return (!motion.translation || is_lawful(clip, *motion.translation, Channel::translation)) &&
         (!motion.rotation || is_lawful(clip, *motion.rotation, Channel::rotation));
}

bool has_moving_root_motion(const Clip& clip) {
  const RootMotion& motion = *clip.root_motion;
  return (motion.translation && motion.translation->count > 1) ||
         (motion.rotation && motion.rotation->count > 1);
}

ComposedCurves compose_root_motion(const Clip& clip, const JointTracks& joint) {
  const RootMotion& motion = *clip.root_motion;
  ComposedCurves out;
  if (motion.translation) add_times(out.times, clip, *motion.translation);
  if (motion.rotation) add_times(out.times, clip, *motion.rotation);
  if (joint.rotation != nullptr) add_times(out.times, clip, joint.rotation->keys);
  if (joint.translation != nullptr) add_times(out.times, clip, joint.translation->keys);
  std::sort(out.times.begin(), out.times.end());
  out.times.erase(std::unique(out.times.begin(), out.times.end()), out.times.end());

  for (const float time : out.times) {
    Transform own{joint.rest.rotation, joint.rest.translation};
    if (joint.rotation != nullptr) own.rotation = sample_rotation(clip, joint.rotation->keys, time);
    if (joint.translation != nullptr) {
      own.translation = sample_translation(clip, joint.translation->keys, time);
    }
    const Transform moved = combine(actor_at(clip, time), own);
    const Quat& q = moved.rotation;
    const Vec3& v = moved.translation;
    out.rotations.insert(out.rotations.end(), {q.x, q.y, q.z, q.w});
    out.translations.insert(out.translations.end(), {v.x, v.y, v.z});
  }
  return out;
}

}  // namespace mabkit::scene
