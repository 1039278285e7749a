#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <mabkit/encode.hpp>
#include <mabkit/mab.hpp>

#include "mab/sparse_edit_compare.hpp"
#include "support/fixtures.hpp"
#include "support/plain_sparse_decoder.hpp"
#include "support/random_banks.hpp"
#include "support/sparse_files.hpp"
#include "unit/mab/sparse_edits.hpp"

/// Edits that make a clip longer or shorter, and rates at which frames are very near each other.
namespace mabkit::mab {
namespace {

constexpr std::uint16_t highest_rate = 65535;

/// A file of one bone that turns about x by `step` a frame, with a key at every frame.
SparseMab turning_file(std::uint16_t last_frame, std::uint16_t rate, double step = 0.02) {
  test::KeyedTrack track;
  for (std::uint32_t frame = 0; frame <= last_frame; ++frame) {
    track.keys.push_back({frame, test::turn({1, 0, 0}, step * frame)});
  }
  return test::parse_sparse(test::file_of(test::keyed_file({track}, last_frame, rate)));
}

/// Gives a track keys at these frames, turned by `angle_of(frame)` about x.
template <class Angle>
void set_keys(Clip& clip, Track& track, const std::vector<double>& frames, double rate,
              const Angle& angle_of) {
  track.kind = TrackKind::animated;
  track.keys = {clip.times.size(), clip.values.size(), static_cast<std::uint32_t>(frames.size())};
  for (const double frame : frames) {
    clip.times.push_back(static_cast<float>(frame / rate));
    const Quat q = test::turn({1, 0, 0}, angle_of(frame));
    clip.values.insert(clip.values.end(), {q.x, q.y, q.z, q.w});
  }
}

std::vector<double> frames_up_to(std::uint32_t last) {
  std::vector<double> frames;
  for (std::uint32_t frame = 0; frame <= last; ++frame) frames.push_back(frame);
  return frames;
}

TEST(SparseEditLength, KeysJustPastTheEndLengthenAClipOfTheHighestRate) {
  const SparseMab file = turning_file(8, highest_rate);
  Bank bank = bank_of(file);
  Clip& clip = bank.clips.front();
  // 13 frames are less than two tenths of a millisecond: no more than a tolerance for exporters.
  set_keys(clip, clip.tracks[0], frames_up_to(13), highest_rate,
           [](double frame) { return 0.05 * frame; });
  const auto decoded = test::decode_plain_sparse(edited(file, bank).bytes);
  ASSERT_EQ(decoded[0].last_frame, 13U);
  for (unsigned frame = 0; frame <= 13; ++frame) {
    const Quat q = test::turn({1, 0, 0}, 0.05 * frame);
    EXPECT_LE(test::plain_angle(decoded[0].rotation(0, frame), {q.x, q.y, q.z, q.w}), 8.8e-4);
  }
}

TEST(SparseEditLength, AShorterClipOfTheHighestRateIsCutAtItsEnd) {
  const SparseMab file = turning_file(24, highest_rate);
  Bank bank = bank_of(file);
  Clip& clip = bank.clips.front();
  clip.duration = 8.0F / highest_rate;
  // What doesn't move asks for no length, however late its keys are.
  set_keys(clip, clip.tracks[0], frames_up_to(24), highest_rate, [](double) { return 0.4; });
  const auto decoded = test::decode_plain_sparse(edited(file, bank).bytes);
  EXPECT_EQ(decoded[0].last_frame, 8U);
  const Quat q = test::turn({1, 0, 0}, 0.4);
  EXPECT_LE(test::plain_angle(decoded[0].rotation(0, 8), {q.x, q.y, q.z, q.w}), 8.8e-4);
}

TEST(SparseEditLength, ACurveThatOnlyStartsPastTheEndIsHeldFromTheStart) {
  const SparseMab file = turning_file(24, 30);
  Bank bank = bank_of(file);
  Clip& clip = bank.clips.front();
  clip.duration = 8.0F / 30.0F;
  set_keys(clip, clip.tracks[0], {300.0, 310.0}, 30.0, [](double) { return 0.4; });
  const auto decoded = test::decode_plain_sparse(edited(file, bank).bytes);
  ASSERT_EQ(decoded[0].last_frame, 8U);
  const Quat q = test::turn({1, 0, 0}, 0.4);
  for (unsigned frame = 0; frame <= 8; ++frame) {
    EXPECT_LE(test::plain_angle(decoded[0].rotation(0, frame), {q.x, q.y, q.z, q.w}), 8.8e-4);
  }
}

TEST(SparseEditLength, DurationsThatAreNoneAreErrors) {
  const SparseMab file = turning_file(8, 30);
  for (const float duration :
       {std::numeric_limits<float>::quiet_NaN(), -1.0F, std::numeric_limits<float>::infinity()}) {
    Bank bank = bank_of(file);
    bank.clips[0].duration = duration;
    const auto written = file.with(bank, {});
    ASSERT_FALSE(written) << duration;
    EXPECT_EQ(written.error().code, ErrorCode::bad_value);
    EXPECT_EQ(written.error().path, "clip[0].duration");
  }
}

TEST(SparseEditLength, RootMotionPastTheEndLengthensTheClip) {
  const SparseMab file = test::parse_sparse(test::read_fixture("spec/example_fc2.mab"));
  Bank bank = bank_of(file);
  Clip& clip = bank.clips.front();
  Keys& keys = *clip.root_motion->translation;
  keys = {clip.times.size(), clip.values.size(), 21};
  for (unsigned frame = 0; frame <= 20; ++frame) {
    clip.times.push_back(static_cast<float>(frame / 30.0));
    clip.values.insert(clip.values.end(), {0.0F, 0.1F * static_cast<float>(frame), 0.0F});
  }
  const auto decoded = test::decode_plain_sparse(edited(file, bank).bytes);
  ASSERT_EQ(decoded[0].last_frame, 20U);
  EXPECT_NEAR(decoded[0].trajectory_translation.at(20)[1], 2.0, 1e-6);
}

TEST(SparseEditLength, RootMotionThatTheClipCantHoldDoesNot) {
  auto fields = test::keyed_file({{{{0, Quat{}}, {8, test::turn({1, 0, 0}, 0.5)}}}}, 8);
  test::add_empty_clip(fields);
  fields.clips[1] = fields.clips[0];
  const SparseMab file = test::parse_sparse(test::file_of(fields));
  Bank bank = bank_of(file);
  Clip& clip = bank.clips[1];
  clip.root_motion.emplace().translation = Keys{clip.times.size(), clip.values.size(), 2};
  clip.times.insert(clip.times.end(), {0.0F, 2.0F});
  clip.values.insert(clip.values.end(), {0, 0, 0, 0, 5, 0});
  const auto written = edited(file, bank);
  EXPECT_EQ(test::fields_of(written.bytes).clips[1].keyed_rotations->header.last_frame, 8);
  EXPECT_NE(test::texts(written.report.notices).find("left out the root motion"),
            std::string::npos);
}

TEST(SparseEditLength, ARootCurveWithoutKeysSaysNothing) {
  const auto bytes = test::read_fixture("spec/example_fc2.mab");
  const SparseMab file = test::parse_sparse(bytes);
  const auto before = test::decode_plain_sparse(bytes);
  Bank bank = bank_of(file);
  Clip& clip = bank.clips.front();
  // At the very end of the buffers, where nothing may be read.
  clip.root_motion->translation = Keys{clip.times.size(), clip.values.size(), 0};
  clip.root_motion->rotation = Keys{clip.times.size(), clip.values.size(), 0};
  turn_track(clip, track_of_joint(clip, 1, Channel::rotation), ten_degrees, 0.0F, 1.0F);
  const auto after = test::decode_plain_sparse(edited(file, bank).bytes);
  EXPECT_EQ(before[0].trajectory_translation, after[0].trajectory_translation);
  EXPECT_EQ(before[0].trajectory_rotation, after[0].trajectory_rotation);
}

TEST(SparseEditLength, TwoKeysNeverSnapToOneFrame) {
  Clip clip;
  clip.tracks.push_back({0, Channel::translation, TrackKind::animated, {0, 0, 4}});
  clip.times = {0.0F, 0.09995F, 0.10004F, 0.2F};
  clip.values.assign(12, 0.0F);
  const Clip at = snapped(clip, 10.0);
  for (std::size_t i = 1; i < at.times.size(); ++i) EXPECT_LT(at.times[i - 1], at.times[i]);
  EXPECT_EQ(at.times[3], 0.2F);
}

TEST(SparseEditLength, SnappingNeverReachesHalfAFrame) {
  EXPECT_EQ(frame_tolerance(30.0), 1e-4);
  EXPECT_LT(frame_tolerance(highest_rate), 0.5 / highest_rate);
}

}  // namespace
}  // namespace mabkit::mab
