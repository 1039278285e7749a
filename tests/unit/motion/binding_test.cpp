#include <gtest/gtest.h>

#include <mabkit/names.hpp>
#include <mabkit/skeleton.hpp>

namespace mabkit {
namespace {

using Positions = std::vector<std::optional<std::uint32_t>>;

/// A rig of the named bones; `first_id` numbers them.
Skeleton rig(const std::vector<std::string>& names,
             std::optional<std::uint32_t> first_id = std::nullopt) {
  Skeleton skeleton;
  for (const std::string& name : names) {
    Bone& bone = skeleton.bones.emplace_back();
    bone.name = name;
    bone.name_hash = name_hash(name);
    if (first_id) bone.id = *first_id + static_cast<std::uint32_t>(skeleton.bones.size()) - 1;
  }
  return skeleton;
}

Clip clip_of_ids(const std::vector<std::uint32_t>& ids) {
  Clip clip;
  for (const std::uint32_t id : ids) clip.joints.emplace_back().id = id;
  return clip;
}

Clip clip_of_hashes(const std::vector<std::uint32_t>& hashes) {
  Clip clip;
  for (const std::uint32_t hash : hashes) {
    Joint& joint = clip.joints.emplace_back();
    joint.id = static_cast<std::uint32_t>(clip.joints.size()) - 1;
    joint.name_hash = hash;
  }
  return clip;
}

Clip clip_of_names(const std::vector<std::string>& names) {
  Clip clip;
  for (const std::string& name : names) clip.joints.emplace_back().name = name;
  return clip;
}

TEST(BindByHash, FindsBonesByTheCrcOfTheirNames) {
  // Pelvis and Root, spec mab-chunked, 1.2.
  const auto binding =
      bind(clip_of_hashes({0xB021FD58, 1, 0xB6C65665}), rig({"Root", "Pelvis"}, 0), {});
  EXPECT_EQ(binding.bone_of_joint, (Positions{1, std::nullopt, 0}));
  EXPECT_EQ(binding.matched, 2U);
  ASSERT_EQ(binding.unmatched.size(), 1U);
  EXPECT_EQ(binding.unmatched[0].joint, 1U);
  EXPECT_FALSE(binding.rig_lacks_ids);
}

TEST(BindByHash, NeverFallsBackToTheIndex) {
  const auto binding = bind(clip_of_hashes({1, 2}), rig({"Root", "Pelvis"}, 0), {});
  EXPECT_EQ(binding.matched, 0U);
}

TEST(BindByName, HashesTheNameWhereTheFileHasNoHash) {
  const auto binding = bind(clip_of_names({"Pelvis"}), rig({"Root", "Pelvis"}), {});
  EXPECT_EQ(binding.bone_of_joint, (Positions{1}));
}

TEST(BindById, FindsBonesByIdAndNotByPosition) {
  const auto binding = bind(clip_of_ids({11, 10, 0}), rig({"A", "B"}, 10), {});
  EXPECT_EQ(binding.bone_of_joint, (Positions{1, 0, std::nullopt}));
}

TEST(BindById, OffsetIsSubtractedFirst) {
  const auto binding = bind(clip_of_ids({70, 71, 3}), rig({"A", "B"}, 0), {.bone_offset = 70});
  EXPECT_EQ(binding.bone_of_joint, (Positions{0, 1, std::nullopt}));
}

TEST(BindById, RigWithoutIdsIsOnlyNumberedWhenAsked) {
  const auto refused = bind(clip_of_ids({0, 1}), rig({"A", "B"}), {});
  EXPECT_EQ(refused.matched, 0U);
  EXPECT_TRUE(refused.rig_lacks_ids);
  const auto asked = bind(clip_of_ids({0, 1}), rig({"A", "B"}), {.order_as_id = true});
  EXPECT_EQ(asked.bone_of_joint, (Positions{0, 1}));
  EXPECT_FALSE(asked.rig_lacks_ids);
}

TEST(BindById, IdsOverruleTheOrderEvenWhenAsked) {
  const auto binding = bind(clip_of_ids({11}), rig({"A", "B"}, 10), {.order_as_id = true});
  EXPECT_EQ(binding.bone_of_joint, (Positions{1}));
}

TEST(Bind, BoneGoesToTheFirstJointThatMeansIt) {
  const auto binding = bind(clip_of_names({"A", "A"}), rig({"A"}), {});
  EXPECT_EQ(binding.bone_of_joint, (Positions{0, std::nullopt}));
  ASSERT_EQ(binding.unmatched.size(), 1U);
  EXPECT_EQ(binding.unmatched[0].joint, 1U);
}

TEST(BindProposals, NamedJointGetsNearNames) {
  const auto binding = bind(clip_of_names({"LForeArm"}),
                            rig({"Bip01 R Forearm", "Bip01 Head", "Bip01 L Forearm"}), {});
  ASSERT_EQ(binding.unmatched.size(), 1U);
  EXPECT_EQ(binding.unmatched[0].near_names, std::vector<std::string>{"Bip01 L Forearm"});
}

class BindSpelling : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(BindSpelling, HashOfAnotherSpellingIsProposed) {
  const auto& [joint, bone] = GetParam();
  const auto binding = bind(clip_of_hashes({name_hash(joint)}), rig({"Head", bone}), {});
  ASSERT_EQ(binding.unmatched.size(), 1U);
  EXPECT_EQ(binding.unmatched[0].near_names, std::vector<std::string>{bone});
}

INSTANTIATE_TEST_SUITE_P(
    Conventions, BindSpelling,
    testing::Values(std::pair("Pelvis", "Bip01 Pelvis"), std::pair("Bip01 Pelvis", "Pelvis"),
                    std::pair("pelvis", "Pelvis"), std::pair("L Hand", "LHand"),
                    std::pair("LeftHand", "L Hand"), std::pair("R_Foot", "RightFoot"),
                    std::pair("hand_r", "R Hand"), std::pair("Weapon_Bone", "Weapon Bone"),
                    std::pair("LeftUpLeg", "mixamorig:LeftUpLeg"), std::pair("foot.L", "LFoot")));

TEST(BindProposals, UnknownHashGetsNone) {
  const auto binding = bind(clip_of_hashes({0x12345678}), rig({"Head"}), {});
  ASSERT_EQ(binding.unmatched.size(), 1U);
  EXPECT_TRUE(binding.unmatched[0].near_names.empty());
}

}  // namespace
}  // namespace mabkit
