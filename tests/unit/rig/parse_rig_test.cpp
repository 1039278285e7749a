#include <gtest/gtest.h>

#include <mabkit/rig.hpp>

#include "support/fixtures.hpp"

namespace mabkit {
namespace {

TEST(ParseRig, TellsKindsByTheirMagic) {
  EXPECT_EQ(parse_rig(test::read_fixture("motion/cmu_01_01.skeleton")).value().source, "skeleton");
  EXPECT_EQ(parse_rig(test::read_fixture("motion/cmu_01_01_fc2.xbg")).value().source, "xbg");
}

TEST(ParseRig, WatchDogsSkeletonsAreNotReadYet) {
  const auto parsed = parse_rig(test::bytes({'n', 'b', 'C', 'F', 3, 0, 0, 0}));
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().code, ErrorCode::unsupported);
  EXPECT_NE(parsed.error().message.find("Watch Dogs .skeleton files are not read yet"),
            std::string::npos);
}

TEST(ParseRig, OtherVersionsOfSkeletonSaySo) {
  const auto parsed = parse_rig(test::bytes({'L', 'K', 'S', 0, 30, 0, 0, 0}));
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().code, ErrorCode::unsupported);
  EXPECT_NE(parsed.error().message.find("not yet"), std::string::npos);
}

TEST(ParseRig, OtherFilesAreUnknown) {
  const auto parsed = parse_rig(test::bytes({0x4C, 0x00, 0x01, 0x00, 0x00}));
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().code, ErrorCode::unknown_format);
  EXPECT_EQ(parsed.error().message,
            "is 'L\\x00\\x01\\x00', but a rig begins with 'LKS' (.skeleton) or 'HSEM' (.xbg)");
}

TEST(ParseRig, EmptyFileIsTruncated) {
  const auto parsed = parse_rig({});
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().code, ErrorCode::truncated);
  EXPECT_EQ(parsed.error().path, "magic");
}

}  // namespace
}  // namespace mabkit
