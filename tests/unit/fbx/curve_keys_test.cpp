#include "fbx/curve_keys.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "fbx/euler.hpp"

namespace mabkit::fbx {
namespace {

using scene::CurveKind;
using scene::NodeCurve;

constexpr float root_half = 0.70710678F;

NodeCurve rotations(const std::vector<float>& times, const std::vector<float>& values) {
  return {.node = 0, .channel = Channel::rotation, .times = times, .values = values};
}

/// What the three curves say at `tick`, between keys along straight lines.
Angles curve_at(const CurveKeys& keys, double tick) {
  std::size_t i = 0;
  while (i + 2 < keys.ticks.size() && static_cast<double>(keys.ticks[i + 1]) <= tick) ++i;
  const auto from = static_cast<double>(keys.ticks[i]);
  const auto to = static_cast<double>(keys.ticks[i + 1]);
  Angles out{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double a = keys.values[axis][i];
    out[axis] = a + (tick - from) / (to - from) * (keys.values[axis][i + 1] - a);
  }
  return out;
}

/// Engine space is Z up; curves are Y up.
Rotation y_up(const Quat& q) {
  return to_rotation({q.x, q.z, -q.y, q.w});
}

TEST(FbxTicks, ASecondHas46186158000) {
  EXPECT_EQ(tick_of(1.0F), 46186158000);
  EXPECT_EQ(tick_of(0.5F), 23093079000);
}

TEST(FbxTicks, TimesBeyondWhatTheyCanSayHaveNone) {
  EXPECT_FALSE(tick_of(2e8F));
  EXPECT_FALSE(tick_of(-1.0F));
  EXPECT_FALSE(tick_of(INFINITY));
}

TEST(FbxCurveKeys, ATurnAboutOneAxisNeedsNoKeysInBetween) {
  // A quarter turn about Z, which is Y once Y is up.
  const std::vector<float> times{0.0F, 1.0F};
  const std::vector<float> values{0, 0, 0, 1, 0, 0, root_half, root_half};
  const auto keys = curve_keys(rotations(times, values));
  ASSERT_TRUE(keys);
  EXPECT_EQ(keys->ticks, (std::vector<std::int64_t>{0, 46186158000}));
  EXPECT_NEAR(keys->values[1].back(), 90.0F, 1e-4F);
  EXPECT_NEAR(keys->values[0].back(), 0.0F, 1e-4F);
}

TEST(FbxCurveKeys, TurnsGoOnBeyondHalfATurn) {
  std::vector<float> times;
  std::vector<float> values;
  for (int i = 0; i <= 8; ++i) {
    const double half = 0.5 * 0.25 * 3.14159265358979 * i * 2.0;
    times.push_back(static_cast<float>(i));
    values.insert(values.end(),
                  {0, 0, static_cast<float>(std::sin(half)), static_cast<float>(std::cos(half))});
  }
  const auto keys = curve_keys(rotations(times, values));
  ASSERT_TRUE(keys);
  EXPECT_NEAR(keys->values[1].back(), 720.0F, 1e-3F);
}

TEST(FbxCurveKeys, KeysInBetweenKeepCurvesNearTheShortWay) {
  const Quat from{0, 0, 0, 1};
  const Quat to{0.5F, 0.5F, 0.5F, 0.5F};
  const std::vector<float> times{0.0F, 1.0F};
  const std::vector<float> values{0, 0, 0, 1, 0.5F, 0.5F, 0.5F, 0.5F};
  const auto keys = curve_keys(rotations(times, values));
  ASSERT_TRUE(keys);
  EXPECT_GT(keys->ticks.size(), 4U);
  EXPECT_LT(keys->ticks.size(), 200U);
  double worst = 0.0;
  for (int i = 0; i <= 1000; ++i) {
    const double fraction = i / 1000.0;
    const Rotation expected = between(y_up(from), y_up(to), fraction);
    const Angles angles = curve_at(*keys, fraction * ticks_per_second);
    worst = std::max(worst, degrees_apart(rotation_of(angles), expected));
  }
  EXPECT_LT(worst, 1.1 * max_stray);
}

TEST(FbxCurveKeys, APassageThroughGimbalLockStaysNearTheShortWayToo) {
  // Engine X and Y are the outer axes; a turn about Z, the middle one of Y-up angles, to 90 degrees
  // with a tilt.
  const Rotation a = rotation_of({0, 60, 3});
  const Rotation b = rotation_of({2, 120, -3});
  // Back to engine space: x' = x, y' = -z, z' = y.
  const auto engine = [](const Rotation& q) {
    return std::vector<float>{static_cast<float>(q[0]), static_cast<float>(-q[2]),
                              static_cast<float>(q[1]), static_cast<float>(q[3])};
  };
  std::vector<float> values = engine(a);
  for (const float v : engine(b)) values.push_back(v);
  const std::vector<float> times{0.0F, 1.0F};
  const auto keys = curve_keys(rotations(times, values));
  ASSERT_TRUE(keys);
  double worst = 0.0;
  for (int i = 0; i <= 2000; ++i) {
    const double fraction = i / 2000.0;
    const Angles angles = curve_at(*keys, fraction * ticks_per_second);
    worst = std::max(worst, degrees_apart(rotation_of(angles), between(a, b, fraction)));
  }
  EXPECT_LT(worst, 1.1 * max_stray);
}

TEST(FbxCurveKeys, TranslationsBecomeCentimetresYUp) {
  const std::vector<float> times{0.0F, 0.25F};
  const std::vector<float> values{1, 2, 3, 4, 5, 6};
  const auto keys =
      curve_keys({.node = 0, .channel = Channel::translation, .times = times, .values = values});
  ASSERT_TRUE(keys);
  EXPECT_EQ(keys->values[0], (std::vector<float>{100, 400}));
  EXPECT_EQ(keys->values[1], (std::vector<float>{300, 600}));
  EXPECT_EQ(keys->values[2], (std::vector<float>{-200, -500}));
}

TEST(FbxCurveKeys, OneValueHasTwoKeys) {
  const std::vector<float> values{1, 0, 0};
  const auto keys = curve_keys({.node = 0,
                                .channel = Channel::translation,
                                .kind = CurveKind::constant,
                                .values = values,
                                .ends = {0.0F, 2.0F}});
  ASSERT_TRUE(keys);
  EXPECT_EQ(keys->ticks, (std::vector<std::int64_t>{0, 92372316000}));
  EXPECT_EQ(keys->values[0], (std::vector<float>{100, 100}));
}

TEST(FbxCurveKeys, TimesThatShareATickKeepTheLastValue) {
  const std::vector<float> times{0.0F, 1e-13F, 1.0F};
  const std::vector<float> values{1, 0, 0, 2, 0, 0, 3, 0, 0};
  const auto keys =
      curve_keys({.node = 0, .channel = Channel::translation, .times = times, .values = values});
  ASSERT_TRUE(keys);
  EXPECT_EQ(keys->ticks.size(), 2U);
  EXPECT_EQ(keys->values[0], (std::vector<float>{200, 300}));
}

}  // namespace
}  // namespace mabkit::fbx
