#include "fbx/euler.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace mabkit::fbx {
namespace {

constexpr double root_half = 0.70710678118654752;

void expect_near(const Angles& a, const Angles& b) {
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(a[i], b[i], 1e-9) << "axis " << i;
}

TEST(Euler, TurnsAboutXThenYThenZ) {
  // X by 90 degrees takes +Y to +Z; Z by 90 degrees after it leaves +Z alone.
  const Rotation q = rotation_of({90, 0, 90});
  // The product Z * X of the two quarter turns.
  const Rotation expected{0.5, 0.5, 0.5, 0.5};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(q[i], expected[i], 1e-15);
}

TEST(Euler, OneAxisGivesItsAngle) {
  expect_near(angles_near({root_half, 0, 0, root_half}, {}), {90, 0, 0});
  expect_near(angles_near({0, 0, -root_half, root_half}, {}), {0, 0, -90});
}

TEST(Euler, AnglesFollowThePreviousOnesBeyondHalfATurn) {
  const Rotation q = rotation_of({10, 0, 0});
  expect_near(angles_near(q, {350, 0, 0}), {370, 0, 0});
  expect_near(angles_near(q, {-700, 0, 0}), {-710, 0, 0});
}

TEST(Euler, TheMiddleAnglePassesNinetyDegreesWithoutAJump) {
  expect_near(angles_near(rotation_of({5, 91, 7}), {5, 89, 7}), {5, 91, 7});
}

TEST(Euler, InGimbalLockTheFirstAngleStays) {
  for (const double middle : {90.0, -90.0}) {
    const Angles angles = angles_near(rotation_of({30, middle, 20}), {12, middle, 0});
    EXPECT_NEAR(angles[0], 12, 1e-9);
    EXPECT_NEAR(degrees_apart(rotation_of(angles), rotation_of({30, middle, 20})), 0.0, 1e-6);
  }
}

TEST(Euler, BetweenTakesTheShortWay) {
  const Rotation a = rotation_of({0, 0, 0});
  Rotation b = rotation_of({0, 0, 40});
  for (double& component : b) component = -component;
  EXPECT_NEAR(degrees_apart(between(a, b, 0.25), rotation_of({0, 0, 10})), 0.0, 1e-9);
}

TEST(Euler, DegreesApartIsTheAngleOfTheTurnBetween) {
  EXPECT_NEAR(degrees_apart(rotation_of({0, 30, 0}), rotation_of({0, -15, 0})), 45.0, 1e-9);
}

RC_GTEST_PROP(Euler, AnglesStandForTheirRotation, ()) {
  const auto component = [] { return *rc::gen::inRange(-1000, 1001) / 1000.0; };
  const Quat q{static_cast<float>(component()), static_cast<float>(component()),
               static_cast<float>(component()), static_cast<float>(component())};
  RC_PRE(std::abs(q.x) + std::abs(q.y) + std::abs(q.z) + std::abs(q.w) > 0.01F);
  const Angles previous{360 * component(), 360 * component(), 360 * component()};
  const Rotation rotation = to_rotation(q);
  const Angles angles = angles_near(rotation, previous);
  RC_ASSERT(degrees_apart(rotation_of(angles), rotation) < 1e-5);
  for (std::size_t i = 0; i < 3; ++i) RC_ASSERT(std::abs(angles[i] - previous[i]) < 360.0);
}

}  // namespace
}  // namespace mabkit::fbx
