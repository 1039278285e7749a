#include "motion/resample.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace mabkit::motion {
namespace {

constexpr float half = 0.70710678F;  // of a quarter turn

/// A clip of one joint that turns a quarter about z between `times`, or moves along x by them.
Clip clip_with(Channel channel, std::vector<float> times) {
  Clip clip;
  clip.duration = times.back();
  clip.joints.resize(1);
  Track track{0, channel, TrackKind::animated, {0, 0, static_cast<std::uint32_t>(times.size())}};
  for (std::size_t i = 0; i < times.size(); ++i) {
    const float angle = 0.5F * 1.5707964F * static_cast<float>(i);
    if (channel == Channel::rotation) {
      clip.values.insert(clip.values.end(), {0.0F, 0.0F, std::sin(angle), std::cos(angle)});
    } else {
      clip.values.insert(clip.values.end(), {static_cast<float>(i), 0.0F, 0.0F});
    }
  }
  clip.times = std::move(times);
  clip.tracks.push_back(track);
  return clip;
}

TEST(SampleOnGrid, KeysNearTheGridKeepTheirValuesAndTicks) {
  // 0.10005 s is 3.0015 frames of 30: within a tenth of a millisecond of frame 3.
  const Clip clip = clip_with(Channel::rotation, {0.0F, 0.10005F});
  const auto sampled = sample_on_grid(clip, {.ticks_per_second = 30.0}, 100);
  ASSERT_TRUE(sampled);
  EXPECT_FALSE(sampled->was_resampled);
  EXPECT_EQ(sampled->ticks, (std::vector<std::uint32_t>{0, 3}));
  EXPECT_NEAR(sampled->tracks[0].rotations[1].z, half, 1e-6);
}

TEST(SampleOnGrid, KeysOffTheGridAreResampledAtEveryFrame) {
  const Clip clip = clip_with(Channel::translation, {0.0F, 0.05F, 0.1F});
  const auto sampled = sample_on_grid(clip, {.ticks_per_second = 30.0}, 100);
  ASSERT_TRUE(sampled);
  EXPECT_TRUE(sampled->was_resampled);
  EXPECT_EQ(sampled->ticks, (std::vector<std::uint32_t>{0, 1, 2, 3}));
  // Moves 1 m in 0.05 s: a frame of 1/30 s is two thirds of that.
  EXPECT_NEAR(sampled->tracks[0].translations[1].x, 2.0 / 3.0, 1e-6);
  EXPECT_NEAR(sampled->tracks[0].translations[3].x, 2.0, 1e-6);
}

TEST(SampleOnGrid, ResampledFramesAreWholeFramesOfTheFinerTicks) {
  const Clip clip = clip_with(Channel::translation, {0.0F, 0.052F, 0.1F});
  const auto sampled = sample_on_grid(clip, {.ticks_per_second = 120.0, .ticks_per_frame = 4}, 100);
  ASSERT_TRUE(sampled);
  EXPECT_EQ(sampled->ticks, (std::vector<std::uint32_t>{0, 4, 8, 12}));
}

TEST(SampleOnGrid, KeysBetweenFramesAreOffAGridOfFrames) {
  const Clip clip = clip_with(Channel::translation, {0.0F, 1.0F / 120.0F, 2.0F / 120.0F});
  const SampleGrid grid{
      .ticks_per_second = 120.0, .ticks_per_frame = 4, .is_dense = false, .frames_only = true};
  const auto sampled = sample_on_grid(clip, grid, 100);
  ASSERT_TRUE(sampled);
  EXPECT_TRUE(sampled->was_resampled);
  EXPECT_EQ(sampled->ticks, (std::vector<std::uint32_t>{0, 4}));
}

TEST(SampleOnGrid, DenseGridInterpolatesBetweenKeysOnTheGrid) {
  const Clip clip = clip_with(Channel::rotation, {0.0F, 0.1F});
  const auto sampled = sample_on_grid(clip, {.ticks_per_second = 30.0, .is_dense = true}, 100);
  ASSERT_TRUE(sampled);
  EXPECT_FALSE(sampled->was_resampled);
  ASSERT_EQ(sampled->tracks[0].rotations.size(), 4U);
  // A third of a quarter turn: sin 15 degrees.
  EXPECT_NEAR(sampled->tracks[0].rotations[1].z, 0.25881905, 1e-6);
}

TEST(SampleOnGrid, ADurationPastTheLastKeyIsHeld) {
  Clip clip = clip_with(Channel::translation, {0.0F, 0.1F});
  clip.duration = 0.2F;
  const auto sampled = sample_on_grid(clip, {.ticks_per_second = 30.0}, 100);
  ASSERT_TRUE(sampled);
  EXPECT_EQ(sampled->ticks, (std::vector<std::uint32_t>{0, 3, 6}));
  EXPECT_EQ(sampled->tracks[0].translations[2].x, 1.0F);
}

TEST(SampleOnGrid, ASingleKeyStaysASingleSample) {
  Clip clip = clip_with(Channel::translation, {0.0F});
  clip.duration = 1.0F / 30.0F;
  const auto sampled = sample_on_grid(clip, {.ticks_per_second = 30.0}, 100);
  ASSERT_TRUE(sampled);
  EXPECT_EQ(sampled->ticks, (std::vector<std::uint32_t>{0}));
}

TEST(SampleOnGrid, NeighbouringRotationsShareAHemisphere) {
  Clip clip = clip_with(Channel::rotation, {0.0F, 0.1F});
  for (std::size_t i = 4; i < 8; ++i) clip.values[i] = -clip.values[i];
  const auto sampled = sample_on_grid(clip, {.ticks_per_second = 30.0}, 100);
  ASSERT_TRUE(sampled);
  EXPECT_NEAR(sampled->tracks[0].rotations[1].z, half, 1e-6);
}

TEST(SampleOnGrid, AConstantWithSeveralKeysMoves) {
  Clip clip = clip_with(Channel::translation, {0.0F, 0.1F});
  clip.tracks[0].kind = TrackKind::constant;
  const auto sampled = sample_on_grid(clip, {.ticks_per_second = 30.0}, 100);
  ASSERT_TRUE(sampled);
  EXPECT_EQ(sampled->ticks, (std::vector<std::uint32_t>{0, 3}));
  EXPECT_EQ(sampled->tracks[0].translations.back().x, 1.0F);
}

TEST(SampleOnGrid, KeysOutsideTheClipsBuffersAreRefused) {
  const auto code_of = [](const Keys& keys) {
    Clip clip = clip_with(Channel::rotation, {0.0F, 0.1F});
    clip.tracks[0].keys = keys;
    return sample_on_grid(clip, {.ticks_per_second = 30.0}, 100).error().code;
  };
  EXPECT_EQ(code_of({0, 0, 3}), ErrorCode::bad_value);
  EXPECT_EQ(code_of({1, 0, 2}), ErrorCode::bad_value);
  EXPECT_EQ(code_of({0, 1, 2}), ErrorCode::bad_value);
  EXPECT_EQ(code_of({std::numeric_limits<std::size_t>::max(), 0, 2}), ErrorCode::bad_value);
}

TEST(SampleOnGrid, SamplesThatTakeTooMuchMemoryAreRefused) {
  Clip clip = clip_with(Channel::rotation, {0.0F, 1.0F});
  SampleGrid grid{.ticks_per_second = 30.0, .is_dense = true};
  grid.max_bytes = 31 * 16;
  EXPECT_TRUE(sample_on_grid(clip, grid, 100));
  --grid.max_bytes;
  EXPECT_EQ(sample_on_grid(clip, grid, 100).error().code, ErrorCode::limit);
  grid.is_dense = false;
  grid.max_bytes = 31;  // the keys alone
  EXPECT_EQ(sample_on_grid(clip, grid, 100).error().code, ErrorCode::limit);
}

TEST(SampleOnGrid, RefusesWhatIsNoMotion) {
  const auto code_of = [](const Clip& clip) {
    return sample_on_grid(clip, {.ticks_per_second = 30.0}, 100).error().code;
  };
  Clip clip = clip_with(Channel::rotation, {0.0F, 0.1F});
  clip.values[5] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(code_of(clip), ErrorCode::bad_value);
  clip = clip_with(Channel::rotation, {0.0F, 0.1F});
  for (std::size_t i = 4; i < 8; ++i) clip.values[i] = 0.0F;
  EXPECT_EQ(code_of(clip), ErrorCode::bad_value);
  clip = clip_with(Channel::rotation, {0.0F, 0.1F});
  clip.times[1] = 0.0F;
  EXPECT_EQ(code_of(clip), ErrorCode::bad_value);
  clip = clip_with(Channel::rotation, {0.0F, 0.1F});
  clip.duration = std::numeric_limits<float>::infinity();
  EXPECT_EQ(code_of(clip), ErrorCode::bad_value);
  EXPECT_EQ(code_of(clip_with(Channel::translation, {0.0F, 1e9F})), ErrorCode::limit);
}

}  // namespace
}  // namespace mabkit::motion
