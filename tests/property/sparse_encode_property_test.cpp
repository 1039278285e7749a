#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <mabkit/encode.hpp>
#include <random>

#include "mab/sparse_encode.hpp"
#include "support/plain_sparse_decoder.hpp"
#include "support/random_banks.hpp"
#include "support/sparse_files.hpp"

/// Random banks through the encoder, read back by a decoder that shares nothing with it.
namespace mabkit::mab {
namespace {

constexpr unsigned seeds = 120;

EncodedFile encoded(const Bank& bank, const EncodeOptions& options = {}) {
  auto file = encode_sparse(bank, Game::fc2, options);
  if (!file) throw std::runtime_error(describe("bank", file.error()));
  return std::move(*file);
}

/// Where a frame lies among the keys of a curve, whose times are frames too.
std::pair<std::size_t, double> segment_at(const Clip& clip, const Track& track, unsigned frame) {
  const auto times = clip.times_of(track.keys);
  const auto frame_of = [&](std::size_t i) { return std::lround(times[i] * clip.frame_rate); };
  std::size_t key = 0;
  while (key + 1 < times.size() && frame_of(key + 1) <= frame) ++key;
  if (key + 1 == times.size()) return {key, 0.0};
  const double gap = static_cast<double>(frame_of(key + 1) - frame_of(key));
  return {key, static_cast<double>(frame - frame_of(key)) / gap};
}

test::PlainQuat rotation_at(const Clip& clip, const Track& track, unsigned frame) {
  const auto [key, fraction] = segment_at(clip, track, frame);
  const auto value = [&](std::size_t i) {
    const Quat q = clip.rotation(track.keys, i);
    return test::PlainQuat{q.x, q.y, q.z, q.w};
  };
  test::PlainClip two;
  two.keyed_rotations[0][0] = value(key);
  if (fraction == 0.0) return value(key);
  two.keyed_rotations[0][1000000] = value(key + 1);
  return two.rotation(0, static_cast<unsigned>(std::lround(fraction * 1e6)));
}

test::PlainVec translation_at(const Clip& clip, const Track& track, unsigned frame) {
  const auto [key, fraction] = segment_at(clip, track, frame);
  const Vec3 a = clip.translation(track.keys, key);
  if (fraction == 0.0) return {a.x, a.y, a.z};
  const Vec3 b = clip.translation(track.keys, key + 1);
  return {a.x + fraction * (b.x - a.x), a.y + fraction * (b.y - a.y), a.z + fraction * (b.z - a.z)};
}

double distance(const test::PlainVec& a, const test::PlainVec& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/// Largest errors of one clip over every frame.
struct Worst {
  double angle = 0.0;
  double distance = 0.0;
};

Worst compare(const Clip& source, const test::PlainClip& written) {
  Worst worst;
  for (const Track& track : source.tracks) {
    const unsigned bone = source.joints[track.joint].id;
    for (unsigned frame = 0; frame <= written.last_frame; ++frame) {
      if (track.channel == Channel::rotation) {
        worst.angle = std::max(worst.angle, test::plain_angle(rotation_at(source, track, frame),
                                                              written.rotation(bone, frame)));
      } else {
        worst.distance = std::max(worst.distance, distance(translation_at(source, track, frame),
                                                           written.translation(bone, frame)));
      }
    }
  }
  return worst;
}

/// What the decoders' own rounding may add to a bound, and slerp in single precision.
constexpr double rounding = 1e-6;

TEST(SparseEncodeProperty, EveryFrameStaysWithinTheBound) {
  for (unsigned seed = 0; seed < seeds; ++seed) {
    std::mt19937 random(seed);
    const Bank bank = test::random_sparse_bank(random);
    EncodeOptions options;
    options.max_rotation_error = seed % 2 == 0 ? 2e-4 : 5e-3;
    options.max_translation_error = seed % 3 == 0 ? 1e-4 : 1e-2;
    const auto clips = test::decode_plain_sparse(encoded(bank, options).bytes);
    ASSERT_EQ(clips.size(), bank.clips.size());
    for (std::size_t i = 0; i < clips.size(); ++i) {
      const Worst worst = compare(bank.clips[i], clips[i]);
      EXPECT_LE(worst.angle, options.max_rotation_error + rounding) << "seed " << seed;
      EXPECT_LE(worst.distance, options.max_translation_error + rounding) << "seed " << seed;
    }
  }
}

TEST(SparseEncodeProperty, WithoutKeyReductionOnlyTheWordsCostAccuracy) {
  for (unsigned seed = 0; seed < seeds; ++seed) {
    std::mt19937 random(seed);
    const Bank bank = test::random_sparse_bank(random);
    EncodeOptions options;
    options.key_reduction = false;
    const auto clips = test::decode_plain_sparse(encoded(bank, options).bytes);
    for (std::size_t i = 0; i < clips.size(); ++i) {
      const Worst worst = compare(bank.clips[i], clips[i]);
      EXPECT_LE(worst.angle, 1.5e-4 + rounding) << "seed " << seed;  // spec mab-sparse, section 2
      EXPECT_LE(worst.distance, rounding) << "seed " << seed;
      for (const auto& [bone, keys] : clips[i].keyed_rotations) {
        EXPECT_EQ(keys.size(), clips[i].last_frame + 1) << "seed " << seed;
      }
    }
  }
}

TEST(SparseEncodeProperty, FirstFramesOfGroupsAndTheLastFrameAreKeys) {
  for (unsigned seed = 0; seed < seeds; ++seed) {
    std::mt19937 random(seed);
    const Bank bank = test::random_sparse_bank(random);
    EncodeOptions options;
    options.max_rotation_error = 1.0;
    for (const auto& clip : test::decode_plain_sparse(encoded(bank, options).bytes)) {
      for (const auto& [bone, keys] : clip.keyed_rotations) {
        for (unsigned frame = 0; frame <= clip.last_frame; frame += 8) {
          ASSERT_EQ(keys.count(frame), 1U) << "seed " << seed << " frame " << frame;
        }
        ASSERT_EQ(keys.rbegin()->first, clip.last_frame);
      }
    }
  }
}

TEST(SparseEncodeProperty, EncodingIsDeterministicAndWithinItsSizeBound) {
  for (unsigned seed = 0; seed < seeds; ++seed) {
    std::mt19937 random(seed);
    const Bank bank = test::random_sparse_bank(random);
    EncodeOptions options;
    options.key_reduction = seed % 2 == 0;
    const auto first = encoded(bank, options).bytes;
    EXPECT_EQ(first, encoded(bank, options).bytes);
    EXPECT_LE(first.size(), sparse_size_bound(bank)) << "seed " << seed;
  }
}

TEST(SparseEncodeProperty, TheSizeBoundIsTight) {
  double worst = 0.0;
  for (unsigned seed = 0; seed < seeds; ++seed) {
    std::mt19937 random(seed);
    const Bank bank = test::random_sparse_bank(random);
    EncodeOptions options;
    options.key_reduction = false;
    const auto size = static_cast<double>(encoded(bank, options).bytes.size());
    worst = std::max(worst, size / static_cast<double>(sparse_size_bound(bank)));
  }
  EXPECT_GE(worst, 0.8);
}

TEST(SparseEncodeProperty, EncodingWhatWasDecodedAtAllFramesChangesNothing) {
  for (unsigned seed = 0; seed < seeds; ++seed) {
    std::mt19937 random(seed);
    const Bank bank = test::random_sparse_bank(random);
    EncodeOptions options;
    options.key_reduction = false;
    const auto once = encoded(bank, options).bytes;
    const auto decoded = test::parse_sparse(once).bank();
    ASSERT_TRUE(decoded);
    EXPECT_EQ(encoded(*decoded, options).bytes, once) << "seed " << seed;
  }
}

TEST(SparseEncodeProperty, ParticipantsEventsAndRootMotionArrive) {
  for (unsigned seed = 0; seed < seeds; ++seed) {
    std::mt19937 random(seed);
    const Bank bank = test::random_sparse_bank(random);
    const auto clips = test::decode_plain_sparse(encoded(bank).bytes);
    const auto& tags = clips.front().tags;
    ASSERT_EQ(tags.size(), bank.clips.size() - 1);
    for (std::size_t i = 0; i < tags.size(); ++i) {
      EXPECT_EQ(tags[i].clip_at, clips[i + 1].at);
      EXPECT_EQ(tags[i].name, bank.participants[i].name);
      EXPECT_EQ(tags[i].name_hash, bank.participants[i].child);
      EXPECT_EQ(tags[i].parent, "R Hand");
      EXPECT_EQ(tags[i].parent_hash, bank.participants[i].parent);
      EXPECT_EQ(tags[i].end, bank.participants[i].end);
    }
    for (std::size_t i = 0; i < clips.size(); ++i) {
      ASSERT_EQ(clips[i].events.size(), bank.clips[i].events.size());
      for (std::size_t e = 0; e < clips[i].events.size(); ++e) {
        EXPECT_EQ(clips[i].events[e].time, bank.clips[i].events[e].time);
        EXPECT_EQ(clips[i].events[e].payload, bank.clips[i].events[e].payload);
      }
    }
    const Clip& main = bank.clips.front();
    ASSERT_EQ(clips.front().trajectory_translation.size(), clips.front().last_frame + 1);
    if (!main.root_motion) continue;
    for (std::size_t f = 0; f < main.root_motion->translation->count; ++f) {
      const Vec3 at = main.translation(*main.root_motion->translation, f);
      const Quat q = main.rotation(*main.root_motion->rotation, f);
      EXPECT_LE(distance(clips.front().trajectory_translation[f], {at.x, at.y, at.z}), rounding);
      EXPECT_LE(test::plain_angle(clips.front().trajectory_rotation[f], {q.x, q.y, q.z, q.w}),
                1.5e-4 + rounding);
    }
  }
}

}  // namespace
}  // namespace mabkit::mab
