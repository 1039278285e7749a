#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <mabkit/encode.hpp>
#include <mabkit/mab.hpp>
#include <mabkit/pose.hpp>
#include <mabkit/rig.hpp>

#include "mab/sparse_index.hpp"
#include "mab/sparse_keyed_tracks.hpp"
#include "support/fixtures.hpp"
#include "support/plain_sparse_decoder.hpp"
#include "support/random_banks.hpp"
#include "support/sparse_files.hpp"
#include "unit/mab/sparse_edits.hpp"

namespace mabkit::mab {
namespace {

TEST(SparseEdit, OneTurnedJointChangesOnlyItsWords) {
  const auto bytes = test::read_fixture(cmu);
  const SparseMab file = test::parse_sparse(bytes);
  Bank bank = bank_of(file);
  Clip& clip = bank.clips.front();
  const std::uint32_t id = keyed_words(bytes, 0)[5].bone;
  turn_track(clip, track_of_joint(clip, id, Channel::rotation), ten_degrees, 2.0F, 2.5F);
  const auto written = edited(file, bank);

  EXPECT_EQ(changed_bones(bytes, written.bytes, 0), std::vector{id});
  // Everything in front of the keyed rotations, and what follows them, is untouched.
  const auto before = test::fields_of(bytes);
  const auto after = test::fields_of(written.bytes);
  EXPECT_EQ(before.clips[0].masks, after.clips[0].masks);
  EXPECT_EQ(before.clips[0].constant_rotations->rotations,
            after.clips[0].constant_rotations->rotations);
  EXPECT_EQ(before.clips[0].animated_translations->components,
            after.clips[0].animated_translations->components);
  EXPECT_EQ(before.clips[0].trajectory_rotation->rotations,
            after.clips[0].trajectory_rotation->rotations);
  EXPECT_EQ(before.clips[0].duration, after.clips[0].duration);
}

TEST(SparseEdit, WordsOutsideTheEditedHalfSecondStay) {
  const auto bytes = test::read_fixture(cmu);
  const SparseMab file = test::parse_sparse(bytes);
  Bank bank = bank_of(file);
  Clip& clip = bank.clips.front();
  const auto words = keyed_words(bytes, 0);
  const std::uint32_t id = words[5].bone;
  turn_track(clip, track_of_joint(clip, id, Channel::rotation), ten_degrees, 2.0F, 2.5F);
  const auto after = keyed_words(edited(file, bank).bytes, 0);
  // Frames 60 to 75 at 30 a second: groups 7 to 9, and their neighbours by interpolation.
  for (std::size_t g = 0; g < words[5].groups.size(); ++g) {
    if (g >= 6 && g <= 10) continue;
    EXPECT_EQ(words[5].groups[g].first_key, after[5].groups[g].first_key) << g;
    EXPECT_EQ(words[5].groups[g].further_keys, after[5].groups[g].further_keys) << g;
  }
}

TEST(SparseEdit, TheTurnedJointDecodesToWhatWasAskedFor) {
  const SparseMab file = test::parse_sparse(test::read_fixture(cmu));
  Bank bank = bank_of(file);
  Clip& clip = bank.clips.front();
  const std::uint32_t id = keyed_words(test::read_fixture(cmu), 0)[5].bone;
  const Track& track = track_of_joint(clip, id, Channel::rotation);
  turn_track(clip, track, ten_degrees, 2.0F, 2.5F);
  EncodeOptions options;
  options.max_rotation_error = 3e-4;
  const auto written = edited(file, bank, options);
  const auto decoded = test::decode_plain_sparse(written.bytes);
  for (unsigned frame = 0; frame <= decoded[0].last_frame; ++frame) {
    const Quat q = sample_rotation(clip, track.keys, static_cast<float>(frame / 30.0));
    EXPECT_LE(test::plain_angle(decoded[0].rotation(id, frame), {q.x, q.y, q.z, q.w}), 3.01e-4);
  }
}

TEST(SparseEdit, TheReportSaysWhatWasKept) {
  const SparseMab file = test::parse_sparse(test::read_fixture(cmu));
  Bank bank = bank_of(file);
  Clip& clip = bank.clips.front();
  const std::uint32_t id = keyed_words(test::read_fixture(cmu), 0)[5].bone;
  turn_track(clip, track_of_joint(clip, id, Channel::rotation), ten_degrees, 2.0F, 2.5F);
  const auto report = edited(file, bank).report;
  ASSERT_EQ(report.clips.size(), 1U);
  ASSERT_EQ(report.clips[0].tracks.size(), clip.tracks.size());
  for (const TrackReport& track : report.clips[0].tracks) {
    const bool is_edited = clip.joints[track.joint].id == id && track.channel == Channel::rotation;
    EXPECT_EQ(track.is_kept, !is_edited);
    EXPECT_GT(track.bytes, 0U);
  }
  EXPECT_GT(report.clips[0].rotation.worst, 0.0);
  EXPECT_LE(report.clips[0].rotation.worst, EncodeOptions{}.max_rotation_error);
}

TEST(SparseEdit, ABoundInObjectSpaceIsMetWhereOnlyALeafIsTurned) {
  const SparseMab file = test::parse_sparse(test::read_fixture(cmu));
  const auto skeleton = parse_rig(test::read_fixture("motion/cmu_01_01.skeleton"));
  ASSERT_TRUE(skeleton);
  Bank bank = bank_of(file);
  Clip& clip = bank.clips.front();
  const auto head = std::find_if(skeleton->bones.begin(), skeleton->bones.end(),
                                 [](const Bone& bone) { return bone.name == "Head"; });
  ASSERT_NE(head, skeleton->bones.end());
  turn_track(clip, track_of_joint(clip, *head->id, Channel::rotation), ten_degrees, 2.0F, 2.5F);
  EncodeOptions options;
  options.skeleton = &*skeleton;
  const auto report = edited(file, bank, options).report;
  ASSERT_TRUE(report.clips[0].object);
  EXPECT_LE(report.clips[0].object->worst, options.max_object_error);
  EXPECT_GT(report.clips[0].object->worst, 0.0);
  EXPECT_TRUE(report.notices.empty());
}

TEST(SparseEdit, ABoundThatKeptTracksForbidIsANoticeWithTheFigure) {
  const SparseMab file = test::parse_sparse(test::read_fixture(cmu));
  const auto skeleton = parse_rig(test::read_fixture("motion/cmu_01_01.skeleton"));
  Bank bank = bank_of(file);
  Clip& clip = bank.clips.front();
  turn_track(clip, track_of_joint(clip, 0, Channel::rotation), ten_degrees, 2.0F, 4.0F);
  EncodeOptions options;
  options.skeleton = &*skeleton;
  options.max_object_error = 1e-6;
  const auto report = edited(file, bank, options).report;
  ASSERT_FALSE(report.notices.empty());
  EXPECT_NE(report.notices.back().message.find("not kept"), std::string::npos);
}

TEST(SparseEdit, AConstantThatMovesBecomesKeyedAndNothingElseChanges) {
  const auto bytes = test::read_fixture("spec/example_fc2.mab");
  const SparseMab file = test::parse_sparse(bytes);
  Bank bank = bank_of(file);
  Clip& clip = bank.clips.front();
  // Bone 0 of clip 0 is a constant identity (spec mab-sparse, section 7).
  Track& track = track_of_joint(clip, 0, Channel::rotation);
  ASSERT_EQ(track.kind, TrackKind::constant);
  const auto times = test::frame_times(9, 30.0F);
  track.kind = TrackKind::animated;
  track.keys = {clip.times.size(), clip.values.size(), 10};
  clip.times.insert(clip.times.end(), times.begin(), times.end());
  for (int i = 0; i < 10; ++i) {
    const Quat q = test::turn({0, 0, 1}, 0.1 * i);
    for (const float c : {q.x, q.y, q.z, q.w}) clip.values.push_back(c);
  }
  const auto written = edited(file, bank).bytes;
  const auto decoded = test::decode_plain_sparse(written);
  ASSERT_EQ(decoded.size(), 2U);
  EXPECT_TRUE(decoded[0].constant_rotations.empty());
  ASSERT_EQ(decoded[0].keyed_rotations.count(0), 1U);
  for (unsigned frame = 0; frame < 10; ++frame) {
    const Quat q = test::turn({0, 0, 1}, 0.1 * frame);
    EXPECT_LE(test::plain_angle(decoded[0].rotation(0, frame), {q.x, q.y, q.z, q.w}), 8.8e-4);
  }
  // Bones 1 and 2 keep their words behind the new track.
  const auto before = keyed_words(bytes, 0);
  const auto after = keyed_words(written, 0);
  ASSERT_EQ(after.size(), 3U);
  EXPECT_TRUE(are_equal(before[0].groups, after[1].groups));
  EXPECT_TRUE(are_equal(before[1].groups, after[2].groups));
  // The tag record leads to where the second clip went.
  EXPECT_EQ(decoded[0].tags.at(0).clip_at, decoded[1].at);
  EXPECT_NE(decoded[1].at, 0x320U);
  EXPECT_EQ(decoded[1].constant_rotations.size(), 1U);
}

TEST(SparseEdit, AConstantThatIsAnotherConstantStaysOne) {
  const auto bytes = test::read_fixture("spec/example_fc2.mab");
  const SparseMab file = test::parse_sparse(bytes);
  Bank bank = bank_of(file);
  Clip& clip = bank.clips[1];
  turn_track(clip, track_of_joint(clip, 0, Channel::rotation), ten_degrees, 0.0F, 0.0F);
  auto written = edited(file, bank).bytes;
  ASSERT_EQ(written.size(), bytes.size());
  // Clip 1's one constant stands at 0x3C8 (spec mab-sparse, section 7); only its six bytes differ.
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const bool is_word = i >= 0x3C8 && i < 0x3CE;
    EXPECT_TRUE(is_word || bytes[i] == written[i]) << i;
  }
  EXPECT_NE(bytes, written);
}

TEST(SparseEdit, ATranslationChangesOnlyItsFrames) {
  const auto bytes = test::read_fixture("spec/example_fc2.mab");
  const SparseMab file = test::parse_sparse(bytes);
  Bank bank = bank_of(file);
  Clip& clip = bank.clips.front();
  const Track& track = track_of_joint(clip, 0, Channel::translation);
  clip.values[track.keys.first_value + 3 * 4] = 0.25F;
  auto expected = bytes;
  // Frame 4's x of the only animated translation: 0x1F8 + 12 * 4 (spec mab-sparse, section 7).
  test::poke(expected, 0x1F8 + 12 * 4, 0.25F);
  EXPECT_EQ(edited(file, bank).bytes, expected);
}

TEST(SparseEdit, RootMotionChangesOnlyItsFrames) {
  const auto bytes = test::read_fixture("spec/example_fc2.mab");
  const SparseMab file = test::parse_sparse(bytes);
  Bank bank = bank_of(file);
  Clip& clip = bank.clips.front();
  clip.values[clip.root_motion->translation->first_value + 3 * 2 + 1] = 0.75F;
  clip.root_motion->loop = Quat{0, 0, 1, 0};
  auto expected = bytes;
  test::poke(expected, 0x108 + 12 * 2 + 4, 0.75F);  // slot 0, frame 2, y
  test::poke(expected, 0x70, Quat{0, 0, 1, 0});     // loop rotation
  EXPECT_EQ(edited(file, bank).bytes, expected);
}

}  // namespace
}  // namespace mabkit::mab
