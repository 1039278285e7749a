#include "mab/sparse_fit.hpp"

#include <algorithm>

#include "mab/sparse_bend.hpp"
#include "motion/precise.hpp"

namespace mabkit::mab {
namespace {

using motion::precise;
using motion::Turn;

/// The rotation in the middle of all: the sum of the quaternions, which are in one hemisphere.
Quat mean_rotation(const std::vector<Quat>& rotations) {
  Turn sum{0.0, 0.0, 0.0, 0.0};
  for (const Quat& q : rotations) {
    const Turn t = precise(q);
    sum = {sum.x + t.x, sum.y + t.y, sum.z + t.z, sum.w + t.w};
  }
  return motion::rounded(sum);
}

std::vector<codec::PackedQuaternion> words_for(const RotationTrack& track,
                                               std::span<const Turn> source, std::uint32_t frame,
                                               const LocalBound& bound) {
  if (const auto stored = track.word_at(frame)) return {*stored};
  std::vector<codec::PackedQuaternion> words{
      codec::pack_nearest(track.source_at(frame), codec::sparse_packed_half)};
  if (track.required[frame]) return words;
  const auto outer = outer_words(source, frame, [&](const Turn& turn) {
    return motion::angle_between(source[frame], turn) / bound.rotation;
  });
  words.insert(words.end(), outer.begin(), outer.end());
  return words;
}

}  // namespace

codec::PackedQuaternion middle_word(const std::vector<Quat>& rotations) {
  const Quat middle = rotations.size() == 1 ? rotations.front() : mean_rotation(rotations);
  return codec::pack_nearest(middle, codec::sparse_packed_half);
}

double worst_angle(const std::vector<Quat>& rotations, codec::PackedQuaternion word) {
  const Turn decoded = precise(codec::unpack(word, codec::sparse_packed_half).rotation);
  double worst = 0.0;
  for (const Quat& q : rotations) {
    worst = std::max(worst, motion::angle_between(precise(q), decoded));
  }
  return worst;
}

void fit_rotation(RotationTrack& track, std::uint32_t frames, const LocalBound& bound) {
  const auto constant = middle_word(track.source);
  const bool is_still =
      track.source.size() == 1 ||
      (track.may_drop_keys && worst_angle(track.source, constant) <= bound.rotation);
  if (!track.must_be_keyed && is_still) {
    track.kind = TrackKind::constant;
    track.keys = {{0}, {constant}};
    return;
  }
  track.kind = TrackKind::animated;
  std::vector<Turn> source(frames);
  for (std::uint32_t frame = 0; frame < frames; ++frame) {
    source[frame] = precise(track.source_at(frame));
  }
  std::vector<std::vector<codec::PackedQuaternion>> candidates(frames);
  for (std::uint32_t frame = 0; frame < frames; ++frame) {
    candidates[frame] = words_for(track, source, frame, bound);
  }
  track.keys =
      codec::select_keys(candidates, track.required, [&](std::uint32_t frame, const Quat& decoded) {
        return motion::angle_between(source[frame], precise(decoded)) / bound.rotation;
      });
}

}  // namespace mabkit::mab
