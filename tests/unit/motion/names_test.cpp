#include <gtest/gtest.h>

#include <mabkit/names.hpp>
#include <set>

#include "motion/biped_names.hpp"
#include "motion/bone_spelling.hpp"
#include "support/fixtures.hpp"

namespace mabkit {
namespace {

using Names = std::vector<std::string>;

TEST(NameHash, IsTheCrcOfTheSpecs) {
  EXPECT_EQ(name_hash("Pelvis"), 0xB021FD58U);  // spec mab-chunked, 1.2
  EXPECT_EQ(name_hash("Root"), 0xB6C65665U);    // spec mab-chunked, 1.2
  EXPECT_EQ(name_hash("Spine"), 0x530EC1CBU);   // spec mab-chunked, 8: bytes CB C1 0E 53
  EXPECT_EQ(name_hash("Head"), 0x07C159A2U);    // spec mab-chunked, 8: bytes A2 59 C1 07
  EXPECT_EQ(name_hash("prop"), 0xAF6EC5EAU);    // spec mab-sparse, 7: at 0x28C
  EXPECT_EQ(name_hash("R Hand"), 0x975115F6U);  // spec mab-sparse, 7: at 0x2B0
  EXPECT_EQ(name_hash(""), 0U);                 // spec mab-sparse, 1.9
}

TEST(HashText, ReadsBackInAnyForm) {
  EXPECT_EQ(hash_text(0x0BU), "0x0000000b");
  EXPECT_EQ(hash_from_text("0xB021fd58"), 0xB021FD58U);
  EXPECT_EQ(hash_from_text("b021FD58"), 0xB021FD58U);
  EXPECT_EQ(hash_from_text("0x"), std::nullopt);
  EXPECT_EQ(hash_from_text("pelvis"), std::nullopt);
  EXPECT_EQ(hash_from_text("123456789"), std::nullopt);
}

TEST(NameDictionary, FindsWhatWasAdded) {
  NameDictionary names;
  names.add("Pelvis");
  EXPECT_EQ(names.find(0xB021FD58), "Pelvis");
  EXPECT_EQ(names.find(1), std::nullopt);
}

TEST(NameDictionary, EmptyNameIsNoName) {
  NameDictionary names;
  names.add("");
  EXPECT_EQ(names.find(0), std::nullopt);
}

TEST(NameDictionary, EarlierNameOfAHashStays) {
  NameDictionary names;
  names.add("Pelvis");
  Skeleton skeleton;
  skeleton.bones.emplace_back().name = "Other";
  skeleton.bones.back().name_hash = 0xB021FD58;
  names.add(skeleton);
  EXPECT_EQ(names.find(0xB021FD58), "Pelvis");
  EXPECT_EQ(names.size(), 1U);
}

TEST(NameDictionary, LinesSkipCommentsBlanksAndSpacesAtTheEnds) {
  NameDictionary names;
  names.add_lines("\xEF\xBB\xBFRoot\r\n# comment\n\n  L Hand \t\r\n   \nTail");
  EXPECT_EQ(names.names(), (Names{"L Hand", "Root", "Tail"}));
}

TEST(BuiltInNames, AreDistinctAndShareNoHash) {
  const auto names = motion::biped_names();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  EXPECT_EQ(NameDictionary::built_in().size(), names.size());
}

TEST(BuiltInNames, HoldCommonConventions) {
  const auto names = NameDictionary::built_in();
  for (const char* name : {"Root",
                           "Pelvis",
                           "Spine",
                           "Spine1",
                           "Head",
                           "R Hand",
                           "L Hand",
                           "LForeArm",
                           "RUpperArm",
                           "Bip01",
                           "Bip01 Pelvis",
                           "Bip01 L Thigh",
                           "Bip01 R Finger02",
                           "Bip01_L_Foot",
                           "Hips",
                           "LeftUpLeg",
                           "RightToeBase",
                           "LeftHandIndex1",
                           "Reference",
                           "Trajectory",
                           "Camera",
                           "prop",
                           "weapon",
                           "L ThighTwist",
                           "R Elbow",
                           "L Knee",
                           "Thumb_L"}) {
    EXPECT_EQ(names.find(name_hash(name)), name);
  }
}

/// Hashes of every joint of the expected banks in `folder`.
std::set<std::uint32_t> joint_hashes(const std::string& folder) {
  std::set<std::uint32_t> hashes;
  for (const std::string& name : test::fixtures(folder, ".json")) {
    const auto bank = test::read_fixture_json(name);
    for (const auto& clip : bank["clips"]) {
      for (const auto& joint : clip["joints"]) {
        if (!joint.contains("hash") || joint["hash"].is_null()) continue;
        hashes.insert(hash_from_text(joint["hash"].get<std::string>()).value());
      }
    }
  }
  return hashes;
}

TEST(BuiltInNames, ExplainEveryHashOfTheFixtures) {
  const auto names = NameDictionary::built_in();
  for (const char* folder : {"mab", "motion"}) {
    const auto hashes = joint_hashes(folder);
    EXPECT_GT(hashes.size(), 20U) << folder;
    for (const std::uint32_t hash : hashes) EXPECT_TRUE(names.find(hash)) << hash_text(hash);
  }
}

TEST(NameJoints, DictionaryNamesWhatHasAHashAndNoName) {
  Bank bank;
  auto& joints = bank.clips.emplace_back().joints;
  joints.resize(3);
  joints[0].name_hash = 0xB021FD58;
  joints[1].name_hash = 0xB021FD58;
  joints[1].name = "Hips";
  name_joints(bank, NameDictionary::built_in());
  EXPECT_EQ(joints[0].name, "Pelvis");
  EXPECT_EQ(joints[1].name, "Hips");
  EXPECT_EQ(joints[2].name, std::nullopt);
}

TEST(NearNames, NearestComeFirst) {
  const Names rig{"Spine2", "Head", "Spine", "Spine11"};
  EXPECT_EQ(near_names("Spine1", rig), (Names{"Spine2", "Spine", "Spine11"}));
  EXPECT_EQ(near_names("spine", rig, 1), (Names{"Spine"}));
}

TEST(NearNames, FarOnesAreLeftOut) {
  EXPECT_TRUE(near_names("Jaw", {"Pelvis", "Toe"}).empty());
}

TEST(NearNames, OtherSideIsLeftOut) {
  EXPECT_EQ(near_names("LFoot", {"RFoot", "Right Foot", "Bip01 L Foot"}), (Names{"Bip01 L Foot"}));
}

TEST(NearNames, EachNameOnce) {
  EXPECT_EQ(near_names("Head", {"Head", "Head"}), (Names{"Head"}));
}

TEST(NearNames, ManageEmptyAndVeryLongNames) {
  EXPECT_EQ(near_names("", {"", "Head"}), (Names{""}));
  const std::string endless(1U << 20U, 'a');
  EXPECT_TRUE(near_names(endless, {endless}).empty());
}

class Spelling : public testing::TestWithParam<const char*> {};

TEST_P(Spelling, OfALeftFootIsTakenApart) {
  const auto spelling = motion::take_apart(GetParam());
  EXPECT_EQ(spelling.side, motion::Side::left);
  EXPECT_EQ(spelling.key, "foot");
}

INSTANTIATE_TEST_SUITE_P(Conventions, Spelling,
                         testing::Values("LFoot", "L Foot", "L_Foot", "l_foot", "LeftFoot",
                                         "Left Foot", "left_foot", "Foot_L", "foot.l", "FootL",
                                         "Bip01 L Foot", "Bip01_L_Foot", "mixamorig:LeftFoot"));

TEST(SpellingSides, LettersOfAWordAreNoSide) {
  for (const char* name : {"LowerBack", "Root", "Reference", "Lip", "Pelvis", "Left", "IKRoot"}) {
    EXPECT_EQ(motion::take_apart(name).side, motion::Side::none) << name;
  }
}

TEST(Spellings, OfEndlessNamesAreOnlyThemselves) {
  const std::string endless(1000, 'a');
  EXPECT_EQ(motion::spellings(endless), Names{endless});
}

TEST(NameJoints, ParentKnownByItsHashGetsItsName) {
  Bank bank;
  bank.clips.resize(2);
  bank.clips[0].joints.push_back({0, name_hash("Pelvis"), std::nullopt, std::nullopt});
  bank.clips[1].parent = "0xb021fd58";
  name_joints(bank, NameDictionary::built_in());
  EXPECT_EQ(bank.clips[1].parent, "Pelvis");
}

}  // namespace
}  // namespace mabkit
