#include <gtest/gtest.h>

#include <limits>
#include <mabkit/rig.hpp>

#include "support/fixtures.hpp"
#include "unit/rig/rig_bytes.hpp"

namespace mabkit {
namespace {

using test::raw_chunk;
using test::raw_nodes;
using test::raw_xbg;
using test::RawXbgNode;

// Distances by spec mab-sparse, 6.4 and 6.5.
constexpr std::size_t file_header_size = 32;
constexpr std::size_t chunk_header_size = 20;
constexpr std::size_t first_node_at = file_header_size + chunk_header_size + 4;
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

std::vector<std::byte> with_nodes(const std::vector<RawXbgNode>& nodes, std::uint16_t major = 42) {
  return raw_xbg(major, {raw_chunk("EDON", {}, raw_nodes(nodes))});
}

Error error_of(const std::vector<std::byte>& bytes, const ReadLimits& limits = {}) {
  const auto parsed = parse_xbg(bytes, limits);
  if (parsed) return {ErrorCode::io, std::nullopt, "none", "none"};
  return parsed.error();
}

class XbgFixture : public testing::TestWithParam<const char*> {};

TEST_P(XbgFixture, HoldsTheSameRigAsTheSkeleton) {
  const auto expected =
      to_skeleton(parse_lks(test::read_fixture("motion/cmu_01_01.skeleton")).value());
  const auto parsed = parse_xbg(test::read_fixture(GetParam()));
  ASSERT_TRUE(parsed) << describe("", parsed.error());
  EXPECT_EQ(parsed->source, "xbg");
  EXPECT_TRUE(parsed->diagnostics.empty());
  ASSERT_EQ(parsed->bones.size(), 31U);
  for (std::size_t i = 0; i < 31; ++i) {
    const Bone& bone = parsed->bones[i];
    EXPECT_EQ(bone.name, expected.bones[i].name);
    EXPECT_EQ(bone.name_hash, expected.bones[i].name_hash) << bone.name;
    EXPECT_EQ(bone.parent, expected.bones[i].parent) << bone.name;
    EXPECT_EQ(bone.rotation, expected.bones[i].rotation) << bone.name;
    EXPECT_EQ(bone.translation, expected.bones[i].translation) << bone.name;
    EXPECT_EQ(bone.scale, (Vec3{1.0F, 1.0F, 1.0F})) << bone.name;
    EXPECT_EQ(bone.id, std::nullopt) << bone.name;
    EXPECT_EQ(bone.animated_translation, std::nullopt) << bone.name;
  }
}

TEST_P(XbgFixture, EndsEarlyAtEveryByteWithAnErrorThatNamesTheField) {
  const auto bytes = test::read_fixture(GetParam());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto parsed = parse_xbg(std::span(bytes).first(size));
    ASSERT_FALSE(parsed) << size;
    ASSERT_EQ(parsed.error().code, ErrorCode::truncated) << size;
    ASSERT_FALSE(parsed.error().path.empty()) << size;
    ASSERT_TRUE(parsed.error().offset && *parsed.error().offset <= size) << size;
  }
}

INSTANTIATE_TEST_SUITE_P(Cmu, XbgFixture,
                         testing::Values("motion/cmu_01_01_fc2.xbg", "motion/cmu_01_01_fc5.xbg"),
                         [](const auto& test) { return std::string(test.param).substr(17, 3); });

class XbgMajor : public testing::TestWithParam<std::uint16_t> {};

TEST_P(XbgMajor, ReadsNodesOfItsLayout) {
  const bool is_wide = GetParam() == 46;  // 8 more bytes, then 4 (spec mab-sparse, 6.5)
  const char* before = is_wide ? "1122334455667788" : "";
  const char* after = is_wide ? "00 99AABBCC" : "00";
  const auto bytes = with_nodes({{.first_child = 1, .before_name = before, .after_name = after},
                                 {.parent = 0,
                                  .rotation = {0.6F, 0, 0, 0.8F},
                                  .translation = {1, 2, 3},
                                  .scale = {2, 2, 2},
                                  .name = "Pelvis",
                                  .before_name = before,
                                  .after_name = after}},
                                GetParam());
  const auto parsed = parse_xbg(bytes);
  ASSERT_TRUE(parsed) << describe("", parsed.error());
  EXPECT_TRUE(parsed->diagnostics.empty());
  ASSERT_EQ(parsed->bones.size(), 2U);
  EXPECT_EQ(parsed->bones[1].name, "Pelvis");
  EXPECT_EQ(parsed->bones[1].name_hash, 0xB021FD58U);  // spec mab-chunked, 1.2
  EXPECT_EQ(parsed->bones[1].parent, 0U);
  EXPECT_EQ(parsed->bones[1].rotation, (Quat{0.6F, 0, 0, 0.8F}));
  EXPECT_EQ(parsed->bones[1].translation, (Vec3{1, 2, 3}));
  EXPECT_EQ(parsed->bones[1].scale, (Vec3{2, 2, 2}));
}

INSTANTIATE_TEST_SUITE_P(Spec, XbgMajor, testing::Values(42, 46, 52, 55, 58, 71));

TEST(XbgMajorUnknown, IsReadAsTheOthersAndSaysSo) {
  const auto parsed = parse_xbg(with_nodes({{}}, 60));
  ASSERT_TRUE(parsed) << describe("", parsed.error());
  EXPECT_EQ(parsed->bones.size(), 1U);
  ASSERT_EQ(parsed->diagnostics.size(), 1U);
  EXPECT_EQ(parsed->diagnostics[0].path, "version");
  EXPECT_NE(parsed->diagnostics[0].message.find("inferred"), std::string::npos);
}

TEST(XbgChunks, NodesAreFoundBehindAndInsideOtherChunks) {
  const auto nodes = raw_chunk("EDON", {}, raw_nodes({{}}));
  const std::vector<std::byte> junk(5);
  const auto behind = raw_xbg(42, {raw_chunk("LTMR", {}, junk), nodes});
  EXPECT_EQ(parse_xbg(behind).value().bones.size(), 1U);
  const auto inside =
      raw_xbg(42, {raw_chunk("AAAA", {raw_chunk("BBBB", {nodes}, junk)}, junk), nodes});
  const auto parsed = parse_xbg(inside);
  ASSERT_TRUE(parsed) << describe("", parsed.error());
  EXPECT_EQ(parsed->bones.size(), 1U);
  ASSERT_EQ(parsed->diagnostics.size(), 1U);
  EXPECT_EQ(parsed->diagnostics[0].path, "chunk[1]");
}

TEST(XbgChunks, BytesThatLookLikeNodesInAPayloadAreNotNodes) {
  const auto bytes = raw_xbg(42, {raw_chunk("AAAA", {}, raw_chunk("EDON", {}, raw_nodes({{}})))});
  const Error error = error_of(bytes);
  EXPECT_EQ(error.code, ErrorCode::unsupported);
  EXPECT_EQ(error.path, "chunk_count");
}

TEST(XbgChunks, BrokenChunkBehindTheNodesIsAWarning) {
  auto last = raw_chunk("AAAA", {}, {});
  last[8] = std::byte{19};  // size, less than a header's
  const auto parsed = parse_xbg(raw_xbg(42, {raw_chunk("EDON", {}, raw_nodes({{}})), last}));
  ASSERT_TRUE(parsed) << describe("", parsed.error());
  ASSERT_EQ(parsed->diagnostics.size(), 1U);
  EXPECT_EQ(parsed->diagnostics[0].path, "chunk[1].size");
}

TEST(XbgChunks, BrokenChunkBeforeTheNodesIsAnError) {
  auto first = raw_chunk("AAAA", {}, {});
  first[8] = std::byte{19};
  const Error error = error_of(raw_xbg(42, {first, raw_chunk("EDON", {}, raw_nodes({{}}))}));
  EXPECT_EQ(error.code, ErrorCode::bad_value);
  EXPECT_EQ(error.path, "chunk[0].size");
  EXPECT_EQ(error.offset, file_header_size + 8);
}

TEST(XbgChunks, BrokenChunkInsideAnotherIsPassedOver) {
  auto broken = raw_chunk("BBBB", {}, {});
  broken[8] = std::byte{200};
  const auto bytes =
      raw_xbg(42, {raw_chunk("AAAA", {broken}, {}), raw_chunk("EDON", {}, raw_nodes({{}}))});
  const auto parsed = parse_xbg(bytes);
  ASSERT_TRUE(parsed) << describe("", parsed.error());
  EXPECT_EQ(parsed->bones.size(), 1U);
  ASSERT_EQ(parsed->diagnostics.size(), 1U);
  EXPECT_EQ(parsed->diagnostics[0].path, "chunk[0].chunk[0].size");
}

TEST(XbgChunks, PayloadLargerThanItsChunkIsAnError) {
  auto chunk = raw_chunk("EDON", {}, raw_nodes({{}}));
  chunk[13] = std::byte{1};  // payload size + 256
  EXPECT_EQ(error_of(raw_xbg(42, {chunk})).path, "chunk[0].payload_size");
}

TEST(XbgChunks, NestingIsBounded) {
  auto chunk = raw_chunk("EDON", {}, raw_nodes({{}}));
  for (int i = 0; i < 3; ++i) chunk = raw_chunk("AAAA", {chunk}, {});
  const auto bytes = raw_xbg(42, {chunk});
  EXPECT_TRUE(parse_xbg(bytes, ReadLimits{.max_depth = 4}));
  EXPECT_FALSE(parse_xbg(bytes, ReadLimits{.max_depth = 3}));
}

TEST(XbgNodes, CountIsCheckedAgainstTheBytesLeft) {
  auto bytes = with_nodes({{}});
  bytes[first_node_at - 3] = std::byte{1};  // 257 nodes
  const Error error = error_of(bytes);
  EXPECT_EQ(error.code, ErrorCode::truncated);
  EXPECT_EQ(error.path, "node_count");
  EXPECT_EQ(error.offset, first_node_at - 4);
  EXPECT_EQ(error_of(bytes, ReadLimits{.max_joints = 256}).code, ErrorCode::limit);
}

TEST(XbgNodes, ParentOutOfRangeOrInACircleIsAnError) {
  EXPECT_EQ(error_of(with_nodes({{.parent = 1}})).path, "node[0].parent");
  EXPECT_EQ(error_of(with_nodes({{.parent = -2}})).offset, first_node_at + 0x0C);
  const Error circle =
      error_of(with_nodes({{}, {.parent = 2, .name = "A"}, {.parent = 1, .name = "B"}}));
  EXPECT_EQ(circle.path, "node[1].parent");
  // Behind the root: 0x48 bytes, its four letters and their zero byte.
  EXPECT_EQ(circle.offset, first_node_at + 0x48 + 5 + 0x0C);
}

TEST(XbgNodes, NameEndsWithAZeroByte) {
  EXPECT_EQ(error_of(with_nodes({{.after_name = "41"}})).path, "node[0].name");
}

TEST(XbgNodes, HashOfTheRootMayBeZero) {
  constexpr std::uint32_t root = 0xB6C65665;  // xor with itself stores 0
  EXPECT_TRUE(parse_xbg(with_nodes({{.hash = root}})).value().diagnostics.empty());
  EXPECT_EQ(parse_xbg(with_nodes({{.hash = root}})).value().bones[0].name_hash, root);
  const auto wrong = parse_xbg(with_nodes({{.hash = 1}})).value();
  ASSERT_EQ(wrong.diagnostics.size(), 1U);
  EXPECT_EQ(wrong.diagnostics[0].path, "node[0].name");
}

TEST(XbgNodes, WhatIsSalvagedIsTold) {
  const auto rig = parse_xbg(with_nodes({{.first_child = 7,
                                          .rotation = {0, 0, 0, 3},
                                          .translation = {nan, 0, 0},
                                          .scale = {1, nan, 1}}}))
                       .value();
  EXPECT_EQ(rig.bones[0].rotation, (Quat{0, 0, 0, 1}));
  EXPECT_EQ(rig.bones[0].translation, (Vec3{}));
  EXPECT_EQ(rig.bones[0].scale, (Vec3{1, 1, 1}));
  std::vector<std::string> paths;
  for (const Diagnostic& diagnostic : rig.diagnostics) paths.push_back(diagnostic.path);
  EXPECT_EQ(paths, (std::vector<std::string>{"node[0].rotation", "node[0].translation",
                                             "node[0].scale", "node[0].first_child"}));
}

}  // namespace
}  // namespace mabkit
