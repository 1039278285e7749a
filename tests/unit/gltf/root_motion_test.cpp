#include <gtest/gtest.h>

#include <cmath>
#include <mabkit/gltf.hpp>

#include "unit/gltf/asset.hpp"
#include "unit/gltf/clips.hpp"

namespace mabkit {
namespace {

using test::add_joint;
using test::add_keys;
using test::add_track;
using test::Asset;
using test::bank_of;
using test::build;
using test::half_root;

using Floats = std::vector<float>;

/// The actor goes from (1, 2, 0) to (1, 5, 0) and turns 90° about Z. Its hips are at (0, 0, 1) and
/// its spine is above them.
Clip walk() {
  Clip clip;
  clip.duration = 2.0F;
  add_joint(clip, "Hips");
  add_joint(clip, "Spine");
  clip.joints[1].parent = 0;
  add_track(clip, 0, Channel::translation, TrackKind::constant, {0}, {1, 0, 1});
  add_track(clip, 1, Channel::translation, TrackKind::animated, {0, 2}, {0, 0, 1, 0, 0, 2});
  clip.root_motion = RootMotion{};
  clip.root_motion->translation = add_keys(clip, {0, 2}, {1, 2, 0, 1, 5, 0}, Channel::translation);
  clip.root_motion->rotation =
      add_keys(clip, {0, 1}, {0, 0, 0, 1, 0, 0, half_root, half_root}, Channel::rotation);
  return clip;
}

Asset build_with(const Clip& clip, RootMotionTarget target) {
  GltfOptions options;
  options.root_motion = target;
  return build(bank_of({clip}), nullptr, options);
}

void expect_near(const Floats& a, const Floats& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-6F) << i;
}

TEST(GltfRootMotion, ANodeAboveTheJointsHasTheStoredValues) {
  const Asset asset = build_with(walk(), RootMotionTarget::node);
  EXPECT_EQ(asset.parent("Hips"), "mabkit_root_motion");
  const auto moves = asset.curve(0, "mabkit_root_motion", "translation");
  const auto turns = asset.curve(0, "mabkit_root_motion", "rotation");
  ASSERT_TRUE(moves && turns);
  EXPECT_EQ(moves->times, (Floats{0, 2}));
  EXPECT_EQ(moves->values, (Floats{1, 0, -2, 1, 0, -5}));
  EXPECT_EQ(turns->times, (Floats{0, 1}));
  EXPECT_EQ(turns->values, (Floats{0, 0, 0, 1, 0, half_root, 0, half_root}));
  EXPECT_EQ(asset.extras().at("clips").at(0).at("root_motion").at("node"),
            asset.node("mabkit_root_motion"));
}

TEST(GltfRootMotion, AStaticNodeAboveUndoesTheFirstOffset) {
  const Asset asset = build_with(walk(), RootMotionTarget::node);
  EXPECT_EQ(asset.parent("mabkit_root_motion"), "mabkit_root_motion_start");
  EXPECT_EQ(asset.parent("mabkit_root_motion_start"), "mabkit");
  const auto& start = asset.json().at("nodes").at(asset.node("mabkit_root_motion_start"));
  EXPECT_EQ(start.at("translation").get<Floats>(), (Floats{-1, 0, 2}));
}

TEST(GltfRootMotion, AStaticNodeBelowUndoesTheFirstTurn) {
  Clip clip = walk();
  // A constant displacement as Legion has it: half a turn about (0, 1, 1).
  clip.root_motion->rotation = add_keys(clip, {0}, {0, half_root, half_root, 0}, Channel::rotation);
  const Asset asset = build_with(clip, RootMotionTarget::node);
  EXPECT_EQ(asset.parent("Hips"), "mabkit_root_motion_rest");
  EXPECT_EQ(asset.parent("mabkit_root_motion_rest"), "mabkit_root_motion");
  const auto& rest = asset.json().at("nodes").at(asset.node("mabkit_root_motion_rest"));
  EXPECT_EQ(rest.at("rotation").get<Floats>(), (Floats{0, -half_root, half_root, 0}));
  const auto turns = asset.curve(0, "mabkit_root_motion", "rotation");
  ASSERT_TRUE(turns);
  EXPECT_EQ(turns->times, (Floats{0, 2})) << "one key gets a second";
}

TEST(GltfRootMotion, TheTiltOfAPackedIdentityNeedsNoStaticNode) {
  Clip clip = walk();
  clip.root_motion->translation.reset();
  constexpr float zero = -2.157e-5F;  // spec mab-sparse, section 2
  clip.root_motion->rotation = add_keys(clip, {0}, {zero, zero, zero, 1}, Channel::rotation);
  const Asset asset = build_with(clip, RootMotionTarget::node);
  EXPECT_EQ(asset.parent("Hips"), "mabkit_root_motion");
  EXPECT_EQ(asset.parent("mabkit_root_motion"), "mabkit");
}

TEST(GltfRootMotion, ReferenceAloneMakesNoNode) {
  Clip clip = walk();
  clip.root_motion = RootMotion{};
  clip.root_motion->reference = Quat{};
  const Asset asset = build_with(clip, RootMotionTarget::node);
  EXPECT_EQ(asset.parent("Hips"), "mabkit");
}

TEST(GltfRootMotion, ComposesIntoTheRootJointAtTheKeysOfAllItsCurves) {
  const Asset asset = build_with(walk(), RootMotionTarget::joint);
  EXPECT_EQ(asset.parent("Hips"), "mabkit");
  const auto moves = asset.curve(0, "Hips", "translation");
  const auto turns = asset.curve(0, "Hips", "rotation");
  ASSERT_TRUE(moves && turns);
  EXPECT_EQ(moves->times, (Floats{0, 1, 2}));
  EXPECT_EQ(turns->times, (Floats{0, 1, 2}));
  // Engine space: the hips' (1, 0, 1), turned by 0°, 90°, 90°, then moved by 0, 1.5 and 3 along Y:
  // (1, 0, 1), (0, 2.5, 1), (0, 4, 1).
  expect_near(moves->values, {1, 1, 0, 0, 1, -2.5F, 0, 1, -4});
  expect_near(turns->values, {0, 0, 0, 1, 0, half_root, 0, half_root, 0, half_root, 0, half_root});
  EXPECT_EQ(asset.curve(0, "Spine", "translation")->values, (Floats{0, 1, 0, 0, 2, 0}));
}

TEST(GltfRootMotion, ComposesIntoEveryRootOfTheRig) {
  Skeleton skeleton;
  skeleton.bones = {test::bone("Hips", std::nullopt, {0, 0, 5}),
                    test::bone("Camera", std::nullopt, {0, 0, 2}), test::bone("Spine", 0, {})};
  GltfOptions options;
  options.root_motion = RootMotionTarget::joint;
  const Asset asset = build(bank_of({walk()}), &skeleton, options);
  const auto camera = asset.curve(0, "Camera", "translation");
  ASSERT_TRUE(camera) << "no track of its own: its bind pose moves";
  expect_near(camera->values, {0, 2, 0, 0, 2, -1.5F, 0, 2, -3});
}

TEST(GltfRootMotion, AConstantOneLeavesTheJointsAlone) {
  Clip clip = walk();
  clip.root_motion->translation = add_keys(clip, {0}, {1, 2, 3}, Channel::translation);
  clip.root_motion->rotation.reset();
  const Asset asset = build_with(clip, RootMotionTarget::joint);
  EXPECT_EQ(asset.curve(0, "Hips", "translation")->values, (Floats{1, 1, 0, 1, 1, 0}));
  EXPECT_FALSE(asset.curve(0, "Hips", "rotation"));
}

TEST(GltfRootMotion, IgnoredIsLeftOut) {
  const Asset asset = build_with(walk(), RootMotionTarget::ignore);
  EXPECT_EQ(asset.parent("Hips"), "mabkit");
  EXPECT_EQ(asset.curve(0, "Hips", "translation")->values, (Floats{1, 1, 0, 1, 1, 0}));
  EXPECT_EQ(asset.extras().at("clips").at(0).at("root_motion").at("target"), "ignore");
}

}  // namespace
}  // namespace mabkit
