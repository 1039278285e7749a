#include <gtest/gtest.h>

#include <cmath>
#include <mabkit/diff.hpp>
#include <mabkit/names.hpp>
#include <numbers>

#include "verify/curve_diff.hpp"

namespace mabkit {
namespace {

constexpr double pi = std::numbers::pi;

Quat about_x(double angle) {
  return {static_cast<float>(std::sin(angle / 2)), 0.0F, 0.0F,
          static_cast<float>(std::cos(angle / 2))};
}

Joint named_joint(const char* name) {
  Joint joint;
  joint.name = name;
  joint.name_hash = name_hash(name);
  return joint;
}

/// A joint that turns about x from one angle to another in a second.
Bank turning_bank(const Joint& joint, double from, double to) {
  Clip clip;
  clip.duration = 1.0F;
  clip.joints = {joint};
  clip.times = {0.0F, 1.0F};
  for (const Quat q : {about_x(from), about_x(to)}) {
    clip.values.insert(clip.values.end(), {q.x, q.y, q.z, q.w});
  }
  clip.tracks = {{0, Channel::rotation, TrackKind::animated, {0, 0, 2}}};
  Bank bank;
  bank.clips = {clip};
  return bank;
}

TEST(AngleBetween, IsExactlyZeroForEqualRotations) {
  const Quat q{0.1F, -0.2F, 0.3F, 0.927F};
  EXPECT_EQ(verification::angle_between(q, q), 0.0);
  EXPECT_EQ(verification::angle_between(q, {-q.x, -q.y, -q.z, -q.w}), 0.0);
}

TEST(AngleBetween, MeasuresTheShorterWay) {
  EXPECT_NEAR(verification::angle_between(about_x(0.0), about_x(pi / 2)), pi / 2, 1e-6);
  EXPECT_NEAR(verification::angle_between(about_x(0.0), about_x(1.5 * pi)), pi / 2, 1e-6);
  EXPECT_NEAR(verification::angle_between(about_x(0.0), about_x(1e-4)), 1e-4, 1e-9);
}

TEST(Diff, EqualBanksAreTheSame) {
  const Bank bank = turning_bank(named_joint("Pelvis"), 0.0, 1.0);
  EXPECT_TRUE(diff(bank, bank).is_same());
}

TEST(Diff, FindsTheWorstAngleAndItsTime) {
  const Bank a = turning_bank(named_joint("Pelvis"), 0.0, 1.0);
  const Bank b = turning_bank(named_joint("Pelvis"), 0.1, 0.7);
  const auto found = diff(a, b);
  ASSERT_EQ(found.clips.size(), 1U);
  EXPECT_NEAR(found.clips[0].worst_angle.amount, 0.3, 1e-6);
  EXPECT_EQ(found.clips[0].worst_angle.time, 1.0F);
  EXPECT_EQ(found.clips[0].worst_angle_joint, "Pelvis");
  EXPECT_FALSE(found.is_same());
}

TEST(Diff, DriftWithinTheToleranceIsTheSame) {
  const Bank a = turning_bank(named_joint("Pelvis"), 0.0, 1.0);
  const Bank b = turning_bank(named_joint("Pelvis"), 0.0, 1.0 + 1.5e-5);
  const auto found = diff(a, b);
  EXPECT_TRUE(found.is_same());
  EXPECT_GT(found.clips[0].worst_angle.amount, 1e-5);
  EXPECT_FALSE(diff(a, b, {1e-5, 1e-5, 1e-6}).is_same());
}

TEST(Diff, JointsWithHashesMeetByHash) {
  Joint a = named_joint("Pelvis");
  Joint b = named_joint("Pelvis");
  a.id = 3;
  b.id = 9;
  EXPECT_TRUE(diff(turning_bank(a, 0.0, 1.0), turning_bank(b, 0.0, 1.0)).is_same());
}

TEST(Diff, JointsWithoutHashesMeetById) {
  Joint a;
  Joint b;
  a.id = 3;
  b.id = 3;
  EXPECT_TRUE(diff(turning_bank(a, 0.0, 1.0), turning_bank(b, 0.0, 1.0)).is_same());
  b.id = 4;
  const auto found = diff(turning_bank(a, 0.0, 1.0), turning_bank(b, 0.0, 1.0));
  EXPECT_EQ(found.clips[0].joints_only_in_a, std::vector<std::string>{"#3"});
  EXPECT_EQ(found.clips[0].joints_only_in_b, std::vector<std::string>{"#4"});
}

TEST(Diff, AHashAndAnIdDoNotMeet) {
  const auto found =
      diff(turning_bank(named_joint("Pelvis"), 0.0, 1.0), turning_bank(Joint{}, 0.0, 1.0));
  EXPECT_EQ(found.clips[0].compared_joints, 0U);
}

TEST(Diff, RemovedKeysCountEvenWhereTheCurveIsTheSame) {
  const Bank a = turning_bank(named_joint("Pelvis"), 0.5, 0.5);
  Bank b = a;
  b.clips[0].tracks[0].keys.count = 1;
  const auto found = diff(a, b);
  ASSERT_EQ(found.clips[0].joints.size(), 1U);
  EXPECT_EQ(found.clips[0].joints[0].remarks,
            std::vector<std::string>{"rotation keys: 2 in A, 1 in B"});
  EXPECT_EQ(found.clips[0].worst_angle.amount, 0.0);
}

TEST(Diff, EventsDurationAndRootMotionCount) {
  const Bank a = turning_bank(named_joint("Pelvis"), 0.0, 1.0);
  Bank b = a;
  b.clips[0].duration = 2.0F;
  b.clips[0].events.resize(1);
  b.clips[0].root_motion = RootMotion{};
  const std::vector<std::string> expected{"duration: 1 in A, 2 in B", "root motion only in B",
                                          "events: 0 in A, 1 in B"};
  EXPECT_EQ(diff(a, b).clips[0].remarks, expected);
}

TEST(Diff, ClipsAndParticipantsOfOneOnlyCount) {
  const Bank a = turning_bank(named_joint("Pelvis"), 0.0, 1.0);
  Bank b = a;
  b.clips.push_back(b.clips[0]);
  b.participants.resize(1);
  const std::vector<std::string> expected{"clips: 1 in A, 2 in B", "participants: 0 in A, 1 in B"};
  EXPECT_EQ(diff(a, b).remarks, expected);
}

}  // namespace
}  // namespace mabkit
