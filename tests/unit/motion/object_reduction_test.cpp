#include "motion/object_reduction.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace mabkit::motion {
namespace {

/// A bone, and another 1 m away from it along x.
Skeleton two_bones() {
  Skeleton skeleton;
  skeleton.bones.resize(2);
  skeleton.bones[0].name_hash = 1;
  skeleton.bones[1].name_hash = 2;
  skeleton.bones[1].parent = 0;
  skeleton.bones[1].translation = {1.0F, 0.0F, 0.0F};
  return skeleton;
}

/// Three samples of the first bone, which turns about z by `middle` radians and back.
SampledClip bump(double middle) {
  SampledClip clip;
  clip.ticks = {0, 1, 2};
  SampledTrack track{0, Channel::rotation, TrackKind::animated, {}, {}};
  for (const double angle : {0.0, middle, 0.0}) {
    track.rotations.push_back({0.0F, 0.0F, static_cast<float>(std::sin(angle / 2)),
                               static_cast<float>(std::cos(angle / 2))});
  }
  clip.tracks.push_back(track);
  return clip;
}

const Binding first_joint{{0U}, {}, 1, false};

TEST(InterpolationError, IsMeasuredAtTheEndOfTheChain) {
  const Skeleton skeleton = two_bones();
  const SampledClip clip = bump(1e-3);
  const InterpolationError error(clip, {true}, skeleton, first_joint, 0.03);
  // The second bone's own vertex along x is 1.03 m from the first bone.
  const std::vector<std::uint32_t> ends{0, 2};
  EXPECT_NEAR(error.worst(ends), 1.03e-3, 1e-8);
  EXPECT_TRUE(error.is_within(0, 2, 1.04e-3));
  EXPECT_FALSE(error.is_within(0, 2, 1.02e-3));
}

TEST(InterpolationError, WhatIsNoNumberIsWithinNoBound) {
  Skeleton skeleton = two_bones();
  skeleton.bones[1].translation.x = std::nanf("");
  const SampledClip clip = bump(1e-3);
  const InterpolationError error(clip, {true}, skeleton, first_joint, 0.03);
  const std::vector<std::uint32_t> ends{0, 2};
  EXPECT_FALSE(error.is_within(0, 2, 1.0));
  EXPECT_FALSE(error.worst(ends) <= 1.0);
}

TEST(InterpolationError, NothingIsLostWhereEverySampleIsAKey) {
  const Skeleton skeleton = two_bones();
  const SampledClip clip = bump(0.5);
  const InterpolationError error(clip, {true}, skeleton, first_joint, 0.03);
  const std::vector<std::uint32_t> all{0, 1, 2};
  EXPECT_EQ(error.worst(all), 0.0);
  EXPECT_TRUE(error.is_within(0, 1, 0.0));
}

TEST(InterpolationError, ATrackThatIsStoredAsOneValueIsNotInterpolated) {
  const Skeleton skeleton = two_bones();
  const SampledClip clip = bump(0.5);
  const InterpolationError error(clip, {false}, skeleton, first_joint, 0.03);
  const std::vector<std::uint32_t> ends{0, 2};
  EXPECT_EQ(error.worst(ends), 0.0);
}

}  // namespace
}  // namespace mabkit::motion
