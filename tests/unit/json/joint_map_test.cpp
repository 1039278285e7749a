#include <gtest/gtest.h>

#include <mabkit/joint_map.hpp>
#include <mabkit/names.hpp>
#include <string_view>

namespace mabkit {
namespace {

Result<JointMap> read(std::string_view text) {
  return read_joint_map(std::as_bytes(std::span(text)));
}

Bank bank_with(std::initializer_list<const char*> names) {
  Bank bank;
  Clip& clip = bank.clips.emplace_back();
  for (const char* name : names) {
    const auto joint = static_cast<std::uint32_t>(clip.joints.size());
    clip.joints.push_back({joint, name_hash(name), std::string(name), std::nullopt});
    clip.tracks.push_back({joint, Channel::rotation, TrackKind::constant, {0, 0, 1}});
  }
  return bank;
}

TEST(JointMapFile, GivesNamesAndLeavesOut) {
  const auto map = read(R"({"LeftArm": "L UpperArm", "Extra": null})");
  ASSERT_TRUE(map);
  Bank bank = bank_with({"LeftArm", "Extra", "Head"});
  Skeleton skeleton;
  skeleton.bones.push_back({});
  skeleton.bones[0].name = "LeftArm";
  skeleton.bones[0].name_hash = name_hash("LeftArm");
  EXPECT_TRUE(apply_joint_map(*map, bank, skeleton).empty());
  EXPECT_EQ(bank.clips[0].joints[0].name, "L UpperArm");
  EXPECT_EQ(bank.clips[0].joints[0].name_hash, name_hash("L UpperArm"));
  EXPECT_EQ(bank.clips[0].joints[2].name, "Head");
  ASSERT_EQ(bank.clips[0].tracks.size(), 2U);
  EXPECT_EQ(bank.clips[0].tracks[1].joint, 2U);
  EXPECT_EQ(skeleton.bones[0].name, "L UpperArm");
}

TEST(JointMapFile, TwoNamesCanBeExchanged) {
  const auto map = read(R"({"a": "b", "b": "a"})");
  Bank bank = bank_with({"a", "b"});
  Skeleton none;
  EXPECT_TRUE(apply_joint_map(*map, bank, none).empty());
  EXPECT_EQ(bank.clips[0].joints[0].name, "b");
  EXPECT_EQ(bank.clips[0].joints[1].name, "a");
}

TEST(JointMapFile, JointsWithoutANameGoByTheirHash) {
  const auto map = read(R"({"0xb021fd58": "Hips"})");
  Bank bank = bank_with({"Pelvis"});
  bank.clips[0].joints[0].name.reset();
  Skeleton none;
  EXPECT_TRUE(apply_joint_map(*map, bank, none).empty());
  EXPECT_EQ(bank.clips[0].joints[0].name, "Hips");
}

TEST(JointMapFile, JointsWithoutNameAndHashGoByTheirNumber) {
  const auto map = read(R"({"12": "Hips", "7": null, "3": "Head"})");
  ASSERT_TRUE(map);
  Bank bank = bank_with({"a", "b", "c"});
  Clip& clip = bank.clips[0];
  for (const std::size_t joint : {0U, 1U}) {
    clip.joints[joint].name.reset();
    clip.joints[joint].name_hash.reset();
  }
  clip.joints[0].id = 12;
  clip.joints[1].id = 7;
  clip.joints[2].id = 3;  // has a name, so that its number means nothing
  Skeleton skeleton;
  skeleton.bones.resize(1);
  skeleton.bones[0].name = "bone_12";
  skeleton.bones[0].id = 12;
  EXPECT_EQ(apply_joint_map(*map, bank, skeleton), std::vector<std::string>{"3"});
  EXPECT_EQ(clip.joints[0].name, "Hips");
  EXPECT_EQ(clip.joints[0].name_hash, name_hash("Hips"));
  EXPECT_EQ(clip.joints[2].name, "c");
  EXPECT_EQ(clip.tracks.size(), 2U);
  EXPECT_EQ(skeleton.bones[0].name, "Hips");
}

TEST(JointMapFile, EntriesThatNameNothingAreTold) {
  const auto map = read(R"({"LeftArn": "L UpperArm"})");
  Bank bank = bank_with({"LeftArm"});
  Skeleton none;
  EXPECT_EQ(apply_joint_map(*map, bank, none), std::vector<std::string>{"LeftArn"});
}

TEST(JointMapFile, WhatIsNoMapIsAnErrorWithItsPlace) {
  EXPECT_EQ(read("[]").error().code, ErrorCode::bad_value);
  EXPECT_EQ(read(R"({"a": 3})").error().path, "a");
  EXPECT_EQ(read(R"({"a": ""})").error().path, "a");
  EXPECT_EQ(read(R"({"a": "b")").error().offset, 9U);
  EXPECT_EQ(read(R"({"a": [[]]})").error().code, ErrorCode::limit);
}

TEST(JointMapFile, ANameThatStandsTwiceIsAnError) {
  for (const std::string_view text :
       {R"({"a": "b", "c": "d", "a": "e"})", R"({"a": null, "a": "b"})"}) {
    const auto map = read(text);
    ASSERT_FALSE(map) << text;
    EXPECT_EQ(map.error().code, ErrorCode::bad_value);
    EXPECT_NE(map.error().message.find("\"a\" twice"), std::string::npos);
  }
}

TEST(JointMapFile, ManyNamesTakeTimeInProportion) {
  // A list of members that is searched from its start would need billions of comparisons.
  std::string text = "{";
  for (int i = 0; i < 200000; ++i) text += "\"joint number " + std::to_string(i) + "\":\"b\",";
  text.back() = '}';
  const auto map = read(text);
  ASSERT_TRUE(map);
  EXPECT_EQ(map->entries.size(), 200000U);
}

}  // namespace
}  // namespace mabkit
