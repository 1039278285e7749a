#include <gtest/gtest.h>

#include <mabkit/gltf.hpp>
#include <set>
#include <string>

#include "support/fixtures.hpp"
#include "unit/gltf/asset.hpp"
#include "unit/gltf/clips.hpp"

namespace mabkit {
namespace {

using test::add_joint;
using test::add_track;
using test::Asset;
using test::bank_of;
using test::bone;
using test::build;
using test::half_root;

using Floats = std::vector<float>;

/// Engine space: hips 1 m up and turned 90° about Z, a spine 0.5 m along their +X.
Skeleton two_bones() {
  Skeleton skeleton;
  skeleton.bones = {bone("Hips", std::nullopt, {0.25F, 0.5F, 1.0F}, {0, 0, half_root, half_root}),
                    bone("Spine", 0, {0.5F, 0.0F, 0.0F})};
  return skeleton;
}

Clip one_joint(const std::string& name) {
  Clip clip;
  clip.duration = 2.0F;
  add_joint(clip, name);
  return clip;
}

TEST(GltfAxes, ZUpBecomesYUpForVectorsAndQuaternions) {
  Clip clip = one_joint("Hips");
  add_track(clip, 0, Channel::rotation, TrackKind::animated, {0, 1},
            {0.1F, 0.2F, 0.3F, 0.92736185F, 0.1F, 0.2F, 0.3F, 0.92736185F});
  add_track(clip, 0, Channel::translation, TrackKind::animated, {0, 1}, {1, 2, 3, 4, 5, 6});
  const Asset asset = build(bank_of({clip}), nullptr);
  EXPECT_EQ(asset.curve(0, "Hips", "translation")->values, (Floats{1, 3, -2, 4, 6, -5}));
  EXPECT_EQ(asset.curve(0, "Hips", "rotation")->values,
            (Floats{0.1F, 0.3F, -0.2F, 0.92736185F, 0.1F, 0.3F, -0.2F, 0.92736185F}));
}

TEST(GltfNodes, HaveTheHierarchyAndBindPoseOfTheRig) {
  const Skeleton skeleton = two_bones();
  GltfOptions options;
  options.name = "walk";
  const Asset asset = build(bank_of({one_joint("Spine")}), &skeleton, options);
  EXPECT_EQ(asset.parent("Spine"), "Hips");
  EXPECT_EQ(asset.parent("Hips"), "walk");
  const auto& hips = asset.json().at("nodes").at(asset.node("Hips"));
  EXPECT_EQ(hips.at("translation").get<Floats>(), (Floats{0.25F, 1.0F, -0.5F}));
  EXPECT_EQ(hips.at("rotation").get<Floats>(), (Floats{0, half_root, 0, half_root}));
  EXPECT_FALSE(hips.contains("scale"));
}

TEST(GltfNodes, KeepTheBindScaleOnItsAxes) {
  Skeleton skeleton = two_bones();
  skeleton.bones[1].scale = {2.0F, 3.0F, 4.0F};
  const Asset asset = build(bank_of({one_joint("Spine")}), &skeleton);
  EXPECT_EQ(asset.json().at("nodes").at(asset.node("Spine")).at("scale").get<Floats>(),
            (Floats{2, 4, 3}));
}

TEST(GltfNodes, OneRootHoldsTheSkinnedMeshAndEverythingElse) {
  const Skeleton skeleton = two_bones();
  const Asset asset = build(bank_of({one_joint("Stranger"), one_joint("Root")}), &skeleton);
  ASSERT_EQ(asset.json().at("scenes").size(), 1U);
  EXPECT_EQ(asset.json().at("scenes").at(0).at("nodes").get<std::vector<int>>(),
            std::vector<int>{0});
  std::size_t skinned = 0;
  std::size_t roots = 0;
  for (const auto& node : asset.json().at("nodes")) {
    if (node.contains("skin")) ++skinned;
    if (asset.parent(node.at("name")).empty()) ++roots;
  }
  EXPECT_EQ(skinned, 1U);
  EXPECT_EQ(roots, 1U);
  EXPECT_TRUE(asset.json().at("nodes").at(0).contains("skin"));
  EXPECT_TRUE(asset.json().at("nodes").at(0).contains("mesh"));
}

TEST(GltfNodes, UnmatchedJointsLieBelowTheRootByNameHashOrId) {
  const Skeleton skeleton = two_bones();
  Clip clip;
  clip.joints.resize(3);
  clip.joints[0].name = "Cape";
  clip.joints[1].name_hash = 0x1234ABCD;
  clip.joints[2].id = 77;
  const Asset asset = build(bank_of({clip}), &skeleton);
  EXPECT_EQ(asset.parent("Cape"), "mabkit");
  EXPECT_EQ(asset.parent("0x1234abcd"), "mabkit");
  EXPECT_EQ(asset.parent("bone_77"), "mabkit");
  EXPECT_EQ(asset.json().at("nodes").size(), 1U + 2U + 3U);
}

TEST(GltfNodes, WithoutARigParentsComeFromTheBank) {
  Clip clip;
  add_joint(clip, "Hand");
  add_joint(clip, "Arm");
  clip.joints[0].parent = 1;
  const Asset asset = build(bank_of({clip}), nullptr);
  EXPECT_EQ(asset.parent("Hand"), "Arm");
  EXPECT_EQ(asset.parent("Arm"), "mabkit");
}

TEST(GltfNodes, WithoutARigTheFirstValueIsTheRestPose) {
  Clip clip = one_joint("Hips");
  add_track(clip, 0, Channel::translation, TrackKind::animated, {0, 1}, {1, 2, 3, 4, 5, 6});
  const Asset asset = build(bank_of({clip}), nullptr);
  EXPECT_EQ(asset.json().at("nodes").at(asset.node("Hips")).at("translation").get<Floats>(),
            (Floats{1, 3, -2}));
}

TEST(GltfNodes, NamesAreUnique) {
  Clip clip;
  add_joint(clip, "Hips");
  add_joint(clip, "Hips");
  add_joint(clip, "walk");
  GltfOptions options;
  options.name = "walk";
  const Asset asset = build(bank_of({clip}), nullptr, options);
  std::set<std::string> names;
  for (const auto& node : asset.json().at("nodes")) names.insert(node.at("name"));
  EXPECT_EQ(names, (std::set<std::string>{"Hips", "Hips_2", "walk", "walk_2"}));
  EXPECT_EQ(asset.json().at("nodes").at(0).at("name"), "walk_2") << "joints keep their names";
}

TEST(GltfNodes, ExtrasHoldIdAndHash) {
  Skeleton skeleton = two_bones();
  skeleton.bones[0].id = 12;
  skeleton.bones[0].animated_translation = true;
  const Asset asset = build(bank_of({one_joint("Hips")}), &skeleton);
  const auto& extras = asset.json().at("nodes").at(asset.node("Hips")).at("extras");
  EXPECT_EQ(extras.at("id"), 12);
  EXPECT_EQ(extras.at("hash"), hash_text(name_hash("Hips")));
  EXPECT_EQ(extras.at("animated_translation"), true);
}

TEST(GltfSkin, InverseBindMatricesUndoTheBindPose) {
  const Skeleton skeleton = two_bones();
  const Asset asset = build(bank_of({one_joint("Spine")}), &skeleton);
  const auto& skin = asset.json().at("skins").at(0);
  ASSERT_EQ(skin.at("joints").size(), 2U);
  ASSERT_EQ(skin.at("joints").at(1), asset.node("Spine"));
  const Floats matrices = asset.floats(skin.at("inverseBindMatrices"));
  ASSERT_EQ(matrices.size(), 32U);
  // In glTF space the hips stand at (0.25, 1, -0.5), turned 90° about Y: their +X points along -Z.
  // The spine is at (0.25, 1, -1). Its inverse takes p to R⁻¹ (p - that): rows (0 0 -1), (0 1 0),
  // (1 0 0), so the offset is -R⁻¹ (0.25, 1, -1) = (-1, -1, -0.25).
  const Floats spine(matrices.begin() + 16, matrices.end());
  const Floats expected{0, 0, 1, 0, 0, 1, 0, 0, -1, 0, 0, 0, -1, -1, -0.25F, 1};
  for (std::size_t i = 0; i < 16; ++i) EXPECT_NEAR(spine[i], expected[i], 1e-6F) << i;
}

TEST(GltfSkin, EachJointHasAnOctahedronThatOneJointMoves) {
  const Skeleton skeleton = two_bones();
  const Asset asset = build(bank_of({one_joint("Spine")}), &skeleton);
  const auto& primitive = asset.json().at("meshes").at(0).at("primitives").at(0);
  const auto& accessors = asset.json().at("accessors");
  const auto& position = accessors.at(primitive.at("attributes").at("POSITION").get<std::size_t>());
  EXPECT_EQ(position.at("count"), 12);
  EXPECT_EQ(position.at("min").size(), 3U);
  EXPECT_EQ(position.at("max").size(), 3U);
  EXPECT_EQ(accessors.at(primitive.at("indices").get<std::size_t>()).at("count"), 48);
  const Floats weights = asset.floats(primitive.at("attributes").at("WEIGHTS_0"));
  for (std::size_t i = 0; i < weights.size(); ++i) EXPECT_EQ(weights[i], i % 4 == 0 ? 1.0F : 0.0F);
  // The bone from the hips to the spine spans both.
  const Floats points = asset.floats(primitive.at("attributes").at("POSITION"));
  EXPECT_NEAR(points[18 + 2], -0.5F, 1e-6F);
  EXPECT_NEAR(points[18 + 5], -1.0F, 1e-6F);
}

TEST(GltfAnimation, KeyTimesAreExactAndBounded) {
  Clip clip = one_joint("Hips");
  add_track(clip, 0, Channel::translation, TrackKind::animated, {0.1F, 0.7F, 1.9F},
            {0, 0, 0, 1, 1, 1, 2, 2, 2});
  const Asset asset = build(bank_of({clip}), nullptr);
  EXPECT_EQ(asset.curve(0, "Hips", "translation")->times, (Floats{0.1F, 0.7F, 1.9F}));
  const auto& animation = asset.json().at("animations").at(0);
  const auto& input = asset.json()
                          .at("accessors")
                          .at(animation.at("samplers").at(0).at("input").get<std::size_t>());
  EXPECT_EQ(input.at("min").get<Floats>(), Floats{0.1F});
  EXPECT_EQ(input.at("max").get<Floats>(), Floats{1.9F});
}

TEST(GltfAnimation, CurvesWithTheSameTimesShareAnAccessor) {
  Clip clip;
  add_joint(clip, "A");
  add_joint(clip, "B");
  add_track(clip, 0, Channel::translation, TrackKind::animated, {0, 1}, {0, 0, 0, 1, 1, 1});
  add_track(clip, 1, Channel::translation, TrackKind::animated, {0, 1}, {2, 2, 2, 1, 1, 1});
  clip.tracks[1].keys.first_time = 0;
  const Asset asset = build(bank_of({clip}), nullptr);
  const auto& samplers = asset.json().at("animations").at(0).at("samplers");
  EXPECT_EQ(samplers.at(0).at("input"), samplers.at(1).at("input"));
  EXPECT_NE(samplers.at(0).at("output"), samplers.at(1).at("output"));
}

TEST(GltfAnimation, RotationsStayInOneHemisphere) {
  Clip clip = one_joint("Hips");
  // The third key is the second's opposite turned a little: the same rotation nearly, other sign.
  add_track(clip, 0, Channel::rotation, TrackKind::animated, {0, 1, 2},
            {0, 0, 0, 1, 0, 0, half_root, half_root, 0, 0, -0.8F, -0.6F});
  const Asset asset = build(bank_of({clip}), nullptr);
  EXPECT_EQ(asset.curve(0, "Hips", "rotation")->values,
            (Floats{0, 0, 0, 1, 0, half_root, 0, half_root, 0, 0.8F, 0, 0.6F}));
}

TEST(GltfAnimation, AConstantIsTwoKeysFromZeroToTheDuration) {
  Clip clip = one_joint("Hips");
  add_track(clip, 0, Channel::translation, TrackKind::constant, {0}, {1, 2, 3});
  const Asset asset = build(bank_of({clip}), nullptr);
  const auto curve = asset.curve(0, "Hips", "translation");
  EXPECT_EQ(curve->times, (Floats{0, 2}));
  EXPECT_EQ(curve->values, (Floats{1, 3, -2, 1, 3, -2}));
  EXPECT_EQ(asset.extras().at("clips").at(0).at("constant_channels").get<std::vector<int>>(),
            std::vector<int>{0});
}

TEST(GltfAnimation, AOneKeyCurveGetsASecondKeyAtTheDuration) {
  Clip clip = one_joint("Hips");
  add_track(clip, 0, Channel::rotation, TrackKind::animated, {0}, {0, 0, 0, 1});
  add_track(clip, 0, Channel::translation, TrackKind::animated, {0, 1}, {1, 2, 3, 4, 5, 6});
  const Asset asset = build(bank_of({clip}), nullptr);
  EXPECT_EQ(asset.curve(0, "Hips", "rotation")->times, (Floats{0, 2}));
  EXPECT_EQ(asset.curve(0, "Hips", "rotation")->values, (Floats{0, 0, 0, 1, 0, 0, 0, 1}));
  const auto& extras = asset.extras().at("clips").at(0);
  EXPECT_EQ(extras.at("one_key_channels").get<std::vector<int>>(), std::vector<int>{0});
  EXPECT_TRUE(extras.at("constant_channels").empty());
}

TEST(GltfAnimation, WithoutADurationTheSecondKeyIsAFrameLater) {
  for (const float duration : {0.0F, -1.0F, std::numeric_limits<float>::quiet_NaN(),
                               std::numeric_limits<float>::infinity()}) {
    Clip clip = one_joint("Hips");
    clip.duration = duration;
    clip.frame_rate = 20.0F;
    add_track(clip, 0, Channel::translation, TrackKind::constant, {0}, {1, 2, 3});
    const Asset asset = build(bank_of({clip}), nullptr);
    EXPECT_EQ(asset.curve(0, "Hips", "translation")->times, (Floats{0, 0.05F})) << duration;
  }
}

TEST(GltfAnimation, AClipWithoutChannelsHasNoAnimationButIsRecorded) {
  const Asset asset = build(bank_of({one_joint("Hips"), {}}), nullptr);
  EXPECT_FALSE(asset.json().contains("animations"));
  ASSERT_EQ(asset.extras().at("clips").size(), 2U);
  EXPECT_FALSE(asset.extras().at("clips").at(0).contains("animation"));
  EXPECT_EQ(asset.extras().at("clips").at(0).at("duration"), 2.0);
}

TEST(GltfAnimation, ABankWithoutJointsIsALoneRoot) {
  const auto asset = build_gltf(bank_of({Clip{}}), nullptr, {});
  ASSERT_TRUE(asset);
  EXPECT_TRUE(asset->buffer.empty());
  const Asset read(*asset);
  EXPECT_EQ(read.json().at("nodes").size(), 1U);
  EXPECT_FALSE(read.json().contains("buffers"));
  EXPECT_FALSE(read.json().contains("skins"));
}

Clip prop(const std::string& name, const std::string& parent) {
  Clip clip = one_joint("Root");
  clip.name = name;
  clip.parent = parent;
  add_track(clip, 0, Channel::translation, TrackKind::constant, {0}, {1, 0, 0});
  return clip;
}

TEST(GltfParticipants, HangFromTheJointThatTheBankNames) {
  const Skeleton skeleton = two_bones();
  const Asset asset =
      build(bank_of({one_joint("Hips"), prop("sword", "Spine"),
                     prop("shield", hash_text(name_hash("Hips"))), prop("cloud", "Sky")}),
            &skeleton);
  EXPECT_EQ(asset.parent("sword.Root"), "Spine") << "a bone that the main clip does not drive";
  EXPECT_EQ(asset.parent("shield.Root"), "Hips") << "named by its hash";
  EXPECT_EQ(asset.parent("cloud.Root"), "mabkit") << "an unknown one";
}

TEST(GltfParticipants, ANameThatCouldBeANumberIsAName) {
  Clip main;
  main.joints.resize(1);
  main.joints[0].name_hash = name_hash("Face");
  const Asset asset = build(bank_of({main, prop("hat", "Face")}), nullptr);
  EXPECT_EQ(asset.parent("hat.Root"), hash_text(name_hash("Face")));
}

TEST(GltfParticipants, NeverDriveTheMainRig) {
  Skeleton skeleton = two_bones();
  skeleton.bones.push_back(bone("Root", std::nullopt, {}));
  const Asset asset = build(bank_of({one_joint("Root"), prop("sword", "Spine")}), &skeleton);
  EXPECT_FALSE(asset.curve(0, "Root", "translation"));
  EXPECT_TRUE(asset.curve(0, "sword.Root", "translation"));
  EXPECT_EQ(asset.json().at("nodes").at(asset.node("sword.Root")).at("extras").at("participant"),
            1);
}

TEST(GltfParticipants, AnimationsHaveStableUniqueNames) {
  Clip main = one_joint("Hips");
  add_track(main, 0, Channel::translation, TrackKind::constant, {0}, {1, 0, 0});
  Clip nameless = prop("", "Hips");
  nameless.name.reset();
  GltfOptions options;
  options.name = "kick";
  const Asset asset = build(bank_of({main, prop("ball", "Hips"), prop("ball", "Hips"), nameless}),
                            nullptr, options);
  std::vector<std::string> names;
  for (const auto& animation : asset.json().at("animations")) names.push_back(animation.at("name"));
  EXPECT_EQ(names, (std::vector<std::string>{"kick", "kick_ball", "kick_ball_2", "kick_clip_3"}));
}

TEST(GltfOptions, ClipPicksOne) {
  GltfOptions options;
  options.clip = 1;
  const Asset asset = build(bank_of({one_joint("Hips"), prop("sword", "Hips")}), nullptr, options);
  EXPECT_EQ(asset.parent("Root"), "mabkit");
  EXPECT_EQ(asset.json().at("nodes").size(), 2U);
  EXPECT_EQ(asset.json().at("animations").size(), 1U);
  EXPECT_EQ(asset.extras().at("clips").at(0).at("clip"), 1);
}

TEST(GltfOptions, AClipThatDoesNotExistIsAnError) {
  GltfOptions options;
  options.clip = 1;
  const auto asset = build_gltf(bank_of({one_joint("Hips")}), nullptr, options);
  ASSERT_FALSE(asset);
  EXPECT_EQ(asset.error().code, ErrorCode::bad_argument);
  EXPECT_FALSE(build_gltf(Bank{}, nullptr, {}));
}

TEST(GltfExtras, HoldWhatGltfCannot) {
  Clip clip = one_joint("Hips");
  clip.frame_rate = 15.0F;
  clip.events.push_back({0.5F, 2U, "PlaySound", test::bytes({'n', 'b', 'C'})});
  clip.participant = 0;
  clip.root_motion = RootMotion{};
  clip.root_motion->reference = Quat{0, 0, 0, 1};
  Bank bank = bank_of({clip});
  Participant participant;
  participant.kind = 7;
  participant.parent = 0xAABBCCDD;
  participant.clip = 0;
  bank.participants.push_back(participant);
  const Asset asset = build(bank, nullptr);

  const auto& extras = asset.extras();
  EXPECT_EQ(extras.at("schema"), "mabkit.gltf/1");
  EXPECT_EQ(extras.at("game"), "fc5");
  const auto& of_clip = extras.at("clips").at(0);
  EXPECT_EQ(of_clip.at("frame_rate"), 15.0);
  EXPECT_EQ(of_clip.at("events").at(0).at("time"), 0.5);
  EXPECT_EQ(of_clip.at("events").at(0).at("type"), 2);
  EXPECT_EQ(of_clip.at("events").at(0).at("class"), "PlaySound");
  EXPECT_EQ(of_clip.at("events").at(0).at("payload"), "bmJD");
  EXPECT_EQ(of_clip.at("participant"), 0);
  EXPECT_EQ(of_clip.at("root_motion").at("reference").get<Floats>(), (Floats{0, 0, 0, 1}));
  EXPECT_EQ(of_clip.at("joints").at(0).at("hash"), hash_text(name_hash("Hips")));
  EXPECT_EQ(of_clip.at("joints").at(0).at("node"), asset.node("Hips"));
  EXPECT_EQ(extras.at("participants").at(0).at("kind"), 7);
  EXPECT_EQ(extras.at("participants").at(0).at("parent"), "0xaabbccdd");
}

}  // namespace
}  // namespace mabkit
