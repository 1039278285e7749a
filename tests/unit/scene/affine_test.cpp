#include "scene/affine.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "unit/gltf/clips.hpp"

namespace mabkit::scene {
namespace {

using test::half_root;

void expect_near(const Affine& a, const Affine& b) {
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(a.linear[i], b.linear[i], 1e-6);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(a.offset[i], b.offset[i], 1e-6);
}

const Trs sample{{1.0F, 2.0F, 3.0F}, {0.5F, -0.1F, 0.7F, 0.5F}, {2.0F, 0.5F, 1.5F}};

TEST(Affine, ScalesThenTurnsThenMoves) {
  // 90° about z takes +X to +Y.
  const Trs trs{{10.0F, 0.0F, 0.0F}, {0.0F, 0.0F, half_root, half_root}, {3.0F, 1.0F, 1.0F}};
  const Affine point = Affine::from({{1.0F, 0.0F, 0.0F}, {}, {1.0F, 1.0F, 1.0F}});
  const Affine moved = Affine::from(trs) * point;
  EXPECT_NEAR(moved.offset[0], 10.0, 1e-6);
  EXPECT_NEAR(moved.offset[1], 3.0, 1e-6);
  EXPECT_NEAR(moved.offset[2], 0.0, 1e-6);
}

TEST(Affine, InverseUndoes) {
  const Affine map = Affine::from(sample);
  const auto inverse = map.inverse();
  ASSERT_TRUE(inverse);
  expect_near(*inverse * map, Affine{});
  expect_near(map * *inverse, Affine{});
}

TEST(Affine, AFlatMapHasNoInverse) {
  EXPECT_FALSE(Affine::from({{}, {}, {1.0F, 0.0F, 1.0F}}).inverse());
}

TEST(Affine, DecomposingIsTheInverseOfComposing) {
  for (const Quat& q : {Quat{0.9F, 0.1F, 0.3F, 0.3F}, Quat{0.1F, 0.9F, 0.3F, 0.3F},
                        Quat{0.1F, 0.3F, 0.9F, 0.3F}, Quat{0.3F, 0.1F, 0.3F, 0.9F}}) {
    const Trs trs{{1.0F, 2.0F, 3.0F}, q, {2.0F, 0.5F, 1.5F}};
    const Trs again = Affine::from(trs).decompose();
    EXPECT_EQ(again.translation, trs.translation);
    EXPECT_NEAR(again.scale.x, 2.0F, 1e-6F);
    EXPECT_NEAR(again.scale.y, 0.5F, 1e-6F);
    EXPECT_NEAR(again.scale.z, 1.5F, 1e-6F);
    const float dot = again.rotation.x * q.x + again.rotation.y * q.y + again.rotation.z * q.z +
                      again.rotation.w * q.w;
    EXPECT_NEAR(std::abs(dot), 1.0F, 1e-6F);
  }
}

TEST(Affine, AMirroredMapGetsANegativeScale) {
  const Trs trs = Affine::from({{}, {}, {1.0F, -1.0F, 1.0F}}).decompose();
  EXPECT_LT(trs.scale.x * trs.scale.y * trs.scale.z, 0.0F);
  expect_near(Affine::from(trs), Affine::from({{}, {}, {1.0F, -1.0F, 1.0F}}));
}

}  // namespace
}  // namespace mabkit::scene
