#include "codec/packed_quaternion.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace mabkit::codec {
namespace {

struct PackedCase {
  const char* name;
  PackedQuaternion packed;
  Quat rotation;
};

/// The vectors of spec mab-sparse, section 2, with the values that it gives.
class PackedVectors : public testing::TestWithParam<PackedCase> {};

TEST_P(PackedVectors, DecodesToTheSpecsValue) {
  // Half a unit of the spec's seventh digit, and float32 rounding of products near 1.2.
  constexpr float tolerance = 3e-7F;
  const auto [rotation, radicand] = unpack(GetParam().packed, sparse_packed_half);
  EXPECT_NEAR(rotation.x, GetParam().rotation.x, tolerance);
  EXPECT_NEAR(rotation.y, GetParam().rotation.y, tolerance);
  EXPECT_NEAR(rotation.z, GetParam().rotation.z, tolerance);
  EXPECT_NEAR(rotation.w, GetParam().rotation.w, tolerance);
}

constexpr float zero = -2.157e-5F;  // what zero decodes to
INSTANTIATE_TEST_SUITE_P(
    Spec, PackedVectors,
    testing::Values(
        PackedCase{"identity", {0xBFFF, 0xBFFF, 0x3FFF}, {zero, zero, zero, 1.0F}},
        PackedCase{"quarter_x", {0xFFFF, 0xBFFF, 0x3FFF}, {.7071068F, zero, zero, .7071068F}},
        PackedCase{"quarter_z", {0xBFFF, 0xBFFF, 0x7FFF}, {zero, zero, .7071068F, .7071068F}},
        PackedCase{"half_y", {0xBFFF, 0x3FFF, 0x3FFF}, {zero, 1.0F, zero, zero}},
        PackedCase{"even", {0xED40, 0xED40, 0x6D40}, {.4999834F, .4999834F, .4999834F, .5000497F}},
        PackedCase{
            "mixed", {0x12BF, 0xED40, 0x12BF}, {-.4999834F, .4999834F, .5000497F, -.4999834F}}),
    [](const auto& test) { return test.param.name; });

TEST(PackedQuaternion, RadicandBelowZeroRenormalisesTheKeptThree) {
  const auto [rotation, radicand] = unpack({0xFFFF, 0xFFFF, 0x7FFF}, sparse_packed_half);
  EXPECT_LT(radicand, 0.0F);
  EXPECT_EQ(rotation.w, 0.0F);
  EXPECT_NEAR(rotation.x * rotation.x + rotation.y * rotation.y + rotation.z * rotation.z, 1.0F,
              1e-6F);
}

TEST(PackedQuaternion, ThirdWordIsSigned) {
  const auto [rotation, radicand] = unpack({0xBFFF, 0xBFFF, 0x8000}, sparse_packed_half);
  EXPECT_LT(rotation.z, 0.0F);
}

struct EncodedCase {
  const char* name;
  Quat rotation;
  PackedQuaternion packed;
};

constexpr float root_half = 0.70710678F;

class EncodedVectors : public testing::TestWithParam<EncodedCase> {};

TEST_P(EncodedVectors, PacksToTheSpecsWords) {
  EXPECT_EQ(pack(GetParam().rotation), GetParam().packed);
}

TEST_P(EncodedVectors, PacksToTheSameWordsAtAnyLength) {
  const Quat& q = GetParam().rotation;
  EXPECT_EQ(pack({4.0F * q.x, 4.0F * q.y, 4.0F * q.z, 4.0F * q.w}), GetParam().packed);
}

INSTANTIATE_TEST_SUITE_P(
    Spec, EncodedVectors,
    testing::Values(
        EncodedCase{"identity", {0, 0, 0, 1}, {0xBFFF, 0xBFFF, 0x3FFF}},
        EncodedCase{"quarter_x", {root_half, 0, 0, root_half}, {0xFFFF, 0xBFFF, 0x3FFF}},
        EncodedCase{"quarter_z", {0, 0, root_half, root_half}, {0xBFFF, 0xBFFF, 0x7FFF}},
        EncodedCase{"half_y", {0, 1, 0, 0}, {0xBFFF, 0x3FFF, 0x3FFF}},
        EncodedCase{"even", {.5F, .5F, .5F, .5F}, {0xED40, 0xED40, 0x6D40}},
        EncodedCase{"mixed", {-.5F, .5F, .5F, -.5F}, {0x12BF, 0xED40, 0x12BF}}),
    [](const auto& test) { return test.param.name; });

TEST(PackedQuaternion, TiesDropTheLaterOfEqualsAndRatherOneThatIsNotNegative) {
  // Selector bits: the first of w0, the second of w1; 3 drops w, 2 drops y, 1 drops z, 0 drops x.
  const auto code = [](const Quat& q) {
    const PackedQuaternion packed = pack(q);
    return 2 * (packed.w0 >> 15) + (packed.w1 >> 15);
  };
  EXPECT_EQ(code({.5F, .5F, .5F, .5F}), 3);
  EXPECT_EQ(code({.5F, .5F, .5F, -.5F}), 1);
  EXPECT_EQ(code({.5F, -.5F, -.5F, -.5F}), 0);
  EXPECT_EQ(code({-.5F, -.5F, -.5F, -.5F}), 3);
  EXPECT_EQ(code({.5F, .5F, -.5F, -.5F}), 2);
}

TEST(PackedQuaternion, WhatIsNoRotationPacksAsTheIdentity) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(is_rotation({0, 0, 0, 0}));
  EXPECT_FALSE(is_rotation({nan, 0, 0, 1}));
  EXPECT_EQ(pack({0, 0, 0, 0}), pack({0, 0, 0, 1}));
  EXPECT_EQ(pack({nan, 0, 0, 1}), pack({0, 0, 0, 1}));
}

Quat random_unit(std::mt19937& random) {
  std::normal_distribution<double> normal;
  const double x = normal(random);
  const double y = normal(random);
  const double z = normal(random);
  const double w = normal(random);
  const double length = std::sqrt(x * x + y * y + z * z + w * w);
  return {static_cast<float>(x / length), static_cast<float>(y / length),
          static_cast<float>(z / length), static_cast<float>(w / length)};
}

/// Radians, by the chord in double.
double angle_between(const Quat& a, const Quat& b) {
  const double dot = static_cast<double>(a.x) * b.x + static_cast<double>(a.y) * b.y +
                     static_cast<double>(a.z) * b.z + static_cast<double>(a.w) * b.w;
  const double sign = dot < 0.0 ? -1.0 : 1.0;
  const double x = a.x - sign * b.x;
  const double y = a.y - sign * b.y;
  const double z = a.z - sign * b.z;
  const double w = a.w - sign * b.w;
  return 4.0 * std::asin(0.5 * std::sqrt(x * x + y * y + z * z + w * w));
}

TEST(PackedQuaternion, AngleStaysWithinTheSpecsBound) {
  std::mt19937 random(1);
  double sum = 0.0;
  double sum_nearest = 0.0;
  for (int i = 0; i < 200000; ++i) {
    const Quat q = random_unit(random);
    const double angle = angle_between(q, unpack(pack(q), sparse_packed_half).rotation);
    const double nearest =
        angle_between(q, unpack(pack_nearest(q, sparse_packed_half), sparse_packed_half).rotation);
    ASSERT_LE(angle, 1.50e-4) << q.x << ' ' << q.y << ' ' << q.z << ' ' << q.w;
    ASSERT_LE(nearest, angle + 1e-9);
    sum += angle;
    sum_nearest += nearest;
  }
  EXPECT_LT(sum_nearest, sum);
}

TEST(PackedQuaternion, ChunkedDecoderStaysWithinTheBoundToo) {
  std::mt19937 random(2);
  for (int i = 0; i < 50000; ++i) {
    const Quat q = random_unit(random);
    ASSERT_LE(angle_between(q, unpack(pack(q), chunked_packed_half).rotation), 1.51e-4);
  }
}

/// Random words whose dropped component is the largest by a clear margin.
PackedQuaternion random_canonical(std::mt19937& random) {
  std::uniform_int_distribution<unsigned> word(0, 0xFFFF);
  constexpr float margin = 1e-6F;
  for (;;) {
    const PackedQuaternion packed{static_cast<std::uint16_t>(word(random)),
                                  static_cast<std::uint16_t>(word(random)),
                                  static_cast<std::uint16_t>(word(random) & 0x7FFFU)};
    const auto [q, radicand] = unpack(packed, sparse_packed_half);
    if (radicand <= 0.0F) continue;
    const float dropped = std::sqrt(radicand);
    int larger = 0;
    for (const float component : {q.x, q.y, q.z, q.w}) {
      if (std::abs(component) > dropped - margin) ++larger;
    }
    if (larger == 1) return packed;
  }
}

TEST(PackedQuaternion, CanonicalWordsComeBackFromEitherDecoder) {
  std::mt19937 random(3);
  for (int i = 0; i < 300000; ++i) {
    const PackedQuaternion packed = random_canonical(random);
    for (const float half : {sparse_packed_half, chunked_packed_half}) {
      const Quat q = unpack(packed, half).rotation;
      ASSERT_EQ(pack(q), packed);
      ASSERT_EQ(pack_nearest(q, half), packed);
      ASSERT_EQ(find_packed(q, half), packed);
      ASSERT_EQ(pack({-q.x, -q.y, -q.z, -q.w}), packed);
    }
  }
}

TEST(PackedQuaternion, EveryLevelOfEveryPlaceComesBack) {
  for (unsigned level = 0; level <= 0x7FFF; ++level) {
    const auto value = static_cast<std::uint16_t>(level);
    const auto marked = static_cast<std::uint16_t>(level | 0x8000);
    for (const PackedQuaternion packed :
         {PackedQuaternion{marked, 0xBFFF, 0x3FFF}, PackedQuaternion{0xBFFF, marked, 0x3FFF},
          PackedQuaternion{0xBFFF, 0xBFFF, value}}) {
      const Quat q = unpack(packed, sparse_packed_half).rotation;
      // Levels within one of the ends stand for components as large as the dropped one.
      if (level > 0 && level < 0x7FFF) {
        ASSERT_EQ(pack(q), packed) << level;
      }
      ASSERT_EQ(find_packed(q, sparse_packed_half), packed) << level;
    }
  }
}

TEST(PackedQuaternion, WordsOfNearTiesAreFound) {
  // Kept components all level 0x6D41 give a dropped one that is smaller than they are.
  const PackedQuaternion packed{0xED41, 0xED41, 0x6D41};
  const Quat q = unpack(packed, sparse_packed_half).rotation;
  ASSERT_LT(q.w, q.x);
  EXPECT_NE(pack(q), packed);
  EXPECT_EQ(find_packed(q, sparse_packed_half), packed);
}

TEST(PackedQuaternion, RotationsBetweenTheLevelsHaveNoWords) {
  EXPECT_FALSE(find_packed({.5F, .5F, .5F, .5F}, sparse_packed_half).has_value());
  EXPECT_FALSE(find_packed({0, 0, 0, 1}, sparse_packed_half).has_value());
}

TEST(PackedQuaternion, WordsAroundHoldThePackedOnes) {
  std::mt19937 random(4);
  for (int i = 0; i < 1000; ++i) {
    const Quat q = random_unit(random);
    const auto around = packed_around(q);
    EXPECT_NE(std::find(around.begin(), around.end(), pack(q)), around.end());
  }
}

}  // namespace
}  // namespace mabkit::codec
