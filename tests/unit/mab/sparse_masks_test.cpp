#include <gtest/gtest.h>

#include <limits>

#include "base/bytes.hpp"
#include "support/fixtures.hpp"
#include "support/sparse_files.hpp"

namespace mabkit {
namespace {

/// A file of the later games with one constant rotation and one key at each of these bones.
mab::SparseFields later_file(std::size_t mask_words, const std::vector<std::uint32_t>& constant,
                             const std::vector<std::uint32_t>& keyed) {
  const std::vector<test::KeyedTrack> tracks(keyed.size(), {{{0, {}}}});
  mab::SparseFields fields = test::as_far_cry_3(test::keyed_file(tracks, 0), mask_words);
  mab::ClipFields& clip = fields.clips[0];
  for (auto& mask : clip.masks) mask.assign(mask_words, 0);
  for (const std::uint32_t bone : constant) clip.masks[0].at(bone / 32) |= 1U << (bone % 32);
  for (const std::uint32_t bone : keyed) clip.masks[1].at(bone / 32) |= 1U << (bone % 32);
  clip.constant_rotations->header.count = static_cast<std::uint16_t>(constant.size());
  clip.constant_rotations->rotations.assign(constant.size(), test::pack({}));
  return fields;
}

std::vector<std::uint32_t> joint_ids(const SparseMab& file, std::size_t clip = 0) {
  std::vector<std::uint32_t> ids;
  const Bank bank = file.bank().value();
  for (const Joint& joint : bank.clips.at(clip).joints) ids.push_back(joint.id);
  return ids;
}

class SparseMaskWidth : public testing::TestWithParam<std::size_t> {};

TEST_P(SparseMaskWidth, IsFoundWhereTheBonesReachItsLastWord) {
  const std::size_t words = GetParam();
  const auto last = static_cast<std::uint32_t>(32 * words - 1);
  // A constant in the last word and two keys in the first and the last make every other width
  // count wrong.
  const auto bytes = test::file_of(later_file(words, {3, last}, {0, last - 1, last - 2}));
  const SparseMab file = test::parse_sparse(bytes);
  EXPECT_EQ(file.summary().inferred, "inferred: " + std::to_string(words) + " mask words (" +
                                         std::to_string(32 * words) +
                                         " bones), the only width that fits");
  EXPECT_EQ(joint_ids(file), (std::vector<std::uint32_t>{0, 3, last - 2, last - 1, last}));
  EXPECT_EQ(file.diagnostics().size(), 0U);
  EXPECT_EQ(file.rebuild().value(), bytes);
}

INSTANTIATE_TEST_SUITE_P(Words, SparseMaskWidth, testing::Values(5, 6, 7, 8, 9));

TEST(SparseMasks, OfSmallRigsTakeTheLowestBonesWhichIsTheWidest) {
  // One constant bone and no other: every width reads that.
  const SparseMab any = test::parse_sparse(test::file_of(later_file(5, {4}, {})));
  EXPECT_EQ(any.summary().inferred,
            "inferred: 9 mask words (288 bones), also possible: 5, 6, 7, 8");
  EXPECT_EQ(joint_ids(any), std::vector<std::uint32_t>{4});

  // Bone 0 keyed in masks of nine words: as 8, 7, 6 or 5 words it would be bone 32, 64, 96 or 128.
  const SparseMab nine = test::parse_sparse(test::file_of(later_file(9, {}, {0})));
  EXPECT_TRUE(nine.summary().inferred.starts_with("inferred: 9 mask words"));
  EXPECT_EQ(joint_ids(nine), std::vector<std::uint32_t>{0});
}

TEST(SparseMasks, TakeTheWidthThatFitsEveryClip) {
  // The first clip alone would read as nine words; the second fits five words only.
  mab::SparseFields fields = later_file(5, {4}, {});
  fields.clips.push_back(later_file(5, {3, 159}, {0, 158, 157}).clips.front());
  const SparseMab file = test::parse_sparse(test::file_of(fields));
  EXPECT_EQ(file.summary().inferred,
            "inferred: 5 mask words (160 bones), the only width that fits");
  EXPECT_EQ(joint_ids(file, 0), std::vector<std::uint32_t>{4});
}

TEST(SparseMasks, ThatFitNoWidthLeaveRawTracks) {
  mab::SparseFields fields = later_file(9, {3, 287}, {0, 1, 2});
  fields.clips[0].masks[1][0] = 0;  // the section has three tracks
  const auto bytes = test::file_of(fields);
  const SparseMab file = test::parse_sparse(bytes);
  EXPECT_EQ(file.summary().inferred, "inferred: no width of the bone masks fits, tracks are raw");
  EXPECT_NE(test::texts(file.diagnostics()).find("raw tracks: bones unknown"), std::string::npos);

  const Bank bank = file.bank().value();
  const Clip& clip = bank.clips[0];
  EXPECT_EQ(joint_ids(file), (std::vector<std::uint32_t>{0, 1, 0, 1, 2}));
  ASSERT_EQ(clip.tracks.size(), 5U);
  for (std::uint32_t i = 0; i < 5; ++i) {
    EXPECT_EQ(clip.tracks[i].joint, i);
    EXPECT_EQ(clip.tracks[i].kind, i < 2 ? TrackKind::constant : TrackKind::animated);
    EXPECT_FALSE(clip.joints[i].name);
  }
  EXPECT_FALSE(clip.root_motion);
  EXPECT_EQ(file.rebuild().value(), bytes);
  EXPECT_EQ(file.runs()[4].kind, RunKind::preserved);
}

TEST(SparseMasks, NeedUnitRotationsAfterThem) {
  mab::SparseFields fields = later_file(9, {4}, {});
  fields.clips[0].loop[3] = base::cast_bits<mab::FloatBits>(2.0F);
  EXPECT_NE(test::texts(test::parse_sparse(test::file_of(fields)).diagnostics()).find("raw tracks"),
            std::string::npos);
  fields.clips[0].loop[3] = 0;
  EXPECT_EQ(test::parse_sparse(test::file_of(fields)).diagnostics().size(), 0U);
}

TEST(SparseMasks, NeedZerosBetweenThemAndTheRotations) {
  mab::SparseFields fields = later_file(5, {3, 159}, {0, 158, 157});
  fields.clips[0].unknown_before_reference.back() = 1;
  EXPECT_NE(test::texts(test::parse_sparse(test::file_of(fields)).diagnostics()).find("raw tracks"),
            std::string::npos);
}

TEST(SparseMasks, MayNotShareBonesWhereTheyAreInferred) {
  const auto bytes = test::file_of(later_file(5, {3, 159}, {0, 158, 159}));
  EXPECT_TRUE(test::parse_sparse(bytes).summary().inferred.find("tracks are raw") !=
              std::string::npos);
}

TEST(SparseMasks, AShiftedTagIsAGuessThatIsSaid) {
  mab::SparseFields fields = later_file(9, {4}, {});
  fields.clips[0].tag = 0;
  fields.clips[0].runtime_pointer = mab::clip_tag;
  const auto bytes = test::file_of(fields);
  const SparseMab file = test::parse_sparse(bytes);
  EXPECT_NE(test::texts(file.diagnostics()).find("instead of 0xB0"), std::string::npos);
  EXPECT_EQ(joint_ids(file), std::vector<std::uint32_t>{4});
  EXPECT_EQ(file.rebuild().value(), bytes);
}

/// Frame rate of a file of the later games whose rate field holds these four bytes.
float rate_of(std::uint16_t word, std::uint16_t unknown_0x06) {
  mab::SparseFields fields = later_file(9, {}, {0});
  for (auto* header :
       {&fields.clips[0].keyed_rotations->header, &fields.clips[0].animated_translations->header}) {
    header->rate = word;
    header->unknown_0x06 = unknown_0x06;
  }
  return test::parse_sparse(test::file_of(fields)).bank().value().clips[0].frame_rate;
}

TEST(SparseRate, IsAFloatOrAWordWhicheverMakesSense) {
  const auto float_rate = [](float value) {
    const auto bits = base::cast_bits<std::uint32_t>(value);
    return rate_of(static_cast<std::uint16_t>(bits & 0xFFFFU),
                   static_cast<std::uint16_t>(bits >> 16U));
  };
  EXPECT_EQ(float_rate(24.0F), 24.0F);
  EXPECT_EQ(float_rate(29.97F), 29.97F);
  EXPECT_EQ(float_rate(1.0F), 1.0F);
  EXPECT_EQ(float_rate(1000.0F), 1000.0F);
  EXPECT_EQ(rate_of(25, 0), 25.0F);
  EXPECT_EQ(rate_of(1000, 0), 1000.0F);
  EXPECT_EQ(rate_of(1001, 0), 30.0F) << "neither: the default";
  EXPECT_EQ(rate_of(0, 0), 30.0F);
  EXPECT_EQ(float_rate(std::numeric_limits<float>::quiet_NaN()), 30.0F);
}

TEST(SparseMasks, OfTheFirstGameAreNeverInferred) {
  const SparseMab file = test::parse_sparse(test::read_fixture("spec/example_fc2.mab"));
  EXPECT_EQ(file.summary().inferred, "");
}

TEST(SparseMasks, OfBloodDragonSayThatTheLayoutIsAGuess) {
  for (const std::string& name : test::sparse_fixtures()) {
    if (!name.starts_with("mab/fc3bd")) continue;
    EXPECT_NE(test::parse_sparse(test::read_fixture(name)).summary().inferred.find("guess"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace mabkit
