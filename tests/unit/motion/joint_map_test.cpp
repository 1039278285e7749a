#include <gtest/gtest.h>

#include <mabkit/joint_map.hpp>
#include <mabkit/names.hpp>
#include <string_view>

#include "unit/gltf/clips.hpp"

namespace mabkit {
namespace {

Result<JointMap> read(std::string_view text) {
  return read_joint_map(std::as_bytes(std::span(text)));
}

/// A — B — C, each with a constant translation; the rig is the same.
ImportedMotion chain() {
  ImportedMotion motion;
  Clip& clip = motion.bank.clips.emplace_back();
  for (const char* const name : {"A", "B", "C"}) {
    const std::uint32_t joint = test::add_joint(clip, name);
    const auto parent = joint == 0 ? std::nullopt : std::optional(joint - 1);
    clip.joints[joint].parent = parent;
    test::add_track(clip, joint, Channel::translation, TrackKind::constant, {0},
                    {static_cast<float>(joint), 0, 0});
    motion.skeleton.bones.push_back(test::bone(name, parent, {}));
  }
  return motion;
}

TEST(JointMap, RenamesJointsAndBones) {
  const auto map = read(R"({"A": "Hips", "C": "Head"})");
  ASSERT_TRUE(map) << map.error().message;
  ImportedMotion motion = chain();
  EXPECT_TRUE(apply_joint_map(*map, motion).empty());
  const Clip& clip = motion.bank.clips[0];
  EXPECT_EQ(clip.joints.at(0).name, "Hips");
  EXPECT_EQ(clip.joints.at(0).name_hash, name_hash("Hips"));
  EXPECT_EQ(clip.joints.at(1).name, "B");
  EXPECT_EQ(clip.joints.at(2).name, "Head");
  EXPECT_EQ(motion.skeleton.bones.at(2).name, "Head");
  EXPECT_EQ(motion.skeleton.bones.at(2).name_hash, name_hash("Head"));
}

TEST(JointMap, NamesCanBeSwapped) {
  const auto map = read(R"({"A": "B", "B": "A"})");
  ASSERT_TRUE(map);
  ImportedMotion motion = chain();
  EXPECT_TRUE(apply_joint_map(*map, motion).empty());
  EXPECT_EQ(motion.bank.clips[0].joints.at(0).name, "B");
  EXPECT_EQ(motion.bank.clips[0].joints.at(1).name, "A");
}

TEST(JointMap, LeavesJointsOutWithTheirTracks) {
  const auto map = read(R"({"B": null})");
  ASSERT_TRUE(map);
  ImportedMotion motion = chain();
  EXPECT_TRUE(apply_joint_map(*map, motion).empty());
  const Clip& clip = motion.bank.clips[0];
  ASSERT_EQ(clip.joints.size(), 2U);
  EXPECT_EQ(clip.joints[1].name, "C");
  EXPECT_EQ(clip.joints[1].parent, 0U);
  ASSERT_EQ(clip.tracks.size(), 2U);
  EXPECT_EQ(clip.tracks[1].joint, 1U);
  EXPECT_EQ(clip.translation(clip.tracks[1].keys, 0).x, 2.0F);
  EXPECT_EQ(motion.skeleton.bones.size(), 3U);
}

TEST(JointMap, FindsJointsByTheirHash) {
  const auto map = read(R"({"0x0000002A": "Hips"})");
  ASSERT_TRUE(map);
  ImportedMotion motion;
  Joint joint;
  joint.name_hash = 42;
  motion.bank.clips.emplace_back().joints.push_back(joint);
  EXPECT_TRUE(apply_joint_map(*map, motion).empty());
  EXPECT_EQ(motion.bank.clips[0].joints[0].name, "Hips");
}

TEST(JointMap, OtherEntitiesKeepTheirJoints) {
  const auto map = read(R"({"A": "Hips"})");
  ASSERT_TRUE(map);
  ImportedMotion motion = chain();
  motion.bank.clips.push_back(motion.bank.clips[0]);
  motion.bank.clips[1].parent = "A";
  ImportedMotion takes = motion;
  takes.are_takes = true;
  EXPECT_TRUE(apply_joint_map(*map, motion).empty());
  EXPECT_EQ(motion.bank.clips[1].joints.at(0).name, "A");
  EXPECT_EQ(motion.bank.clips[1].parent, "Hips");
  EXPECT_TRUE(apply_joint_map(*map, takes).empty());
  EXPECT_EQ(takes.bank.clips[1].joints.at(0).name, "Hips");
}

TEST(JointMap, SaysWhichEntriesMeetNoJoint) {
  const auto map = read(R"({"A": "Hips", "Tail": "Tail1"})");
  ASSERT_TRUE(map);
  ImportedMotion motion = chain();
  const auto notices = apply_joint_map(*map, motion);
  ASSERT_EQ(notices.size(), 1U);
  EXPECT_EQ(notices[0].path, "Tail");
}

TEST(JointMap, EveryProblemNamesItsEntry) {
  const auto expect_error = [](std::string_view text, ErrorCode code, const std::string& path) {
    const auto map = read(text);
    ASSERT_FALSE(map) << text;
    EXPECT_EQ(map.error().code, code) << text;
    EXPECT_EQ(map.error().path, path) << text;
  };
  expect_error(R"(["A"])", ErrorCode::bad_value, "");
  expect_error(R"({"A": 1})", ErrorCode::bad_value, "A");
  expect_error(R"({"A": ""})", ErrorCode::bad_value, "A");
  expect_error(R"({"A": ["B"]})", ErrorCode::limit, "");
  expect_error(R"({"A": "C", "B": "C"})", ErrorCode::inconsistent, "B");
  expect_error(R"({"A": "C")", ErrorCode::truncated, "");
}

}  // namespace
}  // namespace mabkit
