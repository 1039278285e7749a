#include <gtest/gtest.h>

#include <mabkit/gltf.hpp>
#include <mabkit/rig.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "support/fixtures.hpp"
#include "unit/gltf/clips.hpp"

namespace mabkit {
namespace {

using nlohmann::json;
using test::half_root;

Result<Skeleton> read(const std::string& text, const ReadLimits& limits = {}) {
  return read_gltf_skeleton(std::as_bytes(std::span(text)), limits);
}

Result<Skeleton> read(const json& document) {
  return read(document.dump());
}

void expect_near(const Vec3& a, const Vec3& b) {
  EXPECT_NEAR(a.x, b.x, 1e-6F);
  EXPECT_NEAR(a.y, b.y, 1e-6F);
  EXPECT_NEAR(a.z, b.z, 1e-6F);
}

void expect_error(const Result<Skeleton>& result, ErrorCode code) {
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, code) << result.error().message;
  EXPECT_FALSE(result.error().message.empty());
}

TEST(ReadGltfSkeleton, GivesBackTheRigThatWasWritten) {
  for (const char* const name : {"motion/cmu_01_01.skeleton", "motion/cmu_01_01_fc5.xbg"}) {
    const auto rig = parse_rig(test::read_fixture(name));
    ASSERT_TRUE(rig);
    const auto asset = build_gltf(test::bank_of({Clip{}}), &*rig, {});
    ASSERT_TRUE(asset);
    const auto glb = write_glb(*asset);
    ASSERT_TRUE(glb);
    const auto again = read_gltf_skeleton(*glb);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(again->source, "gltf");
    ASSERT_EQ(again->bones.size(), rig->bones.size());
    for (std::size_t i = 0; i < rig->bones.size(); ++i) {
      const Bone& a = rig->bones[i];
      const Bone& b = again->bones[i];
      EXPECT_EQ(b.name, a.name);
      EXPECT_EQ(b.name_hash, a.name_hash);
      EXPECT_EQ(b.id, a.id);
      EXPECT_EQ(b.parent, a.parent);
      EXPECT_EQ(b.rotation, a.rotation);
      EXPECT_EQ(b.translation, a.translation);
      EXPECT_EQ(b.scale, a.scale);
      EXPECT_EQ(b.animated_translation, a.animated_translation);
    }
  }
}

TEST(ReadGltfSkeleton, LeavesOutRootMotionAndOtherEntities) {
  Clip clip;
  clip.duration = 1.0F;
  test::add_joint(clip, "Hips");
  clip.root_motion = RootMotion{};
  clip.root_motion->translation =
      test::add_keys(clip, {0, 1}, {1, 2, 3, 4, 5, 6}, Channel::translation);
  clip.root_motion->rotation =
      test::add_keys(clip, {0}, {0, 0, half_root, half_root}, Channel::rotation);
  Clip prop;
  prop.name = "prop";
  prop.parent = "Hips";
  test::add_joint(prop, "Root");
  Skeleton rig;
  rig.bones = {test::bone("Hips", std::nullopt, {0, 0, 1}), test::bone("Spine", 0, {0, 0, 0.5F})};
  const auto asset = build_gltf(test::bank_of({clip, prop}), &rig, {});
  ASSERT_TRUE(asset);
  const auto again = read(*write_gltf(*asset));
  ASSERT_TRUE(again);
  ASSERT_EQ(again->bones.size(), 2U);
  EXPECT_EQ(again->bones[0].name, "Hips");
  EXPECT_EQ(again->bones[0].translation, (Vec3{0, 0, 1}));
  EXPECT_EQ(again->bones[0].parent, std::nullopt);
}

TEST(ReadGltfSkeleton, ConvertsYUpToZUp) {
  const auto rig = read(json{{"nodes",
                              {{{"name", "A"},
                                {"translation", {1, 2, 3}},
                                {"rotation", {0, half_root, 0, half_root}},
                                {"scale", {2, 3, 4}}}}}});
  ASSERT_TRUE(rig);
  EXPECT_EQ(rig->bones[0].translation, (Vec3{1, -3, 2}));
  EXPECT_EQ(rig->bones[0].rotation, (Quat{0, 0, half_root, half_root}));
  EXPECT_EQ(rig->bones[0].scale, (Vec3{2, 4, 3}));
  EXPECT_EQ(rig->bones[0].name_hash, name_hash("A"));
  EXPECT_EQ(rig->bones[0].id, std::nullopt);
}

TEST(ReadGltfSkeleton, MultipliesInWhatLiesBetweenAndAboveJoints) {
  // The armature turns 90° about Y and doubles; an unnamed node between the joints moves.
  const auto rig = read(json{{"skins", {{{"joints", {3, 1}}}}},
                             {"nodes",
                              {{{"name", "Armature"},
                                {"children", {1}},
                                {"rotation", {0, half_root, 0, half_root}},
                                {"scale", {2, 2, 2}}},
                               {{"name", "Hips"}, {"children", {2}}, {"translation", {1, 0, 0}}},
                               {{"children", {3}}, {"translation", {0, 1, 0}}},
                               {{"name", "Spine"}, {"translation", {0, 1, 0}}}}}});
  ASSERT_TRUE(rig) << rig.error().message;
  ASSERT_EQ(rig->bones.size(), 2U);
  EXPECT_EQ(rig->bones[0].name, "Spine");
  EXPECT_EQ(rig->bones[0].parent, 1U);
  expect_near(rig->bones[0].translation, {0, 0, 2});
  // +X, doubled and turned, is 2 along glTF's -Z, the engine's +Y.
  expect_near(rig->bones[1].translation, {0, 2, 0});
  expect_near(rig->bones[1].scale, {2, 2, 2});
  EXPECT_NEAR(rig->bones[1].rotation.z, half_root, 1e-6F);
}

TEST(ReadGltfSkeleton, DecomposesMatrices) {
  // Column-major: 90° about Y, scaled by 2 along its own X, at (5, 6, 7).
  const auto rig = read(json{
      {"nodes", {{{"name", "A"}, {"matrix", {0, 0, -2, 0, 0, 1, 0, 0, 1, 0, 0, 0, 5, 6, 7, 1}}}}}});
  ASSERT_TRUE(rig);
  expect_near(rig->bones[0].translation, {5, -7, 6});
  expect_near(rig->bones[0].scale, {2, 1, 1});
  EXPECT_NEAR(rig->bones[0].rotation.z, half_root, 1e-6F);
  EXPECT_NEAR(rig->bones[0].rotation.w, half_root, 1e-6F);
}

TEST(ReadGltfSkeleton, TakesIdAndHashFromExtras) {
  const auto rig = read(
      json{{"nodes", {{{"name", "0x0000002a"}, {"extras", {{"id", 7}, {"hash", "0x0000002a"}}}}}}});
  ASSERT_TRUE(rig);
  EXPECT_EQ(rig->bones[0].id, 7U);
  EXPECT_EQ(rig->bones[0].name_hash, 42U);
}

TEST(ReadGltfSkeleton, NeedsNoBuffers) {
  const auto rig = read(json{{"nodes", {{{"name", "A"}}}},
                             {"buffers", {{{"uri", "absent.bin"}, {"byteLength", 12}}}}});
  EXPECT_TRUE(rig);
}

TEST(ReadGltfSkeleton, RefusesWhatIsNoGltf) {
  expect_error(read(std::string()), ErrorCode::unknown_format);
  expect_error(read(std::string("hello")), ErrorCode::unknown_format);
  expect_error(read(std::string("[1,2]")), ErrorCode::unknown_format);
  expect_error(read(std::string("{\"nodes\":[{\"name\":\"A\"")), ErrorCode::unknown_format);
  expect_error(read(std::string("glTF")), ErrorCode::truncated);
  expect_error(read(json::object()), ErrorCode::bad_value);
}

TEST(ReadGltfSkeleton, EveryTruncationOfAFileIsAnError) {
  Skeleton rig;
  rig.bones = {test::bone("Hips", std::nullopt, {0, 0, 1}), test::bone("Spine", 0, {0, 0, 0.5F})};
  const auto glb = write_glb(*build_gltf(test::bank_of({Clip{}}), &rig, {}));
  ASSERT_TRUE(glb);
  std::uint32_t json_size = 0;
  std::memcpy(&json_size, glb->data() + 12, sizeof json_size);
  for (std::size_t size = 0; size < 20 + json_size; ++size) {
    EXPECT_FALSE(read_gltf_skeleton(std::span(*glb).first(size))) << size;
  }
}

TEST(ReadGltfSkeleton, DamagedBytesGiveARigOrAnError) {
  Skeleton rig;
  rig.bones = {test::bone("Hips", std::nullopt, {0, 0, 1}), test::bone("Spine", 0, {0, 0, 0.5F})};
  const auto asset = build_gltf(test::bank_of({Clip{}}), &rig, {});
  ASSERT_TRUE(asset);
  for (const char damage : {'\0', '9', '"', ']', '\xFF'}) {
    for (std::size_t at = 0; at < asset->json.size(); ++at) {
      std::string text = asset->json;
      text[at] = damage;
      const auto result = read(text);
      if (result) {
        EXPECT_FALSE(result->bones.empty());
      } else {
        EXPECT_FALSE(result.error().message.empty());
      }
    }
  }
}

TEST(ReadGltfSkeleton, RefusesHierarchiesThatAreNoTrees) {
  const auto cycle = read(
      json{{"nodes", {{{"name", "A"}, {"children", {1}}}, {{"name", "B"}, {"children", {0}}}}}});
  expect_error(cycle, ErrorCode::inconsistent);
  const auto self = read(json{{"nodes", {{{"name", "A"}, {"children", {0}}}}}});
  expect_error(self, ErrorCode::inconsistent);
  const auto twice = read(json{
      {"nodes",
       {{{"name", "A"}, {"children", {2}}}, {{"name", "B"}, {"children", {2}}}, {{"name", "C"}}}}});
  expect_error(twice, ErrorCode::inconsistent);
}

TEST(ReadGltfSkeleton, RefusesFieldsOfTheWrongKind) {
  const std::vector<json> nodes{
      {{"name", "A"}, {"translation", {1, 2}}},
      {{"name", "A"}, {"translation", "far"}},
      {{"name", "A"}, {"translation", {1, 2, nullptr}}},
      {{"name", "A"}, {"translation", {1, 2, 1e300}}},
      {{"name", "A"}, {"rotation", {0, 0, 0, 0}}},
      {{"name", "A"}, {"children", {1}}},
      {{"name", "A"}, {"children", {-1}}},
      {{"name", "A"}, {"children", {0.5}}},
      {{"name", "A"}, {"children", 3}},
      json(17),
  };
  for (const json& node : nodes) {
    expect_error(read(json{{"nodes", {node}}}), ErrorCode::bad_value);
  }
  expect_error(read(json{{"nodes", 1}}), ErrorCode::bad_value);
  expect_error(read(json{{"nodes", {{{"name", "A"}}}}, {"skins", {{{"joints", {9}}}}}}),
               ErrorCode::bad_value);
  expect_error(read(json{{"nodes", {json::object()}}}), ErrorCode::bad_value);
}

TEST(ReadGltfSkeleton, DeepValuesAreNotFollowed) {
  constexpr std::size_t depth = 100000;
  const std::string deep = std::string(depth, '[') + std::string(depth, ']');
  const auto rig = read(R"({"nodes":[{"name":"A","extras":{"id":3,"x":)" + deep + "}}]}");
  ASSERT_TRUE(rig) << rig.error().message;
  EXPECT_EQ(rig->bones[0].id, 3U);
}

TEST(ReadGltfSkeleton, LongChainsOfNodesAreFine) {
  json nodes = json::array();
  constexpr int length = 20000;
  for (int i = 0; i < length; ++i) {
    nodes.push_back({{"translation", {0, 1, 0}}});
    if (i + 1 < length) nodes.back()["children"] = {i + 1};
  }
  nodes.back()["name"] = "Tip";
  const auto rig = read(json{{"nodes", nodes}});
  ASSERT_TRUE(rig);
  EXPECT_EQ(rig->bones.at(0).translation, (Vec3{0, 0, length}));
}

TEST(ReadGltfSkeleton, KeepsItsLimits) {
  ReadLimits limits;
  limits.max_joints = 1;
  const std::string text = R"({"nodes":[{"name":"A"},{"name":"B"}]})";
  expect_error(read(text, limits), ErrorCode::limit);
  limits.max_joints = 2;
  EXPECT_TRUE(read(text, limits));
  limits.max_file_size = text.size() - 1;
  expect_error(read(text, limits), ErrorCode::limit);
}

}  // namespace
}  // namespace mabkit
