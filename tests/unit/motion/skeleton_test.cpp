#include <gtest/gtest.h>

#include <mabkit/names.hpp>
#include <mabkit/skeleton.hpp>

#include "motion/hierarchy.hpp"

namespace mabkit {
namespace {

using Order = std::vector<std::uint32_t>;
constexpr std::optional<std::uint32_t> root;

std::vector<Bone> bones(const std::vector<std::optional<std::uint32_t>>& parents) {
  std::vector<Bone> out;
  for (const auto& parent : parents) {
    Bone& bone = out.emplace_back();
    bone.name = "Bone" + std::to_string(out.size() - 1);
    bone.name_hash = name_hash(bone.name);
    bone.parent = parent;
  }
  return out;
}

TEST(ParentsFirst, KeepsAnOrderThatIsRightAlready) {
  EXPECT_EQ(parents_first(bones({root, 0, 0, 1, root, 4})), (Order{0, 1, 2, 3, 4, 5}));
}

TEST(ParentsFirst, PutsLateParentsBeforeTheirChildren) {
  EXPECT_EQ(parents_first(bones({2, 0, root})), (Order{2, 0, 1}));
}

TEST(ParentsFirst, LeavesOutCirclesAndWhatHangsFromThem) {
  EXPECT_EQ(parents_first(bones({1, 0, root, 0, 2, 5})), (Order{2, 4}));
}

TEST(ParentsFirst, LeavesOutBonesWhoseParentIsNoBone) {
  EXPECT_EQ(parents_first(bones({7, root, 0})), (Order{1}));
}

TEST(ParentsFirst, ManagesAChainOfManyBones) {
  std::vector<std::optional<std::uint32_t>> parents;
  for (std::uint32_t i = 1; i < 65536; ++i) parents.emplace_back(i);
  parents.emplace_back(root);
  const auto order = parents_first(bones(parents));
  ASSERT_EQ(order.size(), 65536U);
  EXPECT_EQ(order.front(), 65535U);
  EXPECT_EQ(order.back(), 0U);
}

TEST(FirstRootless, IsTheFirstOfACircle) {
  const std::vector<std::optional<std::uint32_t>> parents{root, 3, 1, 2};
  EXPECT_EQ(motion::first_rootless(parents), 1U);
  EXPECT_EQ(motion::first_rootless(std::span(parents).first(1)), std::nullopt);
}

Binding all_of(std::vector<std::optional<std::uint32_t>> bone_of_joint) {
  Binding binding;
  binding.bone_of_joint = std::move(bone_of_joint);
  return binding;
}

TEST(NameJoints, ParentIsTheNearestMatchedAncestor) {
  const Skeleton skeleton{"skeleton", bones({root, 0, 1, 2}), {}};
  Clip clip;
  clip.joints.resize(3);
  name_joints(clip, skeleton, all_of({3, 0, std::nullopt}));
  EXPECT_EQ(clip.joints[0].name, "Bone3");
  EXPECT_EQ(clip.joints[0].name_hash, name_hash("Bone3"));
  EXPECT_EQ(clip.joints[0].parent, 1U);
  EXPECT_EQ(clip.joints[1].name, "Bone0");
  EXPECT_EQ(clip.joints[1].parent, std::nullopt);
  EXPECT_EQ(clip.joints[2].name, std::nullopt);
  EXPECT_EQ(clip.joints[2].name_hash, std::nullopt);
}

TEST(NameJoints, StoredHashStays) {
  const Skeleton skeleton{"skeleton", bones({root}), {}};
  Clip clip;
  clip.joints.resize(1);
  clip.joints[0].name_hash = 7;
  name_joints(clip, skeleton, all_of({0}));
  EXPECT_EQ(clip.joints[0].name, "Bone0");
  EXPECT_EQ(clip.joints[0].name_hash, 7U);
}

TEST(NameJoints, SkeletonOverrulesTheParentsOfTheFile) {
  const Skeleton skeleton{"skeleton", bones({root, 0}), {}};
  Clip clip;
  clip.joints.resize(2);
  clip.joints[0].parent = 1;
  name_joints(clip, skeleton, all_of({0, 1}));
  EXPECT_EQ(clip.joints[0].parent, std::nullopt);
  EXPECT_EQ(clip.joints[1].parent, 0U);
}

}  // namespace
}  // namespace mabkit
