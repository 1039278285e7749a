#include <gtest/gtest.h>

#include <cmath>
#include <mabkit/gltf.hpp>
#include <mabkit/names.hpp>
#include <mabkit/pose.hpp>
#include <string>

#include "unit/gltf/clips.hpp"
#include "unit/gltf/gltf_maker.hpp"

// Files of other programs.

namespace mabkit {
namespace {

using nlohmann::json;
using test::GltfMaker;
using test::half_root;
using test::two_joints;
using Floats = std::vector<float>;

Result<ImportedMotion> read(const std::string& text, const ImportOptions& options = {},
                            const BufferSource& buffers = {}) {
  return read_gltf_motion(std::as_bytes(std::span(text)), options, buffers);
}

const Track* find_track(const Clip& clip, std::uint32_t joint, Channel channel) {
  for (const Track& track : clip.tracks) {
    if (track.joint == joint && track.channel == channel) return &track;
  }
  return nullptr;
}

/// The only take's curve.
struct Curve {
  Floats times;
  Floats values;
};
Curve curve(const std::string& text, std::uint32_t joint, Channel channel,
            const ImportOptions& options = {}) {
  const auto motion = read(text, options);
  EXPECT_TRUE(motion) << motion.error().path << ": " << motion.error().message;
  if (!motion) return {};
  const Clip& clip = motion->bank.clips.at(0);
  const Track* const track = find_track(clip, joint, channel);
  EXPECT_NE(track, nullptr);
  if (track == nullptr) return {};
  const auto times = clip.times_of(track->keys);
  const auto values = clip.values_of(track->keys, channel);
  return {{times.begin(), times.end()}, {values.begin(), values.end()}};
}

void expect_near(const Floats& a, const Floats& b, float tolerance = 1e-6F) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance) << i;
}

void expect_error(const std::string& text, ErrorCode code, const std::string& path,
                  const ImportOptions& options = {}) {
  const auto result = read(text, options);
  ASSERT_FALSE(result) << path;
  EXPECT_EQ(result.error().code, code) << result.error().path << ": " << result.error().message;
  EXPECT_EQ(result.error().path, path) << result.error().message;
  EXPECT_FALSE(result.error().message.empty());
}

TEST(ReadGltfMotion, LinearKeysGoStraightThrough) {
  GltfMaker maker = two_joints();
  maker.add_curve(0, "translation", {0.0F, 0.1F, 0.7F}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  maker.add_curve(1, "rotation", {0.5F, 1.0F}, {0, half_root, 0, half_root, 0, 0, 0, -1});
  const Curve moves = curve(maker.text(), 0, Channel::translation);
  EXPECT_EQ(moves.times, (Floats{0.0F, 0.1F, 0.7F}));
  EXPECT_EQ(moves.values, (Floats{1, -3, 2, 4, -6, 5, 7, -9, 8}));
  const Curve turns = curve(maker.text(), 1, Channel::rotation);
  EXPECT_EQ(turns.values, (Floats{0, 0, half_root, half_root, 0, 0, 0, -1}));
  const auto motion = read(maker.text());
  EXPECT_TRUE(motion->are_takes);
  EXPECT_EQ(motion->bank.clips.at(0).name, "take");
  EXPECT_EQ(motion->bank.clips.at(0).duration, 1.0F);
  EXPECT_EQ(motion->bank.clips.at(0).frame_rate, 30.0F);
  EXPECT_EQ(motion->skeleton.bones.at(1).translation, (Vec3{0, 0, 1}));
  EXPECT_EQ(motion->skeleton.bones.at(1).parent, 0U);
}

TEST(ReadGltfMotion, StepsAreHeldUpToTheNextKey) {
  GltfMaker maker = two_joints();
  maker.add_curve(0, "translation", {0, 1, 2, 3}, {1, 0, 0, 2, 0, 0, 2, 0, 0, 3, 0, 0}, "STEP");
  const auto motion = read(maker.text());
  ASSERT_TRUE(motion) << motion.error().message;
  const Clip& clip = motion->bank.clips.at(0);
  const Keys keys = clip.tracks.at(0).keys;
  const auto at = [&](float time) { return sample_translation(clip, keys, time).x; };
  EXPECT_EQ(at(0.0F), 1.0F);
  EXPECT_EQ(at(0.5F), 1.0F);
  EXPECT_EQ(at(0.9995F), 1.0F);
  EXPECT_EQ(at(1.0F), 2.0F);
  EXPECT_EQ(at(2.9995F), 2.0F);
  EXPECT_EQ(at(3.0F), 3.0F);
  EXPECT_EQ(keys.count, 6U);  // none is added where nothing changes
}

TEST(ReadGltfMotion, StepsOfCloseKeysStillRise) {
  GltfMaker maker = two_joints();
  const float next = std::nextafter(1.0F, 2.0F);
  maker.add_curve(0, "translation", {1, next, 1.0001F}, {1, 0, 0, 2, 0, 0, 3, 0, 0}, "STEP");
  const Curve steps = curve(maker.text(), 0, Channel::translation);
  for (std::size_t i = 1; i < steps.times.size(); ++i)
    EXPECT_LT(steps.times[i - 1], steps.times[i]);
}

TEST(ReadGltfMotion, SplinesAreSampled) {
  // From 0 to 1 in two seconds with tangents of 1 and -1 a second: at half, 0.5 + (2 + 2) / 8.
  GltfMaker maker = two_joints();
  maker.add_curve(0, "translation", {0, 2}, {9, 9, 9, 0, 0, 0, 1, 0, 0, -1, 0, 0, 1, 0, 0, 9, 9, 9},
                  "CUBICSPLINE");
  const auto motion = read(maker.text());
  ASSERT_TRUE(motion) << motion.error().message;
  const Clip& clip = motion->bank.clips.at(0);
  const Keys keys = clip.tracks.at(0).keys;
  EXPECT_EQ(keys.count, 241U);
  EXPECT_EQ(sample_translation(clip, keys, 0.0F).x, 0.0F);
  EXPECT_NEAR(sample_translation(clip, keys, 1.0F).x, 1.0F, 1e-6F);
  // t = 1/4: 2 (t³ - 2t² + t) + (3t² - 2t³) - 2 (t³ - t²) = 0.28125 + 0.15625 + 0.09375.
  EXPECT_NEAR(sample_translation(clip, keys, 0.5F).x, 0.53125F, 1e-6F);
  EXPECT_EQ(sample_translation(clip, keys, 2.0F).x, 1.0F);
}

TEST(ReadGltfMotion, SplinesOfRotationsAreNormalised) {
  GltfMaker maker = two_joints();
  maker.add_curve(0, "rotation", {0, 1},
                  {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0},
                  "CUBICSPLINE");
  const auto motion = read(maker.text());
  ASSERT_TRUE(motion) << motion.error().message;
  const Clip& clip = motion->bank.clips.at(0);
  const Quat half = clip.rotation(clip.tracks.at(0).keys, 60);
  EXPECT_NEAR(half.z, half_root, 1e-6F);  // half way about Y
  EXPECT_NEAR(half.w, half_root, 1e-6F);
}

TEST(ReadGltfMotion, IntegersAreNormalised) {
  GltfMaker maker = two_joints();
  const std::size_t times = maker.add_floats({0, 1}, "SCALAR");
  const std::size_t values =
      maker.add<std::int16_t>({0, 0, 0, 32767, 0, -32768, 0, 0}, "VEC4", 2, 5122, true);
  maker.add_channel("take", 0, "rotation", times, values);
  EXPECT_EQ(curve(maker.text(), 0, Channel::rotation).values, (Floats{0, 0, 0, 1, 0, 0, -1, 0}));
  const std::size_t bytes =
      maker.add<std::uint8_t>({0, 0, 0, 255, 255, 0, 0, 0}, "VEC4", 2, 5121, true);
  maker.add_channel("take", 1, "rotation", times, bytes);
  EXPECT_EQ(curve(maker.text(), 1, Channel::rotation).values, (Floats{0, 0, 0, 1, 1, 0, 0, 0}));
}

TEST(ReadGltfMotion, SparseAccessorsAndStridesAreRead) {
  GltfMaker maker = two_joints();
  const std::size_t times = maker.add_floats({0, 1, 2}, "SCALAR");
  const std::size_t indices = maker.add_view(std::vector<std::uint16_t>{1, 0});
  const std::size_t values = maker.add_view(Floats{4, 5, 6});
  maker.json["accessors"].push_back(
      {{"componentType", 5126},
       {"count", 3},
       {"type", "VEC3"},
       {"sparse",
        {{"count", 1},
         {"indices", {{"bufferView", indices}, {"componentType", 5123}}},
         {"values", {{"bufferView", values}}}}}});
  maker.add_channel("take", 0, "translation", times, maker.json["accessors"].size() - 1);
  EXPECT_EQ(curve(maker.text(), 0, Channel::translation).values,
            (Floats{0, 0, 0, 4, -6, 5, 0, 0, 0}));

  GltfMaker strided = two_joints();
  const std::size_t view = strided.add_view(Floats{9, 0, 1, 2, 3, 1, 4, 5, 6});
  strided.json["bufferViews"][view]["byteStride"] = 16;
  strided.json["accessors"] = {{{"bufferView", view},
                                {"byteOffset", 4},
                                {"componentType", 5126},
                                {"count", 2},
                                {"type", "SCALAR"}},
                               {{"bufferView", view},
                                {"byteOffset", 8},
                                {"componentType", 5126},
                                {"count", 2},
                                {"type", "VEC3"}}};
  strided.add_channel("take", 0, "translation", 0, 1);
  const Curve read_back = curve(strided.text(), 0, Channel::translation);
  EXPECT_EQ(read_back.times, (Floats{0, 1}));
  EXPECT_EQ(read_back.values, (Floats{1, -3, 2, 4, -6, 5}));
}

TEST(ReadGltfMotion, NodesBetweenJointsAreMultipliedIn) {
  // Hips - (1 up, a quarter about Y) - Spine.
  GltfMaker maker;
  maker.json["nodes"] = {
      {{"name", "Hips"}, {"children", {1}}},
      {{"children", {2}}, {"translation", {0, 1, 0}}, {"rotation", {0, half_root, 0, half_root}}},
      {{"name", "Spine"}}};
  maker.json["skins"] = {{{"joints", {0, 2}}}};
  maker.add_curve(2, "translation", {0, 1}, {1, 0, 0, 2, 0, 0});
  // +X turns to -Z, the engine's +Y.
  expect_near(curve(maker.text(), 1, Channel::translation).values, {0, 1, 1, 0, 2, 1});
  maker.add_curve(2, "rotation", {0}, {0, half_root, 0, half_root});
  expect_near(curve(maker.text(), 1, Channel::rotation).values, {0, 0, 1, 0});
}

TEST(ReadGltfMotion, NodesBetweenJointsMayMove) {
  GltfMaker maker;
  maker.json["nodes"] = {{{"name", "Hips"}, {"children", {1}}},
                         {{"children", {2}}},
                         {{"name", "Spine"}, {"translation", {1, 0, 0}}}};
  maker.json["skins"] = {{{"joints", {0, 2}}}};
  maker.add_curve(1, "translation", {0, 2}, {0, 0, 0, 0, 2, 0});
  maker.add_curve(2, "rotation", {1}, {0, 0, 0, 1});
  const Curve moves = curve(maker.text(), 1, Channel::translation);
  EXPECT_EQ(moves.times, (Floats{0, 1, 2}));
  expect_near(moves.values, {1, 0, 0, 1, 0, 1, 1, 0, 2});
}

TEST(ReadGltfMotion, AUniformScaleAboveTheRigGoesIntoLengths) {
  GltfMaker maker;
  maker.json["nodes"] = {{{"name", "Armature"}, {"children", {1}}, {"scale", {0.01, 0.01, 0.01}}},
                         {{"name", "Hips"}, {"children", {2}}},
                         {{"name", "Spine"}, {"translation", {0, 50, 0}}}};
  maker.json["skins"] = {{{"joints", {1, 2}}}};
  maker.add_curve(1, "translation", {0}, {0, 100, 0});
  maker.add_curve(2, "translation", {0}, {0, 40, 0});
  expect_near(curve(maker.text(), 0, Channel::translation).values, {0, 0, 1});
  expect_near(curve(maker.text(), 1, Channel::translation).values, {0, 0, 0.4F});
  const auto motion = read(maker.text());
  EXPECT_NEAR(motion->skeleton.bones.at(1).translation.z, 0.5F, 1e-6F);
  EXPECT_EQ(motion->skeleton.bones.at(0).scale, (Vec3{1, 1, 1}));
  bool is_said = false;
  for (const Diagnostic& notice : motion->notices) {
    is_said = is_said || notice.message.find("0.01") != std::string::npos;
  }
  EXPECT_TRUE(is_said);
}

TEST(ReadGltfMotion, ScaleIsRefusedWithAReason) {
  GltfMaker maker = two_joints();
  maker.add_curve(1, "scale", {0, 1}, {1, 1, 1, 1.0009F, 1, 0.9991F});
  maker.add_curve(1, "rotation", {0}, {0, 0, 0, 1});
  EXPECT_TRUE(read(maker.text()));
  maker.add_curve(0, "scale", {0, 1}, {1, 1, 1, 1.002F, 1, 1});
  expect_error(maker.text(), ErrorCode::unsupported, "animations[0].channels[2]");
  const auto refused = read(maker.text());
  EXPECT_NE(refused.error().message.find("Hips"), std::string::npos);
  EXPECT_NE(refused.error().message.find("1.002"), std::string::npos);

  GltfMaker joint = two_joints();
  joint.json["nodes"][1]["scale"] = {1, 2, 1};
  joint.add_curve(1, "rotation", {0}, {0, 0, 0, 1});
  expect_error(joint.text(), ErrorCode::unsupported, "nodes[1].scale");
}

TEST(ReadGltfMotion, ShearIsRefusedWithAReason) {
  // Every axis has length 1, and one leans.
  const json leaning = {1, 0, 0, 0, 0.6, 0.8, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  GltfMaker joint = two_joints();
  joint.json["nodes"][1].erase("translation");
  joint.json["nodes"][1]["matrix"] = leaning;
  joint.add_curve(1, "rotation", {0}, {0, 0, 0, 1});
  expect_error(joint.text(), ErrorCode::unsupported, "nodes[1].matrix");
  EXPECT_NE(read(joint.text()).error().message.find("Spine"), std::string::npos);

  GltfMaker above = two_joints();
  above.json["nodes"][1].erase("translation");
  above.json["nodes"][0]["matrix"] = leaning;
  above.json["skins"] = {{{"joints", {1}}}};
  above.add_curve(1, "rotation", {0}, {0, 0, 0, 1});
  expect_error(above.text(), ErrorCode::unsupported, "nodes[1].matrix");

  // Scales of nodes that turn against each other, whose product has axes of one length.
  GltfMaker product = two_joints();
  product.json["nodes"] = {
      {{"name", "Stretch"}, {"scale", {2, 0.5, 1.4577380}}, {"children", {1}}},
      {{"name", "Turn"}, {"rotation", {0, 0, 0.38268343, 0.92387953}}, {"children", {2}}},
      {{"name", "Hips"}}};
  product.json["skins"] = {{{"joints", {2}}}};
  product.add_curve(2, "rotation", {0}, {0, 0, 0, 1});
  expect_error(product.text(), ErrorCode::unsupported, "nodes[2].matrix");
}

TEST(ReadGltfMotion, SeveralAnimationsAreTakes) {
  GltfMaker maker = two_joints();
  const std::size_t times = maker.add_floats({0, 1}, "SCALAR");
  const std::size_t values = maker.add_floats({0, 0, 0, 1, 1, 1}, "VEC3");
  maker.add_channel("idle", 0, "translation", times, values);
  maker.add_channel("walk", 1, "translation", times, values);
  const auto motion = read(maker.text());
  ASSERT_TRUE(motion);
  EXPECT_TRUE(motion->are_takes);
  ASSERT_EQ(motion->bank.clips.size(), 2U);
  EXPECT_EQ(motion->bank.clips[1].name, "walk");
  EXPECT_EQ(motion->bank.clips[1].tracks.at(0).joint, 1U);
}

TEST(ReadGltfMotion, JointsAreKnownByTheirNames) {
  GltfMaker maker;
  maker.json["nodes"] = {{{"name", "0x1234abcd"}},
                         {{"name", "Hips.001"}},
                         {{"name", "Arm"}},
                         {{"name", "Arm.001"}},
                         {{"name", "bone_7"}}};
  maker.add_curve(0, "translation", {0}, {1, 2, 3});
  const auto motion = read(maker.text());
  ASSERT_TRUE(motion) << motion.error().message;
  const auto& joints = motion->bank.clips.at(0).joints;
  EXPECT_EQ(joints.at(0).name_hash, 0x1234ABCDU);
  EXPECT_EQ(joints.at(0).name, std::nullopt);
  EXPECT_EQ(joints.at(1).name, "Hips");
  EXPECT_EQ(joints.at(1).name_hash, name_hash("Hips"));
  EXPECT_EQ(joints.at(2).name, "Arm");
  EXPECT_EQ(joints.at(3).name, "Arm.001");
  EXPECT_EQ(joints.at(4).name, "bone_7");

  GltfMaker numbered;
  numbered.json["nodes"] = {{{"name", "bone_7"}}, {{"name", "bone_12"}}};
  numbered.add_curve(0, "translation", {0}, {1, 2, 3});
  const auto ids = read(numbered.text());
  ASSERT_TRUE(ids);
  EXPECT_EQ(ids->bank.clips.at(0).joints.at(1).id, 12U);
  EXPECT_EQ(ids->bank.clips.at(0).joints.at(1).name, std::nullopt);
}

TEST(ReadGltfMotion, AxesAndUnitsCanBeSaid) {
  GltfMaker maker = two_joints();
  maker.add_curve(0, "translation", {0}, {1, 2, 3});
  ImportOptions options;
  options.up = UpAxis::z;
  options.metres_per_unit = 0.01;
  expect_near(curve(maker.text(), 0, Channel::translation, options).values, {0.01F, 0.02F, 0.03F});
  options.metres_per_unit = -1.0;
  expect_error(maker.text(), ErrorCode::bad_argument, "", options);
}

TEST(ReadGltfMotion, FrameRatesAreThoseThatKeysLieOn) {
  const auto rate = [](const Floats& times) {
    GltfMaker maker = two_joints();
    maker.add_curve(0, "translation", times, Floats(3 * times.size()));
    const auto motion = read(maker.text());
    return motion ? motion->bank.clips.at(0).frame_rate : 0.0F;
  };
  EXPECT_EQ(rate({0, 1}), 30.0F);
  EXPECT_EQ(rate({0, 1.0F / 24.0F}), 24.0F);
  EXPECT_EQ(rate({0, 1.0F / 60.0F}), 60.0F);
  EXPECT_EQ(rate({0, 0.04F}), 25.0F);
  EXPECT_EQ(rate({0, 0.0123F}), 30.0F);
}

TEST(ReadGltfMotion, BuffersInOtherFilesComeFromTheCaller) {
  GltfMaker maker = two_joints();
  maker.add_curve(0, "translation", {0}, {1, 2, 3});
  json document = maker.json;
  document["buffers"] = {{{"byteLength", maker.buffer.size()}, {"uri", "walk.bin"}}};
  const std::string text = document.dump();
  expect_error(text, ErrorCode::unsupported, "buffers[0].uri");
  std::string asked;
  const auto motion = read(text, {}, [&](std::string_view uri) -> Result<std::vector<std::byte>> {
    asked = uri;
    return maker.buffer;
  });
  EXPECT_TRUE(motion);
  EXPECT_EQ(asked, "walk.bin");
  const auto absent = read(text, {}, [](std::string_view) -> Result<std::vector<std::byte>> {
    return tl::unexpected(Error{ErrorCode::io, std::nullopt, {}, "is absent"});
  });
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().path, "buffers[0].uri");
  const auto small = read(text, {}, [](std::string_view) -> Result<std::vector<std::byte>> {
    return std::vector<std::byte>(3);
  });
  ASSERT_FALSE(small);
  EXPECT_EQ(small.error().code, ErrorCode::truncated);
}

TEST(ReadGltfMotion, ManyBuffersOfOneLargeFileAreOverTheLimitTogether) {
  constexpr std::size_t file_size = 4000;
  GltfMaker maker = two_joints();
  maker.add_curve(0, "translation", {0}, {1, 2, 3});
  maker.add_curve(1, "translation", {0}, {1, 2, 3});
  json document = maker.json;
  document["buffers"] = json::array();
  for (std::size_t view = 0; view < document["bufferViews"].size(); ++view) {
    document["bufferViews"][view]["buffer"] = view;
    document["buffers"].push_back({{"byteLength", file_size}, {"uri", "large.bin"}});
  }
  std::size_t loaded = 0;
  const auto load = [&](std::string_view) -> Result<std::vector<std::byte>> {
    ++loaded;
    return std::vector<std::byte>(file_size);
  };
  ImportOptions options;
  options.limits.max_file_size = 2 * file_size + 1;
  const auto motion = read(document.dump(), options, load);
  ASSERT_FALSE(motion);
  EXPECT_EQ(motion.error().code, ErrorCode::limit);
  EXPECT_EQ(motion.error().path, "buffers[2]");
  EXPECT_EQ(loaded, 3U);
  EXPECT_TRUE(read(document.dump(), {}, load));
}

TEST(ReadGltfMotion, EveryProblemNamesItsPlace) {
  struct Case {
    const char* pointer;
    json value;
    ErrorCode code;
    const char* path;
  };
  const std::vector<Case> cases{
      {"/nodes", json::object(), ErrorCode::unsupported, "nodes"},
      {"/nodes/1/children", {0}, ErrorCode::inconsistent, "nodes[0]"},
      {"/animations", json::array(), ErrorCode::bad_value, "animations"},
      {"/animations", 3, ErrorCode::bad_value, "animations"},
      {"/animations/0/channels", json::array(), ErrorCode::bad_value, "animations[0].channels"},
      {"/animations/0/channels/0/sampler", 9, ErrorCode::out_of_range,
       "animations[0].channels[0].sampler"},
      {"/animations/0/channels/0/target/node", 9, ErrorCode::out_of_range,
       "animations[0].channels[0].target.node"},
      {"/animations/0/channels/0/target/path", 9, ErrorCode::bad_value,
       "animations[0].channels[0].target.path"},
      {"/animations/0/samplers/0/interpolation", "FAST", ErrorCode::bad_value,
       "animations[0].samplers[0].interpolation"},
      {"/animations/0/samplers/0/interpolation", "CUBICSPLINE", ErrorCode::inconsistent,
       "animations[0].samplers[0].output"},
      {"/animations/0/samplers/0/input", 99, ErrorCode::out_of_range,
       "animations[0].samplers[0].input"},
      {"/animations/0/samplers/0/input", 1, ErrorCode::bad_value, "accessors[1].type"},
      {"/accessors/0/count", 0, ErrorCode::bad_value, "accessors[0].count"},
      {"/accessors/0/count", 1, ErrorCode::inconsistent, "animations[0].samplers[0].output"},
      {"/accessors/0/count", 3, ErrorCode::truncated, "accessors[0]"},
      {"/accessors/0/count", 4000000000, ErrorCode::limit, "accessors[0].count"},
      {"/accessors/0/count", -1, ErrorCode::bad_value, "accessors[0].count"},
      {"/accessors/0/byteOffset", 8, ErrorCode::truncated, "accessors[0]"},
      {"/accessors/0/byteOffset", 18446744073709551615U, ErrorCode::truncated, "accessors[0]"},
      {"/accessors/0/componentType", 5125, ErrorCode::bad_value, "accessors[0].componentType"},
      {"/accessors/0/bufferView", 9, ErrorCode::out_of_range, "accessors[0].bufferView"},
      {"/bufferViews/0/byteLength", 4000, ErrorCode::truncated, "bufferViews[0]"},
      {"/bufferViews/0/byteStride", 2, ErrorCode::bad_value, "accessors[0]"},
      {"/bufferViews/0/buffer", 7, ErrorCode::out_of_range, "bufferViews[0].buffer"},
      {"/bufferViews/0/extensions",
       {{"EXT_meshopt_compression", json::object()}},
       ErrorCode::unsupported,
       "bufferViews[0]"},
  };
  GltfMaker maker = two_joints();
  maker.add_curve(0, "translation", {0, 1}, {1, 2, 3, 4, 5, 6});
  ASSERT_TRUE(read(maker.text()));
  for (const Case& item : cases) {
    GltfMaker damaged = maker;
    damaged.json[json::json_pointer(item.pointer)] = item.value;
    expect_error(damaged.text(), item.code, item.path);
  }
}

TEST(ReadGltfMotion, ValuesThatAreNoneAreErrors) {
  const auto expect_values = [](const char* path, const Floats& times, const Floats& values,
                                const char* at) {
    GltfMaker maker = two_joints();
    maker.add_curve(0, path, times, values);
    expect_error(maker.text(), ErrorCode::bad_value, at);
  };
  const float nan = std::nanf("");
  const float infinity = HUGE_VALF;
  const char* const input = "animations[0].samplers[0].input";
  const char* const sampler = "animations[0].samplers[0]";
  expect_values("translation", {0, 0}, {1, 2, 3, 4, 5, 6}, input);
  expect_values("translation", {1, 0}, {1, 2, 3, 4, 5, 6}, input);
  expect_values("translation", {nan, 1}, {1, 2, 3, 4, 5, 6}, input);
  expect_values("translation", {-1, 1}, {1, 2, 3, 4, 5, 6}, input);
  expect_values("translation", {0, infinity}, {1, 2, 3, 4, 5, 6}, input);
  expect_values("translation", {0, 1}, {1, 2, 3, 4, nan, 6}, sampler);
  expect_values("rotation", {0, 1}, {0, 0, 0, 1, 0, 0, 0, 0}, sampler);
  expect_values("rotation", {0, 1}, {0, 0, 0, 1, 0, infinity, 0, 0}, sampler);
}

TEST(ReadGltfMotion, AChannelThatIsDrivenTwiceIsAnError) {
  GltfMaker maker = two_joints();
  maker.add_curve(0, "translation", {0}, {1, 2, 3});
  maker.add_curve(0, "translation", {0}, {1, 2, 3});
  expect_error(maker.text(), ErrorCode::inconsistent, "animations[0].channels[1]");
}

TEST(ReadGltfMotion, AnimationsOfOtherThingsAreNone) {
  GltfMaker maker = two_joints();
  maker.json["nodes"].push_back({{"name", "Camera"}});
  maker.json["skins"] = {{{"joints", {0, 1}}}};
  maker.add_curve(2, "translation", {0}, {1, 2, 3});
  expect_error(maker.text(), ErrorCode::bad_value, "animations");
}

TEST(ReadGltfMotion, KeepsItsLimits) {
  GltfMaker maker = two_joints();
  maker.add_curve(0, "translation", {0, 1}, {1, 2, 3, 4, 5, 6});
  const std::string text = maker.text();
  ImportOptions options;
  options.limits.max_joints = 1;
  expect_error(text, ErrorCode::limit, "skins", options);
  options.limits = {};
  options.limits.max_keys = 1;
  expect_error(text, ErrorCode::limit, "accessors[0].count", options);
  options.limits = {};
  options.limits.max_clips = 0;
  expect_error(text, ErrorCode::limit, "animations", options);
  options.limits = {};
  options.limits.max_file_size = text.size() - 1;
  expect_error(text, ErrorCode::limit, "", options);
  GltfMaker spline = two_joints();
  spline.add_curve(0, "translation", {0, 1e6F}, Floats(18), "CUBICSPLINE");
  expect_error(spline.text(), ErrorCode::limit, "animations[0].samplers[0]");
}

TEST(ReadGltfMotion, ADamagedRecordIsSaidAndTheFileReadLikeAnyOther) {
  GltfMaker maker = two_joints();
  maker.json["asset"]["extras"]["mabkit"] = {{"schema", "mabkit.gltf/1"},
                                             {"clips", {{{"joints", {{{"id", "x"}}}}}}}};
  maker.add_curve(0, "translation", {0}, {1, 2, 3});
  const auto motion = read(maker.text());
  ASSERT_TRUE(motion) << motion.error().message;
  EXPECT_TRUE(motion->are_takes);
  EXPECT_EQ(motion->notices.back().path, "asset.extras.mabkit.clips[0].joints[0].id");
}

}  // namespace
}  // namespace mabkit
