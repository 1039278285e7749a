#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/bytes.hpp"
#include "support/fixtures.hpp"
#include "support/sparse_files.hpp"

namespace mabkit {
namespace {

constexpr float still = -2.157e-5F;  // what zero decodes to (spec mab-sparse, 2)

Bank bank_of(const mab::SparseFields& fields) {
  return test::parse_sparse(test::file_of(fields)).bank().value();
}

Bank example() {
  return test::parse_sparse(test::read_fixture("spec/example_fc2.mab")).bank().value();
}

std::vector<float> times(const Clip& clip, const Keys& keys) {
  const auto view = clip.times_of(keys);
  return {view.begin(), view.end()};
}

void expect_quat(const Quat& q, std::array<double, 4> expected) {
  constexpr double codec_error = 1e-4;  // spec mab-sparse, 2
  EXPECT_NEAR(q.x, expected[0], codec_error);
  EXPECT_NEAR(q.y, expected[1], codec_error);
  EXPECT_NEAR(q.z, expected[2], codec_error);
  EXPECT_NEAR(q.w, expected[3], codec_error);
}

std::array<double, 4> turn(std::size_t axis, double degrees) {
  const double half = degrees * std::numbers::pi / 360.0;
  std::array<double, 4> q{0, 0, 0, std::cos(half)};
  q[axis] = std::sin(half);
  return q;
}

// The values of spec mab-sparse, section 7.
TEST(SparseExample, FirstClipIsWhatTheSpecSays) {
  const Bank bank = example();
  EXPECT_EQ(bank.format, "mab");
  EXPECT_EQ(bank.game, Game::fc2);
  ASSERT_EQ(bank.clips.size(), 2U);
  const Clip& clip = bank.clips[0];
  EXPECT_FALSE(clip.name);
  EXPECT_FALSE(clip.parent);
  EXPECT_FALSE(clip.participant);
  EXPECT_EQ(clip.duration, 0.3F);
  EXPECT_EQ(clip.frame_rate, 30.0F);
  ASSERT_EQ(clip.joints.size(), 3U);
  for (std::uint32_t id = 0; id < 3; ++id) EXPECT_EQ(clip.joints[id].id, id);

  ASSERT_EQ(clip.tracks.size(), 4U);
  const Track& constant = clip.tracks[0];
  EXPECT_EQ(constant.joint, 0U);
  EXPECT_EQ(constant.channel, Channel::rotation);
  EXPECT_EQ(constant.kind, TrackKind::constant);
  EXPECT_EQ(times(clip, constant.keys), std::vector<float>{0.0F});
  EXPECT_NEAR(clip.rotation(constant.keys, 0).x, still, 1e-8F);

  const Track& moving = clip.tracks[1];
  EXPECT_EQ(moving.joint, 0U);
  EXPECT_EQ(moving.channel, Channel::translation);
  EXPECT_EQ(moving.kind, TrackKind::animated);
  ASSERT_EQ(moving.keys.count, 10U);
  for (std::uint32_t frame = 0; frame < 10; ++frame) {
    EXPECT_FLOAT_EQ(clip.times_of(moving.keys)[frame], static_cast<float>(frame) / 30.0F);
    const Vec3 t = clip.translation(moving.keys, frame);
    EXPECT_EQ(t.x, 0.0F);
    EXPECT_EQ(t.y, 0.0F);
    EXPECT_NEAR(t.z, 1.0 + 0.01 * frame, 1e-7);
  }

  const Track& about_x = clip.tracks[2];
  EXPECT_EQ(about_x.joint, 1U);
  EXPECT_EQ(times(clip, about_x.keys),
            (std::vector<float>{0.0F, 4.0F / 30.0F, 8.0F / 30.0F, 0.3F}));
  expect_quat(clip.rotation(about_x.keys, 1), turn(0, 40));
  expect_quat(clip.rotation(about_x.keys, 3), turn(0, 90));
  const Track& about_y = clip.tracks[3];
  EXPECT_EQ(times(clip, about_y.keys),
            (std::vector<float>{0.0F, 1.0F / 30.0F, 8.0F / 30.0F, 0.3F}));
  expect_quat(clip.rotation(about_y.keys, 1), turn(1, -5));
  expect_quat(clip.rotation(about_y.keys, 3), turn(1, -45));
}

TEST(SparseExample, RootMotionIsWhatTheSpecSays) {
  const Bank bank = example();
  const Clip& clip = bank.clips[0];
  ASSERT_TRUE(clip.root_motion);
  ASSERT_TRUE(clip.root_motion->translation);
  ASSERT_EQ(clip.root_motion->translation->count, 10U);
  EXPECT_NEAR(clip.translation(*clip.root_motion->translation, 7).y, 0.7F, 1e-7F);
  ASSERT_TRUE(clip.root_motion->rotation);
  expect_quat(clip.rotation(*clip.root_motion->rotation, 9), turn(0, 0));
  EXPECT_EQ(clip.root_motion->reference, Quat{});
  EXPECT_EQ(clip.root_motion->loop, Quat{});
  EXPECT_FALSE(bank.clips[1].root_motion);
}

TEST(SparseExample, SecondClipAndItsRecordAreWhatTheSpecSays) {
  const Bank bank = example();
  const Clip& clip = bank.clips[1];
  EXPECT_EQ(clip.name, "prop");
  EXPECT_EQ(clip.parent, "R Hand");
  EXPECT_EQ(clip.participant, 0U);
  EXPECT_EQ(clip.frame_rate, 30.0F) << "the first clip's: its own sections have none";
  ASSERT_EQ(clip.tracks.size(), 2U);
  expect_quat(clip.rotation(clip.tracks[0].keys, 0), turn(2, 90));
  EXPECT_EQ(clip.translation(clip.tracks[1].keys, 0), (Vec3{0.5F, 0.0F, 0.25F}));

  ASSERT_EQ(bank.participants.size(), 1U);
  const Participant& record = bank.participants[0];
  EXPECT_EQ(record.kind, 1U);
  EXPECT_EQ(record.start, 0.0F);
  EXPECT_EQ(record.end, 0.3F);
  EXPECT_EQ(record.name, "prop");
  EXPECT_EQ(record.child, 0xAF6EC5EAU);
  EXPECT_EQ(record.parent, 0x975115F6U);
  EXPECT_EQ(record.target, 0U);
  EXPECT_FALSE(record.reference);
  EXPECT_EQ(record.clip, 1U);
}

test::KeyedTrack one_key() {
  return {{{0, {}}}};
}

TEST(SparseBank, RateIsTheFirstThatASectionHas) {
  mab::SparseFields fields = test::keyed_file({one_key()}, 0, 30);
  EXPECT_EQ(bank_of(fields).clips[0].frame_rate, 30.0F);
  fields.clips[0].keyed_rotations->header.rate = 0;
  fields.clips[0].animated_translations->header.rate = 15;
  EXPECT_EQ(bank_of(fields).clips[0].frame_rate, 15.0F);
  fields.clips[0].animated_translations->header.rate = 0;
  fields.clips[0].trajectory_translation = mab::TranslationFields{{1, 0, 33, 0}, {0, 0, 0}};
  fields.clips[0].trajectory_rotation = mab::RotationFields{{1, 0, 34, 0}, {test::pack({})}};
  EXPECT_EQ(bank_of(fields).clips[0].frame_rate, 33.0F);
  fields.clips[0].trajectory_translation->header.rate = 0;
  EXPECT_EQ(bank_of(fields).clips[0].frame_rate, 34.0F);
  fields.clips[0].trajectory_rotation->header.rate = 0;
  EXPECT_EQ(bank_of(fields).clips[0].frame_rate, 30.0F);
}

TEST(SparseBank, AChainedClipWithoutARateRunsAtThatOfTheFirst) {
  mab::SparseFields fields = test::keyed_file({one_key()}, 0, 15);
  test::add_empty_clip(fields);
  fields.clips[1].keyed_rotations->header.rate = 0;
  fields.clips[1].animated_translations->header.rate = 0;
  EXPECT_EQ(bank_of(fields).clips[1].frame_rate, 15.0F);
}

TEST(SparseBank, SectionsOfAnotherRateKeepItWithAWarning) {
  mab::SparseFields fields = test::keyed_file({one_key()}, 1, 30);
  fields.clips[0].trajectory_translation =
      mab::TranslationFields{{1, 1, 15, 0}, {0, 0, 0, 0, 0, 0}};
  const SparseMab file = test::parse_sparse(test::file_of(fields));
  EXPECT_NE(test::texts(file.diagnostics()).find("runs at 15 frames a second, the clip at 30"),
            std::string::npos);
  const Bank bank = file.bank().value();
  EXPECT_EQ(times(bank.clips[0], *bank.clips[0].root_motion->translation),
            (std::vector<float>{0.0F, 1.0F / 15.0F}));
}

TEST(SparseBank, AKeyedTrackIsAnimatedEvenWithOneKey) {
  const Bank bank = bank_of(test::keyed_file({one_key()}, 0));
  ASSERT_EQ(bank.clips[0].tracks.size(), 1U);
  EXPECT_EQ(bank.clips[0].tracks[0].kind, TrackKind::animated);
  EXPECT_EQ(bank.clips[0].tracks[0].keys.count, 1U);
}

TEST(SparseBank, TimesAreDividedInDouble) {
  test::KeyedTrack track;
  for (const std::uint32_t frame : {0U, 7U, 8U, 16U, 23U}) track.keys.push_back({frame, {}});
  const Bank bank = bank_of(test::keyed_file({track}, 23, 33));
  const auto found = times(bank.clips[0], bank.clips[0].tracks[0].keys);
  ASSERT_EQ(found.size(), 5U);
  EXPECT_EQ(found[1], static_cast<float>(7.0 / 33.0));
  EXPECT_EQ(found[4], static_cast<float>(23.0 / 33.0));
}

TEST(SparseBank, DenseCurvesShareTheirTimes) {
  const Bank bank = example();
  const Clip& clip = bank.clips[0];
  EXPECT_EQ(clip.root_motion->translation->first_time, clip.tracks[1].keys.first_time);
  EXPECT_EQ(clip.root_motion->rotation->first_time, clip.tracks[1].keys.first_time);
}

/// A file with a constant rotation at bone 0 and a constant translation at bone 1.
mab::SparseFields constant_file() {
  mab::SparseFields fields = test::keyed_file({}, 0);
  fields.clips[0].masks[0][0] = 1;
  fields.clips[0].constant_rotations = mab::RotationFields{{1, 0, 0, 0}, {test::pack({})}};
  fields.clips[0].masks[2][0] = 2;
  fields.clips[0].constant_translations =
      mab::TranslationFields{{1, 0, 0, 0}, {0, 0, base::cast_bits<std::uint32_t>(2.0F)}};
  return fields;
}

TEST(SparseBank, AConstantThatIsNoRotationLeavesTheJointAtRest) {
  mab::SparseFields fields = constant_file();
  fields.clips[0].constant_rotations->rotations[0] = {0xFFFF, 0xFFFF, 0x7FFF};
  const Bank bank = bank_of(fields);
  EXPECT_EQ(bank.clips[0].joints.size(), 2U);
  ASSERT_EQ(bank.clips[0].tracks.size(), 1U);
  EXPECT_EQ(bank.clips[0].tracks[0].channel, Channel::translation);
  ASSERT_EQ(bank.diagnostics.size(), 1U);
  EXPECT_EQ(bank.diagnostics[0].path, "clip[0].section[2].rotation[0]");
}

TEST(SparseBank, LostKeysAreToldOnceWithTheirNumber) {
  test::KeyedTrack track;
  for (std::uint32_t frame = 0; frame <= 16; ++frame) track.keys.push_back({frame, {}});
  mab::SparseFields fields = test::keyed_file({track, track}, 16);
  for (mab::GroupFields& group : fields.clips[0].keyed_rotations->groups) {
    for (auto& key : group.further_keys) key = {0xFFFF, 0xFFFF, 0x7FFF};
  }
  const Bank bank = bank_of(fields);
  EXPECT_EQ(times(bank.clips[0], bank.clips[0].tracks[1].keys),
            (std::vector<float>{0.0F, 8.0F / 30.0F, 16.0F / 30.0F}));
  ASSERT_EQ(bank.diagnostics.size(), 1U);
  EXPECT_NE(bank.diagnostics[0].message.find("28 keys are no rotations"), std::string::npos);
  EXPECT_NE(bank.diagnostics[0].message.find("track 0, frame 1"), std::string::npos);
}

TEST(SparseBank, ATrackWithoutAKeyLeftIsNone) {
  mab::SparseFields fields = test::keyed_file({one_key(), one_key()}, 0);
  fields.clips[0].keyed_rotations->groups[0].first_keys[0] = {0xFFFF, 0xFFFF, 0x7FFF};
  const Bank bank = bank_of(fields);
  EXPECT_EQ(bank.clips[0].joints.size(), 2U);
  ASSERT_EQ(bank.clips[0].tracks.size(), 1U);
  EXPECT_EQ(bank.clips[0].tracks[0].joint, 1U);
}

TEST(SparseBank, AKeyedTrackWinsOverAConstantOne) {
  mab::SparseFields fields = test::keyed_file({one_key()}, 0);
  fields.clips[0].masks[0][0] = 3;
  fields.clips[0].constant_rotations =
      mab::RotationFields{{2, 0, 0, 0}, {test::pack({}), test::pack({1, 0, 0, 0})}};
  const SparseMab file = test::parse_sparse(test::file_of(fields));
  EXPECT_NE(test::texts(file.diagnostics()).find("the latter wins"), std::string::npos);
  const Bank bank = file.bank().value();
  ASSERT_EQ(bank.clips[0].tracks.size(), 2U);
  EXPECT_EQ(bank.clips[0].tracks[0].kind, TrackKind::animated);
  EXPECT_EQ(bank.clips[0].tracks[1].kind, TrackKind::constant);
  EXPECT_GT(bank.clips[0].rotation(bank.clips[0].tracks[1].keys, 0).x, 0.99F);
}

TEST(SparseBank, RootMotionIsAbsentWithoutTrajectoryAndTurn) {
  mab::SparseFields fields = test::keyed_file({one_key()}, 0);
  EXPECT_FALSE(bank_of(fields).clips[0].root_motion);
  fields.clips[0].reference = {};
  fields.clips[0].loop = {};
  EXPECT_FALSE(bank_of(fields).clips[0].root_motion) << "zero is read as the identity";
  fields.clips[0].loop[2] = base::cast_bits<std::uint32_t>(1.0F);
  const Bank bank = bank_of(fields);
  ASSERT_TRUE(bank.clips[0].root_motion);
  EXPECT_FALSE(bank.clips[0].root_motion->translation);
  EXPECT_FALSE(bank.clips[0].root_motion->rotation);
  EXPECT_EQ(bank.clips[0].root_motion->reference, Quat{});
  EXPECT_EQ(bank.clips[0].root_motion->loop, (Quat{0, 0, 1, 0}));
}

TEST(SparseBank, ATrajectoryFrameThatIsNoRotationIsDropped) {
  mab::SparseFields fields = test::keyed_file({}, 2);
  fields.clips[0].trajectory_rotation = mab::RotationFields{
      {1, 2, 30, 0}, {test::pack({}), {0xFFFF, 0xFFFF, 0x7FFF}, test::pack({0, 0, 1, 0})}};
  const Bank bank = bank_of(fields);
  const Clip& clip = bank.clips[0];
  EXPECT_EQ(times(clip, *clip.root_motion->rotation), (std::vector<float>{0.0F, 2.0F / 30.0F}));
  EXPECT_GT(clip.rotation(*clip.root_motion->rotation, 1).z, 0.99F);
  EXPECT_EQ(bank.diagnostics.size(), 1U);
}

TEST(SparseBank, TranslationsThatAreNoNumbersAreToldOf) {
  mab::SparseFields fields = constant_file();
  fields.clips[0].constant_translations->components[1] =
      base::cast_bits<std::uint32_t>(std::numeric_limits<float>::quiet_NaN());
  const Bank bank = bank_of(fields);
  ASSERT_EQ(bank.diagnostics.size(), 1U);
  EXPECT_NE(bank.diagnostics[0].message.find("1 components"), std::string::npos);
}

mab::SparseFields event_file() {
  mab::SparseFields fields = test::keyed_file({}, 0);
  const auto typed = test::bytes({'n',  'b',  'C', 'F', 2,   0,   0,   0,   1,   0, 0,    0,
                                  1,    0,    0,   0,   0,   1,   2,   3,   4,   1, 0x32, 0x4B,
                                  0x53, 0x60, 7,   'S', 'e', 't', 'F', 'O', 'V', 0});
  fields.clips[0].events = std::vector<mab::EventFields>{
      {base::cast_bits<std::uint32_t>(0.25F), 2, typed, std::nullopt},
      {base::cast_bits<std::uint32_t>(0.5F), 7, test::bytes({1, 2, 3}), std::nullopt},
      {base::cast_bits<std::uint32_t>(0.75F), 2, {}, std::nullopt}};
  return fields;
}

TEST(SparseEvents, HaveTimeTypeClassAndPayload) {
  const Bank bank = bank_of(event_file());
  const std::vector<Event>& events = bank.clips[0].events;
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(events[0].time, 0.25F);
  EXPECT_EQ(events[0].type, 2U);
  EXPECT_EQ(events[0].class_name, "SetFOV");
  EXPECT_EQ(events[0].payload.size(), 34U);
  EXPECT_EQ(events[1].type, 7U);
  EXPECT_FALSE(events[1].class_name);
  EXPECT_EQ(events[1].payload, test::bytes({1, 2, 3}));
  EXPECT_TRUE(events[2].payload.empty());
}

TEST(SparseEvents, ChainThatRunsBackIntoAnEventStopsWithAWarning) {
  const auto bytes = test::file_of(event_file());
  const auto runs = test::parse_sparse(bytes).runs();
  const auto next = std::find_if(runs.begin(), runs.end(), [](const ByteRun& run) {
    return run.path == "clip[0].section[7].event[0].next";
  });
  ASSERT_NE(next, runs.end());
  for (const std::uint16_t value : {std::uint16_t{1}, std::uint16_t{12}, std::uint16_t{45}}) {
    auto damaged = bytes;
    test::poke(damaged, next->offset, value);
    const SparseMab file = test::parse_sparse(damaged);
    EXPECT_NE(test::texts(file.diagnostics()).find("inside this one"), std::string::npos) << value;
    EXPECT_EQ(file.bank().value().clips[0].events.size(), 1U);
  }
}

TEST(SparseEvents, ChainThatLeavesItsSectionStopsWithAWarning) {
  const auto bytes = test::file_of(event_file());
  const auto runs = test::parse_sparse(bytes).runs();
  const auto next = std::find_if(runs.begin(), runs.end(), [](const ByteRun& run) {
    return run.path == "clip[0].section[7].event[1].next";
  });
  auto damaged = bytes;
  test::poke(damaged, next->offset, std::uint16_t{0xFFFF});
  const SparseMab file = test::parse_sparse(damaged);
  EXPECT_NE(test::texts(file.diagnostics()).find("leads past its section"), std::string::npos);
  EXPECT_EQ(file.bank().value().clips[0].events.size(), 2U);
}

TEST(SparseEvents, BytesBetweenEventsAreKept) {
  mab::SparseFields fields = event_file();
  (*fields.clips[0].events)[0].unexplained = test::bytes({9, 9, 9});
  const auto bytes = test::file_of(fields);
  const SparseMab file = test::parse_sparse(bytes);
  EXPECT_EQ(file.bank().value().clips[0].events.size(), 3U);
  EXPECT_EQ(file.rebuild().value(), bytes);
}

}  // namespace
}  // namespace mabkit
