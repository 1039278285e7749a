#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mabkit/bvh.hpp>
#include <mabkit/pose.hpp>
#include <mabkit/rig.hpp>
#include <optional>
#include <string>

#include "support/fixtures.hpp"

// Motion capture from Debian's package assimp-testmodels, where it is installed.

namespace mabkit {
namespace {

class CapturedBvh : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(folder)) GTEST_SKIP() << "assimp-testmodels is not installed";
  }

  static std::string text_of(const char* name) {
    std::ifstream in(folder / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  static ImportedMotion read(const char* name, std::optional<UpAxis> up = std::nullopt) {
    const std::string text = text_of(name);
    ImportOptions options;
    options.up = up;
    auto motion = read_bvh(std::as_bytes(std::span(text)), options);
    EXPECT_TRUE(motion) << motion.error().message;
    return motion.value_or(ImportedMotion{});
  }

  static void expect_near(const Vec3& a, const Vec3& b, float tolerance) {
    EXPECT_NEAR(a.x, b.x, tolerance);
    EXPECT_NEAR(a.y, b.y, tolerance);
    EXPECT_NEAR(a.z, b.z, tolerance);
  }

  static const Track* rotation_track(const Clip& clip, std::uint32_t joint) {
    for (const Track& track : clip.tracks) {
      if (track.joint == joint && track.channel == Channel::rotation) return &track;
    }
    return nullptr;
  }

  static inline const std::filesystem::path folder{"/usr/share/assimp/models/BVH"};
};

TEST_F(CapturedBvh, CmuFilesAreReadInTheirUnit) {
  const ImportedMotion motion = read("01_01.bvh");
  ASSERT_EQ(motion.bank.clips.size(), 1U);
  const Clip& clip = motion.bank.clips[0];
  EXPECT_EQ(clip.frame_rate, 120.0F);
  EXPECT_EQ(clip.joints.size(), 31U);
  EXPECT_EQ(clip.tracks.size(), 32U);
  EXPECT_EQ(clip.times.size(), 2752U);
  EXPECT_EQ(clip.duration, static_cast<float>(2751.0 / 120.0));
  // The file's first frame: 9.3722 17.8693 -17.3198, Y up, in inches / 0.45.
  const double unit = 0.0254 / 0.45;
  const Vec3 hips = clip.translation(clip.tracks.at(1).keys, 0);
  EXPECT_NEAR(hips.x, 9.3722 * unit, 1e-6);
  EXPECT_NEAR(hips.y, 17.3198 * unit, 1e-6);
  EXPECT_NEAR(hips.z, 17.8693 * unit, 1e-6);
}

TEST_F(CapturedBvh, CmuRigIsThatOfTheFixture) {
  // The fixtures' rig keeps the file's axes in every joint.
  const ImportedMotion motion = read("01_01.bvh", UpAxis::z);
  const auto rig = parse_rig(test::read_fixture("motion/cmu_01_01.skeleton"));
  ASSERT_TRUE(rig);
  ASSERT_EQ(rig->bones.size(), motion.skeleton.bones.size());
  for (std::size_t i = 1; i < rig->bones.size(); ++i) {
    const Bone& expected = rig->bones[i];
    const Bone& bone = motion.skeleton.bones[i];
    EXPECT_EQ(bone.name, expected.name);
    EXPECT_EQ(bone.parent, expected.parent);
    expect_near(bone.translation, expected.translation, 1e-6F);
  }
}

TEST_F(CapturedBvh, CmuMotionIsThatOfTheFixture) {
  // Every fourth frame from frame 120 on, quantised to some 1e-4.
  const ImportedMotion motion = read("01_01.bvh", UpAxis::z);
  const Clip& clip = motion.bank.clips.at(0);
  const auto bank = test::read_fixture_json("motion/cmu_01_01_fc5.json");
  const auto& expected = bank.at("clips").at(0);
  std::size_t compared = 0;
  for (const auto& track : expected.at("tracks")) {
    const std::uint32_t joint = track.at("joint");
    if (joint == 0 || track.at("channel") != "rotation") continue;
    const Track* const own = rotation_track(clip, joint);
    ASSERT_NE(own, nullptr) << joint;
    for (std::size_t key = 0; key < track.at("times").size(); ++key) {
      const auto frame = std::lround(track.at("times")[key].get<double>() * 120.0) + 120;
      const Quat q = clip.rotation(own->keys, static_cast<std::size_t>(frame));
      const auto want = track.at("values")[key].get<std::array<float, 4>>();
      const float dot = q.x * want[0] + q.y * want[1] + q.z * want[2] + q.w * want[3];
      ASSERT_GT(std::abs(dot), 1.0F - 1e-6F) << "joint " << joint << " at frame " << frame;
      ++compared;
    }
  }
  EXPECT_GT(compared, 5000U);
}

TEST_F(CapturedBvh, CmuRootStandsUpright) {
  // In the fixture the root takes the turn from Y up to Z up, 90° about X.
  const ImportedMotion motion = read("01_01.bvh", UpAxis::y);
  const Clip& clip = motion.bank.clips.at(0);
  const auto bank = test::read_fixture_json("motion/cmu_01_01_fc5.json");
  const auto& tracks = bank.at("clips").at(0).at("tracks");
  const auto q = tracks.at(0).at("values").at(150).get<std::array<float, 4>>();
  const auto v = tracks.at(1).at("values").at(150).get<std::array<float, 3>>();
  const Quat root = multiply(clip.rotation(clip.tracks.at(0).keys, 120 + 4 * 150),
                             {0.70710678F, 0, 0, 0.70710678F});
  const float dot = root.x * q[0] + root.y * q[1] + root.z * q[2] + root.w * q[3];
  EXPECT_GT(std::abs(dot), 1.0F - 1e-6F);
  expect_near(clip.translation(clip.tracks.at(1).keys, 120 + 4 * 150), {v[0], v[1], v[2]}, 2e-4F);
}

TEST_F(CapturedBvh, OtherUnitsAndRatesAreFound) {
  const ImportedMotion motion = read("Boxing_Toes.bvh");
  ASSERT_EQ(motion.bank.clips.size(), 1U);
  EXPECT_EQ(motion.bank.clips[0].frame_rate, 100.0F);
  // First frame -6.101614 91.753342 50.165031, in centimetres.
  const Clip& clip = motion.bank.clips[0];
  const Vec3 hips = clip.translation(clip.tracks.at(1).keys, 0);
  EXPECT_NEAR(hips.x, -0.06101614, 1e-6);
  EXPECT_NEAR(hips.y, -0.50165031, 1e-6);
  EXPECT_NEAR(hips.z, 0.91753342, 1e-6);
}

TEST_F(CapturedBvh, TruncatedFilesAreErrors) {
  const std::string text = text_of("01_01.bvh");
  for (std::size_t size = 0; size + 2 < text.size(); size += size < 6000 ? 61 : 70001) {
    const auto bytes = std::as_bytes(std::span(text).first(size));
    EXPECT_FALSE(read_bvh(bytes)) << size;
  }
}

}  // namespace
}  // namespace mabkit
