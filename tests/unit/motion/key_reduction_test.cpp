#include "motion/key_reduction.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <mabkit/pose.hpp>

namespace mabkit::motion {
namespace {

Quat about_z(double angle) {
  return {0, 0, static_cast<float>(std::sin(angle / 2)), static_cast<float>(std::cos(angle / 2))};
}

SampledClip clip_of(std::vector<Quat> rotations) {
  SampledClip clip;
  for (std::uint32_t i = 0; i < rotations.size(); ++i) clip.ticks.push_back(i);
  clip.tracks.push_back({0, Channel::rotation, TrackKind::animated, std::move(rotations), {}});
  return clip;
}

/// The same bounds for every track.
std::vector<std::uint32_t> reduce(const SampledClip& clip, double rotation, double translation) {
  ReductionBounds bounds{{}, rotation, translation};
  for (const SampledTrack& track : clip.tracks) {
    bounds.tracks.push_back(track.channel == Channel::rotation ? rotation : translation);
  }
  return reduce_keys(clip, bounds);
}

TEST(KeyReduction, EvenTurningNeedsItsEndsOnly) {
  std::vector<Quat> keys;
  for (int i = 0; i < 40; ++i) keys.push_back(about_z(0.05 * i));
  EXPECT_EQ(reduce(clip_of(keys), 1e-4, 0), (std::vector<std::uint32_t>{0, 39}));
}

TEST(KeyReduction, ACornerIsKept) {
  std::vector<Quat> keys;
  for (int i = 0; i < 40; ++i) keys.push_back(about_z(i < 25 ? 0.05 * i : 1.25 - 0.02 * (i - 25)));
  EXPECT_EQ(reduce(clip_of(keys), 1e-4, 0), (std::vector<std::uint32_t>{0, 25, 39}));
}

TEST(KeyReduction, AnInfiniteBoundAsksForNothing) {
  const SampledClip clip = clip_of({about_z(0), about_z(2), about_z(-1), about_z(3), about_z(0)});
  EXPECT_EQ(reduce(clip, HUGE_VAL, 0).size(), 2U);
  EXPECT_EQ(reduce(clip, 100.0, 0).size(), 2U);
}

TEST(KeyReduction, AFurtherConditionHasItsSay) {
  const SampledClip clip = clip_of(std::vector<Quat>(11, about_z(0.3)));
  const ReductionBounds bounds{{1e-3}, 0, 0};
  const auto kept = reduce_keys(
      clip, bounds, [](std::uint32_t first, std::uint32_t last) { return last - first <= 5; });
  EXPECT_EQ(kept.size(), 3U);
}

TEST(KeyReduction, UnevenTicksInterpolateByTime) {
  SampledClip clip = clip_of({about_z(0), about_z(0.1), about_z(0.4)});
  clip.ticks = {0, 1, 4};
  EXPECT_EQ(reduce(clip, 1e-4, 0).size(), 2U);
  clip.ticks = {0, 2, 4};
  EXPECT_EQ(reduce(clip, 1e-4, 0).size(), 3U);
}

TEST(KeyReduction, EveryTrackHasItsSay) {
  std::vector<Quat> keys(11, about_z(0.3));
  SampledClip clip = clip_of(keys);
  SampledTrack bump{0, Channel::translation, TrackKind::animated, {}, std::vector<Vec3>(11)};
  bump.translations[4].y = 0.01F;
  clip.root_translation = bump;
  EXPECT_EQ(reduce(clip, 1e-4, 1e-3), (std::vector<std::uint32_t>{0, 3, 4, 5, 10}));
  EXPECT_EQ(reduce(clip, 1e-4, 0.02), (std::vector<std::uint32_t>{0, 10}));
}

/// A parabola's chord over `s` samples is off by a s² / 4 in the middle, so that an error of `e`
/// allows spans of 2 sqrt(e / a) samples and no longer ones.
TEST(KeyReduction, TakesTheFewestKeysOfAParabola) {
  SampledClip clip;
  SampledTrack track{0, Channel::translation, TrackKind::animated, {}, {}};
  for (std::uint32_t i = 0; i <= 60; ++i) {
    clip.ticks.push_back(i);
    track.translations.push_back({static_cast<float>(1e-4 * i * i), 0, 0});
  }
  clip.tracks.push_back(track);
  const double bound = 1e-4 * 6 * 6 / 4 * 1.01;
  EXPECT_EQ(reduce(clip, 0, bound).size(), 11U);
}

TEST(KeyReduction, ErrorStaysUnderTheBound) {
  std::vector<Quat> keys;
  for (int i = 0; i < 200; ++i)
    keys.push_back(about_z(std::sin(i / 30.0) + 0.3 * std::sin(i / 15.0)));
  const SampledClip clip = clip_of(keys);
  const auto kept = reduce(clip, 5e-3, 0);
  EXPECT_LT(kept.size(), 120U);
  const SampledClip reduced = keep_samples(clip, kept);
  ASSERT_EQ(reduced.ticks.size(), kept.size());
  double worst = 0.0;
  for (std::size_t i = 0; i + 1 < kept.size(); ++i) {
    for (std::uint32_t s = kept[i]; s < kept[i + 1]; ++s) {
      const double fraction = double(s - kept[i]) / (kept[i + 1] - kept[i]);
      const Quat q =
          slerp(reduced.tracks[0].rotations[i], reduced.tracks[0].rotations[i + 1], fraction);
      const double z = double{q.w} * keys[s].z - double{q.z} * keys[s].w;
      worst = std::max(worst, 2 * std::asin(std::abs(z)));
    }
  }
  EXPECT_LE(worst, 5e-3 * 1.001);
  EXPECT_GT(worst, 2.5e-3);
  EXPECT_NEAR(reduction_error(clip, clip.tracks[0], kept), worst, 1e-6);
}

TEST(KeyReduction, OneSampleStays) {
  EXPECT_EQ(reduce(clip_of({about_z(1)}), 1, 1), (std::vector<std::uint32_t>{0}));
}

TEST(KeyReduction, SpansHaveALimit) {
  const std::vector<Quat> keys(200, about_z(0.3));
  EXPECT_EQ(reduce(clip_of(keys), 1, 1).size(), 5U);
}

}  // namespace
}  // namespace mabkit::motion
