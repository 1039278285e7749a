#include <gtest/gtest.h>

#include <mabkit/rig.hpp>

#include "support/fixtures.hpp"

namespace mabkit {
namespace {

LksSkeleton chain(std::size_t bones) {
  LksSkeleton skeleton;
  for (std::size_t i = 0; i < bones; ++i) {
    LksBone& bone = skeleton.bones.emplace_back();
    bone.id = static_cast<std::uint16_t>(i);
    if (i != 0) bone.parent = static_cast<std::uint16_t>(i - 1);
    bone.name = lks_text("Bone" + std::to_string(i));
  }
  derive_links(skeleton);
  return skeleton;
}

std::string refused_path(const LksSkeleton& skeleton) {
  const auto written = write_lks(skeleton);
  return written ? "written" : written.error().path;
}

TEST(LksWrite, GivesTheFixturesBytes) {
  const auto bytes = test::read_fixture("motion/cmu_01_01.skeleton");
  EXPECT_EQ(write_lks(parse_lks(bytes).value()).value(), bytes);
}

TEST(LksWrite, EmptySkeletonReadsBack) {
  const auto bytes = write_lks({});
  ASSERT_TRUE(bytes);
  // Header 20, handle count 2, scale 4, translation count 2, three masks of 24.
  EXPECT_EQ(bytes->size(), 20U + 2 + 4 + 2 + 3 * 24);
  EXPECT_TRUE(parse_lks(*bytes));
}

TEST(LksWrite, TextGetsTheHashOfItsCharacters) {
  EXPECT_EQ(lks_text("Pelvis").hash, 0xB021FD58U);  // spec mab-chunked, 1.2
  EXPECT_EQ(lks_text("").hash, 0U);
}

TEST(LksWrite, EditedHierarchyReadsBackWithoutAWarning) {
  LksSkeleton skeleton = parse_lks(test::read_fixture("motion/cmu_01_01.skeleton")).value();
  LksBone tail;
  tail.id = static_cast<std::uint16_t>(skeleton.bones.size());
  tail.parent = 0;
  tail.name = lks_text("Tail");
  skeleton.bones.push_back(tail);
  derive_links(skeleton);
  const auto again = parse_lks(write_lks(skeleton).value());
  ASSERT_TRUE(again) << describe("", again.error());
  EXPECT_TRUE(again->diagnostics.empty());
  EXPECT_EQ(again->bones.back().name.text, "Tail");
  // The last child of the hips so far points at the new one.
  EXPECT_EQ(again->bones[11].name.text, "LowerBack");
  EXPECT_EQ(again->bones[11].next_sibling, 31);
}

TEST(LksWrite, RefusesWhatTheReaderWouldRefuse) {
  LksSkeleton wrong_id = chain(3);
  wrong_id.bones[1].id = 2;
  EXPECT_EQ(refused_path(wrong_id), "bone[1].id");

  LksSkeleton wrong_parent = chain(3);
  wrong_parent.bones[2].parent = 3;
  EXPECT_EQ(refused_path(wrong_parent), "bone[2].parent");

  LksSkeleton circle = chain(3);
  circle.bones[0].parent = 2;
  EXPECT_EQ(refused_path(circle), "bone[0].parent");

  LksSkeleton kind = chain(1);
  kind.bones[0].position = LksPosition{.kind = 4, .bone = 0, .vector = {}};
  EXPECT_EQ(refused_path(kind), "bone[0].position");

  LksSkeleton mask = chain(1);
  mask.lod_masks[1].resize(4);
  EXPECT_EQ(refused_path(mask), "lod_mask[1]");
}

TEST(LksWrite, RefusesMoreThanTheCountsHold) {
  LksSkeleton common = chain(1);
  common.common.resize(0x10000);
  EXPECT_EQ(refused_path(common), "common");

  LksSkeleton bones;
  bones.bones.resize(0x10000);
  EXPECT_EQ(refused_path(bones), "bones");
}

TEST(DeriveLinks, SiblingsFollowInIdOrder) {
  LksSkeleton skeleton = chain(5);
  skeleton.bones[2].parent = 0;
  skeleton.bones[3].parent = 1;
  skeleton.bones[4].parent = lks_none;
  derive_links(skeleton);
  const auto links = [&](std::size_t i) {
    return std::pair(skeleton.bones[i].first_child, skeleton.bones[i].next_sibling);
  };
  EXPECT_EQ(links(0), std::pair(std::uint16_t{1}, lks_none));
  EXPECT_EQ(links(1), std::pair(std::uint16_t{3}, std::uint16_t{2}));
  EXPECT_EQ(links(2), std::pair(lks_none, lks_none));
  EXPECT_EQ(links(3), std::pair(lks_none, lks_none));
  EXPECT_EQ(links(4), std::pair(lks_none, lks_none));
}

TEST(DeriveLinks, GivesTheLinksOfTheFixture) {
  const LksSkeleton stored = parse_lks(test::read_fixture("motion/cmu_01_01.skeleton")).value();
  LksSkeleton derived = stored;
  for (LksBone& bone : derived.bones) bone.first_child = bone.next_sibling = 77;
  derive_links(derived);
  for (std::size_t i = 0; i < stored.bones.size(); ++i) {
    EXPECT_EQ(derived.bones[i].first_child, stored.bones[i].first_child) << i;
    EXPECT_EQ(derived.bones[i].next_sibling, stored.bones[i].next_sibling) << i;
  }
}

}  // namespace
}  // namespace mabkit
