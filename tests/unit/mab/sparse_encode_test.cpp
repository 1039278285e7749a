#include "mab/sparse_encode.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mabkit/encode.hpp>
#include <mabkit/names.hpp>

#include "mab/sparse_layout.hpp"
#include "support/fixtures.hpp"
#include "support/plain_sparse_decoder.hpp"
#include "support/random_banks.hpp"
#include "support/sparse_files.hpp"

namespace mabkit::mab {
namespace {

EncodedFile encoded(const Bank& bank, const EncodeOptions& options = {}) {
  auto file = encode_sparse(bank, Game::fc2, options);
  if (!file) throw std::runtime_error(describe("bank", file.error()));
  return std::move(*file);
}

test::PlainClip main_clip(const EncodedFile& file) {
  return test::decode_plain_sparse(file.bytes).front();
}

Error refusal(const Bank& bank, const EncodeOptions& options = {}, Game game = Game::fc2) {
  auto file = encode_sparse(bank, game, options);
  if (file) throw std::runtime_error("was encoded");
  return file.error();
}

/// One clip, one joint with this id, that turns by `angle_of(frame)` about x.
template <class Angle>
Bank turning_bank(std::uint32_t id, std::uint32_t last_frame, const Angle& angle_of,
                  float rate = 30.0F) {
  Bank bank;
  bank.game = Game::fc2;
  Clip& clip = bank.clips.emplace_back();
  clip.frame_rate = rate;
  clip.duration = static_cast<float>(last_frame) / rate;
  clip.joints.emplace_back();
  clip.joints.back().id = id;
  std::vector<Quat> values;
  for (std::uint32_t frame = 0; frame <= last_frame; ++frame) {
    values.push_back(test::turn({1, 0, 0}, angle_of(frame)));
  }
  test::add_rotations(clip, 0, TrackKind::animated, test::frame_times(last_frame, rate), values);
  return bank;
}

Bank steady_bank(std::uint32_t id = 0, std::uint32_t last_frame = 20) {
  return turning_bank(id, last_frame, [](std::uint32_t frame) { return 0.05 * frame; });
}

std::vector<unsigned> key_frames(const test::PlainClip& clip, unsigned bone) {
  std::vector<unsigned> frames;
  for (const auto& [frame, value] : clip.keyed_rotations.at(bone)) frames.push_back(frame);
  return frames;
}

TEST(SparseEncode, ASteadyTurnHasKeysOnlyWhereTheyMustBe) {
  EXPECT_EQ(key_frames(main_clip(encoded(steady_bank())), 0),
            (std::vector<unsigned>{0, 8, 16, 20}));
}

TEST(SparseEncode, AKinkHasAKeyAndNothingElseHas) {
  const Bank bank = turning_bank(
      0, 16, [](std::uint32_t frame) { return 0.05 * (frame <= 3 ? frame : 6.0 - frame); });
  EXPECT_EQ(key_frames(main_clip(encoded(bank)), 0), (std::vector<unsigned>{0, 3, 8, 16}));
}

TEST(SparseEncode, WithoutKeyReductionEveryFrameIsAKey) {
  EncodeOptions options;
  options.key_reduction = false;
  EXPECT_EQ(key_frames(main_clip(encoded(steady_bank(), options)), 0).size(), 21U);
}

TEST(SparseEncode, WhatHardlyMovesBecomesAConstant) {
  const Bank bank =
      turning_bank(7, 20, [](std::uint32_t frame) { return 1.0 + 4e-4 * (frame % 2); });
  const auto clip = main_clip(encoded(bank));
  EXPECT_TRUE(clip.keyed_rotations.empty());
  ASSERT_EQ(clip.constant_rotations.size(), 1U);
  const Quat q = test::turn({1, 0, 0}, 1.0002);
  EXPECT_LE(test::plain_angle(clip.constant_rotations.at(7), {q.x, q.y, q.z, q.w}), 1.5e-4);
}

TEST(SparseEncode, AStaticClipHasOneFrameAndLastsOne) {
  Bank bank;
  Clip& clip = bank.clips.emplace_back();
  clip.joints.emplace_back();
  test::add_rotations(clip, 0, TrackKind::constant, {0.0F}, {test::turn({0, 0, 1}, 0.5)});
  const auto written = main_clip(encoded(bank));
  EXPECT_EQ(written.last_frame, 0U);
  EXPECT_EQ(written.rate, 30U);
  EXPECT_FLOAT_EQ(written.duration, 1.0F / 30.0F);
  EXPECT_EQ(written.trajectory_translation.size(), 1U);
}

TEST(SparseEncode, AClipWithoutRootMotionStandsStill) {
  const auto clip = main_clip(encoded(steady_bank()));
  ASSERT_EQ(clip.trajectory_translation.size(), 21U);
  for (unsigned frame = 0; frame <= 20; ++frame) {
    EXPECT_EQ(clip.trajectory_translation[frame], (test::PlainVec{0, 0, 0}));
    EXPECT_LE(test::plain_angle(clip.trajectory_rotation[frame], {0, 0, 0, 1}), 1e-4);
  }
}

TEST(SparseEncode, HeadersHoldWhatTheSpecGivesToWriters) {
  const auto bytes = encoded(steady_bank()).bytes;
  const auto fields = test::fields_of(bytes);
  EXPECT_EQ(fields.version, 0x4C);
  EXPECT_EQ(fields.unknown_0x02, 1);
  EXPECT_EQ(fields.unknown_0x04, 0U);
  EXPECT_EQ(fields.unknown_0x08, 0U);
  const ClipFields& clip = fields.clips.at(0);
  EXPECT_EQ(clip.keyed_rotations->header.last_frame, 20);
  EXPECT_EQ(clip.keyed_rotations->header.rate, 30);
  EXPECT_EQ(clip.constant_rotations->header.last_frame, 0);
  EXPECT_EQ(clip.constant_rotations->header.rate, 0);
  // Empty sections of what has time say the clip's length and rate (4.1, rule 7).
  EXPECT_EQ(clip.animated_translations->header.count, 0);
  EXPECT_EQ(clip.animated_translations->header.last_frame, 20);
  EXPECT_EQ(clip.animated_translations->header.rate, 30);
  EXPECT_EQ(clip.duration, 0x3F2AAAABU);  // 20 frames at 30 a second: 2/3
  EXPECT_FALSE(clip.tags.has_value());
  for (const auto& unexplained : clip.unexplained) EXPECT_FALSE(unexplained.has_value());
}

TEST(SparseEncode, TheHighestBoneIs159) {
  EXPECT_EQ(main_clip(encoded(steady_bank(159))).keyed_rotations.count(159), 1U);
  const Error error = refusal(steady_bank(160));
  EXPECT_EQ(error.code, ErrorCode::limit);
  EXPECT_EQ(error.path, "clip[0].joint[0]");
  EXPECT_NE(error.message.find("159"), std::string::npos);
}

TEST(SparseEncode, TwoJointsWithOneIdAreAnError) {
  Bank bank = steady_bank(3);
  Clip& clip = bank.clips[0];
  clip.joints.push_back(clip.joints[0]);
  test::add_rotations(clip, 1, TrackKind::constant, {0.0F}, {Quat{}});
  EXPECT_EQ(refusal(bank).code, ErrorCode::inconsistent);
}

TEST(SparseEncode, TwoTracksOfOneChannelOfAJointAreAnError) {
  Bank bank = steady_bank(3);
  test::add_rotations(bank.clips[0], 0, TrackKind::constant, {0.0F}, {Quat{}});
  const Error error = refusal(bank);
  EXPECT_EQ(error.code, ErrorCode::bad_value);
  EXPECT_EQ(error.path, "clip[0].track[1]");
  EXPECT_NE(error.message.find("second track of one channel of joint 0"), std::string::npos);
}

TEST(SparseEncode, GamesThatNeedATemplateSayWhy) {
  for (const Game game : {Game::fc3, Game::fc3bd}) {
    const Error error = refusal(steady_bank(), {}, game);
    EXPECT_EQ(error.code, ErrorCode::unsupported);
    EXPECT_NE(error.message.find("header"), std::string::npos);
    EXPECT_NE(error.message.find("--like"), std::string::npos);
  }
  EXPECT_EQ(refusal(steady_bank(), {}, Game::wd1).code, ErrorCode::unsupported);
}

TEST(SparseEncode, BanksPastTheChainAreRefused) {
  EXPECT_EQ(refusal({}).code, ErrorCode::bad_argument);
  Bank bank = steady_bank();
  bank.clips.resize(257);
  const Error error = refusal(bank);
  EXPECT_EQ(error.code, ErrorCode::limit);
  EXPECT_NE(error.message.find("256"), std::string::npos);
}

TEST(SparseEncode, FramesPastALastFrameOf65535AreRefused) {
  Bank bank = steady_bank(0, 8);
  bank.clips[0].duration = 65535.0F / 30.0F;
  EXPECT_EQ(main_clip(encoded(bank)).last_frame, 65535U);
  bank.clips[0].duration = 65537.0F / 30.0F;
  EXPECT_EQ(refusal(bank).code, ErrorCode::limit);
}

TEST(SparseEncode, RatesAreWholeNumbers) {
  Bank bank = steady_bank();
  bank.clips[0].frame_rate = 29.97F;
  const auto file = encoded(bank);
  EXPECT_EQ(main_clip(file).rate, 30U);
  EXPECT_TRUE(std::any_of(
      file.report.notices.begin(), file.report.notices.end(),
      [](const Diagnostic& d) { return d.message.find("29.97") != std::string::npos; }));
  EncodeOptions options;
  options.frames_per_second = 29.97;
  EXPECT_EQ(refusal(bank, options).code, ErrorCode::bad_argument);
  options.frames_per_second = 15.0;
  EXPECT_EQ(main_clip(encoded(bank, options)).rate, 15U);
  options.frames_per_second = 70000.0;
  EXPECT_EQ(refusal(bank, options).code, ErrorCode::bad_argument);
  bank.clips[0].frame_rate = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(refusal(bank).code, ErrorCode::bad_argument);
}

TEST(SparseEncode, KeysOffTheGridAreResampledWithANotice) {
  Bank bank = turning_bank(0, 10, [](std::uint32_t f) { return 0.01 * f; });
  for (std::size_t i = 1; i < bank.clips[0].times.size(); ++i) bank.clips[0].times[i] += 0.01F;
  const auto notices = encoded(bank).report.notices;
  ASSERT_EQ(notices.size(), 1U);
  EXPECT_NE(notices[0].message.find("resampled"), std::string::npos);
}

TEST(SparseEncode, ValuesThatAreNoNumbersAreErrors) {
  Bank bank = steady_bank();
  bank.clips[0].values[5] = std::numeric_limits<float>::infinity();
  const Error error = refusal(bank);
  EXPECT_EQ(error.code, ErrorCode::bad_value);
  EXPECT_EQ(error.path, "clip[0].track[0]");
}

TEST(SparseEncode, ARotationBoundBelowTheWordsIsAnErrorWithTheBestFigure) {
  EncodeOptions options;
  options.max_rotation_error = 1e-6;
  const Error error = refusal(steady_bank(), options);
  EXPECT_EQ(error.code, ErrorCode::bad_argument);
  EXPECT_NE(error.message.find("0.00015"), std::string::npos);
}

TEST(SparseEncode, BoundsThatAreNoPositiveNumbersAreErrors) {
  for (const double bound : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(),
                             std::numeric_limits<double>::infinity()}) {
    EncodeOptions options;
    options.max_rotation_error = bound;
    EXPECT_EQ(refusal(steady_bank(), options).code, ErrorCode::bad_argument);
  }
}

TEST(SparseEncode, HeaderRotationsThatAreNoneBecomeTheIdentityWithANotice) {
  Bank bank = steady_bank();
  RootMotion& root = bank.clips[0].root_motion.emplace();
  root.reference = Quat{0, std::numeric_limits<float>::quiet_NaN(), 0, 1};
  root.loop = test::turn({0, 0, 1}, 0.5);
  const auto file = encoded(bank);
  const ClipFields clip = test::fields_of(file.bytes).clips.at(0);
  EXPECT_EQ(clip.reference, bits_of(Quat{0, 0, 0, 1}));
  EXPECT_EQ(clip.loop, bits_of(test::turn({0, 0, 1}, 0.5)));
  ASSERT_EQ(file.report.notices.size(), 1U);
  EXPECT_EQ(file.report.notices[0].path, "clip[0].root_motion.reference");
}

TEST(SparseEncode, EventsOfTheOtherFamilyAreLeftOutWithANotice) {
  Bank bank = steady_bank();
  bank.clips[0].events.resize(2);
  bank.clips[0].events[0].type = 2;
  const auto file = encoded(bank);
  EXPECT_EQ(main_clip(file).events.size(), 1U);
  EXPECT_EQ(file.report.notices.size(), 1U);
}

TEST(SparseEncode, APayloadPastSixteenBitsIsAnError) {
  Bank bank = steady_bank();
  bank.clips[0].events.resize(1);
  bank.clips[0].events[0].type = 2;
  bank.clips[0].events[0].payload.resize(65536);
  EXPECT_EQ(refusal(bank).code, ErrorCode::limit);
}

/// A rig of two bones; the second may not be translated.
Skeleton two_bones() {
  Skeleton skeleton;
  skeleton.bones.resize(2);
  skeleton.bones[0].name = "Root";
  skeleton.bones[0].id = 4;
  skeleton.bones[0].animated_translation = true;
  skeleton.bones[1].name = "Arm";
  skeleton.bones[1].id = 9;
  skeleton.bones[1].parent = 0;
  skeleton.bones[1].translation = {0, 0, 0.5F};
  skeleton.bones[1].animated_translation = false;
  for (Bone& bone : skeleton.bones) bone.name_hash = name_hash(bone.name);
  return skeleton;
}

Bank named_bank() {
  Bank bank = steady_bank();
  Clip& clip = bank.clips[0];
  bank.game.reset();
  clip.joints.resize(2);
  clip.joints[0] = {0, std::nullopt, "Arm", std::nullopt};
  clip.joints[1] = {1, std::nullopt, "Root", std::nullopt};
  test::add_translations(clip, 0, TrackKind::constant, {0.0F}, {{0, 0, 0.6F}});
  test::add_translations(clip, 1, TrackKind::constant, {0.0F}, {{0, 0, 1.0F}});
  return bank;
}

TEST(SparseEncode, NamedJointsTakeTheSkeletonsIds) {
  const Skeleton skeleton = two_bones();
  EncodeOptions options;
  options.skeleton = &skeleton;
  const auto clip = main_clip(encoded(named_bank(), options));
  EXPECT_EQ(clip.keyed_rotations.count(9), 1U);
  EXPECT_EQ(clip.constant_translations.count(4), 1U);
}

TEST(SparseEncode, BonesThatMayNotBeTranslatedAreNotAndANoticeSaysSo) {
  const Skeleton skeleton = two_bones();
  EncodeOptions options;
  options.skeleton = &skeleton;
  const auto file = encoded(named_bank(), options);
  EXPECT_EQ(main_clip(file).constant_translations.count(9), 0U);
  ASSERT_EQ(file.report.notices.size(), 1U);
  EXPECT_NE(file.report.notices[0].message.find("Arm"), std::string::npos);
}

TEST(SparseEncode, JointsWithoutABoneAreLeftOutUnlessAllAre) {
  const Skeleton skeleton = two_bones();
  EncodeOptions options;
  options.skeleton = &skeleton;
  Bank bank = named_bank();
  bank.clips[0].joints[1].name = "Tail";
  const auto file = encoded(bank, options);
  EXPECT_TRUE(main_clip(file).constant_translations.empty());
  EXPECT_TRUE(std::any_of(file.report.notices.begin(), file.report.notices.end(),
                          [](auto& d) { return d.message.find("Tail") != std::string::npos; }));
  bank.clips[0].joints[0].name = "Wing";
  const Error error = refusal(bank, options);
  EXPECT_EQ(error.code, ErrorCode::bad_argument);
  EXPECT_NE(error.message.find(".skeleton"), std::string::npos);
}

TEST(SparseEncode, JointsWithoutABoneKeepTheirOwnBound) {
  const Skeleton skeleton = two_bones();
  EncodeOptions options;
  options.skeleton = &skeleton;
  options.max_rotation_error = 1e-6;
  Bank bank = steady_bank(4);
  EXPECT_TRUE(encode_sparse(bank, Game::fc2, options));  // bone 4 is measured in object space
  bank = steady_bank(50);
  bank.clips[0].joints.emplace_back().id = 4;
  test::add_rotations(bank.clips[0], 1, TrackKind::constant, {0.0F}, {Quat{}});
  const Error error = refusal(bank, options);
  EXPECT_EQ(error.code, ErrorCode::bad_argument);
  EXPECT_NE(error.message.find("bone id 50"), std::string::npos) << error.message;
}

TEST(SparseEncode, TranslationsWithoutABoneOnlyGetStillWithinTheirOwnBound) {
  const Skeleton skeleton = two_bones();
  EncodeOptions options;
  options.skeleton = &skeleton;
  options.max_object_error = 1.0;  // a share of it is 5 cm
  Bank bank = steady_bank(4);
  bank.clips[0].joints.emplace_back().id = 50;
  test::add_translations(bank.clips[0], 1, TrackKind::animated, {0.0F, 0.5F},
                         {{0, 0, 0}, {0, 0, 0.01F}});
  const auto clip = main_clip(encoded(bank, options));
  EXPECT_EQ(clip.animated_translations.count(50), 1U);
}

TEST(SparseEncode, AFileThatItsKeysSpeakAgainstIsReadBackAsWritten) {
  // Captured motion with its presence bits mirrored: smooth only where they are read the wrong
  // way round.
  ReadOptions lsb;
  lsb.presence_order = PresenceOrder::lsb;
  const auto mirrored = test::with_other_order(test::read_fixture("motion/cmu_01_01_fc2.mab"));
  const auto bank = test::parse_sparse(mirrored, lsb).bank();
  ASSERT_TRUE(bank);
  const auto file = encoded(*bank);
  const auto& notices = file.report.notices;
  EXPECT_TRUE(std::any_of(notices.begin(), notices.end(), [](const Diagnostic& notice) {
    return notice.message.find("--presence-order lsb") != std::string::npos;
  })) << test::texts(notices);
  EXPECT_LE(file.report.clips[0].rotation.worst, EncodeOptions{}.max_rotation_error);
}

TEST(SparseEncode, PositionsTakenForIdsAreCalledAGuess) {
  Bank bank = steady_bank();
  bank.game.reset();
  const auto notices = encoded(bank).report.notices;
  ASSERT_EQ(notices.size(), 1U);
  EXPECT_NE(notices[0].message.find("guess"), std::string::npos);
}

}  // namespace
}  // namespace mabkit::mab
