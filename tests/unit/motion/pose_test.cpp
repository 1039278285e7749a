#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <mabkit/pose.hpp>

#include "unit/gltf/clips.hpp"

namespace mabkit {
namespace {

using test::half_root;

constexpr double pi = 3.14159265358979323846;

Quat about_z(double degrees) {
  const double half = degrees * pi / 360.0;
  return {0.0F, 0.0F, static_cast<float>(std::sin(half)), static_cast<float>(std::cos(half))};
}

void expect_near(const Quat& a, const Quat& b, float tolerance = 1e-6F) {
  EXPECT_NEAR(a.x, b.x, tolerance);
  EXPECT_NEAR(a.y, b.y, tolerance);
  EXPECT_NEAR(a.z, b.z, tolerance);
  EXPECT_NEAR(a.w, b.w, tolerance);
}

void expect_near(const Vec3& a, const Vec3& b) {
  EXPECT_NEAR(a.x, b.x, 1e-6F);
  EXPECT_NEAR(a.y, b.y, 1e-6F);
  EXPECT_NEAR(a.z, b.z, 1e-6F);
}

/// Keys at 1 s and 2 s.
struct Sampling {
  explicit Sampling(const Quat& a, const Quat& b)
      : keys(test::add_keys(clip, {1.0F, 2.0F}, {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w},
                            Channel::rotation)) {}
  [[nodiscard]] Quat at(float time) const { return sample_rotation(clip, keys, time); }
  Clip clip;
  Keys keys;
};

TEST(SampleRotation, HalfOfAQuarterTurnIsAnEighth) {
  expect_near(Sampling(about_z(0), about_z(90)).at(1.5F), about_z(45));
}

TEST(SampleRotation, TheAngleGrowsEvenly) {
  const Sampling turn(about_z(10), about_z(170));
  expect_near(turn.at(1.25F), about_z(50));
  expect_near(turn.at(1.75F), about_z(130));
}

TEST(SampleRotation, TakesTheShortWayRound) {
  const Quat b = about_z(90);
  expect_near(Sampling(about_z(0), {-b.x, -b.y, -b.z, -b.w}).at(1.5F), about_z(45));
}

TEST(SampleRotation, IsHeldAtBothEndsAndExactAtKeys) {
  const Quat a{0.5F, -0.5F, 0.5F, 0.5F};
  const Quat b{-0.1F, -0.7F, -0.1F, 0.7F};
  const Sampling turn(a, b);
  EXPECT_EQ(turn.at(-3.0F), a);
  EXPECT_EQ(turn.at(1.0F), a);
  EXPECT_EQ(turn.at(2.0F), b);
  EXPECT_EQ(turn.at(9.0F), b);
}

TEST(SampleRotation, TimeThatIsNoNumberHoldsTheFirstKey) {
  EXPECT_EQ(Sampling(about_z(0), about_z(90)).at(std::numeric_limits<float>::quiet_NaN()),
            about_z(0));
}

TEST(SampleRotation, NeighboursThatAreAlmostEqualStayUnit) {
  const Quat q = Sampling(about_z(20), about_z(20.5)).at(1.5F);
  expect_near(q, about_z(20.25));
}

TEST(SampleRotation, NoKeysAreTheIdentity) {
  EXPECT_EQ(sample_rotation(Clip{}, Keys{}, 1.0F), Quat{});
}

TEST(SampleTranslation, IsLinearAndHeld) {
  Clip clip;
  const Keys keys =
      test::add_keys(clip, {0.0F, 0.5F, 2.0F}, {0, 0, 0, 1, 2, 4, 4, 2, -2}, Channel::translation);
  EXPECT_EQ(sample_translation(clip, keys, 0.25F), (Vec3{0.5F, 1.0F, 2.0F}));
  EXPECT_EQ(sample_translation(clip, keys, 1.0F), (Vec3{2.0F, 2.0F, 2.0F}));
  EXPECT_EQ(sample_translation(clip, keys, -1.0F), (Vec3{0.0F, 0.0F, 0.0F}));
  EXPECT_EQ(sample_translation(clip, keys, 5.0F), (Vec3{4.0F, 2.0F, -2.0F}));
}

RC_GTEST_PROP(Slerp, DividesTheAngle, ()) {
  const auto angle = *rc::gen::inRange(-179, 180);
  const auto start = *rc::gen::inRange(-180, 180);
  const double fraction = *rc::gen::inRange(0, 101) / 100.0;
  const Quat q = slerp(about_z(start), about_z(start + angle), fraction);
  const Quat expected = about_z(start + angle * fraction);
  const double cosine =
      static_cast<double>(q.z) * expected.z + static_cast<double>(q.w) * expected.w;
  RC_ASSERT(std::abs(std::abs(cosine) - 1.0) < 1e-6);
  RC_ASSERT(std::abs(q.z * q.z + q.w * q.w - 1.0F) < 1e-6F);
}

/// A shoulder, an elbow below it that stands first in the list, and a hand that no clip drives.
Skeleton arm() {
  Skeleton skeleton;
  skeleton.bones = {test::bone("Elbow", 1, {1.0F, 0.0F, 0.0F}),
                    test::bone("Shoulder", std::nullopt, {0.0F, 0.0F, 1.0F}),
                    test::bone("Hand", 0, {0.5F, 0.0F, 0.0F})};
  return skeleton;
}

TEST(LocalPose, TracksReplaceTheBindPose) {
  Clip clip;
  test::add_joint(clip, "Elbow");
  test::add_joint(clip, "Stranger");
  test::add_track(clip, 0, Channel::translation, TrackKind::constant, {0.0F}, {2.0F, 3.0F, 4.0F});
  test::add_track(clip, 1, Channel::translation, TrackKind::constant, {0.0F}, {9.0F, 9.0F, 9.0F});
  const Skeleton skeleton = arm();
  const Binding binding = bind(clip, skeleton, {});
  const auto pose = local_pose(clip, skeleton, binding, 0.0F);
  ASSERT_EQ(pose.size(), 3U);
  EXPECT_EQ(pose[0].translation, (Vec3{2.0F, 3.0F, 4.0F}));
  EXPECT_EQ(pose[0].rotation, Quat{});
  EXPECT_EQ(pose[1].translation, (Vec3{0.0F, 0.0F, 1.0F}));
  EXPECT_EQ(pose[2].translation, (Vec3{0.5F, 0.0F, 0.0F}));
}

TEST(ObjectPose, AChildTurnsAndMovesWithItsParent) {
  const Skeleton skeleton = arm();
  std::vector<Transform> local{{{}, {1.0F, 0.0F, 0.0F}},
                               {{0.0F, 0.0F, half_root, half_root}, {0.0F, 0.0F, 1.0F}},
                               {{}, {0.5F, 0.0F, 0.0F}}};
  // The shoulder turns +X into +Y.
  const auto object = object_pose(skeleton, local);
  expect_near(object[1].translation, {0.0F, 0.0F, 1.0F});
  expect_near(object[0].translation, {0.0F, 1.0F, 1.0F});
  expect_near(object[2].translation, {0.0F, 1.5F, 1.0F});
  expect_near(object[2].rotation, {0.0F, 0.0F, half_root, half_root});
}

TEST(ObjectPose, ACycleOfParentsEndsAndKeepsLocals) {
  Skeleton skeleton;
  skeleton.bones = {test::bone("A", 1, {1.0F, 0.0F, 0.0F}), test::bone("B", 0, {2.0F, 0.0F, 0.0F}),
                    test::bone("C", std::nullopt, {3.0F, 0.0F, 0.0F})};
  const auto pose = object_pose(skeleton, local_pose({}, skeleton, {}, 0.0F));
  EXPECT_EQ(pose[0].translation, (Vec3{1.0F, 0.0F, 0.0F}));
  EXPECT_EQ(pose[2].translation, (Vec3{3.0F, 0.0F, 0.0F}));
}

TEST(Rotate, AgreesWithTheProductOfQuaternions) {
  const Quat q{0.5F, -0.1F, 0.7F, 0.5F};  // unit
  const Vec3 v{1.0F, 2.0F, -3.0F};
  const Quat product = multiply(multiply(q, {v.x, v.y, v.z, 0.0F}), conjugate(q));
  expect_near(rotate(q, v), {product.x, product.y, product.z});
}

TEST(Multiply, TurnsByTheSecondFirst) {
  // 90° about z, then 90° about x, takes +X to +Y, then to +Z.
  const Quat x{half_root, 0.0F, 0.0F, half_root};
  const Quat z{0.0F, 0.0F, half_root, half_root};
  expect_near(rotate(multiply(x, z), {1.0F, 0.0F, 0.0F}), {0.0F, 0.0F, 1.0F});
}

}  // namespace
}  // namespace mabkit
