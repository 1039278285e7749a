#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mabkit/encode.hpp>
#include <mabkit/mab.hpp>
#include <mabkit/pose.hpp>
#include <stdexcept>
#include <utility>
#include <vector>

#include "mab/sparse_index.hpp"
#include "mab/sparse_keyed_tracks.hpp"
#include "support/random_banks.hpp"
#include "support/sparse_files.hpp"

/// Making edits of sparse files, and telling what they changed.
namespace mabkit::mab {

inline constexpr double ten_degrees = 0.17453292519943295;

inline Bank bank_of(const SparseMab& file) {
  auto bank = file.bank();
  if (!bank) throw std::runtime_error(bank.error().message);
  return std::move(*bank);
}

inline EncodedFile edited(const SparseMab& file, const Bank& bank,
                          const EncodeOptions& options = {}) {
  auto written = file.with(bank, options);
  if (!written) throw std::runtime_error(describe("edit", written.error()));
  return std::move(*written);
}

inline Track& track_of_joint(Clip& clip, std::uint32_t id, Channel channel) {
  for (Track& track : clip.tracks) {
    if (clip.joints[track.joint].id == id && track.channel == channel) return track;
  }
  throw std::runtime_error("no such track");
}

/// Turns a rotation track by an angle about x at its keys from `first` to `last` seconds.
inline void turn_track(Clip& clip, const Track& track, double angle, float first, float last) {
  for (std::uint32_t i = 0; i < track.keys.count; ++i) {
    const float time = clip.times_of(track.keys)[i];
    if (time < first || time > last) continue;
    const Quat q = multiply(clip.rotation(track.keys, i), test::turn({1, 0, 0}, angle));
    float* const at = clip.values.data() + track.keys.first_value + 4 * std::size_t{i};
    at[0] = q.x;
    at[1] = q.y;
    at[2] = q.z;
    at[3] = q.w;
  }
}

/// What tells the words of one track in a clip from another's.
struct TrackWords {
  std::uint32_t bone = 0;
  KeyedTrackFields groups;
};

inline std::vector<TrackWords> keyed_words(const std::vector<std::byte>& bytes, std::size_t clip) {
  const auto index = index_sparse(bytes, {});
  const auto all = fields(bytes, *index);
  const auto tracks = split_tracks(*all->clips[clip].keyed_rotations);
  const auto bones = index->clips[clip].mask(MaskKind::keyed_rotation).bones();
  std::vector<TrackWords> out;
  for (std::size_t i = 0; i < tracks.size(); ++i) out.push_back({bones[i], tracks[i]});
  return out;
}

inline bool are_equal(const KeyedTrackFields& a, const KeyedTrackFields& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.first_key == y.first_key && x.presence == y.presence &&
           x.further_keys == y.further_keys;
  });
}

/// Bones whose keyed words differ between two files.
inline std::vector<std::uint32_t> changed_bones(const std::vector<std::byte>& a,
                                                const std::vector<std::byte>& b, std::size_t clip) {
  const auto before = keyed_words(a, clip);
  const auto after = keyed_words(b, clip);
  std::vector<std::uint32_t> bones;
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(before[i].bone, after[i].bone);
    if (!are_equal(before[i].groups, after[i].groups)) bones.push_back(before[i].bone);
  }
  return bones;
}

inline constexpr const char* cmu = "motion/cmu_01_01_fc2.mab";

}  // namespace mabkit::mab
