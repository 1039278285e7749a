#include "verify/value_checks.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace mabkit::verification {
namespace {

/// One joint with one rotation key and two translation keys, all sound.
Bank sound_bank() {
  Clip clip;
  clip.duration = 1.0F;
  clip.frame_rate = 30.0F;
  clip.joints.resize(1);
  clip.times = {0.0F, 0.0F, 1.0F};
  clip.values = {0.0F, 0.0F, 0.0F, 1.0F, 1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F};
  clip.tracks = {{0, Channel::rotation, TrackKind::constant, {0, 0, 1}},
                 {0, Channel::translation, TrackKind::animated, {1, 4, 2}}};
  Bank bank;
  bank.format = "mab";
  bank.clips = {clip};
  return bank;
}

std::vector<Finding> check(const Bank& bank) {
  std::vector<Finding> found;
  check_values(found, bank);
  return found;
}

void expect_one(const Bank& bank, Severity severity, const std::string& path,
                const std::string& says) {
  const auto found = check(bank);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].severity, severity);
  EXPECT_EQ(found[0].check, "values");
  EXPECT_EQ(found[0].path, path);
  EXPECT_NE(found[0].message.find(says), std::string::npos) << found[0].message;
}

TEST(ValueChecks, SoundBankHasNoFindings) {
  EXPECT_TRUE(check(sound_bank()).empty());
}

TEST(ValueChecks, RotationOffUnitLengthFails) {
  Bank bank = sound_bank();
  bank.clips[0].values[3] = 1.002F;
  expect_one(bank, Severity::failure, "clip[0].track[0]", "length");
  bank.clips[0].values[3] = 1.0009F;
  EXPECT_TRUE(check(bank).empty());
}

TEST(ValueChecks, RotationThatIsNotANumberFails) {
  Bank bank = sound_bank();
  bank.clips[0].values[0] = std::numeric_limits<float>::quiet_NaN();
  expect_one(bank, Severity::failure, "clip[0].track[0]", "length");
}

TEST(ValueChecks, InfiniteTranslationFails) {
  Bank bank = sound_bank();
  bank.clips[0].values[9] = std::numeric_limits<float>::infinity();
  expect_one(bank, Severity::failure, "clip[0].track[1]", "not finite");
}

TEST(ValueChecks, EqualTimesFail) {
  Bank bank = sound_bank();
  bank.clips[0].times[2] = 0.0F;
  expect_one(bank, Severity::failure, "clip[0].track[1]", "does not rise");
}

TEST(ValueChecks, KeyMoreThanAFramePastTheEndWarns) {
  Bank bank = sound_bank();
  bank.clips[0].times[2] = 1.0F + 1.0F / 30.0F;
  EXPECT_TRUE(check(bank).empty());
  bank.clips[0].times[2] = 1.05F;
  expect_one(bank, Severity::warning, "clip[0].track[1]", "past the clip's duration");
}

TEST(ValueChecks, KeysOutsideTheValuesFail) {
  Bank bank = sound_bank();
  bank.clips[0].tracks[1].keys.count = 3;
  expect_one(bank, Severity::failure, "clip[0].track[1]", "outside");
}

TEST(ValueChecks, TrackOfAMissingJointFails) {
  Bank bank = sound_bank();
  bank.clips[0].tracks[1].joint = 1;
  expect_one(bank, Severity::failure, "clip[0].track[1]", "joint 1 of 1");
}

TEST(ValueChecks, TwoTracksOfOneChannelFail) {
  Bank bank = sound_bank();
  bank.clips[0].tracks[0] = bank.clips[0].tracks[1];
  expect_one(bank, Severity::failure, "clip[0].track[1]", "earlier track");
}

TEST(ValueChecks, DurationThatIsNotANumberFails) {
  Bank bank = sound_bank();
  bank.clips[0].tracks.clear();
  bank.clips[0].duration = std::numeric_limits<float>::quiet_NaN();
  expect_one(bank, Severity::failure, "clip[0]", "duration");
}

TEST(ValueChecks, RootMotionIsCheckedToo) {
  Bank bank = sound_bank();
  bank.clips[0].root_motion = RootMotion{Keys{1, 4, 2}, Keys{0, 4, 1}, std::nullopt, std::nullopt};
  expect_one(bank, Severity::failure, "clip[0].root_motion.rotation", "length");
}

TEST(ValueChecks, ParticipantOutOfRangeFails) {
  Bank bank = sound_bank();
  bank.clips[0].participant = 0;
  expect_one(bank, Severity::failure, "clip[0]", "participant");
}

}  // namespace
}  // namespace mabkit::verification
