#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <mabkit/encode.hpp>
#include <mabkit/mab.hpp>
#include <mabkit/pose.hpp>
#include <random>

#include "mab/sparse_encode.hpp"
#include "support/plain_sparse_decoder.hpp"
#include "support/random_banks.hpp"
#include "support/sparse_files.hpp"
#include "unit/mab/sparse_edits.hpp"

/// Random edits of random files: what was edited arrives, what was not keeps its bits.
namespace mabkit::mab {
namespace {

/// Turns or moves a track as a whole.
void disturb(std::mt19937& random, Clip& clip, const Track& track) {
  std::uniform_real_distribution<float> amount(0.05F, 0.3F);
  if (track.channel == Channel::rotation) {
    turn_track(clip, track, amount(random), -1.0F, 1e9F);
    return;
  }
  for (std::size_t i = 0; i < 3 * std::size_t{track.keys.count}; ++i) {
    clip.values[track.keys.first_value + i] += amount(random);
  }
}

double rotation_error(const Clip& clip, const Track& track, const test::PlainClip& written) {
  const unsigned bone = clip.joints[track.joint].id;
  double worst = 0.0;
  for (unsigned frame = 0; frame <= written.last_frame; ++frame) {
    const auto time = static_cast<float>(frame / static_cast<double>(clip.frame_rate));
    const Quat q = sample_rotation(clip, track.keys, time);
    worst = std::max(worst, test::plain_angle(written.rotation(bone, frame), {q.x, q.y, q.z, q.w}));
  }
  return worst;
}

double translation_error(const Clip& clip, const Track& track, const test::PlainClip& written) {
  const unsigned bone = clip.joints[track.joint].id;
  double worst = 0.0;
  for (unsigned frame = 0; frame <= written.last_frame; ++frame) {
    const auto time = static_cast<float>(frame / static_cast<double>(clip.frame_rate));
    const Vec3 asked = sample_translation(clip, track.keys, time);
    const test::PlainVec got = written.translation(bone, frame);
    for (const double away :
         {got[0] - static_cast<double>(asked.x), got[1] - static_cast<double>(asked.y),
          got[2] - static_cast<double>(asked.z)}) {
      worst = std::max(worst, std::abs(away));
    }
  }
  return worst;
}

/// What no edit of tracks touches.
void expect_same_surroundings(const test::PlainClip& a, const test::PlainClip& b) {
  EXPECT_EQ(a.duration, b.duration);
  EXPECT_EQ(a.rate, b.rate);
  EXPECT_EQ(a.last_frame, b.last_frame);
  ASSERT_EQ(a.events.size(), b.events.size());
  for (std::size_t i = 0; i < a.events.size(); ++i) {
    EXPECT_EQ(a.events[i].time, b.events[i].time);
    EXPECT_EQ(a.events[i].type, b.events[i].type);
    EXPECT_EQ(a.events[i].payload, b.events[i].payload);
  }
  ASSERT_EQ(a.tags.size(), b.tags.size());
  for (std::size_t i = 0; i < a.tags.size(); ++i) {
    EXPECT_EQ(a.tags[i].kind, b.tags[i].kind);
    EXPECT_EQ(a.tags[i].name, b.tags[i].name);
    EXPECT_EQ(a.tags[i].parent, b.tags[i].parent);
    EXPECT_EQ(a.tags[i].start, b.tags[i].start);
    EXPECT_EQ(a.tags[i].end, b.tags[i].end);
  }
}

TEST(SparseEditProperty, WhatWasEditedArrivesAndNothingElseChanges) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    std::mt19937 random(seed);
    const auto made = encode_sparse(test::random_sparse_bank(random), Game::fc2, {});
    ASSERT_TRUE(made) << made.error().message;
    const SparseMab file = test::parse_sparse(made->bytes);
    const Bank stored = bank_of(file);
    Bank edit = stored;
    std::vector<std::vector<bool>> is_edited;
    for (Clip& clip : edit.clips) {
      auto& of_clip = is_edited.emplace_back();
      for (const Track& track : clip.tracks) {
        of_clip.push_back(random() % 3 == 0);
        if (of_clip.back()) disturb(random, clip, track);
      }
    }
    EncodeOptions options;
    options.max_rotation_error = 4e-4;
    const auto written = edited(file, edit, options);
    const auto before = test::decode_plain_sparse(made->bytes);
    const auto after = test::decode_plain_sparse(written.bytes);
    ASSERT_EQ(before.size(), after.size());
    for (std::size_t c = 0; c < after.size(); ++c) {
      EXPECT_EQ(before[c].trajectory_translation, after[c].trajectory_translation);
      EXPECT_EQ(before[c].trajectory_rotation, after[c].trajectory_rotation);
      expect_same_surroundings(before[c], after[c]);
      for (std::size_t t = 0; t < edit.clips[c].tracks.size(); ++t) {
        const Track& track = edit.clips[c].tracks[t];
        const unsigned bone = edit.clips[c].joints[track.joint].id;
        if (track.channel == Channel::translation && is_edited[c][t]) {
          EXPECT_LE(translation_error(edit.clips[c], track, after[c]), 1e-6) << "seed " << seed;
        } else if (track.channel == Channel::translation) {
          for (unsigned frame = 0; frame <= after[c].last_frame; ++frame) {
            EXPECT_EQ(before[c].translation(bone, frame), after[c].translation(bone, frame));
          }
        } else if (is_edited[c][t]) {
          EXPECT_LE(rotation_error(edit.clips[c], track, after[c]), 4.01e-4) << "seed " << seed;
        } else if (track.kind == TrackKind::animated) {
          EXPECT_EQ(before[c].keyed_rotations.at(bone), after[c].keyed_rotations.at(bone));
        } else {
          EXPECT_EQ(before[c].constant_rotations.at(bone), after[c].constant_rotations.at(bone));
        }
      }
    }
    for (std::size_t i = 0; i < after[0].tags.size(); ++i) {
      EXPECT_EQ(after[0].tags[i].clip_at, after[i + 1].at);
    }
  }
}

TEST(SparseEditProperty, TheSameEditOfTheResultChangesNothingMore) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    const auto made = encode_sparse(test::random_sparse_bank(random), Game::fc2, {});
    const SparseMab file = test::parse_sparse(made->bytes);
    Bank edit = bank_of(file);
    for (Clip& clip : edit.clips) {
      for (const Track& track : clip.tracks) disturb(random, clip, track);
    }
    const auto once = edited(file, edit).bytes;
    const SparseMab again = test::parse_sparse(once);
    EXPECT_EQ(edited(again, bank_of(again)).bytes, once) << "seed " << seed;
  }
}

}  // namespace
}  // namespace mabkit::mab
