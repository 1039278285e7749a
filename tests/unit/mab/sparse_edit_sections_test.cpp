#include <gtest/gtest.h>

#include <algorithm>
#include <mabkit/encode.hpp>
#include <mabkit/mab.hpp>

#include "support/fixtures.hpp"
#include "support/plain_sparse_decoder.hpp"
#include "support/random_banks.hpp"
#include "support/sparse_files.hpp"
#include "unit/mab/sparse_edits.hpp"

/// Which sections an edit makes, fills and leaves.
namespace mabkit::mab {
namespace {

/// Bone 0 is keyed, bone 1 has a constant rotation and translation.
SparseFields still_and_moving() {
  SparseFields fields = test::keyed_file({{{{0, Quat{}}, {8, test::turn({1, 0, 0}, 0.5)}}}}, 8);
  ClipFields& clip = fields.clips[0];
  clip.masks[0][0] |= 2U;
  clip.constant_rotations->rotations.push_back(test::pack(Quat{}));
  clip.constant_rotations->header.count = 1;
  clip.masks[2][0] |= 2U;
  clip.constant_translations->components.assign(3, 0);
  clip.constant_translations->header.count = 1;
  return fields;
}

/// Makes the translation of a joint move from the origin up to 1 m along x at frame 8.
void move_joint(Clip& clip, std::uint32_t id) {
  Track& track = track_of_joint(clip, id, Channel::translation);
  track.kind = TrackKind::animated;
  track.keys = {clip.times.size(), clip.values.size(), 2};
  clip.times.insert(clip.times.end(), {0.0F, 8.0F / 30.0F});
  clip.values.insert(clip.values.end(), {0, 0, 0, 1, 0, 0});
}

/// Gives a clip root motion from the origin to 2 m along y, and a quarter turn about z.
void walk(Clip& clip) {
  RootMotion& root = clip.root_motion.emplace();
  root.translation = Keys{clip.times.size(), clip.values.size(), 2};
  clip.values.insert(clip.values.end(), {0, 0, 0, 0, 2, 0});
  root.rotation = Keys{clip.times.size(), clip.values.size(), 2};
  const Quat q = test::turn({0, 0, 1}, 1.5);
  clip.values.insert(clip.values.end(), {0, 0, 0, 1, q.x, q.y, q.z, q.w});
  clip.times.insert(clip.times.end(), {0.0F, 8.0F / 30.0F});
}

void expect_walk(const std::vector<std::byte>& bytes) {
  const auto fields = test::fields_of(bytes);
  ASSERT_TRUE(fields.clips[0].trajectory_translation);
  ASSERT_TRUE(fields.clips[0].trajectory_rotation);
  for (const ArrayHeaderFields& header : {fields.clips[0].trajectory_translation->header,
                                          fields.clips[0].trajectory_rotation->header}) {
    EXPECT_EQ(header.count, 1);
    EXPECT_EQ(header.last_frame, 8);
    EXPECT_EQ(header.rate, 30);
  }
  const auto clip = test::decode_plain_sparse(bytes).front();
  EXPECT_NEAR(clip.trajectory_translation.at(4)[1], 1.0, 1e-6);
  const Quat q = test::turn({0, 0, 1}, 0.75);
  EXPECT_LE(test::plain_angle(clip.trajectory_rotation.at(4), {q.x, q.y, q.z, q.w}), 1.5e-4);
}

TEST(SparseEditSections, RootMotionIsAddedWhereTheTemplateHasNone) {
  const SparseMab file = test::parse_sparse(test::file_of(still_and_moving()));
  Bank bank = bank_of(file);
  walk(bank.clips[0]);
  expect_walk(edited(file, bank).bytes);
}

TEST(SparseEditSections, RootMotionIsAddedWhereTheTemplatesSectionsAreEmpty) {
  SparseFields fields = still_and_moving();
  fields.clips[0].trajectory_translation.emplace().header = {0, 3, 15, 0};
  fields.clips[0].trajectory_rotation.emplace().header = {0, 3, 15, 0};
  const SparseMab file = test::parse_sparse(test::file_of(fields));
  Bank bank = bank_of(file);
  walk(bank.clips[0]);
  expect_walk(edited(file, bank).bytes);
}

TEST(SparseEditSections, ASectionThatGetsItsFirstTrackRunsAtTheClipsRate) {
  SparseFields fields = still_and_moving();
  fields.clips[0].animated_translations->header = {0, 0, 15, 0};
  const SparseMab file = test::parse_sparse(test::file_of(fields));
  Bank bank = bank_of(file);
  move_joint(bank.clips[0], 1);
  const auto bytes = edited(file, bank).bytes;
  const ArrayHeaderFields header = test::fields_of(bytes).clips[0].animated_translations->header;
  EXPECT_EQ(header.count, 1);
  EXPECT_EQ(header.last_frame, 8);
  EXPECT_EQ(header.rate, 30);
  Bank after = bank_of(test::parse_sparse(bytes));
  const Keys& keys = track_of_joint(after.clips[0], 1, Channel::translation).keys;
  EXPECT_FLOAT_EQ(after.clips[0].times_of(keys).back(), 8.0F / 30.0F);
}

TEST(SparseEditSections, SectionsThatTheTemplateLacksAreOnlyMadeForTracks) {
  SparseFields fields = still_and_moving();
  fields.clips[0].animated_translations.reset();
  const SparseMab file = test::parse_sparse(test::file_of(fields));
  Bank bank = bank_of(file);
  Clip& clip = bank.clips[0];
  Track& track = track_of_joint(clip, 1, Channel::translation);
  clip.values[track.keys.first_value] += 1.0F;
  EXPECT_FALSE(test::fields_of(edited(file, bank).bytes).clips[0].animated_translations);
  move_joint(clip, 1);
  EXPECT_TRUE(test::fields_of(edited(file, bank).bytes).clips[0].animated_translations);
}

TEST(SparseEditSections, UnexplainedBytesBehindRootMotionStayWhereItGrows) {
  auto fields = test::fields_of(test::read_fixture("spec/example_fc2.mab"));
  // Slot 0 has 8 + 12 * 10 bytes: no padding, then 16 bytes that no rule explains.
  fields.clips[0].unexplained[trajectory_translation] = std::vector<std::byte>(16, std::byte{0xAB});
  const SparseMab file = test::parse_sparse(test::file_of(fields));
  Bank bank = bank_of(file);
  Clip& clip = bank.clips.front();
  Keys& keys = *clip.root_motion->translation;
  keys = {clip.times.size(), clip.values.size(), 13};
  for (unsigned frame = 0; frame <= 12; ++frame) {
    clip.times.push_back(static_cast<float>(frame / 30.0));
    clip.values.insert(clip.values.end(), {0.0F, 0.1F * static_cast<float>(frame), 0.0F});
  }
  Track& track = track_of_joint(clip, 1, Channel::rotation);
  turn_track(clip, track, ten_degrees, 0.0F, 1.0F);
  const auto written = edited(file, bank).bytes;
  EXPECT_EQ(std::count(written.begin(), written.end(), std::byte{0xAB}), 16);
  // Every section starts at a multiple of 16, so that the plain decoder finds them.
  const auto decoded = test::decode_plain_sparse(written);
  ASSERT_EQ(decoded.size(), 2U);
  EXPECT_NEAR(decoded[0].trajectory_translation.at(12)[1], 1.2, 1e-6);
  EXPECT_TRUE(test::parse_sparse(written).rebuild().value() == written);
}

}  // namespace
}  // namespace mabkit::mab
