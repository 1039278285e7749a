#include "codec/sparse_groups.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/fixtures.hpp"
#include "support/sparse_files.hpp"

namespace mabkit::codec {
namespace {

/// Section 3 of clip 0 of the worked example: file bytes 0x190 to 0x1D7 (spec mab-sparse, 7).
std::vector<std::byte> example_section() {
  const auto file = test::read_fixture("spec/example_fc2.mab");
  return {file.begin() + 0x190, file.begin() + 0x1D8};
}

std::vector<float> frames(std::uint32_t count) {
  std::vector<float> times;
  for (std::uint32_t frame = 0; frame < count; ++frame) times.push_back(static_cast<float>(frame));
  return times;
}

/// Everything that decoding gives, with a frame's number as its time.
struct Decoded {
  std::vector<Keys> tracks;
  std::vector<float> times;
  std::vector<float> values;
  LostKeys past_last;
  LostKeys no_rotation;

  [[nodiscard]] std::vector<float> times_of(std::size_t track) const {
    const auto first = times.begin() + static_cast<std::ptrdiff_t>(tracks[track].first_time);
    return {first, first + tracks[track].count};
  }
  [[nodiscard]] Quat rotation(std::size_t track, std::size_t key) const {
    const float* v = values.data() + tracks[track].first_value + 4 * key;
    return {v[0], v[1], v[2], v[3]};
  }
};

Decoded decode(const SparseGroups& groups, PresenceOrder order) {
  Decoded out;
  std::vector<std::uint32_t> counts(groups.tracks());
  out.past_last = count_keys(groups, order, counts);
  std::size_t total = 0;
  for (const std::uint32_t count : counts) {
    out.tracks.push_back({total, 4 * total, count});
    total += count;
  }
  out.times.resize(total);
  out.values.resize(4 * total);
  out.no_rotation = decode_keys(groups, order, frames(groups.last_frame() + 1),
                                {out.tracks, out.times, out.values});
  return out;
}

constexpr double degree = std::numbers::pi / 180.0;

TEST(SparsePresence, LeastSignificantBitFirstIsFrameOne) {
  for (unsigned frame = 1; frame <= 7; ++frame) {
    EXPECT_EQ(presence_bits(std::byte{1} << (frame - 1), PresenceOrder::lsb), 1U << (frame - 1));
    EXPECT_EQ(presence_bits(std::byte{1} << (7 - frame), PresenceOrder::msb), 1U << (frame - 1));
  }
}

TEST(SparsePresence, BitSevenCountsInNeitherOrder) {
  EXPECT_EQ(presence_bits(std::byte{0x80}, PresenceOrder::lsb), 0);
  EXPECT_EQ(presence_bits(std::byte{0x80}, PresenceOrder::msb), 0);
}

TEST(SparseGroups, WorkedExampleHasTheSpecsKeys) {
  const auto section = example_section();
  const auto groups = SparseGroups::open(section, 2, 9);
  ASSERT_TRUE(groups) << describe("", groups.error());
  EXPECT_EQ(groups->count(), 2U);
  EXPECT_EQ(groups->size(), 0x48U);
  const Decoded decoded = decode(*groups, PresenceOrder::lsb);
  EXPECT_EQ(decoded.past_last.count, 0U);
  EXPECT_EQ(decoded.no_rotation.count, 0U);

  // Bone 1 turns 10 degrees a frame about x, bone 2 turns -5 about y (spec mab-sparse, 7).
  EXPECT_EQ(decoded.times_of(0), (std::vector<float>{0, 4, 8, 9}));
  EXPECT_EQ(decoded.times_of(1), (std::vector<float>{0, 1, 8, 9}));
  constexpr double codec_error = 1e-4;  // spec mab-sparse, 2
  for (std::size_t key = 0; key < 4; ++key) {
    const double about_x = 10.0 * degree * static_cast<double>(decoded.times_of(0)[key]) / 2.0;
    EXPECT_NEAR(decoded.rotation(0, key).x, std::sin(about_x), codec_error);
    EXPECT_NEAR(decoded.rotation(0, key).w, std::cos(about_x), codec_error);
    const double about_y = -5.0 * degree * static_cast<double>(decoded.times_of(1)[key]) / 2.0;
    EXPECT_NEAR(decoded.rotation(1, key).y, std::sin(about_y), codec_error);
    EXPECT_NEAR(decoded.rotation(1, key).w, std::cos(about_y), codec_error);
  }
}

TEST(SparseGroups, OtherOrderMovesKeysAndDropsThosePastTheLastFrame) {
  const auto section = example_section();
  const Decoded decoded = decode(*SparseGroups::open(section, 2, 9), PresenceOrder::msb);
  // 0x08 is the mirror's centre; 0x01 becomes frame 7, and frame 15 in the second group.
  EXPECT_EQ(decoded.times_of(0), (std::vector<float>{0, 4, 8}));
  EXPECT_EQ(decoded.times_of(1), (std::vector<float>{0, 7, 8}));
  EXPECT_EQ(decoded.past_last.count, 2U);
  EXPECT_EQ(decoded.past_last.track, 0U);
  EXPECT_EQ(decoded.past_last.frame, 15U);
}

TEST(SparseGroups, KeysAfterADroppedOneStillMatchTheirFrames) {
  // One track over frames 0 to 2; the byte marks 1, 4 (past the end) and nothing else.
  auto section = test::bytes({1, 0, 2, 0, 30, 0, 0, 0, 16, 0, 0, 0, 36, 0, 0, 0});
  const auto add = [&](PackedQuaternion packed) {
    for (const std::uint16_t word : {packed.w0, packed.w1, packed.w2}) {
      section.push_back(static_cast<std::byte>(word & 0xFFU));
      section.push_back(static_cast<std::byte>(word >> 8U));
    }
  };
  add({0xBFFF, 0xBFFF, 0x3FFF});  // identity
  section.push_back(std::byte{0x09});
  section.push_back(std::byte{0});
  add({0xFFFF, 0xBFFF, 0x3FFF});  // 90 degrees about x
  add({0xBFFF, 0xBFFF, 0x7FFF});
  const auto groups = SparseGroups::open(section, 1, 2);
  ASSERT_TRUE(groups) << describe("", groups.error());
  const Decoded decoded = decode(*groups, PresenceOrder::lsb);
  EXPECT_EQ(decoded.times_of(0), (std::vector<float>{0, 1}));
  EXPECT_NEAR(decoded.rotation(0, 1).x, 0.7071068F, 1e-6F);
  EXPECT_EQ(decoded.past_last.count, 1U);
  EXPECT_EQ(decoded.past_last.frame, 4U);
}

TEST(SparseGroups, KeysThatAreNoRotationsAreDropped) {
  auto section = example_section();
  // The first further key of the first track, frame 4: three components of 0.7071 each.
  for (std::size_t i = 0x22; i < 0x28; ++i)
    section[i] = i % 2 == 0 ? std::byte{0xFF} : std::byte{0x7F};
  const Decoded decoded = decode(*SparseGroups::open(section, 2, 9), PresenceOrder::lsb);
  EXPECT_EQ(decoded.times_of(0), (std::vector<float>{0, 8, 9}));
  EXPECT_EQ(decoded.times_of(1), (std::vector<float>{0, 1, 8, 9}));
  EXPECT_EQ(decoded.no_rotation.count, 1U);
  EXPECT_EQ(decoded.no_rotation.track, 0U);
  EXPECT_EQ(decoded.no_rotation.frame, 4U);
}

TEST(SparseGroups, NoTrackIsAHeaderAlone) {
  const auto section = test::bytes({0, 0, 9, 0, 30, 0, 0, 0});
  const auto groups = SparseGroups::open(section, 0, 9);
  ASSERT_TRUE(groups);
  EXPECT_EQ(groups->count(), 0U);
  EXPECT_EQ(groups->size(), 8U);
}

TEST(SparseGroups, BytesAfterTheLastGroupAreNotItsOwn) {
  auto section = example_section();
  section.resize(section.size() + 8);
  const auto groups = SparseGroups::open(section, 2, 9);
  ASSERT_TRUE(groups);
  EXPECT_EQ(groups->size(), 0x48U);
}

struct BadTable {
  const char* name;
  std::size_t at;
  std::uint32_t value;
  const char* path;
};

class SparseGroupTable : public testing::TestWithParam<BadTable> {};

TEST_P(SparseGroupTable, MustTileTheSection) {
  auto section = example_section();
  test::poke(section, GetParam().at, GetParam().value);
  const auto groups = SparseGroups::open(section, 2, 9);
  ASSERT_FALSE(groups);
  EXPECT_EQ(groups.error().path, GetParam().path);
  EXPECT_TRUE(groups.error().offset);
}

INSTANTIATE_TEST_SUITE_P(Entries, SparseGroupTable,
                         testing::Values(BadTable{"first_in_the_table", 8, 0x10, "group_table[0]"},
                                         BadTable{"second_backwards", 12, 0x10, "group_table[1]"},
                                         BadTable{"second_too_far", 12, 0x30, "group[0]"},
                                         BadTable{"second_too_near", 12, 0x18, "group[0]"},
                                         BadTable{"end_past_the_section", 16, 0x4A,
                                                  "group_table[2]"},
                                         BadTable{"end_all_ones", 16, 0xFFFFFFFF, "group_table[2]"},
                                         BadTable{"end_too_near", 16, 0x46, "group[1]"}),
                         [](const auto& test) { return test.param.name; });

TEST(SparseGroups, PresenceByteThatAsksForMoreKeysIsAnError) {
  auto section = example_section();
  section[0x20] = std::byte{0x0C};
  const auto groups = SparseGroups::open(section, 2, 9);
  ASSERT_FALSE(groups);
  EXPECT_EQ(groups.error().path, "group[0]");
  EXPECT_EQ(groups.error().offset, 0x14U);
}

TEST(SparseGroups, TableThatDoesNotFitIsTruncated) {
  const auto section = test::bytes({1, 0, 9, 0, 30, 0, 0, 0, 20, 0, 0, 0});
  const auto groups = SparseGroups::open(section, 1, 9);
  ASSERT_FALSE(groups);
  EXPECT_EQ(groups.error().code, ErrorCode::truncated);
}

}  // namespace
}  // namespace mabkit::codec
