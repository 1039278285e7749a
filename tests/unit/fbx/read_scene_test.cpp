#include <gtest/gtest.h>

#include <cmath>
#include <mabkit/fbx.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace mabkit {
namespace {

using nlohmann::json;

using Floats = std::vector<float>;

constexpr float root_half = 0.70710678F;

json node(const std::string& name, const json& parent, bool is_limb,
          const std::vector<double>& translation = {0, 0, 0}) {
  return {{"name", name},
          {"parent", parent},
          {"is_limb", is_limb},
          {"matrix", {1, 0, 0, translation[0], 0, 1, 0, translation[1], 0, 0, 1, translation[2]}}};
}

json keys(const std::vector<double>& times, const std::vector<double>& values) {
  return {{"times", times}, {"values", values}};
}

json channel(int node, const json& translation, const json& rotation,
             const json& scale = keys({0}, {1, 1, 1})) {
  return {{"node", node}, {"translation", translation}, {"rotation", rotation}, {"scale", scale}};
}

/// A scene as the importer prints it: Y up, centimetres, Hips at 1 m and a spine 0.5 m above; the
/// hips go 10 cm up over one second and turn a quarter about up.
json walk() {
  return {{"schema", "mabkit.fbx-scene/1"},
          {"up_axis", 1},
          {"up_axis_sign", 1},
          {"centimetres_per_unit", 1.0},
          {"nodes",
           {node("RootNode", nullptr, false), node("Hips", 0, true, {0, 100, 30}),
            node("Spine", 1, true, {0, 50, 0})}},
          {"animations",
           {{{"name", "Take 001"},
             {"ticks_per_second", 30.0},
             {"duration", 30.0},
             {"channels",
              {channel(1, keys({0, 30}, {0, 100, 30, 0, 110, 30}),
                       keys({0, 30}, {0, 0, 0, 1, 0, root_half, 0, root_half}))}}}}}};
}

Result<ImportedMotion> read(const json& scene, const ImportOptions& options = {}) {
  return read_fbx_scene(scene.dump(), options);
}

const Track* track(const Clip& clip, std::uint32_t joint, Channel channel) {
  for (const Track& candidate : clip.tracks) {
    if (candidate.joint == joint && candidate.channel == channel) return &candidate;
  }
  return nullptr;
}

Floats values(const Clip& clip, std::uint32_t joint, Channel channel) {
  const Track* found = track(clip, joint, channel);
  if (found == nullptr) return {};
  const auto span = clip.values_of(found->keys, channel);
  return {span.begin(), span.end()};
}

Floats times(const Clip& clip, std::uint32_t joint, Channel channel) {
  const Track* found = track(clip, joint, channel);
  if (found == nullptr) return {};
  const auto span = clip.times_of(found->keys);
  return {span.begin(), span.end()};
}

void expect_near(const Floats& got, const Floats& expected, float tolerance = 1e-6F) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], expected[i], tolerance) << i;
}

bool is_said(const ImportedMotion& motion, const std::string& words) {
  for (const Diagnostic& notice : motion.notices) {
    if (notice.message.find(words) != std::string::npos) return true;
  }
  return false;
}

void expect_error(const Result<ImportedMotion>& motion, ErrorCode code, const std::string& words) {
  ASSERT_FALSE(motion);
  EXPECT_EQ(motion.error().code, code);
  EXPECT_NE(motion.error().message.find(words), std::string::npos) << motion.error().message;
}

TEST(FbxScene, YUpCentimetresBecomeZUpMetres) {
  const auto motion = read(walk());
  ASSERT_TRUE(motion);
  const auto& bones = motion->skeleton.bones;
  ASSERT_EQ(bones.size(), 2U);
  EXPECT_EQ(bones[0].name, "Hips");
  EXPECT_EQ(bones[1].parent, 0U);
  EXPECT_NEAR(bones[0].translation.y, -0.3F, 1e-6F);
  EXPECT_NEAR(bones[0].translation.z, 1.0F, 1e-6F);
  EXPECT_NEAR(bones[1].translation.z, 0.5F, 1e-6F);
  EXPECT_TRUE(motion->are_takes);
  EXPECT_EQ(motion->bank.format, "fbx");
  const Clip& clip = motion->bank.clips.at(0);
  EXPECT_EQ(clip.name, "Take 001");
  EXPECT_EQ(clip.duration, 1.0F);
  EXPECT_EQ(clip.frame_rate, 30.0F);
  EXPECT_EQ(times(clip, 0, Channel::translation), (Floats{0, 1}));
  expect_near(values(clip, 0, Channel::translation), {0, -0.3F, 1, 0, -0.3F, 1.1F});
  expect_near(values(clip, 0, Channel::rotation), {0, 0, 0, 1, 0, 0, root_half, root_half});
}

TEST(FbxScene, SaysWhichAxisAndUnitItTook) {
  const auto motion = read(walk());
  ASSERT_TRUE(motion);
  EXPECT_TRUE(is_said(*motion, "Y is up, as the file says"));
  EXPECT_TRUE(is_said(*motion, "0.01 m, as the file says"));
}

TEST(FbxScene, ZUpAndItsUnitAreTakenFromTheFile) {
  json scene = walk();
  scene["up_axis"] = 2;
  scene["centimetres_per_unit"] = 2.54;
  const auto motion = read(scene);
  ASSERT_TRUE(motion);
  EXPECT_NEAR(motion->skeleton.bones[0].translation.y, 2.54F, 1e-6F);
  expect_near(values(motion->bank.clips.at(0), 0, Channel::rotation),
              {0, 0, 0, 1, 0, root_half, 0, root_half});
}

TEST(FbxScene, OptionsOverrideTheFile) {
  ImportOptions options;
  options.up = UpAxis::z;
  options.metres_per_unit = 1.0;
  const auto motion = read(walk(), options);
  ASSERT_TRUE(motion);
  EXPECT_NEAR(motion->skeleton.bones[0].translation.y, 100.0F, 1e-4F);
  EXPECT_TRUE(is_said(*motion, "Z is up, as asked"));
  EXPECT_TRUE(is_said(*motion, "1 m, as asked"));
}

TEST(FbxScene, SilenceMeansYUpAndCentimetres) {
  json scene = walk();
  scene["up_axis"] = nullptr;
  scene["centimetres_per_unit"] = nullptr;
  const auto motion = read(scene);
  ASSERT_TRUE(motion);
  EXPECT_NEAR(motion->skeleton.bones[0].translation.z, 1.0F, 1e-6F);
  EXPECT_TRUE(is_said(*motion, "does not say"));
}

TEST(FbxScene, XUpIsRefused) {
  json scene = walk();
  scene["up_axis"] = 0;
  expect_error(read(scene), ErrorCode::unsupported, "X is up");
}

TEST(FbxScene, PartsOfANodeMultiplyToOneJoint) {
  json scene = walk();
  // Hips at (0, 100, 0), turning about a pivot 10 along X.
  scene["nodes"] = {node("RootNode", nullptr, false),
                    node("Hips_$AssimpFbx$_Translation", 0, false, {0, 100, 0}),
                    node("Hips_$AssimpFbx$_RotationPivot", 1, false, {10, 0, 0}),
                    node("Hips_$AssimpFbx$_Rotation", 2, false),
                    node("Hips_$AssimpFbx$_RotationPivotInverse", 3, false, {-10, 0, 0}),
                    node("Hips", 4, true),
                    node("Spine", 5, true, {0, 50, 0})};
  scene["animations"][0]["channels"] = json::array(
      {channel(3, keys({0}, {0, 0, 0}), keys({0, 30}, {0, 0, 0, 1, 0, root_half, 0, root_half}))});
  const auto motion = read(scene);
  ASSERT_TRUE(motion);
  ASSERT_EQ(motion->skeleton.bones.size(), 2U);
  EXPECT_EQ(motion->skeleton.bones[0].name, "Hips");
  const Clip& clip = motion->bank.clips.at(0);
  // A quarter about +Y takes the way back from the pivot, -X, to +Z of the file, -Y of the bank.
  expect_near(values(clip, 0, Channel::translation), {0, 0, 1, 0.1F, -0.1F, 1});
  expect_near(values(clip, 0, Channel::rotation), {0, 0, 0, 1, 0, 0, root_half, root_half});
}

TEST(FbxScene, NodesThatAreNoJointsAreMultipliedIn) {
  json scene = walk();
  scene["nodes"][0] = node("RootNode", nullptr, false, {1000, 1000, 1000});
  scene["nodes"] = {scene["nodes"][0], node("Armature", 0, false, {20, 0, 0}),
                    node("Hips", 1, true, {0, 100, 0})};
  scene["animations"][0]["channels"][0]["node"] = 2;
  const auto motion = read(scene);
  ASSERT_TRUE(motion);
  ASSERT_EQ(motion->skeleton.bones.size(), 1U);
  EXPECT_NEAR(motion->skeleton.bones[0].translation.x, 0.2F, 1e-6F);
  expect_near(values(motion->bank.clips.at(0), 0, Channel::translation),
              {0.2F, -0.3F, 1, 0.2F, -0.3F, 1.1F});
}

TEST(FbxScene, WhatMovesIsAJointWhateverItIs) {
  json scene = walk();
  scene["nodes"][1]["is_limb"] = false;
  scene["nodes"][2]["is_limb"] = false;
  const auto motion = read(scene);
  ASSERT_TRUE(motion);
  ASSERT_EQ(motion->skeleton.bones.size(), 1U);
  EXPECT_EQ(motion->skeleton.bones[0].name, "Hips");
}

TEST(FbxScene, AUniformScaleAboveMovesWhatIsBelow) {
  json scene = walk();
  // As Blender exports: the armature is scaled by 100, the bones are in metres.
  scene["nodes"][1] = node("Armature", 0, false);
  scene["nodes"][1]["matrix"] = {100, 0, 0, 0, 0, 100, 0, 0, 0, 0, 100, 0};
  scene["nodes"][2] = node("Hips", 1, true, {0, 1, 0});
  scene["nodes"].push_back(node("Spine", 2, true, {0, 0.5, 0}));
  scene["animations"][0]["channels"] =
      json::array({channel(2, keys({0, 30}, {0, 1, 0, 0, 2, 0}), keys({0}, {0, 0, 0, 1})),
                   channel(3, keys({0, 30}, {0, 0.5, 0, 0, 0.75, 0}), keys({0}, {0, 0, 0, 1}))});
  const auto motion = read(scene);
  ASSERT_TRUE(motion);
  EXPECT_NEAR(motion->skeleton.bones[0].translation.z, 1.0F, 1e-6F);
  EXPECT_NEAR(motion->skeleton.bones[1].translation.z, 0.5F, 1e-6F);
  expect_near(values(motion->bank.clips.at(0), 0, Channel::translation), {0, 0, 1, 0, 0, 2});
  expect_near(values(motion->bank.clips.at(0), 1, Channel::translation), {0, 0, 0.5F, 0, 0, 0.75F});
  EXPECT_TRUE(is_said(*motion, "scaled by 100"));
}

/// The nodes of `walk` stand where a current frame has them; their mesh was bound with the spine
/// 60 cm above hips at 90 cm.
json walk_bound_elsewhere() {
  json scene = walk();
  scene["nodes"][1]["matrix"] = {0, -1, 0, 5, 1, 0, 0, 110, 0, 0, 1, 30};
  scene["nodes"][2]["matrix"] = {1, 0, 0, 0, 0, 0, -1, 60, 0, 1, 0, 0};
  scene["nodes"][1]["bind"] = {1, 0, 0, 0, 0, 1, 0, 90, 0, 0, 1, 0};
  scene["nodes"][2]["bind"] = {1, 0, 0, 0, 0, 1, 0, 150, 0, 0, 1, 0};
  return scene;
}

TEST(FbxScene, TheRestPoseIsThatOfTheMeshNotOfTheCurrentFrame) {
  const auto motion = read(walk_bound_elsewhere());
  ASSERT_TRUE(motion);
  const auto& bones = motion->skeleton.bones;
  EXPECT_NEAR(bones[0].translation.y, 0.0F, 1e-6F);
  EXPECT_NEAR(bones[0].translation.z, 0.9F, 1e-6F);
  EXPECT_NEAR(bones[0].rotation.w, 1.0F, 1e-6F);
  EXPECT_NEAR(bones[1].translation.z, 0.6F, 1e-6F);
  EXPECT_NEAR(bones[1].rotation.w, 1.0F, 1e-6F);
  EXPECT_TRUE(is_said(*motion, "2 joints stand elsewhere"));
}

TEST(FbxScene, AJointWithoutAMeshKeepsItsPlaceBelowOneThatHasOne) {
  json scene = walk_bound_elsewhere();
  scene["nodes"][2].erase("bind");
  const auto motion = read(scene);
  ASSERT_TRUE(motion);
  const auto& bones = motion->skeleton.bones;
  EXPECT_NEAR(bones[0].translation.z, 0.9F, 1e-6F);
  EXPECT_NEAR(bones[1].translation.z, 0.6F, 1e-6F);
  EXPECT_NEAR(bones[1].rotation.x, root_half, 1e-6F);
}

TEST(FbxScene, AMeshThatWasBoundAskewSaysNothing) {
  json scene = walk();
  scene["nodes"][2]["bind"] = {1, 0.5, 0, 0, 0, 1, 0, 150, 0, 0, 1, 0};
  const auto motion = read(scene);
  ASSERT_TRUE(motion);
  EXPECT_NEAR(motion->skeleton.bones[1].translation.z, 0.5F, 1e-6F);
  EXPECT_FALSE(is_said(*motion, "stand elsewhere"));
}

TEST(FbxScene, ABindThatAgreesWithTheNodesIsNotMentioned) {
  json scene = walk();
  scene["nodes"][1]["bind"] = {1, 0, 0, 1e-4, 0, 1, 0, 100, 0, 0, 1, 30};
  const auto motion = read(scene);
  ASSERT_TRUE(motion);
  EXPECT_FALSE(is_said(*motion, "stand elsewhere"));
  EXPECT_EQ(motion->skeleton.bones[0].translation.x, 0.0F);
}

TEST(FbxScene, ABindAtTheOriginDiffersByRoundingOnly) {
  json scene = walk();
  scene["nodes"][1] = node("Hips", 0, true);
  scene["nodes"][1]["bind"] = {1, 0, 0, 3e-6, 0, 1, 0, -2e-6, 0, 0, 1, 0};
  const auto motion = read(scene);
  ASSERT_TRUE(motion);
  EXPECT_FALSE(is_said(*motion, "elsewhere"));
  EXPECT_EQ(motion->skeleton.bones[0].translation, Vec3{});
}

TEST(FbxScene, OneJointThatStandsElsewhereIsCountedAsOne) {
  json scene = walk();
  scene["nodes"][2]["bind"] = {1, 0, 0, 0, 0, 1, 0, 160, 0, 0, 1, 30};
  const auto motion = read(scene);
  ASSERT_TRUE(motion);
  EXPECT_NEAR(motion->skeleton.bones[1].translation.z, 0.6F, 1e-6F);
  EXPECT_TRUE(is_said(*motion, "1 joint stands elsewhere"));
}

/// Binds are of the scene, so they have the node of root motion above the joints in them: a quarter
/// about up when the mesh was bound, and something else in the current frame.
TEST(FbxScene, RootMotionHasNoPartInTheRestPose) {
  json scene = walk();
  const json quarter = {0, 0, 1, 0, 0, 1, 0, 0, -1, 0, 0, 0};
  scene["nodes"] = {node("RootNode", nullptr, false),
                    node("mabkit_root_motion", 0, true, {70, 0, 0}),
                    node("Hips", 1, true, {0, 100, 30}), node("Spine", 2, true, {0, 50, 0})};
  scene["nodes"][1]["bind"] = quarter;
  scene["nodes"][2]["bind"] = {0, 0, 1, 30, 0, 1, 0, 100, -1, 0, 0, 0};
  scene["nodes"][3]["bind"] = {0, 0, 1, 30, 0, 1, 0, 150, -1, 0, 0, 0};
  scene["animations"][0]["channels"][0]["node"] = 2;
  const auto motion = read(scene);
  ASSERT_TRUE(motion);
  const auto& bones = motion->skeleton.bones;
  EXPECT_EQ(bones[0].rotation, (Quat{0, 0, 0, 1}));
  EXPECT_NEAR(bones[0].translation.y, -0.3F, 1e-6F);
  EXPECT_NEAR(bones[0].translation.z, 1.0F, 1e-6F);
  EXPECT_FALSE(is_said(*motion, "elsewhere"));
}

TEST(FbxScene, OtherScaleIsRefusedWithItsJoint) {
  const auto with_scale = [](const json& scale) {
    json scene = walk();
    scene["animations"][0]["channels"][0]["scale"] = scale;
    return read(scene);
  };
  expect_error(with_scale(keys({0}, {1, 2, 1})), ErrorCode::unsupported, "\"Hips\" is scaled by");
  expect_error(with_scale(keys({0, 30}, {1, 1, 1, 1.1, 1.1, 1.1})), ErrorCode::unsupported,
               "\"Hips\" is scaled by");
  expect_error(with_scale(keys({0}, {0, 0, 0})), ErrorCode::unsupported, "scaled to nothing");
  expect_error(with_scale(keys({0}, {1, 1, -1})), ErrorCode::unsupported, "mirrored");
  EXPECT_TRUE(with_scale(keys({0}, {1, 1.0005, 1})));
}

TEST(FbxScene, TranslationsThatOnlyRepeatTheBonesPlaceAreLeftOut) {
  json scene = walk();
  scene["animations"][0]["channels"].push_back(
      channel(2, keys({0, 30}, {0, 50, 0, 0, 50, 0}),
              keys({0, 30}, {0, 0, 0, 1, root_half, 0, 0, root_half})));
  const auto motion = read(scene);
  ASSERT_TRUE(motion);
  const Clip& clip = motion->bank.clips.at(0);
  EXPECT_EQ(track(clip, 1, Channel::translation), nullptr);
  EXPECT_NE(track(clip, 1, Channel::rotation), nullptr);
  EXPECT_TRUE(is_said(*motion, "translations of 1 joints"));
}

TEST(FbxScene, AConstantTranslationElsewhereStays) {
  json scene = walk();
  scene["animations"][0]["channels"].push_back(
      channel(2, keys({0, 30}, {0, 60, 0, 0, 60, 0}), keys({0}, {0, 0, 0, 1})));
  const auto motion = read(scene);
  ASSERT_TRUE(motion);
  const Clip& clip = motion->bank.clips.at(0);
  ASSERT_NE(track(clip, 1, Channel::translation), nullptr);
  EXPECT_EQ(track(clip, 1, Channel::translation)->kind, TrackKind::constant);
  expect_near(values(clip, 1, Channel::translation), {0, 0, 0.6F});
  EXPECT_EQ(times(clip, 1, Channel::translation), Floats{0});
}

TEST(FbxScene, TicksASecondThatAreNoneBecomeThirty) {
  for (const json& rate : {json(0.0), json(-5.0), json(nullptr)}) {
    json scene = walk();
    scene["animations"][0]["ticks_per_second"] = rate;
    const auto motion = read(scene);
    ASSERT_TRUE(motion);
    EXPECT_EQ(motion->bank.clips.at(0).duration, 1.0F);
    EXPECT_TRUE(is_said(*motion, "30 are taken"));
  }
}

TEST(FbxScene, ARateThatIsNoGridIsGuessedFromTheKeys) {
  json scene = walk();
  scene["animations"][0]["ticks_per_second"] = 1.0;
  scene["animations"][0]["duration"] = 1.0;
  scene["animations"][0]["channels"][0]["translation"] =
      keys({0, 0.02, 1}, {0, 100, 0, 0, 101, 0, 0, 110, 0});
  scene["animations"][0]["channels"][0]["rotation"] = keys({0}, {0, 0, 0, 1});
  const auto motion = read(scene);
  ASSERT_TRUE(motion);
  EXPECT_EQ(motion->bank.clips.at(0).frame_rate, 50.0F);
  EXPECT_TRUE(is_said(*motion, "keys suggest 50"));
}

TEST(FbxScene, KeysOutsideTheSpanAreCutAtItsEnds) {
  json scene = walk();
  scene["animations"][0]["channels"][0]["translation"] = keys({-30, 60}, {0, 100, 0, 0, 130, 0});
  scene["animations"][0]["channels"][0]["rotation"] = keys({0}, {0, 0, 0, 1});
  const auto motion = read(scene);
  ASSERT_TRUE(motion);
  const Clip& clip = motion->bank.clips.at(0);
  EXPECT_EQ(times(clip, 0, Channel::translation), (Floats{0, 1}));
  expect_near(values(clip, 0, Channel::translation), {0, 0, 1.1F, 0, 0, 1.2F});
  EXPECT_TRUE(is_said(*motion, "outside its span"));
}

TEST(FbxScene, OurNodeOfRootMotionIsTheActorsMotionAgain) {
  json scene = walk();
  scene["nodes"] = {node("RootNode", nullptr, false),
                    node("mabkit_root_motion_start", 0, false, {-5, 0, 0}),
                    node("mabkit_root_motion", 1, true, {5, 0, 0}), node("Hips", 2, true)};
  scene["animations"][0]["channels"] = json::array(
      {channel(2, keys({0, 30}, {5, 0, 0, 105, 0, 0}), keys({0, 30}, {0, 0, 0, 1, 0, 0, 0, 1}))});
  const auto motion = read(scene);
  ASSERT_TRUE(motion);
  ASSERT_EQ(motion->skeleton.bones.size(), 1U);
  EXPECT_FALSE(motion->skeleton.bones[0].parent);
  EXPECT_EQ(motion->skeleton.bones[0].translation, Vec3{});
  const Clip& clip = motion->bank.clips.at(0);
  ASSERT_TRUE(clip.root_motion);
  ASSERT_TRUE(clip.root_motion->translation);
  EXPECT_FALSE(clip.root_motion->rotation);
  EXPECT_NEAR(clip.translation(*clip.root_motion->translation, 0).x, 0.05F, 1e-6F);
  EXPECT_NEAR(clip.translation(*clip.root_motion->translation, 1).x, 1.05F, 1e-6F);
}

TEST(FbxScene, TakesWithoutEndAndUnitsBeyondMeasureAreRefused) {
  json scene = walk();
  scene["animations"][0]["ticks_per_second"] = 1e-300;
  expect_error(read(scene), ErrorCode::bad_value, "up to 1000000");
  scene = walk();
  scene["animations"][0]["duration"] = 1e300;
  expect_error(read(scene), ErrorCode::bad_value, "up to 1000000");
  scene = walk();
  scene["centimetres_per_unit"] = 1e300;
  expect_error(read(scene), ErrorCode::bad_value, "a unit of");
}

TEST(FbxScene, WithoutJointsOrMotionThereIsNothingToRead) {
  json scene = walk();
  scene["nodes"] = {node("RootNode", nullptr, false), node("Cube", 0, false)};
  scene["animations"] = json::array();
  expect_error(read(scene), ErrorCode::unsupported, "no joints");
  scene = walk();
  scene["animations"] = json::array();
  expect_error(read(scene), ErrorCode::unsupported, "no animation");
}

TEST(FbxScene, LimitsHold) {
  ImportOptions options;
  options.limits.max_joints = 1;
  expect_error(read(walk(), options), ErrorCode::limit, "more joints than the limit of 1");
  options = {};
  options.limits.max_keys = 1;
  expect_error(read(walk(), options), ErrorCode::limit, "2 keys");
  options = {};
  options.limits.max_clips = 0;
  expect_error(read(walk(), options), ErrorCode::limit, "1 animations");
}

TEST(FbxScene, JointsBelowThousandsOfOtherNodesAreRefusedBeforeTheyFillTheMemory) {
  json scene = walk();
  json nodes = json::array({node("RootNode", nullptr, false)});
  constexpr int depth = 3000;
  for (int i = 0; i < depth; ++i) nodes.push_back(node("Group", i, false));
  constexpr int limbs = 1000;
  for (int i = 0; i < limbs; ++i) nodes.push_back(node("Limb", depth, true));
  scene["nodes"] = nodes;
  expect_error(read(scene), ErrorCode::limit, "take more than 2097152 steps");
}

TEST(FbxScene, KeysOfJointsBelowManyOtherNodesAreRefusedBeforeTheyTakeMinutes) {
  json scene = walk();
  json nodes = json::array({node("RootNode", nullptr, false)});
  constexpr int depth = 3000;
  for (int i = 0; i < depth; ++i) nodes.push_back(node("Group", i, false));
  nodes.push_back(node("Limb", depth, true));
  scene["nodes"] = nodes;
  std::vector<double> times(60000);
  std::vector<double> values(3 * times.size());
  for (std::size_t i = 0; i < times.size(); ++i) times[i] = static_cast<double>(i) / 2000;
  scene["animations"][0]["channels"] =
      json::array({channel(depth + 1, keys(times, values), keys({0}, {0, 0, 0, 1}))});
  expect_error(read(scene), ErrorCode::limit, "would take more than 100000000 steps");
}

TEST(FbxScene, AnAnswerThatIsNoneIsAnError) {
  for (const std::string text : {"", "rubbish", "[]", "{}", R"({"schema":"other/1"})", "null"}) {
    expect_error(read_fbx_scene(text, {}), ErrorCode::bad_value, "importer's answer");
  }
}

TEST(FbxScene, EveryMemberThatIsBrokenIsAnError) {
  const std::vector<std::pair<std::string, json>> broken{
      {"/nodes", json::array()},
      {"/nodes", 7},
      {"/nodes/1/parent", 1},
      {"/nodes/1/parent", 99},
      {"/nodes/1/parent", nullptr},
      {"/nodes/1/parent", -1},
      {"/nodes/1/matrix", {1, 2, 3}},
      {"/nodes/1/matrix/5", nullptr},
      {"/nodes/1/matrix/5", "1"},
      {"/animations", "none"},
      {"/animations/0/channels", 3},
      {"/animations/0/channels/0/node", 3},
      {"/animations/0/channels/0/node", "Hips"},
      {"/animations/0/channels/0/rotation", nullptr},
      {"/animations/0/channels/0/rotation/times", {0}},
      {"/animations/0/channels/0/rotation/times", {1, 0}},
      {"/animations/0/channels/0/rotation/times/1", nullptr},
      {"/animations/0/channels/0/rotation/values/1", nullptr},
      {"/animations/0/channels/0/rotation/values/1", 1e200},
  };
  for (const auto& [where, what] : broken) {
    json scene = walk();
    scene[json::json_pointer(where)] = what;
    const auto motion = read(scene);
    ASSERT_FALSE(motion) << where;
    EXPECT_EQ(motion.error().code, ErrorCode::bad_value) << where;
  }
}

TEST(FbxScene, ARotationWithoutLengthIsNotTakenForOne) {
  json scene = walk();
  scene["animations"][0]["channels"][0]["rotation"] = keys({0, 30}, {0, 0, 0, 1, 0, 0, 0, 0});
  EXPECT_FALSE(read(scene));
}

}  // namespace
}  // namespace mabkit
