#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <mabkit/gltf.hpp>

#include "unit/gltf/asset.hpp"
#include "unit/gltf/clips.hpp"

// Banks and rigs that no sane file gives: what glTF can't hold is left out and said.

namespace mabkit {
namespace {

using test::add_joint;
using test::add_track;
using test::Asset;
using test::bank_of;

using Floats = std::vector<float>;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

/// A joint with one good track, so that there is an animation.
Clip good() {
  Clip clip;
  clip.duration = 1.0F;
  add_joint(clip, "Good");
  add_joint(clip, "Bad");
  add_track(clip, 0, Channel::translation, TrackKind::constant, {0}, {1, 2, 3});
  return clip;
}

/// Builds `clip`, expects one diagnostic about track 1 and no curve on the joint `Bad`.
void expect_left_out(const Clip& clip, const std::string& reason) {
  const auto asset = build_gltf(bank_of({clip}), nullptr, {});
  ASSERT_TRUE(asset);
  ASSERT_EQ(asset->diagnostics.size(), 1U);
  EXPECT_EQ(asset->diagnostics[0].path, "clip[0].track[1]");
  EXPECT_NE(asset->diagnostics[0].message.find(reason), std::string::npos)
      << asset->diagnostics[0].message;
  const Asset read(*asset);
  EXPECT_EQ(read.json().at("animations").at(0).at("channels").size(), 1U);
  EXPECT_TRUE(read.curve(0, "Good", "translation"));
}

TEST(GltfHostile, ValuesThatAreNotFiniteAreLeftOut) {
  for (const float bad : {nan, infinity, -infinity}) {
    Clip clip = good();
    add_track(clip, 1, Channel::translation, TrackKind::animated, {0, 1}, {1, 2, 3, 4, bad, 6});
    expect_left_out(clip, "not finite");
  }
}

TEST(GltfHostile, ZeroQuaternionsAreLeftOut) {
  Clip clip = good();
  add_track(clip, 1, Channel::rotation, TrackKind::animated, {0, 1}, {0, 0, 0, 1, 0, 0, 0, 0});
  expect_left_out(clip, "no rotation");
}

TEST(GltfHostile, TimesThatDoNotRiseAreLeftOut) {
  for (const Floats& times :
       {Floats{0, 0}, Floats{1, 0}, Floats{-1, 0}, Floats{nan, 1}, Floats{0, infinity}}) {
    Clip clip = good();
    add_track(clip, 1, Channel::translation, TrackKind::animated, times, {1, 2, 3, 4, 5, 6});
    expect_left_out(clip, "times");
  }
}

TEST(GltfHostile, KeysOutsideTheBuffersAreLeftOut) {
  Clip clip = good();
  add_track(clip, 1, Channel::translation, TrackKind::animated, {0, 1}, {1, 2, 3, 4, 5, 6});
  clip.tracks[1].keys.count = 0xFFFFFFFF;
  expect_left_out(clip, "no keys");
}

TEST(GltfHostile, ATrackOfNoJointIsLeftOut) {
  Clip clip = good();
  add_track(clip, 2, Channel::translation, TrackKind::animated, {0, 1}, {1, 2, 3, 4, 5, 6});
  expect_left_out(clip, "joint");
}

TEST(GltfHostile, ASecondTrackOfAChannelIsLeftOut) {
  Clip clip = good();
  add_track(clip, 0, Channel::translation, TrackKind::animated, {0, 1}, {1, 2, 3, 4, 5, 6});
  expect_left_out(clip, "another track");
}

TEST(GltfHostile, OtherLengthsAreBroughtToOne) {
  Clip clip = good();
  add_track(clip, 1, Channel::rotation, TrackKind::animated, {0, 1}, {0, 0, 3, 4, 0, 0, 0, 1});
  const auto asset = build_gltf(bank_of({clip}), nullptr, {});
  ASSERT_TRUE(asset);
  EXPECT_TRUE(asset->diagnostics.empty());
  EXPECT_EQ(Asset(*asset).curve(0, "Bad", "rotation")->values,
            (Floats{0, 0.6F, 0, 0.8F, 0, 0, 0, 1}));
}

TEST(GltfHostile, AlmostUnitValuesAreNotTouched) {
  Clip clip = good();
  const float w = std::nextafter(1.0F, 2.0F);
  add_track(clip, 1, Channel::rotation, TrackKind::animated, {0, 1}, {0, 0, 0, w, 0, 0, 0, 1});
  const auto asset = build_gltf(bank_of({clip}), nullptr, {});
  ASSERT_TRUE(asset);
  EXPECT_EQ(Asset(*asset).curve(0, "Bad", "rotation")->values[3], w);
}

TEST(GltfHostile, ACycleOfJointsIsCut) {
  Clip clip = good();
  clip.joints[0].parent = 1;
  clip.joints[1].parent = 0;
  add_joint(clip, "Self");
  clip.joints[2].parent = 2;
  add_joint(clip, "Lost");
  clip.joints[3].parent = 99;
  const Asset asset = test::build(bank_of({clip}), nullptr);
  EXPECT_EQ(asset.parent("Self"), "mabkit");
  EXPECT_EQ(asset.parent("Lost"), "mabkit");
  EXPECT_EQ(asset.json().at("nodes").size(), 5U);
  const bool good_is_top = asset.parent("Good") == "mabkit";
  EXPECT_EQ(asset.parent(good_is_top ? "Bad" : "Good"), good_is_top ? "Good" : "Bad");
}

TEST(GltfHostile, BonesInACycleAreLeftOutAndTheirJointsLieFlat) {
  Skeleton skeleton;
  skeleton.bones = {test::bone("Good", std::nullopt, {}), test::bone("Bad", 2, {}),
                    test::bone("Worse", 1, {})};
  const auto asset = build_gltf(bank_of({good()}), &skeleton, {});
  ASSERT_TRUE(asset);
  EXPECT_EQ(asset->diagnostics.size(), 2U);
  EXPECT_EQ(Asset(*asset).parent("Bad"), "mabkit");
}

TEST(GltfHostile, BindPosesThatAreNoPosesAreMended) {
  Skeleton skeleton;
  skeleton.bones = {test::bone("Good", std::nullopt, {nan, 0, 0}, {0, 0, 0, 0})};
  skeleton.bones[0].scale = {1, 0, 1};
  const auto asset = build_gltf(bank_of({good()}), &skeleton, {});
  ASSERT_TRUE(asset);
  EXPECT_EQ(asset->diagnostics.size(), 3U);
  const Asset read(*asset);
  const auto& node = read.json().at("nodes").at(read.node("Good"));
  EXPECT_FALSE(node.contains("translation"));
  EXPECT_FALSE(node.contains("rotation"));
  EXPECT_FALSE(node.contains("scale"));
}

TEST(GltfHostile, ScalesThatOverflowAlongAChainLeaveFiniteMatrices) {
  Skeleton skeleton;
  for (std::uint32_t i = 0; i < 200; ++i) {
    skeleton.bones.push_back(
        test::bone(fmt::format("b{}", i), i == 0 ? std::nullopt : std::optional(i - 1), {1, 0, 0}));
    skeleton.bones.back().scale = {1e6F, 1e6F, 1e6F};
  }
  const Asset asset = test::build(bank_of({good()}), &skeleton);
  const auto& skin = asset.json().at("skins").at(0);
  for (const float value : asset.floats(skin.at("inverseBindMatrices"))) {
    EXPECT_TRUE(std::isfinite(value));
  }
  const auto& mesh = asset.json().at("meshes").at(0).at("primitives").at(0);
  for (const float value : asset.floats(mesh.at("attributes").at("POSITION"))) {
    EXPECT_TRUE(std::isfinite(value));
  }
}

TEST(GltfHostile, MoreJointsThanASkinCanNameAreAnError) {
  std::vector<Clip> clips(17);
  for (Clip& clip : clips) clip.joints.resize(4000);
  const auto asset = build_gltf(bank_of(clips), nullptr, {});
  ASSERT_FALSE(asset);
  EXPECT_EQ(asset.error().code, ErrorCode::limit);
}

TEST(GltfHostile, ManyJointsUseWideIndices) {
  Clip clip;
  clip.joints.resize(257);
  const Asset asset = test::build(bank_of({clip}), nullptr);
  const auto& mesh = asset.json().at("meshes").at(0).at("primitives").at(0);
  const std::size_t joints = mesh.at("attributes").at("JOINTS_0");
  EXPECT_EQ(asset.json().at("accessors").at(joints).at("componentType"), 5123);
}

TEST(GltfHostile, NamesThatAreNotUtf8StillMakeJson) {
  Clip clip = good();
  clip.joints[0].name = "\xFF\xFE\"";
  clip.name = "\x80";
  clip.parent = "\xC3";
  test::build(bank_of({clip, clip}), nullptr);  // parses the JSON
}

TEST(GltfHostile, RootMotionWithoutLawfulKeysIsLeftOut) {
  Clip clip = good();
  clip.root_motion = RootMotion{};
  clip.root_motion->translation =
      test::add_keys(clip, {1, 0}, {1, 2, 3, 4, 5, 6}, Channel::translation);
  for (const RootMotionTarget target : {RootMotionTarget::node, RootMotionTarget::joint}) {
    GltfOptions options;
    options.root_motion = target;
    const auto asset = build_gltf(bank_of({clip}), nullptr, options);
    ASSERT_TRUE(asset);
    ASSERT_EQ(asset->diagnostics.size(), 1U);
    EXPECT_TRUE(asset->diagnostics[0].path.starts_with("clip[0].root_motion"));
  }
}

}  // namespace
}  // namespace mabkit
