#include <gtest/gtest.h>

#include <cmath>
#include <mabkit/bvh.hpp>
#include <mabkit/names.hpp>
#include <mabkit/pose.hpp>
#include <string>
#include <string_view>

#include "support/whole_banks.hpp"

namespace mabkit {
namespace {

constexpr float half_root = 0.70710678F;  // sin and cos of 45°

Result<ImportedMotion> read(std::string_view text, const ImportOptions& options = {}) {
  return read_bvh(std::as_bytes(std::span(text)), options);
}

/// Metres, so that numbers stay as they are written.
ImportOptions metres(UpAxis up = UpAxis::z) {
  ImportOptions options;
  options.metres_per_unit = 1.0;
  options.up = up;
  return options;
}

/// A root with `channels` and one frame of `values`.
std::string one_joint(const std::string& channels, const std::string& values) {
  return "HIERARCHY\nROOT Hips\n{\nOFFSET 1 2 3\nCHANNELS " + channels +
         "\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n" + values + "\n";
}

const Track* find_track(const Clip& clip, std::uint32_t joint, Channel channel) {
  for (const Track& track : clip.tracks) {
    if (track.joint == joint && track.channel == channel) return &track;
  }
  return nullptr;
}

void expect_rotation(const std::string& text, const Quat& expected,
                     const ImportOptions& options = metres()) {
  const auto motion = read(text, options);
  ASSERT_TRUE(motion) << motion.error().message;
  const Clip& clip = motion->bank.clips.at(0);
  const Track* const track = find_track(clip, 0, Channel::rotation);
  ASSERT_NE(track, nullptr);
  const Quat q = clip.rotation(track->keys, 0);
  EXPECT_NEAR(q.x, expected.x, 1e-7F);
  EXPECT_NEAR(q.y, expected.y, 1e-7F);
  EXPECT_NEAR(q.z, expected.z, 1e-7F);
  EXPECT_NEAR(q.w, expected.w, 1e-7F);
}

void expect_error(const Result<ImportedMotion>& result, ErrorCode code, const std::string& path) {
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, code) << result.error().message;
  EXPECT_EQ(result.error().path, path) << result.error().message;
  EXPECT_FALSE(result.error().message.empty());
}

constexpr std::string_view two_joints =
    "HIERARCHY\n"
    "ROOT Hips\n{\n"
    "  OFFSET 0 0 0\n"
    "  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
    "  JOINT Left Leg\n  {\n"
    "    OFFSET 0.5 -1 0.25\n"
    "    CHANNELS 3 Zrotation Xrotation Yrotation\n"
    "    End Site\n    {\n      OFFSET 0 -1 0\n    }\n"
    "  }\n"
    "}\n"
    "MOTION\nFrames: 3\nFrame Time: 0.0333333\n"
    "1 2 3 90 0 0 0 0 0\n"
    "1 2 4 90 0 0 0 90 0\n"
    "1.5e0 +2. -.5 0 0 0 0 0 1.8e2\n";

TEST(ReadBvh, GivesHierarchyAndRestPose) {
  const auto motion = read(two_joints, metres(UpAxis::y));
  ASSERT_TRUE(motion) << motion.error().message;
  EXPECT_EQ(motion->bank.format, "bvh");
  ASSERT_EQ(motion->skeleton.bones.size(), 2U);
  EXPECT_EQ(motion->skeleton.bones[0].name, "Hips");
  EXPECT_EQ(motion->skeleton.bones[0].parent, std::nullopt);
  EXPECT_EQ(motion->skeleton.bones[1].name, "Left Leg");
  EXPECT_EQ(motion->skeleton.bones[1].name_hash, name_hash("Left Leg"));
  EXPECT_EQ(motion->skeleton.bones[1].parent, 0U);
  EXPECT_EQ(motion->skeleton.bones[1].rotation, Quat{});
  // (x, y, z) with Y up is (x, -z, y) with Z up.
  EXPECT_EQ(motion->skeleton.bones[1].translation, (Vec3{0.5F, -0.25F, -1.0F}));
  ASSERT_EQ(motion->bank.clips.size(), 1U);
  EXPECT_EQ(motion->bank.clips[0].joints.at(1).name, "Left Leg");
  EXPECT_EQ(motion->bank.clips[0].joints.at(1).parent, 0U);
}

TEST(ReadBvh, GivesAKeyAFrame) {
  const auto motion = read(two_joints, metres(UpAxis::y));
  ASSERT_TRUE(motion) << motion.error().message;
  const Clip& clip = motion->bank.clips[0];
  ASSERT_EQ(clip.tracks.size(), 3U);
  for (const Track& track : clip.tracks) {
    EXPECT_EQ(track.kind, TrackKind::animated);
    const auto times = clip.times_of(track.keys);
    ASSERT_EQ(times.size(), 3U);
    EXPECT_EQ(times[0], 0.0F);
    EXPECT_EQ(times[1], static_cast<float>(1.0 / 30.0));
    EXPECT_EQ(times[2], static_cast<float>(2.0 / 30.0));
  }
  EXPECT_EQ(clip.duration, static_cast<float>(2.0 / 30.0));
  const Keys hips = find_track(clip, 0, Channel::translation)->keys;
  EXPECT_EQ(clip.translation(hips, 0), (Vec3{1, -3, 2}));
  EXPECT_EQ(clip.translation(hips, 1), (Vec3{1, -4, 2}));
  EXPECT_EQ(clip.translation(hips, 2), (Vec3{1.5F, 0.5F, 2}));
  // 90° about the file's X, which is X here as well.
  const Quat leg = clip.rotation(find_track(clip, 1, Channel::rotation)->keys, 1);
  EXPECT_NEAR(leg.x, half_root, 1e-7F);
  EXPECT_NEAR(leg.w, half_root, 1e-7F);
}

TEST(ReadBvh, RotationsComposeInTheOrderWritten) {
  // qz(90) qx(90) = (½, ½, ½, ½); qx(90) qz(90) = (½, -½, ½, ½).
  expect_rotation(one_joint("2 Zrotation Xrotation", "90 90"), {0.5F, 0.5F, 0.5F, 0.5F});
  expect_rotation(one_joint("2 Xrotation Zrotation", "90 90"), {0.5F, -0.5F, 0.5F, 0.5F});
  // qy(90) qz(90) = (½, ½, ½, ½), times (0, 1, 0, 0) is (-½, ½, ½, -½); w is made positive.
  expect_rotation(one_joint("3 Yrotation Zrotation Yrotation", "90 90 180"),
                  {0.5F, -0.5F, -0.5F, 0.5F});
}

TEST(ReadBvh, YUpBecomesZUp) {
  expect_rotation(one_joint("1 Yrotation", "90"), {0, 0, half_root, half_root}, metres(UpAxis::y));
  expect_rotation(one_joint("1 Zrotation", "90"), {0, -half_root, 0, half_root}, metres(UpAxis::y));
  expect_rotation(one_joint("1 Zrotation", "90"), {0, 0, half_root, half_root}, metres(UpAxis::z));
}

TEST(ReadBvh, NeighbouringRotationsAreInOneHemisphere) {
  // 170° and 190° about Z: half angles 85° and 95°; one more step, 370°, turns the sign of w.
  const auto motion = read(
      "HIERARCHY ROOT A { OFFSET 0 0 0 CHANNELS 1 Zrotation }\n"
      "MOTION Frames: 3 Frame Time: 0.1 170 190 -160",
      metres());
  ASSERT_TRUE(motion) << motion.error().message;
  const Clip& clip = motion->bank.clips[0];
  const Keys keys = clip.tracks.at(0).keys;
  for (std::size_t key = 0; key < 3; ++key) EXPECT_GT(clip.rotation(keys, key).z, 0.9F);
  EXPECT_NEAR(clip.rotation(keys, 2).w, -std::sin(10.0 * 3.14159265358979 / 180.0), 1e-7);
}

TEST(ReadBvh, PositionChannelsReplaceTheOffset) {
  const auto all = read(one_joint("3 Zposition Xposition Yposition", "7 8 9"), metres());
  ASSERT_TRUE(all);
  EXPECT_EQ(all->bank.clips[0].tracks.size(), 1U);
  EXPECT_EQ(all->bank.clips[0].translation(all->bank.clips[0].tracks[0].keys, 0), (Vec3{8, 9, 7}));
  const auto one = read(one_joint("1 Yposition", "9"), metres());
  ASSERT_TRUE(one);
  EXPECT_EQ(one->bank.clips[0].translation(one->bank.clips[0].tracks[0].keys, 0), (Vec3{1, 9, 3}));
  EXPECT_EQ(one->skeleton.bones[0].translation, (Vec3{1, 2, 3}));
}

TEST(ReadBvh, AnyJointMayMoveAndAJointMayBeFixed) {
  const auto motion = read(
      "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nCHANNELS 0\nJOINT B\n{\nOFFSET 1 1 1\nCHANNELS 3 "
      "Xposition Yposition Zposition\n}\nJOINT C\n{\nOFFSET 2 2 2\n}\n}\nMOTION\nFrames: 1\n"
      "Frame Time: 1\n4 5 6\n",
      metres());
  ASSERT_TRUE(motion) << motion.error().message;
  const Clip& clip = motion->bank.clips[0];
  ASSERT_EQ(clip.tracks.size(), 1U);
  EXPECT_EQ(clip.tracks[0].joint, 1U);
  EXPECT_EQ(clip.translation(clip.tracks[0].keys, 0), (Vec3{4, 5, 6}));
  EXPECT_EQ(motion->skeleton.bones.at(2).parent, 0U);
}

TEST(ReadBvh, WhiteSpaceIsFree) {
  std::string dos(two_joints);
  for (std::size_t at = 0; (at = dos.find('\n', at)) != std::string::npos; at += 2) {
    dos.replace(at, 1, "\r\n");
  }
  std::string dense(two_joints);
  dense.pop_back();  // no line feed at the end
  for (const std::string& text : {dos, dense, "\xEF\xBB\xBF \t\n" + dense, dense + "\n\n \t "}) {
    const auto motion = read(text, metres(UpAxis::y));
    ASSERT_TRUE(motion) << motion.error().message;
    EXPECT_EQ(motion->skeleton.bones.at(1).name, "Left Leg");
    EXPECT_EQ(motion->bank.clips[0].values,
              read(two_joints, metres(UpAxis::y))->bank.clips[0].values);
  }
  EXPECT_TRUE(
      read("hierarchy root A{offset 0 0 0 channels 1 xROTATION}motion "
           "frames : 1 frame time : 1 5",
           metres()));
}

TEST(ReadBvh, NumbersAreReadInEveryNotation) {
  const auto number = [](const std::string& text) {
    const auto motion = read(one_joint("1 Xposition", text), metres());
    return motion ? motion->bank.clips[0].values.at(0) : std::nanf("");
  };
  EXPECT_EQ(number("-.5"), -0.5F);
  EXPECT_EQ(number("5."), 5.0F);
  EXPECT_EQ(number("+1.25e+02"), 125.0F);
  EXPECT_EQ(number("0.000001"), 1e-6F);
  EXPECT_EQ(number("123456789012345678901234567890e-25"), 12345.6789F);
  EXPECT_EQ(number("0.00000000000000000000000000012345e30"), 123.45F);
  EXPECT_EQ(number("3.4e38"), 3.4e38F);
  EXPECT_EQ(number("1e-999999999999"), 0.0F);
  EXPECT_EQ(number("-0"), 0.0F);
}

TEST(ReadBvh, FrameTimesNearAWholeRateAreTakenAsThat) {
  const auto rate = [](const std::string& frame_time) {
    const auto motion = read(
        "HIERARCHY ROOT A { OFFSET 0 0 0 CHANNELS 1 Xrotation }\n"
        "MOTION\nFrames: 1\nFrame Time: " +
            frame_time + "\n0",
        metres());
    return motion ? motion->bank.clips[0].frame_rate : -1.0F;
  };
  EXPECT_EQ(rate(".0083333"), 120.0F);
  EXPECT_EQ(rate("0.033333"), 30.0F);
  EXPECT_EQ(rate("8.33333E-3"), 120.0F);
  EXPECT_EQ(rate("0.04"), 25.0F);
  EXPECT_EQ(rate("0.033"), static_cast<float>(1.0 / 0.033));
}

TEST(ReadBvh, FeetSayWhichAxisIsUp) {
  const auto rig = [](const std::string& leg) {
    return "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n"
           "JOINT Spine\n{\nOFFSET 0 0 9\n}\nJOINT LeftLeg\n{\nOFFSET " +
           leg + "\nJOINT LeftFoot\n{\nOFFSET " + leg +
           "\n}\n}\n}\n"
           "MOTION\nFrames: 1\nFrame Time: 1\n0\n";
  };
  ImportOptions options;
  options.metres_per_unit = 1.0;
  // Where Y is up, the engine's Z is the file's Y.
  EXPECT_EQ(read(rig("0 -1 0"), options)->skeleton.bones[2].translation, (Vec3{0, 0, -1}));
  EXPECT_EQ(read(rig("0 0 -1"), options)->skeleton.bones[2].translation, (Vec3{0, 0, -1}));
  const auto motion = read(rig("0 0 -1"), options);
  ASSERT_EQ(motion->notices.size(), 1U);
  EXPECT_NE(motion->notices[0].message.find("Z is up, inferred"), std::string::npos);
  options.up = UpAxis::y;
  EXPECT_EQ(read(rig("0 0 -1"), options)->skeleton.bones[2].translation, (Vec3{0, 1, 0}));
}

TEST(ReadBvh, ThePersonsSizeSaysTheUnit) {
  const auto height = [](const std::string& size) {
    const auto motion =
        read("HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\nEnd Site\n{\nOFFSET 0 " +
             size + " 0\n}\nJOINT B\n{\nOFFSET 0 " + size +
             " 0\n}\n}\n"
             "MOTION\nFrames: 1\nFrame Time: 1\n0\n");
    return motion ? motion->skeleton.bones.at(1).translation.z : -1.0F;
  };
  EXPECT_NEAR(height("1.8"), 1.8F, 1e-6F);
  EXPECT_NEAR(height("180"), 1.8F, 1e-6F);
  EXPECT_NEAR(height("70"), 70.0F * 0.0254F, 1e-6F);
  EXPECT_NEAR(height("30"), 30.0F * 0.0254F / 0.45F, 1e-6F);
  EXPECT_NEAR(height("3"), 3.0F, 1e-6F);    // a guess: a horse in metres
  EXPECT_NEAR(height("100"), 1.0F, 1e-6F);  // a guess: a child in centimetres
}

TEST(ReadBvh, SaysWhereAndWhyAFileIsWrong) {
  expect_error(read("", metres()), ErrorCode::unknown_format, "");
  expect_error(read("BVH", metres()), ErrorCode::unknown_format, "");
  expect_error(read("HIERARCHY MOTION", metres()), ErrorCode::bad_value, "joint");
  expect_error(read("HIERARCHY JOINT A", metres()), ErrorCode::bad_value, "joint");
  expect_error(read("HIERARCHY ROOT", metres()), ErrorCode::truncated, "joint[0].name");
  expect_error(read("HIERARCHY ROOT\n{ OFFSET 0 0 0 }", metres()), ErrorCode::bad_value,
               "joint[0].name");
  expect_error(read("HIERARCHY ROOT A { CHANNELS 1 Xrotation }", metres()), ErrorCode::bad_value,
               "joint[0].offset");
  expect_error(read("HIERARCHY ROOT A { OFFSET 0 nan 0 }", metres()), ErrorCode::bad_value,
               "joint[0].offset");
  expect_error(read("HIERARCHY ROOT A { OFFSET 0 1e39 0 }", metres()), ErrorCode::bad_value,
               "joint[0].offset");
  expect_error(read("HIERARCHY ROOT A { OFFSET 0 0 0 } } MOTION", metres()), ErrorCode::bad_value,
               "joint");
  for (const char* const channels :
       {"7 Xposition Xrotation", "-1", "1.5 Xrotation", "x", "1e30", "1 Wrotation", "1 Xscale",
        "1 rotation", "2 Xposition Xposition"}) {
    const auto result = read(one_joint(channels, "0"), metres());
    ASSERT_FALSE(result) << channels;
    EXPECT_EQ(result.error().path, "joint[0].channels") << channels;
  }
  expect_error(read(one_joint("0", ""), metres()), ErrorCode::bad_value, "motion");
  expect_error(read(one_joint("2 Xrotation Yrotation", "1"), metres()), ErrorCode::truncated,
               "motion");
  expect_error(read(one_joint("1 Xrotation", "1.#QNAN"), metres()), ErrorCode::bad_value,
               "motion.frame[0].value[0]");
  for (const char* const bad : {"1e", "--1", "1-", ".", "1,5", "0x10", "inf"}) {
    expect_error(read(one_joint("1 Xrotation", bad), metres()), ErrorCode::bad_value,
                 "motion.frame[0].value[0]");
  }
}

TEST(ReadBvh, ErrorsHaveTheByteOffset) {
  const std::string text = one_joint("2 Xrotation Yrotation", "10 oops");
  const auto result = read(text, metres());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().offset, text.find("oops"));
}

TEST(ReadBvh, BadFrameCountsAndTimesAreErrors) {
  const auto motion = [](const std::string& frames, const std::string& time) {
    return read("HIERARCHY ROOT A { OFFSET 0 0 0 CHANNELS 1 Xrotation }\nMOTION\nFrames: " +
                    frames + "\nFrame Time: " + time + "\n0 0 0 0",
                metres());
  };
  expect_error(motion("0", "1"), ErrorCode::bad_value, "motion.frames");
  expect_error(motion("-3", "1"), ErrorCode::bad_value, "motion.frames");
  expect_error(motion("1.5", "1"), ErrorCode::bad_value, "motion.frames");
  expect_error(motion("65537", "1"), ErrorCode::limit, "motion.frames");
  expect_error(motion("1e30", "1"), ErrorCode::limit, "motion.frames");
  expect_error(motion("60000", "1"), ErrorCode::truncated, "motion");
  expect_error(motion("5", "1"), ErrorCode::truncated, "motion");
  expect_error(motion("1", "0"), ErrorCode::bad_value, "motion.frame_time");
  expect_error(motion("1", "-0.1"), ErrorCode::bad_value, "motion.frame_time");
  expect_error(motion("1", "1e-30"), ErrorCode::bad_value, "motion.frame_time");
  const auto more = motion("3", "1");
  ASSERT_TRUE(more);
  EXPECT_NE(more->notices.back().message.find("left out"), std::string::npos);
}

TEST(ReadBvh, KeepsItsLimits) {
  ImportOptions options = metres();
  options.limits.max_joints = 1;
  expect_error(read(two_joints, options), ErrorCode::limit, "joint");
  options.limits = {};
  options.limits.max_file_size = two_joints.size() - 1;
  expect_error(read(two_joints, options), ErrorCode::limit, "");
  options.limits = {};
  options.limits.max_decoded_bytes = 100;
  expect_error(read(two_joints, options), ErrorCode::limit, "motion");
  options = metres();
  options.metres_per_unit = 0.0;
  expect_error(read(two_joints, options), ErrorCode::bad_argument, "");
  options.metres_per_unit = 1e300;
  expect_error(read(two_joints, options), ErrorCode::bad_value, "joint");
}

TEST(ReadBvh, DeepNestingIsNoRecursion) {
  std::string text = "HIERARCHY\n";
  constexpr int depth = 4000;
  for (int i = 0; i < depth; ++i) {
    text += std::string(i == 0 ? "ROOT" : "JOINT") + " J" + std::to_string(i) +
            " { OFFSET 0 1 0 CHANNELS 1 Xrotation\n";
  }
  const auto open = read(text, metres());
  expect_error(open, ErrorCode::truncated, "joint[3999]");
  for (int i = 0; i < depth; ++i) text += "}";
  text += "MOTION Frames: 1 Frame Time: 1\n";
  for (int i = 0; i < depth; ++i) text += "0 ";
  const auto motion = read(text, metres());
  ASSERT_TRUE(motion) << motion.error().message;
  EXPECT_EQ(motion->skeleton.bones.size(), 4000U);
}

TEST(ReadBvh, EveryTruncationIsAnError) {
  // The last number can lose digits and stay a number.
  const std::size_t last = two_joints.rfind(' ') + 1;
  for (std::size_t size = 0; size <= last; ++size) {
    const auto result = read(two_joints.substr(0, size), metres());
    ASSERT_FALSE(result) << size;
    EXPECT_FALSE(result.error().message.empty());
  }
}

TEST(ReadBvh, DamagedBytesGiveAMotionOrAnError) {
  for (const char damage : {'\0', '{', '}', '9', '\n', 'e', '\xFF'}) {
    for (std::size_t at = 0; at < two_joints.size(); ++at) {
      std::string text(two_joints);
      text[at] = damage;
      const auto result = read(text, metres());
      if (result) {
        test::expect_whole(result->bank);
      } else {
        test::expect_told(result.error(), text.size());
      }
      if (HasFailure())
        FAIL() << "damage 0x" << std::hex << int{damage} << " at " << std::dec << at;
    }
  }
}

TEST(ReadBvh, ARateThatIsNotRoundedIsNotTold) {
  // 1 / 0.021 times 0.021 is not 1 in double.
  std::string text = one_joint("1 Xrotation", "0");
  text.replace(text.find("0.1"), 3, "0.021");
  const auto motion = read(text, metres());
  ASSERT_TRUE(motion) << motion.error().message;
  for (const Diagnostic& notice : motion->notices) EXPECT_NE(notice.path, "motion.frame_time");
}

}  // namespace
}  // namespace mabkit
