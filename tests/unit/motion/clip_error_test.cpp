#include "motion/clip_error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace mabkit::motion {
namespace {

/// Two bones, 1 m apart along z; both turn by `angle` about x for the whole clip.
Clip two_joints(float first_angle, float second_angle) {
  Clip clip;
  clip.duration = 0.1F;
  clip.joints.resize(2);
  clip.joints[0].name_hash = 1;
  clip.joints[1].name_hash = 2;
  clip.times = {0.0F};
  for (const float angle : {first_angle, second_angle}) {
    clip.tracks.push_back({static_cast<std::uint32_t>(clip.tracks.size()),
                           Channel::rotation,
                           TrackKind::constant,
                           {0, clip.values.size(), 1}});
    clip.values.insert(clip.values.end(),
                       {std::sin(angle / 2.0F), 0.0F, 0.0F, std::cos(angle / 2.0F)});
  }
  return clip;
}

Skeleton two_bones() {
  Skeleton skeleton;
  skeleton.bones.resize(2);
  skeleton.bones[0].name_hash = 1;
  skeleton.bones[1].name_hash = 2;
  skeleton.bones[1].parent = 0;
  skeleton.bones[1].translation = {0.0F, 0.0F, 1.0F};
  return skeleton;
}

ClipErrors compare(const Clip& source, const Clip& decoded) {
  const Skeleton skeleton = two_bones();
  const Binding binding = bind(source, skeleton, {});
  const auto sampled = sample_on_grid(source, {}, 100);
  return measure_errors(*sampled, decoded, {0U, 1U}, &skeleton, &binding, 0.03);
}

TEST(ClipErrors, TheSameClipHasNone) {
  const Clip clip = two_joints(0.3F, 0.2F);
  const ClipErrors errors = compare(clip, clip);
  EXPECT_LT(errors.rotation.worst, 1e-7);
  EXPECT_LT(errors.object->worst, 1e-7);
}

TEST(ClipErrors, AnAngleIsMeasuredAtTheJointAndAtTheEndOfTheChain) {
  const ClipErrors errors = compare(two_joints(0.0F, 0.0F), two_joints(1e-3F, 0.0F));
  EXPECT_NEAR(errors.rotation.worst, 1e-3, 1e-7);
  EXPECT_EQ(errors.rotation.joint, 0U);
  // The vertex furthest from the turning joint: 3 cm beyond the second bone, 1.03 m away.
  EXPECT_EQ(errors.object->joint, 1U);
  EXPECT_NEAR(errors.object->worst, 1.03e-3, 1e-6);
  EXPECT_EQ(errors.worst_of_track.size(), 2U);
  EXPECT_NEAR(errors.worst_of_track[0], 1e-3, 1e-7);
  EXPECT_LT(errors.worst_of_track[1], 1e-7);
}

TEST(ClipErrors, ErrorsOfAChainCancelInObjectSpace) {
  const ClipErrors errors = compare(two_joints(0.0F, 0.0F), two_joints(1e-3F, -1e-3F));
  // Only the offset of the second bone is left: 1 mm.
  EXPECT_NEAR(errors.object->worst, 1e-3, 2e-6);
}

TEST(ClipErrors, AnglesAreAccurateWhereCosinesAreNot) {
  const ClipErrors errors = compare(two_joints(0.5F, 0.0F), two_joints(0.500001F, 0.0F));
  EXPECT_NEAR(errors.rotation.worst, 1e-6, 2e-7);
}

TEST(ClipErrors, WhatIsNoNumberIsTheWorst) {
  constexpr float no_number = std::numeric_limits<float>::quiet_NaN();
  Clip source = two_joints(0.0F, 0.0F);
  source.tracks.insert(
      source.tracks.begin() + 1,
      {0, Channel::translation, TrackKind::constant, {0, source.values.size(), 1}});
  source.values.insert(source.values.end(), {0.0F, 0.0F, 0.0F});
  Clip decoded = source;
  decoded.values[0] = no_number;      // the first joint's rotation; the second's is fine
  decoded.values.back() = no_number;  // its translation
  const ClipErrors errors = compare(source, decoded);
  EXPECT_TRUE(std::isnan(errors.rotation.worst));
  EXPECT_EQ(errors.rotation.joint, 0U);
  EXPECT_TRUE(std::isnan(errors.rotation.percentile_99));
  EXPECT_TRUE(std::isnan(errors.translation.worst));
  EXPECT_TRUE(std::isnan(errors.worst_of_track[0]));
  EXPECT_TRUE(std::isnan(errors.object->worst));
}

}  // namespace
}  // namespace mabkit::motion
