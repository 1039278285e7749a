#include "codec/packed_quaternion.hpp"

#include <gtest/gtest.h>

#include <cmath>

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

}  // namespace
}  // namespace mabkit::codec
