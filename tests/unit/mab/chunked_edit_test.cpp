#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <mabkit/document.hpp>
#include <mabkit/encode.hpp>
#include <mabkit/mab.hpp>
#include <mabkit/names.hpp>
#include <mabkit/pose.hpp>

#include "motion/difference.hpp"
#include "support/chunked_banks.hpp"
#include "support/chunked_files.hpp"

namespace mabkit {
namespace {

constexpr double degree = 0.017453292519943295;

std::vector<float> quaternion(double angle) {
  return {0.0F, 0.0F, static_cast<float>(std::sin(angle / 2)),
          static_cast<float>(std::cos(angle / 2))};
}

/// Two joints that turn evenly over two seconds, so that a new file has two keys.
Bank even_turns() {
  Bank bank;
  Clip& clip = bank.clips.emplace_back();
  clip.duration = 2.0F;
  for (std::uint32_t joint = 0; joint < 2; ++joint) {
    clip.joints.push_back({joint, std::nullopt, "joint_" + std::to_string(joint), std::nullopt});
    std::vector<float> values = quaternion(0.1);
    for (const float c : quaternion(0.9 + joint * 0.2)) values.push_back(c);
    test::add_track(clip, joint, Channel::rotation, TrackKind::animated, {0.0F, 2.0F}, values);
  }
  return bank;
}

ChunkedMab written(const Bank& bank, Game game = Game::fc5) {
  return ChunkedMab::parse(encode_mab(bank, game, {}).value().bytes, {}).value();
}

/// Gives a track other keys.
void replace_keys(Clip& clip, std::size_t track, const std::vector<float>& times,
                  const std::vector<float>& values) {
  clip.tracks[track].keys = {clip.times.size(), clip.values.size(),
                             static_cast<std::uint32_t>(times.size())};
  clip.times.insert(clip.times.end(), times.begin(), times.end());
  clip.values.insert(clip.values.end(), values.begin(), values.end());
}

/// The bank with a bump of 20 degrees at one second in joint 0.
Bank with_bump(Bank bank) {
  std::vector<float> values = quaternion(0.1);
  for (const double angle : {0.5, 0.5 + 20 * degree, 0.6, 0.9}) {
    for (const float c : quaternion(angle)) values.push_back(c);
  }
  replace_keys(bank.clips[0], 0, {0.0F, 0.9F, 1.0F, 1.2F, 2.0F}, values);
  return bank;
}

std::string notices(const EncodedFile& file) {
  std::string text;
  for (const Diagnostic& notice : file.report.notices) text += describe("", notice) + "\n";
  return text;
}

double largest_angle(const Clip& a, std::size_t track_a, const Clip& b, std::size_t track_b) {
  double worst = 0.0;
  for (int frame = 0; frame <= 60; ++frame) {
    const auto time = static_cast<float>(frame / 30.0);
    worst =
        std::max(worst, motion::angle_between(sample_rotation(a, a.tracks[track_a].keys, time),
                                              sample_rotation(b, b.tracks[track_b].keys, time)));
  }
  return worst;
}

TEST(ChunkedEdit, KeysAreInsertedWhereAnEditNeedsThem) {
  const ChunkedMab mab = written(even_turns());
  const Bank before = mab.bank().value();
  ASSERT_EQ(before.clips[0].tracks[0].keys.count, 2U);
  const Bank edited = with_bump(before);
  const auto file = mab.with(edited, {});
  ASSERT_TRUE(file) << describe("", file.error());
  const Bank after = ChunkedMab::parse(file->bytes, {})->bank().value();
  EXPECT_EQ(after.clips[0].tracks[0].keys.count, 5U);
  EXPECT_LE(largest_angle(after.clips[0], 0, edited.clips[0], 0), 0.0501 * degree);
  EXPECT_LE(largest_angle(after.clips[0], 1, before.clips[0], 1), 0.0501 * degree);
  EXPECT_EQ(after.clips[0].duration, before.clips[0].duration);
  EXPECT_NE(notices(*file).find("3 keys were inserted"), std::string::npos) << notices(*file);
  EXPECT_LE(file->report.clips[0].rotation.worst, EncodeOptions{}.max_rotation_error);
}

TEST(ChunkedEdit, KeepGridInsertsNoneAndSaysWhatItCosts) {
  const ChunkedMab mab = written(even_turns());
  const Bank before = mab.bank().value();
  EncodeOptions options;
  options.keep_grid = true;
  Bank edited = with_bump(before);
  const auto file = mab.with(edited, options);
  ASSERT_TRUE(file) << describe("", file.error());
  const Bank after = ChunkedMab::parse(file->bytes, {})->bank().value();
  EXPECT_EQ(after.clips[0].tracks[0].keys.count, 2U);
  EXPECT_NE(notices(*file).find("the stored keys can't follow"), std::string::npos);
  EXPECT_GT(file->report.clips[0].rotation.worst, 10 * degree);
}

TEST(ChunkedEdit, AClipOfOneKeyTakesMotionThatIsPutIntoIt) {
  Bank still = even_turns();
  still.clips[0].duration = 1.0F / 30.0F;
  for (Track& track : still.clips[0].tracks) track.keys.count = 1;
  const ChunkedMab mab = written(still);
  const Bank before = mab.bank().value();
  ASSERT_EQ(before.clips[0].duration, 1.0F / 30.0F);
  Bank edited = before;
  std::vector<float> values = quaternion(0.1);
  for (const float c : quaternion(0.6)) values.push_back(c);
  edited.clips[0].tracks[0].kind = TrackKind::animated;
  replace_keys(edited.clips[0], 0, {0.0F, 1.0F / 30.0F}, values);
  const auto file = mab.with(edited, {});
  ASSERT_TRUE(file) << describe("", file.error());
  const Clip after = ChunkedMab::parse(file->bytes, {})->bank().value().clips[0];
  EXPECT_LE(motion::angle_between(sample_rotation(after, after.tracks[0].keys, 1.0F / 30.0F),
                                  Quat{values[4], values[5], values[6], values[7]}),
            0.0501 * degree);
}

TEST(ChunkedEdit, MotionPastTheEndMakesTheClipLonger) {
  const ChunkedMab mab = written(even_turns());
  Bank edited = mab.bank().value();
  std::vector<float> values = quaternion(0.1);
  for (const double angle : {0.9, 0.2}) {
    for (const float c : quaternion(angle)) values.push_back(c);
  }
  replace_keys(edited.clips[0], 0, {0.0F, 2.0F, 3.0F}, values);
  const auto file = mab.with(edited, {});
  ASSERT_TRUE(file) << describe("", file.error());
  EXPECT_EQ(ChunkedMab::parse(file->bytes, {})->bank().value().clips[0].duration, 3.0F);
}

TEST(ChunkedEdit, ChannelsThatTheClipLacksAreKeptAndTold) {
  const ChunkedMab mab = written(even_turns());
  const Bank before = mab.bank().value();
  Bank edited = before;
  edited.clips[0].tracks.pop_back();
  const auto file = mab.with(edited, {});
  ASSERT_TRUE(file);
  EXPECT_TRUE(
      std::equal(file->bytes.begin(), file->bytes.end(), mab.bytes().begin(), mab.bytes().end()));
  EXPECT_NE(notices(*file).find("stay as they are: 0x"), std::string::npos) << notices(*file);
}

TEST(ChunkedEdit, AShorterClipLosesItsEnd) {
  const ChunkedMab mab = written(with_bump(even_turns()));
  Bank edited = mab.bank().value();
  edited.clips[0].duration = 1.5F;
  const auto file = mab.with(edited, {});
  ASSERT_TRUE(file) << describe("", file.error());
  const Bank after = ChunkedMab::parse(file->bytes, {})->bank().value();
  EXPECT_EQ(after.clips[0].duration, 1.5F);
  const Track& track = after.clips[0].tracks[0];
  EXPECT_EQ(after.clips[0].times_of(track.keys).back(), 1.5F);
  for (const float time : {0.0F, 1.0F, 1.5F}) {
    EXPECT_LE(motion::angle_between(
                  sample_rotation(after.clips[0], track.keys, time),
                  sample_rotation(edited.clips[0], edited.clips[0].tracks[0].keys, time)),
              0.0501 * degree);
  }
}

TEST(ChunkedEdit, JointsMatchByHashOrByTheCrcOfTheirName) {
  const ChunkedMab mab = written(even_turns());
  Bank edited = with_bump(mab.bank().value());
  // Other order, names instead of hashes.
  Clip& clip = edited.clips[0];
  std::swap(clip.joints[0], clip.joints[1]);
  for (Joint& joint : clip.joints) {
    joint.name = joint.name_hash == name_hash("joint_0") ? "joint_0" : "joint_1";
    joint.name_hash.reset();
  }
  for (Track& track : clip.tracks) track.joint = 1 - track.joint;
  const auto file = mab.with(edited, {});
  ASSERT_TRUE(file) << describe("", file.error());
  const Bank after = ChunkedMab::parse(file->bytes, {})->bank().value();
  EXPECT_LE(largest_angle(after.clips[0], 0, clip, 0), 0.0501 * degree);
}

TEST(ChunkedEdit, JointsThatTheTemplateLacksAreLeftOut) {
  const ChunkedMab mab = written(even_turns());
  Bank edited = mab.bank().value();
  Clip& clip = edited.clips[0];
  clip.joints.push_back({2, std::nullopt, "Tail", std::nullopt});
  test::add_track(clip, 2, Channel::rotation, TrackKind::constant, {0.0F}, quaternion(1));
  const auto file = mab.with(edited, {}).value();
  EXPECT_TRUE(std::equal(file.bytes.begin(), file.bytes.end(), mab.bytes().begin()));
  EXPECT_NE(notices(file).find("left out: Tail"), std::string::npos) << notices(file);
}

TEST(ChunkedEdit, ABankOfAnotherRigIsRefused) {
  const ChunkedMab mab = written(even_turns());
  Bank edited = mab.bank().value();
  for (Joint& joint : edited.clips[0].joints) joint.name_hash = 77;
  const auto file = mab.with(edited, {});
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::bad_argument);
  EXPECT_NE(file.error().message.find("none of its 2 joints"), std::string::npos);
}

TEST(ChunkedEdit, AChannelThatMovesIsAddedAndOneThatDoesNotIsLeftOut) {
  const ChunkedMab mab = written(even_turns());
  Bank edited = mab.bank().value();
  Clip& clip = edited.clips[0];
  test::add_track(clip, 0, Channel::translation, TrackKind::animated, {0.0F, 2.0F},
                  {0, 0, 0, 0, 0, 1});
  test::add_track(clip, 1, Channel::translation, TrackKind::animated, {0.0F, 2.0F},
                  {0, 0, 2, 0, 0, 2});
  const auto file = mab.with(edited, {});
  ASSERT_TRUE(file) << describe("", file.error());
  EXPECT_NE(notices(*file).find("stand still are left out: 0x"), std::string::npos)
      << notices(*file);
  const auto plain = test::decode_chunked_plainly(file->bytes);
  ASSERT_EQ(plain[0].tracks.size(), 3U);
  EXPECT_FALSE(plain[0].tracks[1].is_rotation);
  EXPECT_NEAR(plain[0].tracks[1].values.back()[2], 1.0, 1e-4);
}

TEST(ChunkedEdit, RootMotionChangesWhereTheTemplateHasSome) {
  Bank bank = even_turns();
  Clip& clip = bank.clips[0];
  clip.root_motion.emplace();
  clip.root_motion->translation = Keys{clip.times.size(), clip.values.size(), 1};
  clip.times.push_back(0.0F);
  clip.values.insert(clip.values.end(), {1.0F, 2.0F, 0.5F});
  const ChunkedMab mab = written(bank);
  Bank edited = mab.bank().value();
  EXPECT_TRUE(
      std::equal(mab.bytes().begin(), mab.bytes().end(), mab.with(edited, {})->bytes.begin()));
  Clip& changed = edited.clips[0];
  changed.values[changed.root_motion->translation->first_value] += 0.25F;
  const auto file = mab.with(edited, {});
  ASSERT_TRUE(file) << describe("", file.error());
  const auto plain = test::decode_chunked_plainly(file->bytes);
  EXPECT_NEAR(plain[0].displacement_translation->values[0][0], 1.25, 1e-4);
  const Bank none = even_turns();
  const auto left_out = written(none).with(edited, {}).value();
  EXPECT_NE(notices(left_out).find("its path is left out"), std::string::npos);
}

TEST(ChunkedEdit, RootMotionBetweenStoredKeysIsFollowed) {
  Bank bank = even_turns();
  Clip& clip = bank.clips[0];
  clip.root_motion.emplace();
  clip.root_motion->translation = Keys{clip.times.size(), clip.values.size(), 1};
  clip.times.push_back(0.0F);
  clip.values.insert(clip.values.end(), {1.0F, 2.0F, 0.5F});
  const ChunkedMab mab = written(bank);
  Bank edited = mab.bank().value();
  Clip& changed = edited.clips[0];
  // A metre up and back, a quarter into the clip.
  changed.root_motion->translation = Keys{changed.times.size(), changed.values.size(), 4};
  changed.times.insert(changed.times.end(), {0.0F, 0.5F, 1.0F, 2.0F});
  changed.values.insert(changed.values.end(),
                        {1.0F, 2.0F, 0.5F, 1.0F, 2.0F, 1.5F, 1.0F, 2.0F, 0.6F, 1.0F, 2.0F, 0.5F});
  const auto file = mab.with(edited, {});
  ASSERT_TRUE(file) << describe("", file.error());
  const Clip after = ChunkedMab::parse(file->bytes, {})->bank().value().clips[0];
  EXPECT_NEAR(sample_translation(after, *after.root_motion->translation, 0.5F).z, 1.5, 1.01e-4);
  EXPECT_NEAR(sample_translation(after, *after.root_motion->translation, 0.75F).z, 1.05, 1.01e-4);

  EncodeOptions options;
  options.keep_grid = true;
  const auto coarse = mab.with(edited, options);
  ASSERT_TRUE(coarse) << describe("", coarse.error());
  EXPECT_NE(notices(*coarse).find("can't follow the root motion"), std::string::npos)
      << notices(*coarse);
}

TEST(ChunkedEdit, AShorterClipMayChangeAsWell) {
  const ChunkedMab mab = written(with_bump(even_turns()));
  Bank edited = mab.bank().value();
  Clip& clip = edited.clips[0];
  std::vector<float> values = quaternion(0.1);
  for (const double angle : {0.4, 3.0}) {
    for (const float c : quaternion(angle)) values.push_back(c);
  }
  replace_keys(clip, 0, {0.0F, 1.0F, 2.0F}, values);
  clip.duration = 1.5F;
  const auto file = mab.with(edited, {});
  ASSERT_TRUE(file) << describe("", file.error());
  const Clip after = ChunkedMab::parse(file->bytes, {})->bank().value().clips[0];
  EXPECT_EQ(after.duration, 1.5F);
  EXPECT_LE(file->report.clips[0].rotation.worst, EncodeOptions{}.max_rotation_error);
  for (const float time : {0.0F, 1.0F, 1.5F}) {
    EXPECT_LE(motion::angle_between(sample_rotation(after, after.tracks[0].keys, time),
                                    sample_rotation(clip, clip.tracks[0].keys, time)),
              0.0501 * degree);
  }
}

TEST(ChunkedEdit, ATrackThatIsStoredAnewAtOtherKeysIsNotSaidToBeKept) {
  const ChunkedMab mab = written(even_turns());
  const Bank before = mab.bank().value();
  const auto untouched = mab.with(before, {}).value();
  EXPECT_TRUE(untouched.report.clips[0].tracks[1].is_kept);
  const auto file = mab.with(with_bump(before), {}).value();
  EXPECT_FALSE(file.report.clips[0].tracks[0].is_kept);
  EXPECT_FALSE(file.report.clips[0].tracks[1].is_kept);
}

TEST(ChunkedEdit, NothingEditedKeepsEveryByteAtAnyTolerance) {
  EncodeOptions options;
  options.keep_tolerance = 0.0;
  std::mt19937 random(3);
  for (int i = 0; i < 5; ++i) {
    const ChunkedMab mab = written(test::random_bank(random), Game::fc6);
    const auto file = mab.with(mab.bank().value(), options);
    ASSERT_TRUE(file) << describe("", file.error());
    EXPECT_TRUE(
        std::equal(file->bytes.begin(), file->bytes.end(), mab.bytes().begin(), mab.bytes().end()));
  }
}

TEST(ChunkedEdit, TwoTracksOfOneChannelAreRefused) {
  const ChunkedMab mab = written(even_turns());
  Bank edited = with_bump(mab.bank().value());
  edited.clips[0].tracks.push_back(mab.bank().value().clips[0].tracks[0]);
  const auto file = mab.with(edited, {});
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::bad_value);
  EXPECT_EQ(file.error().message, "is the second track of one channel of joint 0");
}

TEST(ChunkedEdit, OptionsForNewFilesAreSaidToHaveNoEffect) {
  const ChunkedMab mab = written(even_turns());
  EncodeOptions options;
  options.key_reduction = true;
  options.frames_per_second = 60;
  const auto file = mab.with(mab.bank().value(), options).value();
  EXPECT_NE(notices(file).find("key reduction is for new files"), std::string::npos);
  EXPECT_NE(notices(file).find("rather than 60 frames per second"), std::string::npos);
  options.key_reduction = false;
  options.frames_per_second.reset();
  EXPECT_EQ(notices(mab.with(mab.bank().value(), options).value()), "");
}

TEST(ChunkedEdit, KeysThatTheTicksCannotHoldAreToldOf) {
  const ChunkedMab mab = written(even_turns());
  const Bank before = mab.bank().value();
  Bank edited = before;
  std::vector<float> values = quaternion(0.1);
  for (const double angle : {0.7, 0.9}) {
    for (const float c : quaternion(angle)) values.push_back(c);
  }
  replace_keys(edited.clips[0], 0, {0.0F, 1.01F, 2.0F}, values);
  const auto between = mab.with(edited, {});
  ASSERT_TRUE(between) << describe("", between.error());
  EXPECT_NE(notices(*between).find("1 edited tracks have keys off the 30 ticks per second"),
            std::string::npos)
      << notices(*between);
  replace_keys(edited.clips[0], 0, {-1.0F, 1.0F, 2.0F}, values);
  const auto early = mab.with(edited, {});
  ASSERT_TRUE(early) << describe("", early.error());
  EXPECT_NE(notices(*early).find("1 edited tracks have keys before 0 s"), std::string::npos);
  const Clip after = ChunkedMab::parse(early->bytes, {})->bank().value().clips[0];
  EXPECT_LE(motion::angle_between(sample_rotation(after, after.tracks[0].keys, 0.0F),
                                  Quat{0.0F, 0.0F, std::sin(0.2F), std::cos(0.2F)}),
            0.0501 * degree);
  replace_keys(edited.clips[0], 0, {0.0F, 1.0F, 0.5F}, values);
  EXPECT_EQ(mab.with(edited, {}).error().code, ErrorCode::bad_value);
}

TEST(ChunkedEdit, WhatIsKeptBetweenTheKeysThatAreComparedIsToldOf) {
  const ChunkedMab mab = written(even_turns());
  Bank edited = mab.bank().value();
  // A bump at a quarter of the clip, where the stored keys are at both ends.
  std::vector<float> values = quaternion(0.1);
  for (const double angle : {0.3 + 0.1, 0.5, 0.9}) {
    for (const float c : quaternion(angle)) values.push_back(c);
  }
  replace_keys(edited.clips[0], 0, {0.0F, 0.5F, 1.0F, 2.0F}, values);
  EncodeOptions options;
  // Beyond what storing the template took.
  options.keep_tolerance = 2e-3;
  const auto file = mab.with(edited, options).value();
  ASSERT_TRUE(file.report.clips[0].tracks[0].is_kept);
  EXPECT_NE(notices(file).find("1 tracks are kept although"), std::string::npos) << notices(file);
}

TEST(ChunkedEdit, AConstantStaysOneWhereItsSignsTurn) {
  Bank bank = even_turns();
  test::add_track(bank.clips[0], 0, Channel::translation, TrackKind::constant, {0.0F}, {0, 0, 1});
  Clip& clip = bank.clips[0];
  replace_keys(clip, 1, {0.0F}, quaternion(1.0));
  clip.tracks[1].kind = TrackKind::constant;
  const ChunkedMab mab = written(bank);
  Bank edited = mab.bank().value();
  std::vector<float> values = quaternion(0.7);
  for (const float c : quaternion(0.7)) values.push_back(-c);
  const auto turning = std::find_if(
      edited.clips[0].tracks.begin(), edited.clips[0].tracks.end(), [](const Track& track) {
        return track.kind == TrackKind::constant && track.channel == Channel::rotation;
      });
  ASSERT_NE(turning, edited.clips[0].tracks.end());
  turning->kind = TrackKind::animated;
  replace_keys(edited.clips[0], static_cast<std::size_t>(turning - edited.clips[0].tracks.begin()),
               {0.0F, 2.0F}, values);
  const auto file = mab.with(edited, {});
  ASSERT_TRUE(file) << describe("", file.error());
  const auto plain = test::decode_chunked_plainly(file->bytes);
  EXPECT_EQ(std::count_if(plain[0].tracks.begin(), plain[0].tracks.end(),
                          [](const auto& track) { return track.is_rotation && track.is_constant; }),
            1);
}

TEST(ChunkedEdit, MotionBeforeTheFirstKeyOfATemplateIsAdded) {
  const ChunkedMab even = written(even_turns());
  std::vector<std::byte> late(even.bytes().begin(), even.bytes().end());
  const std::vector<std::byte> ticks{std::byte{0}, std::byte{0}, std::byte{60}, std::byte{0}};
  const auto place = std::search(late.begin(), late.end(), ticks.begin(), ticks.end());
  ASSERT_NE(place, late.end());
  *place = std::byte{10};
  const ChunkedMab mab = ChunkedMab::parse(late, {}).value();
  Bank edited = mab.bank().value();
  ASSERT_FLOAT_EQ(edited.clips[0].times_of(edited.clips[0].tracks[0].keys)[0], 10.0F / 30.0F);
  std::vector<float> values = quaternion(0.6);
  for (const double angle : {0.1, 0.9}) {
    for (const float c : quaternion(angle)) values.push_back(c);
  }
  replace_keys(edited.clips[0], 0, {0.0F, 10.0F / 30.0F, 2.0F}, values);
  edited.clips[0].tracks[1].keys.count = 2;
  // The change that asks for a key is at 0 s alone; another says that the track is edited.
  constexpr std::size_t last_z = std::size_t{2} * 4 + 2;  // of the third key
  edited.clips[0].values[edited.clips[0].tracks[0].keys.first_value + last_z] += 0.01F;
  const auto file = mab.with(edited, {});
  ASSERT_TRUE(file) << describe("", file.error());
  const Clip after = ChunkedMab::parse(file->bytes, {})->bank().value().clips[0];
  EXPECT_EQ(after.times_of(after.tracks[0].keys)[0], 0.0F);
  EXPECT_LE(motion::angle_between(sample_rotation(after, after.tracks[0].keys, 0.0F),
                                  Quat{0.0F, 0.0F, std::sin(0.3F), std::cos(0.3F)}),
            0.0501 * degree);
}

TEST(ChunkedEdit, EventsAndParticipantsThatChangedAreSaidToStay) {
  Bank bank = even_turns();
  bank.participants.emplace_back().kind = 7;
  const ChunkedMab mab = written(bank);
  Bank edited = mab.bank().value();
  ASSERT_EQ(edited.participants.size(), 1U);
  EXPECT_EQ(notices(mab.with(edited, {}).value()), "");
  edited.participants[0].target = 5;
  edited.clips[0].events.resize(1);
  const auto file = mab.with(edited, {}).value();
  EXPECT_NE(notices(file).find("edited participants are left out"), std::string::npos);
  EXPECT_NE(notices(file).find("edited events are left out"), std::string::npos);
}

TEST(ChunkedEdit, AParticipantThatHasAnotherNameIsSaidToStay) {
  Bank bank = even_turns();
  bank.participants.emplace_back().name = "weapon";
  const ChunkedMab mab = written(bank);
  Bank edited = mab.bank().value();
  ASSERT_EQ(edited.participants.at(0).name, "weapon");
  EXPECT_EQ(notices(mab.with(edited, {}).value()), "");
  edited.participants[0].name = "shield";
  EXPECT_NE(notices(mab.with(edited, {}).value()).find("edited participants are left out"),
            std::string::npos);
  edited.participants[0].name = "weapon";
  edited.participants[0].reference = "hand";
  EXPECT_NE(notices(mab.with(edited, {}).value()).find("edited participants are left out"),
            std::string::npos);
}

/// Where a point that hangs from joint 1 is: joint 1 stands a metre along the x axis of joint 0.
std::array<double, 3> place_of(const Clip& clip, float time, std::array<double, 3> point) {
  const auto turn = [&](std::size_t track) {
    const Quat q = sample_rotation(clip, clip.tracks[track].keys, time);
    const std::array<double, 3> u{q.x, q.y, q.z};
    const auto cross = [](const std::array<double, 3>& a, const std::array<double, 3>& b) {
      return std::array<double, 3>{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                                   a[0] * b[1] - a[1] * b[0]};
    };
    const auto once = cross(u, point);
    const auto twice = cross(u, once);
    for (std::size_t i = 0; i < 3; ++i) point[i] += 2.0 * (q.w * once[i] + twice[i]);
  };
  turn(1);
  point[0] += 1.0;
  turn(0);
  return point;
}

TEST(ChunkedEdit, WithARigTheBoundHoldsAtTheEndOfTheChain) {
  Skeleton rig;
  for (std::uint32_t joint = 0; joint < 2; ++joint) {
    Bone& bone = rig.bones.emplace_back();
    bone.name = "joint_" + std::to_string(joint);
    bone.name_hash = name_hash(bone.name);
    if (joint == 1) bone.parent = 0;
    if (joint == 1) bone.translation = {1.0F, 0.0F, 0.0F};
  }
  const ChunkedMab mab = written(even_turns());
  const Bank edited = with_bump(mab.bank().value());
  const auto worst_of = [&](const EncodeOptions& options) {
    const auto file = mab.with(edited, options);
    EXPECT_TRUE(file) << describe("", file.error());
    const Clip after = ChunkedMab::parse(file->bytes, {})->bank().value().clips[0];
    double worst = 0.0;
    for (const float time : {0.0F, 0.9F, 1.0F, 1.2F, 2.0F}) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        std::array<double, 3> vertex{};
        vertex[axis] = 0.03;
        const auto wanted = place_of(edited.clips[0], time, vertex);
        const auto found = place_of(after, time, vertex);
        worst = std::max(
            worst, std::hypot(wanted[0] - found[0], wanted[1] - found[1], wanted[2] - found[2]));
      }
    }
    return worst;
  };
  // A local bound of a twentieth of a degree is nearly a millimetre at the end of the chain.
  EncodeOptions options;
  options.max_rotation_error = 0.5 * degree;
  EXPECT_GT(worst_of(options), 1e-4);
  options.skeleton = &rig;
  EXPECT_LE(worst_of(options), 1.01e-4);
}

TEST(ChunkedEdit, ANewDurationOfAChildIsTakenOrToldOf) {
  Bank bank = even_turns();
  bank.clips.push_back(bank.clips[0]);
  const ChunkedMab mab = written(bank);
  Bank edited = mab.bank().value();
  edited.clips[1].duration = 1.0F;
  const auto file = mab.with(edited, {});
  ASSERT_TRUE(file) << describe("", file.error());
  EXPECT_EQ(ChunkedMab::parse(file->bytes, {})->bank().value().clips[1].duration, 1.0F);
  EXPECT_NE(notices(*file).find("clip[1].duration: the clip lasts 1 seconds now"),
            std::string::npos)
      << notices(*file);
  EXPECT_NE(notices(*file).find("times of the record that names it stay"), std::string::npos);
  edited.clips[1].tracks.clear();
  const auto empty = mab.with(edited, {}).value();
  EXPECT_EQ(empty.bytes.size(), mab.bytes().size());
  EXPECT_NE(notices(empty).find("goes on to last 2 seconds"), std::string::npos) << notices(empty);
}

TEST(ChunkedEdit, WhatTakesTooMuchMemoryIsRefused) {
  Bank bank = even_turns();
  for (std::uint32_t joint = 2; joint < 400; ++joint) {
    bank.clips[0].joints.push_back({joint, joint, std::nullopt, std::nullopt});
    Track track = bank.clips[0].tracks[0];
    track.joint = joint;
    bank.clips[0].tracks.push_back(track);
  }
  const ChunkedMab mab = written(bank);
  Bank edited = mab.bank().value();
  edited.clips[0].duration = 65000.0F / 30.0F;
  edited.clips[0].times[edited.clips[0].tracks[0].keys.first_time + 1] = 65000.4F / 30.0F;
  const auto file = mab.with(edited, {});
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::limit) << file.error().message;
  EXPECT_NE(file.error().message.find("leave out joints"), std::string::npos);
}

TEST(ChunkedEdit, ManyRecordsAreMovedInTime) {
  // Each of them is looked for among all; the file is none that a writer of ours lays out.
  Bank bank = even_turns();
  bank.participants.resize(60000);
  const ChunkedMab even = written(bank);
  std::vector<std::byte> odd(even.bytes().begin(), even.bytes().end());
  const std::size_t records = odd.size();
  odd.resize(records + 16, std::byte{0xAB});
  const auto mab = ChunkedMab::parse(odd, {});
  ASSERT_TRUE(mab) << describe("", mab.error());
  const auto file = mab->with(with_bump(mab->bank().value()), {});
  ASSERT_TRUE(file) << describe("", file.error());
  const Bank after = ChunkedMab::parse(file->bytes, {})->bank().value();
  EXPECT_EQ(after.participants.size(), 60000U);
  EXPECT_EQ(after.clips[0].tracks[0].keys.count, 5U);
}

TEST(ChunkedEdit, ClipsWithoutTracksStay) {
  const ChunkedMab mab = written(even_turns());
  Bank edited;
  edited.clips.emplace_back();
  EXPECT_TRUE(
      std::equal(mab.bytes().begin(), mab.bytes().end(), mab.with(edited, {})->bytes.begin()));
  EXPECT_EQ(mab.with(Bank{}, {}).error().code, ErrorCode::bad_argument);
}

TEST(ChunkedEdit, FarCry4OffsetsEndAt64Kib) {
  const mab::ChunkedLayout& layout = *mab::layout_of_game(Game::fc4);
  std::mt19937 random(9);
  mab::ChunkedFields fields = test::random_file(random, layout);
  mab::BlockFields& block = fields.main;
  block.hashes = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  block.flags.assign(10, 0x10 | 7);  // 8 bits
  block.constant_rotations.clear();
  block.ticks.clear();
  for (std::uint16_t key = 0; key < 1600; ++key) block.ticks.push_back(key);
  block.joint_rotations =
      test::random_stream(random, codec::BlockKind::rotation, 1600, std::vector<unsigned>(10, 8));
  test::set_header(block, layout, "nbBonesInAnim", 10);
  const float duration = 1599.0F / 30;
  std::uint32_t bits = 0;
  std::memcpy(&bits, &duration, 4);
  test::set_header(block, layout, "duration", bits);
  const auto mab = ChunkedMab::parse(test::laid_out(fields), {});
  ASSERT_TRUE(mab) << describe("", mab.error());
  Bank edited = mab->bank().value();
  for (float& value : edited.clips[0].values) value += 0.01F;
  EncodeOptions options;
  options.max_rotation_error = 2e-3;
  const auto file = mab->with(edited, options);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::limit) << file.error().message;
  EXPECT_NE(file.error().message.find("64 KiB"), std::string::npos) << file.error().message;
}

TEST(ChunkedEdit, ADocumentTakesAnEditedBank) {
  const ChunkedMab mab = written(even_turns());
  const auto document = Document::parse({mab.bytes().begin(), mab.bytes().end()}, {}).value();
  EXPECT_EQ(document.with(with_bump(document.bank().value()))->bytes,
            mab.with(with_bump(mab.bank().value()), {})->bytes);
}

}  // namespace
}  // namespace mabkit
