#include <gtest/gtest.h>

#include <cmath>
#include <mabkit/names.hpp>
#include <mabkit/pose.hpp>
#include <mabkit/retarget.hpp>

namespace mabkit {
namespace {

Quat about(float x, float y, float z, float angle) {
  const float size = std::sqrt(x * x + y * y + z * z);
  const float s = std::sin(angle / 2.0F) / size;
  return {x * s, y * s, z * s, std::cos(angle / 2.0F)};
}

/// Adds a bone that stands at `place` in object space, its axes turned by `axes`.
void add_bone(Skeleton& skeleton, const char* name, std::optional<std::uint32_t> parent,
              const Vec3& place, const Quat& axes) {
  std::vector<Transform> local;
  for (const Bone& bone : skeleton.bones) local.push_back({bone.rotation, bone.translation});
  const auto object = object_pose(skeleton, local);
  Bone bone;
  bone.name = name;
  bone.name_hash = name_hash(name);
  bone.parent = parent;
  const Transform above = parent ? object[*parent] : Transform{};
  bone.rotation = multiply(conjugate(above.rotation), axes);
  bone.translation = rotate(conjugate(above.rotation),
                            {place.x - above.translation.x, place.y - above.translation.y,
                             place.z - above.translation.z});
  skeleton.bones.push_back(bone);
}

/// A leg and a spine, standing; `size` scales it, `turn` turns the axes of every bone differently.
Skeleton rig(float size, float turn, bool has_extra_bone = false) {
  Skeleton skeleton;
  add_bone(skeleton, "Pelvis", std::nullopt, {0, 0, size}, about(0, 0, 1, turn));
  add_bone(skeleton, "Thigh", 0, {0.1F * size, 0, 0.9F * size}, about(1, 0, 0, 2 * turn));
  std::uint32_t above = 1;
  if (has_extra_bone) {
    add_bone(skeleton, "ThighTwist", 1, {0.1F * size, 0, 0.7F * size}, about(0, 1, 1, turn));
    above = 2;
  }
  add_bone(skeleton, "Calf", above, {0.1F * size, 0, 0.5F * size}, about(0, 1, 0, 3 * turn));
  add_bone(skeleton, "Foot", above + 1, {0.1F * size, 0, 0}, about(1, 1, 1, turn));
  return skeleton;
}

/// Three keys of every bone of `skeleton` but the extra one, and the pelvis' way.
Clip motion_of(const Skeleton& skeleton) {
  Clip clip;
  clip.duration = 0.2F;
  clip.times = {0.0F, 0.1F, 0.2F};
  for (const Bone& bone : skeleton.bones) {
    const auto joint = static_cast<std::uint32_t>(clip.joints.size());
    clip.joints.push_back({joint, bone.name_hash, bone.name, std::nullopt});
    clip.tracks.push_back(
        {joint, Channel::rotation, TrackKind::animated, {0, clip.values.size(), 3}});
    for (int key = 0; key < 3; ++key) {
      const float angle = 0.2F * static_cast<float>(key) * static_cast<float>(joint + 1);
      const Quat q = multiply(bone.rotation, about(1, 0.5F, 0.2F, angle));
      clip.values.insert(clip.values.end(), {q.x, q.y, q.z, q.w});
    }
    if (joint != 0) continue;
    clip.tracks.push_back(
        {joint, Channel::translation, TrackKind::animated, {0, clip.values.size(), 3}});
    for (int key = 0; key < 3; ++key) {
      const Vec3& at = bone.translation;
      clip.values.insert(clip.values.end(), {at.x + 0.3F * static_cast<float>(key), at.y, at.z});
    }
  }
  return clip;
}

std::vector<Transform> object_at(const Clip& clip, const Skeleton& skeleton, float time) {
  return object_pose(skeleton, local_pose(clip, skeleton, bind(clip, skeleton, {}), time));
}

std::size_t position(const Skeleton& skeleton, const char* name) {
  for (std::size_t i = 0; i < skeleton.bones.size(); ++i) {
    if (skeleton.bones[i].name == name) return i;
  }
  return skeleton.bones.size();
}

/// Unit vector from one bone to another.
Vec3 direction(const std::vector<Transform>& pose, std::size_t from, std::size_t to) {
  const Vec3& a = pose[from].translation;
  const Vec3& b = pose[to].translation;
  const float size = std::hypot(b.x - a.x, b.y - a.y, b.z - a.z);
  return {(b.x - a.x) / size, (b.y - a.y) / size, (b.z - a.z) / size};
}

void expect_near(const Vec3& a, const Vec3& b) {
  EXPECT_NEAR(a.x, b.x, 1e-5);
  EXPECT_NEAR(a.y, b.y, 1e-5);
  EXPECT_NEAR(a.z, b.z, 1e-5);
}

/// Limbs point the same way, and the pelvis goes as far as its legs are long.
void expect_same_stance(const Skeleton& source, const Skeleton& target, float scale) {
  const Clip clip = motion_of(source);
  const Retargeted carried = retarget(clip, source, bind(clip, source, {}), target);
  EXPECT_NEAR(carried.scale, scale, 1e-5);
  for (const float time : {0.0F, 0.1F, 0.15F, 0.2F}) {
    const auto from = object_at(clip, source, time);
    const auto to = object_at(carried.clip, target, time);
    const std::pair<const char*, const char*> limbs[] = {
        {"Pelvis", "Thigh"}, {"Thigh", "Calf"}, {"Calf", "Foot"}};
    for (const auto& [upper, lower] : limbs) {
      expect_near(direction(from, position(source, upper), position(source, lower)),
                  direction(to, position(target, upper), position(target, lower)));
    }
    const Vec3& pelvis = from[0].translation;
    expect_near({scale * pelvis.x, scale * pelvis.y, scale * pelvis.z}, to[0].translation);
  }
}

TEST(Retarget, OtherAxesAndLengthsKeepTheStance) {
  expect_same_stance(rig(1.0F, 0.0F), rig(1.5F, 0.4F), 1.5F);
  expect_same_stance(rig(1.2F, 0.7F), rig(0.6F, -0.3F), 0.5F);
}

TEST(Retarget, ABoneThatOnlyTheTargetHasFollowsItsParent) {
  expect_same_stance(rig(1.0F, 0.3F), rig(1.0F, -0.5F, true), 1.0F);
}

TEST(Retarget, ABoneThatOnlyTheSourceHasIsFoldedIn) {
  const Skeleton source = rig(1.0F, 0.3F, true);
  const Skeleton target = rig(1.0F, -0.2F);
  const Clip clip = motion_of(source);
  const Retargeted carried = retarget(clip, source, bind(clip, source, {}), target);
  EXPECT_EQ(carried.left_out, std::vector<std::string>{"ThighTwist"});
  EXPECT_EQ(carried.matched, 4U);
  const auto from = object_at(clip, source, 0.2F);
  const auto to = object_at(carried.clip, target, 0.2F);
  expect_near(direction(from, position(source, "Calf"), position(source, "Foot")),
              direction(to, position(target, "Calf"), position(target, "Foot")));
}

TEST(Retarget, TheSameRigKeepsTheBits) {
  const Skeleton skeleton = rig(1.0F, 0.4F);
  const Clip clip = motion_of(skeleton);
  const Clip carried = retarget(clip, skeleton, bind(clip, skeleton, {}), skeleton).clip;
  ASSERT_EQ(carried.tracks.size(), clip.tracks.size());
  for (std::size_t i = 0; i < clip.tracks.size(); ++i) {
    const auto a = clip.values_of(clip.tracks[i].keys, clip.tracks[i].channel);
    const auto b = carried.values_of(carried.tracks[i].keys, carried.tracks[i].channel);
    EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end()));
  }
}

TEST(Retarget, ATranslationThatOnlyRepeatsTheBindPoseIsLeftOut) {
  const Skeleton source = rig(1.0F, 0.0F);
  Clip clip = motion_of(source);
  const Vec3& at = source.bones[2].translation;
  clip.tracks.push_back({2, Channel::translation, TrackKind::constant, {0, clip.values.size(), 1}});
  clip.values.insert(clip.values.end(), {at.x, at.y, at.z});
  const Clip carried = retarget(clip, source, bind(clip, source, {}), rig(2.0F, 0.1F)).clip;
  EXPECT_EQ(carried.tracks.size(), 5U);
}

TEST(Retarget, OtherTranslationsMoveByAsMuchAsTheBonesAreLong) {
  const Skeleton source = rig(1.0F, 0.0F);
  const Skeleton target = rig(2.0F, 0.3F);
  Clip clip = motion_of(source);
  for (Track& track : clip.tracks) track.keys.count = 1;  // in the bind pose
  const Vec3& at = source.bones[2].translation;
  clip.tracks.push_back({2, Channel::translation, TrackKind::animated, {0, clip.values.size(), 1}});
  clip.values.insert(clip.values.end(), {at.x, at.y, at.z + 0.1F});
  const Clip carried = retarget(clip, source, bind(clip, source, {}), target).clip;
  const auto to = object_at(carried, target, 0.0F);
  // The calf's parent is not turned in the source, so 0.1 m along z are 0.2 m along z.
  expect_near({0.2F, 0.0F, 1.0F + 0.2F}, to[2].translation);
}

TEST(Retarget, ACycleOfParentsEnds) {
  Skeleton source = rig(1.0F, 0.1F);
  source.bones[0].parent = 3;
  Skeleton target = rig(1.0F, 0.2F);
  target.bones[1].parent = 2;
  const Clip clip = motion_of(source);
  const Retargeted carried = retarget(clip, source, bind(clip, source, {}), target);
  EXPECT_EQ(carried.matched, 4U);
}

TEST(BindModeOf, AVoteTellsWhetherValuesReplaceTheBindPose) {
  const Skeleton skeleton = rig(1.0F, 1.2F);
  Clip clip = motion_of(skeleton);
  const Binding binding = bind(clip, skeleton, {});
  EXPECT_EQ(detect_bind_mode(clip, skeleton, binding), BindMode::absolute);
  remove_bind_pose(clip, skeleton, binding);
  EXPECT_EQ(detect_bind_mode(clip, skeleton, binding), BindMode::delta);
  const Skeleton plain = rig(1.0F, 0.0F);
  EXPECT_EQ(detect_bind_mode(clip, plain, binding), std::nullopt);
}

TEST(BindModeOf, RemovingAndApplyingABindPoseCancel) {
  const Skeleton skeleton = rig(1.0F, 0.8F);
  Clip clip = motion_of(skeleton);
  const std::vector<float> before = clip.values;
  const Binding binding = bind(clip, skeleton, {});
  remove_bind_pose(clip, skeleton, binding);
  // The first key of every joint is its bind pose: what is left of it is the identity.
  EXPECT_NEAR(clip.values[3], 1.0F, 1e-6);
  apply_bind_pose(clip, skeleton, binding);
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_NEAR(clip.values[i], before[i], 1e-6);
}

}  // namespace
}  // namespace mabkit
