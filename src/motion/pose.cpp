#include <algorithm>
#include <cmath>
#include <mabkit/pose.hpp>

namespace mabkit {
namespace {

/// Above this dot product slerp's quotient of sines is too small to divide by (spec mab-sparse,
/// 3.3).
constexpr double nlerp_threshold = 0.9995;

/// Two neighbouring keys and how far between them a time lies.
struct Segment {
  std::size_t first = 0;
  double fraction = 0.0;  ///< 0 at `first`, below 1; 0 where the curve is held
};

Segment find_segment(std::span<const float> times, float time) {
  if (!(time > times.front())) return {0, 0.0};
  if (time >= times.back()) return {times.size() - 1, 0.0};
  const auto after = std::upper_bound(times.begin(), times.end(), time);
  const auto first = static_cast<std::size_t>(after - times.begin()) - 1;
  const double begin = times[first];
  return {first, (time - begin) / (times[first + 1] - begin)};
}

Quat blend(const Quat& a, double weight_a, const Quat& b, double weight_b) {
  return {static_cast<float>(weight_a * a.x + weight_b * b.x),
          static_cast<float>(weight_a * a.y + weight_b * b.y),
          static_cast<float>(weight_a * a.z + weight_b * b.z),
          static_cast<float>(weight_a * a.w + weight_b * b.w)};
}

double dot(const Quat& a, const Quat& b) {
  return static_cast<double>(a.x) * b.x + static_cast<double>(a.y) * b.y +
         static_cast<double>(a.z) * b.z + static_cast<double>(a.w) * b.w;
}

}  // namespace

Quat slerp(const Quat& a, const Quat& b, double fraction) {
  const double signed_cosine = dot(a, b);
  const double sign = signed_cosine < 0.0 ? -1.0 : 1.0;
  const double cosine = sign * signed_cosine;
  if (cosine > nlerp_threshold) {
    const Quat q = blend(a, 1.0 - fraction, b, sign * fraction);
    const double scale = 1.0 / std::sqrt(dot(q, q));
    return blend(q, scale, q, 0.0);
  }
  const double angle = std::acos(cosine);
  const double sine = std::sin(angle);
  return blend(a, std::sin((1.0 - fraction) * angle) / sine, b,
               sign * std::sin(fraction * angle) / sine);
}

Quat multiply(const Quat& a, const Quat& b) {
  return {
      a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
      a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

Quat conjugate(const Quat& q) {
  return {-q.x, -q.y, -q.z, q.w};
}

Vec3 rotate(const Quat& q, const Vec3& v) {
  // v + 2 u × (u × v + w v), where u is the vector part.
  const Vec3 t{q.y * v.z - q.z * v.y + q.w * v.x, q.z * v.x - q.x * v.z + q.w * v.y,
               q.x * v.y - q.y * v.x + q.w * v.z};
  return {v.x + 2.0F * (q.y * t.z - q.z * t.y), v.y + 2.0F * (q.z * t.x - q.x * t.z),
          v.z + 2.0F * (q.x * t.y - q.y * t.x)};
}

Transform combine(const Transform& parent, const Transform& child) {
  const Vec3 offset = rotate(parent.rotation, child.translation);
  return {multiply(parent.rotation, child.rotation),
          {parent.translation.x + offset.x, parent.translation.y + offset.y,
           parent.translation.z + offset.z}};
}

Quat sample_rotation(const Clip& clip, const Keys& keys, float time) {
  if (keys.count == 0) return {};
  const Segment segment = find_segment(clip.times_of(keys), time);
  const Quat a = clip.rotation(keys, segment.first);
  if (segment.fraction == 0.0) return a;
  return slerp(a, clip.rotation(keys, segment.first + 1), segment.fraction);
}

Vec3 sample_translation(const Clip& clip, const Keys& keys, float time) {
  if (keys.count == 0) return {};
  const Segment segment = find_segment(clip.times_of(keys), time);
  const Vec3 a = clip.translation(keys, segment.first);
  if (segment.fraction == 0.0) return a;
  const Vec3 b = clip.translation(keys, segment.first + 1);
  const auto mix = [&](float from, float to) {
    return static_cast<float>(from + (static_cast<double>(to) - from) * segment.fraction);
  };
  return {mix(a.x, b.x), mix(a.y, b.y), mix(a.z, b.z)};
}

std::vector<Transform> local_pose(const Clip& clip, const Skeleton& skeleton,
                                  const Binding& binding, float time) {
  std::vector<Transform> pose;
  pose.reserve(skeleton.bones.size());
  for (const Bone& bone : skeleton.bones) pose.push_back({bone.rotation, bone.translation});

  for (const Track& track : clip.tracks) {
    if (track.joint >= binding.bone_of_joint.size() || track.keys.count == 0) continue;
    const std::optional<std::uint32_t> bone = binding.bone_of_joint[track.joint];
    if (!bone || *bone >= pose.size()) continue;
    if (track.channel == Channel::rotation) {
      pose[*bone].rotation = sample_rotation(clip, track.keys, time);
    } else {
      pose[*bone].translation = sample_translation(clip, track.keys, time);
    }
  }
  return pose;
}

std::vector<Transform> object_pose(const Skeleton& skeleton, std::span<const Transform> local) {
  std::vector<Transform> object(local.begin(), local.end());
  for (const std::uint32_t bone : parents_first(skeleton.bones)) {
    const std::optional<std::uint32_t> parent = skeleton.bones[bone].parent;
    if (parent) object[bone] = combine(object[*parent], local[bone]);
  }
  return object;
}

}  // namespace mabkit
