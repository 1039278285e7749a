#include "mab/chunked_encode.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <mabkit/encode.hpp>
#include <mabkit/mab.hpp>
#include <mabkit/rig.hpp>

#include "support/chunked_banks.hpp"
#include "support/fixtures.hpp"

namespace mabkit {
namespace {

/// One joint that turns about z by `angle(frame)`.
template <class Angle>
Bank turning(int frames, const Angle& angle) {
  Bank bank;
  Clip& clip = bank.clips.emplace_back();
  clip.joints.push_back({0, std::nullopt, "Pelvis", std::nullopt});
  std::vector<float> times;
  std::vector<float> values;
  for (int frame = 0; frame < frames; ++frame) {
    times.push_back(static_cast<float>(frame / 30.0));
    const double half = angle(frame) / 2;
    for (const double c : {0.0, 0.0, std::sin(half), std::cos(half)}) {
      values.push_back(static_cast<float>(c));
    }
  }
  clip.duration = times.back();
  test::add_track(clip, 0, Channel::rotation, TrackKind::animated, times, values);
  return bank;
}

Bank wobble(int frames) {
  return turning(frames, [](int frame) { return std::sin(frame * 0.7) * 0.4 + 0.01 * frame; });
}

std::uint32_t word(const std::vector<std::byte>& file, std::size_t at) {
  std::uint32_t value = 0;
  std::memcpy(&value, file.data() + at, 4);
  return value;
}

bool has_notice(const EncodeReport& report, const std::string& text) {
  for (const Diagnostic& notice : report.notices) {
    if (notice.message.find(text) != std::string::npos) return true;
  }
  return false;
}

TEST(ChunkedNewFile, HasTheValuesThatTheSpecGivesToWriters) {
  const auto file = encode_mab(wobble(20), Game::wdl, {}).value();
  EXPECT_EQ(word(file.bytes, 0), 0x46B4U);
  EXPECT_EQ(word(file.bytes, 4), 0U);
  EXPECT_EQ(word(file.bytes, 0x20), 0x0F694E61U);  // 'aNi', flags
  EXPECT_EQ(word(file.bytes, 0x24), file.bytes.size() - 16 - 3);
  EXPECT_EQ(word(file.bytes, 0x2C), 0x41F00000U);  // 30.0
  EXPECT_EQ(word(file.bytes, 0x80), 0xB021FD58U);  // CRC-32 of Pelvis
  EXPECT_EQ(word(file.bytes, 0x48), 0x78U);        // KeyTimes: align4(0x70 + 5)
  EXPECT_EQ(word(file.bytes, 0x48 + 4 * 8), 0U);   // no parts
  EXPECT_EQ(word(file.bytes, 0x48 + 4 * 11), file.bytes.size() - 16 - 3);
  EXPECT_TRUE(has_notice(file.report, "guess"));
}

TEST(ChunkedNewFile, AClipOfOneKeyLastsAFrame) {
  const auto clips =
      test::decode_chunked_plainly(encode_mab(wobble(1), Game::wd1, {}).value().bytes);
  EXPECT_EQ(clips[0].ticks, std::vector<std::uint32_t>{0});
  EXPECT_FLOAT_EQ(clips[0].duration, 1.0F / 30);
}

TEST(ChunkedNewFile, WatchDogsCountsQuarterFrames) {
  const auto clips =
      test::decode_chunked_plainly(encode_mab(wobble(4), Game::wd1, {}).value().bytes);
  EXPECT_EQ(clips[0].ticks, (std::vector<std::uint32_t>{0, 4, 8, 12}));
}

TEST(ChunkedNewFile, KeysThatInterpolationBringsBackAreDropped) {
  const Bank bank = turning(61, [](int frame) { return 0.01 * frame; });
  EncodeOptions options;
  const auto reduced = encode_mab(bank, Game::fc5, options).value();
  EXPECT_EQ(reduced.report.clips[0].keys, 2U);
  EXPECT_EQ(reduced.report.clips[0].samples, 61U);
  EXPECT_LE(reduced.report.clips[0].rotation.worst, options.max_rotation_error);
  options.key_reduction = false;
  EXPECT_EQ(encode_mab(bank, Game::fc5, options)->report.clips[0].keys, 61U);
}

TEST(ChunkedNewFile, KeysOffTheGridAreResampledWithANotice) {
  Bank bank = wobble(20);
  for (float& time : bank.clips[0].times) time *= 1.037F;
  bank.clips[0].duration *= 1.037F;
  const auto file = encode_mab(bank, Game::fc6, {}).value();
  EXPECT_TRUE(has_notice(file.report, "resampled"));
  EXPECT_LE(file.report.clips[0].rotation.worst, EncodeOptions{}.max_rotation_error);
}

TEST(ChunkedNewFile, ATranslationOutOfTheConstantsRangeIsAnimated) {
  Bank bank = wobble(9);
  test::add_track(bank.clips[0], 0, Channel::translation, TrackKind::constant, {0.0F},
                  {1.0F, -3.5F, 0.25F});
  const auto file = encode_mab(bank, Game::fc5, {}).value();
  const auto clips = test::decode_chunked_plainly(file.bytes);
  ASSERT_EQ(clips[0].tracks.size(), 2U);
  EXPECT_FALSE(clips[0].tracks[1].is_constant);
  EXPECT_NEAR(clips[0].tracks[1].values.back()[1], -3.5, 1e-4);
}

TEST(ChunkedNewFile, ATranslationInTheConstantsRangeIsConstant) {
  Bank bank = wobble(9);
  test::add_track(bank.clips[0], 0, Channel::translation, TrackKind::animated, {0.0F, 0.2F},
                  {1.0F, -1.5F, 0.25F, 1.0F, -1.5F, 0.25F});
  const auto clips = test::decode_chunked_plainly(encode_mab(bank, Game::fc5, {}).value().bytes);
  ASSERT_EQ(clips[0].tracks.size(), 2U);
  EXPECT_TRUE(clips[0].tracks[1].is_constant);
  EXPECT_EQ(clips[0].tracks[1].values[0], (std::array<float, 4>{1.0F, -1.5F, 0.25F, 0.0F}));
}

TEST(ChunkedNewFile, MovingRootMotionIsSaidToBeAGuess) {
  Bank bank = wobble(30);
  Clip& clip = bank.clips[0];
  clip.root_motion.emplace();
  clip.root_motion->translation = Keys{clip.times.size(), clip.values.size(), 2};
  clip.times.insert(clip.times.end(), {0.0F, clip.duration});
  clip.values.insert(clip.values.end(), {0.0F, 0.0F, 0.0F, 2.0F, 1.0F, 0.0F});
  const auto file = encode_mab(bank, Game::fc5, {}).value();
  EXPECT_TRUE(has_notice(file.report, "root motion is stored in chunks of 8 keys: a guess"));
  const auto decoded = test::decode_chunked_plainly(file.bytes);
  EXPECT_LE(test::plain_errors(clip, decoded[0], 30.0).translation, 1.0001e-4);
}

TEST(ChunkedNewFile, EventsAreLeftOutWithANotice) {
  Bank bank = wobble(5);
  bank.clips[0].events.resize(3);
  EXPECT_TRUE(has_notice(encode_mab(bank, Game::fc5, {})->report, "3 events are left out"));
}

TEST(ChunkedNewFile, AClipThatNoParticipantNamesGetsARecord) {
  Bank bank = wobble(5);
  bank.clips.push_back(wobble(7).clips[0]);
  const auto file = encode_mab(bank, Game::fc6, {}).value();
  EXPECT_TRUE(has_notice(file.report, "record of kind 8 is a guess"));
  EXPECT_EQ(test::decode_chunked_plainly(file.bytes).size(), 2U);
}

TEST(ChunkedNewFile, WithARigTheBoundIsInObjectSpace) {
  const auto bank =
      ChunkedMab::parse(test::read_fixture("motion/cmu_01_01_fc5.mab"), {})->bank().value();
  const auto rig = parse_rig(test::read_fixture("motion/cmu_01_01.skeleton")).value();
  EncodeOptions options;
  options.skeleton = &rig;
  options.max_object_error = 2e-4;
  const auto file = encode_mab(bank, Game::fc5, options).value();
  ASSERT_TRUE(file.report.clips[0].object);
  EXPECT_LE(file.report.clips[0].object->worst, 2e-4);
  EXPECT_GT(file.report.clips[0].object->worst, 5e-5);
}

TEST(ChunkedNewFile, TheReportCountsBytesAndKeys) {
  const auto file = encode_mab(wobble(20), Game::fc5, {}).value();
  ASSERT_EQ(file.report.clips.size(), 1U);
  const ClipReport& clip = file.report.clips[0];
  ASSERT_EQ(clip.tracks.size(), 1U);
  EXPECT_EQ(clip.joints, 1U);
  EXPECT_EQ(clip.tracks[0].keys, clip.keys);
  EXPECT_EQ(clip.tracks[0].worst_error, clip.rotation.worst);
  EXPECT_GT(clip.tracks[0].worst_error, 0.0);
  const auto plain = test::decode_chunked_plainly(file.bytes);
  EXPECT_EQ(clip.tracks[0].bits, plain[0].tracks[0].bits);
  // One varying component, two constants and 6 control bits a chunk (spec mab-chunked, 2.2).
  std::uint64_t bits = 0;
  for (std::uint32_t key = 0; key < clip.keys; key += 8) {
    bits += 6 + 16 + 16 + 16 + clip.tracks[0].bits * std::min(8U, clip.keys - key);
  }
  EXPECT_EQ(clip.tracks[0].bytes, (bits + 7) / 8);
}

// What can't be written.

Error refusal(const Bank& bank, Game game, const EncodeOptions& options = {}) {
  const auto file = encode_mab(bank, game, options);
  return file ? Error{ErrorCode::io, {}, {}, "was written"} : file.error();
}

void expect_refusal(const Error& error, ErrorCode code, const std::string& text) {
  EXPECT_EQ(error.code, code) << error.message;
  EXPECT_NE(error.message.find(text), std::string::npos) << error.message;
}

TEST(ChunkedNewFile, FarCry4AndPrimalNeedATemplate) {
  for (const Game game : {Game::fc4, Game::fcp}) {
    expect_refusal(refusal(wobble(5), game), ErrorCode::unsupported, "--like");
    EXPECT_EQ(encoded_size_bound(wobble(5), game), 0U);
  }
}

TEST(ChunkedNewFile, LimitsAreNamed) {
  Bank far = wobble(3);
  far.clips[0].times.back() = 700.0F;
  far.clips[0].duration = 700.0F;
  expect_refusal(refusal(far, Game::wd1), ErrorCode::limit, "65535");
  Bank crowd = wobble(3);
  crowd.clips[0].joints.resize(4096, {0, 7, std::nullopt, std::nullopt});
  expect_refusal(refusal(crowd, Game::fc5), ErrorCode::limit, "4095");
  Bank many = wobble(3);
  many.clips.resize(257, many.clips[0]);
  expect_refusal(refusal(many, Game::fc5), ErrorCode::limit, "256");
  Bank named = wobble(3);
  named.participants.emplace_back().name = std::string(300, 'x');
  expect_refusal(refusal(named, Game::fc5), ErrorCode::limit, "255");
  Bank records = wobble(3);
  records.participants.resize(3000);
  for (Participant& participant : records.participants) participant.name = "prop";
  expect_refusal(refusal(records, Game::fc5), ErrorCode::limit, "16 bits");
}

/// Joints that all move by the same `keys` keys.
Bank crowd(std::uint32_t joints, std::uint32_t keys) {
  Bank bank;
  Clip& clip = bank.clips.emplace_back();
  clip.duration = static_cast<float>(keys - 1) / 30.0F;
  for (std::uint32_t key = 0; key < keys; ++key) {
    clip.times.push_back(static_cast<float>(key) / 30.0F);
    clip.values.insert(clip.values.end(), {0.0F, 0.0F, 0.0F, 1.0F});
  }
  for (std::uint32_t joint = 0; joint < joints; ++joint) {
    clip.joints.push_back({joint, joint + 1, std::nullopt, std::nullopt});
    clip.tracks.push_back({joint, Channel::rotation, TrackKind::animated, {0, 0, keys}});
  }
  return bank;
}

TEST(ChunkedNewFile, WhatTakesTooMuchMemoryIsRefusedBeforeItIsSampled) {
  const Bank big = crowd(4095, 65536);
  expect_refusal(refusal(big, Game::fc5), ErrorCode::limit, "fewer frames per second");
  EXPECT_EQ(encoded_size_bound(big, Game::fc5), 0U);
  // The same of a few keys that are far apart.
  Bank sparse = crowd(4095, 2);
  sparse.clips[0].times.back() = sparse.clips[0].duration = 65000.3F / 30.0F;
  expect_refusal(refusal(sparse, Game::fc5), ErrorCode::limit, "fewer frames per second");
}

TEST(ChunkedNewFile, ClipsShareTheMemoryThatThereIs) {
  // 100 joints at 60,000 frames are 96 MB of rotations.
  Bank bank = crowd(100, 2);
  bank.clips[0].times.back() = bank.clips[0].duration = 60000.3F / 30.0F;
  EXPECT_GT(encoded_size_bound(bank, Game::fc5), 0U);
  bank.clips.resize(3, bank.clips[0]);
  EXPECT_EQ(encoded_size_bound(bank, Game::fc5), 0U);
}

TEST(ChunkedNewFile, TheSizeBoundKnowsTheRateThatIsAskedFor) {
  Bank bank = wobble(40);
  for (float& time : bank.clips[0].times) time *= 1.037F;
  EncodeOptions options;
  options.frames_per_second = 240;
  options.key_reduction = false;
  const auto file = encode_mab(bank, Game::fc5, options);
  ASSERT_TRUE(file) << describe("", file.error());
  EXPECT_GT(file->bytes.size(), encoded_size_bound(bank, Game::fc5));
  EXPECT_LE(file->bytes.size(), encoded_size_bound(bank, Game::fc5, options));
  options.frames_per_second = -1;
  EXPECT_EQ(encoded_size_bound(bank, Game::fc5, options), 0U);
}

TEST(ChunkedNewFile, ARateIsOneThatAFileCanHave) {
  EncodeOptions options;
  for (const double rate : {1e300, 1e-30, std::nan(""), 0.0}) {
    options.frames_per_second = rate;
    expect_refusal(refusal(wobble(3), Game::fc5, options), ErrorCode::bad_argument,
                   "no number of frames per second");
  }
  // One that a damaged file had is none.
  Bank damaged = wobble(9);
  damaged.game = Game::fc5;
  damaged.clips[0].frame_rate = 1e-30F;
  const auto clips = test::decode_chunked_plainly(encode_mab(damaged, Game::fc5, {}).value().bytes);
  EXPECT_EQ(clips[0].ticks.back(), 8U);
}

TEST(ChunkedNewFile, RecordsHoldWhatTheyAreGivenOrSayWhyNot) {
  Bank kind = wobble(3);
  kind.participants.emplace_back().kind = 256;
  expect_refusal(refusal(kind, Game::fc5), ErrorCode::limit, "256");
  Bank timeless = wobble(3);
  timeless.participants.emplace_back().start = NAN;
  expect_refusal(refusal(timeless, Game::fc5), ErrorCode::bad_value, "no times");
}

TEST(ChunkedNewFile, ARigThatIsNoPlaceIsRefused) {
  Skeleton rig;
  rig.bones.push_back({});
  rig.bones[0].name = "Pelvis";
  rig.bones[0].name_hash = 0xB021FD58;
  rig.bones[0].translation.y = NAN;
  EncodeOptions options;
  options.skeleton = &rig;
  expect_refusal(refusal(wobble(9), Game::fc5, options), ErrorCode::bad_argument, "bind pose");
}

TEST(ChunkedNewFile, ARigWhoseBonesHangFromNoRootIsRefused) {
  Skeleton rig;
  rig.bones.resize(2);
  rig.bones[0].name = "Pelvis";
  rig.bones[0].name_hash = 0xB021FD58;
  EncodeOptions options;
  options.skeleton = &rig;
  ASSERT_TRUE(encode_mab(wobble(9), Game::fc5, options));
  rig.bones[1].parent = 1'000'000;
  expect_refusal(refusal(wobble(9), Game::fc5, options), ErrorCode::bad_argument, "no root");
  rig.bones[1].parent = 1;
  expect_refusal(refusal(wobble(9), Game::fc5, options), ErrorCode::bad_argument, "no root");
}

TEST(ChunkedNewFile, WhatMakesNoSenseIsRefused) {
  Bank nameless = wobble(3);
  nameless.clips[0].joints[0].name.reset();
  expect_refusal(refusal(nameless, Game::fc5), ErrorCode::bad_value, "neither a name nor a hash");
  Bank nan = wobble(3);
  nan.clips[0].values[5] = NAN;
  expect_refusal(refusal(nan, Game::fc5), ErrorCode::bad_value, "finite");
  Bank lost = wobble(3);
  lost.clips[0].tracks[0].joint = 9;
  expect_refusal(refusal(lost, Game::fc5), ErrorCode::bad_value, "joint 9");
  Bank twice = wobble(3);
  twice.clips[0].tracks.push_back(twice.clips[0].tracks[0]);
  expect_refusal(refusal(twice, Game::fc5), ErrorCode::bad_value, "second track");
  Bank circle = wobble(3);
  circle.participants.emplace_back().clip = 0;
  expect_refusal(refusal(circle, Game::fc5), ErrorCode::bad_value, "clip 0");
  expect_refusal(refusal({}, Game::fc5), ErrorCode::bad_argument, "no clip");
  EncodeOptions odd;
  odd.frames_per_second = 50;
  expect_refusal(refusal(wobble(3), Game::wd1, odd), ErrorCode::bad_argument, "120 ticks");
  odd.frames_per_second = -1;
  expect_refusal(refusal(wobble(3), Game::fc5, odd), ErrorCode::bad_argument, "-1");
}

TEST(ChunkedNewFile, ABoundThatIsNoPositiveNumberIsRefused) {
  EncodeOptions options;
  options.max_rotation_error = -1;
  expect_refusal(refusal(wobble(3), Game::fc5, options), ErrorCode::bad_argument, "above 0");
}

TEST(ChunkedNewFile, AnUnreachableBoundNamesTheBestError) {
  EncodeOptions options;
  options.max_rotation_error = 1e-9;
  expect_refusal(refusal(wobble(30), Game::fc5, options), ErrorCode::bad_argument,
                 "best that is reachable");
}

TEST(ChunkedNewFile, TheSizeBoundIsNearTheWorstCase) {
  // Noise at the tightest reachable bound takes every bit.
  Bank bank;
  Clip& clip = bank.clips.emplace_back();
  std::mt19937 random(5);
  std::uniform_real_distribution<float> unit(-1.0F, 1.0F);
  std::vector<float> times;
  times.reserve(64);
  for (int frame = 0; frame < 64; ++frame) times.push_back(static_cast<float>(frame / 30.0));
  clip.duration = times.back();
  for (std::uint32_t joint = 0; joint < 30; ++joint) {
    clip.joints.push_back({joint, joint + 1, std::nullopt, std::nullopt});
    std::vector<float> rotations;
    std::vector<float> translations;
    for (int frame = 0; frame < 64; ++frame) {
      const Quat q{unit(random), unit(random), unit(random), 1.5F};
      const float length = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
      for (const float c : {q.x, q.y, q.z, q.w}) rotations.push_back(c / length);
      for (int axis = 0; axis < 3; ++axis) translations.push_back(unit(random));
    }
    test::add_track(clip, joint, Channel::rotation, TrackKind::animated, times, rotations);
    test::add_track(clip, joint, Channel::translation, TrackKind::animated, times, translations);
  }
  EncodeOptions options;
  options.max_rotation_error = 1.3e-4;
  options.max_translation_error = 3e-5;
  const auto file = encode_mab(bank, Game::wdl, options);
  ASSERT_TRUE(file) << describe("", file.error());
  const auto bound = encoded_size_bound(bank, Game::wdl);
  EXPECT_LE(file->bytes.size(), bound);
  EXPECT_GE(static_cast<double>(file->bytes.size()) * 1.25, static_cast<double>(bound));
}

}  // namespace
}  // namespace mabkit
