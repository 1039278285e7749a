#include "motion/key_reduction.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mabkit/pose.hpp>
#include <numbers>

#include "motion/interpolation.hpp"

namespace mabkit::motion {
namespace {

/// Spans that are tried beyond one that fails: a longer one may be lawful again by luck.
constexpr std::uint32_t patience = 3;

/// Squared chord between two unit quaternions, either sign.
double squared_chord(const Quat& a, const Quat& b) {
  double minus = 0.0;
  double plus = 0.0;
  const auto add = [&](double u, double v) {
    minus += (u - v) * (u - v);
    plus += (u + v) * (u + v);
  };
  add(a.x, b.x);
  add(a.y, b.y);
  add(a.z, b.z);
  add(a.w, b.w);
  return std::min(minus, plus);
}

/// Squared chord between rotations that are `angle` apart.
double squared_chord_of(double angle) {
  const double chord = 2.0 * std::sin(std::min(angle, std::numbers::pi) / 4.0);
  return chord * chord;
}

double squared_distance(const Vec3& a, const Vec3& b) {
  const double x = static_cast<double>(a.x) - b.x;
  const double y = static_cast<double>(a.y) - b.y;
  const double z = static_cast<double>(a.z) - b.z;
  return x * x + y * y + z * z;
}

/// Squared chord or distance at `sample`, interpolated between `first` and `last`.
double squared_error(const SampledClip& clip, const SampledTrack& track, std::uint32_t first,
                     std::uint32_t last, std::uint32_t sample) {
  const double begin = clip.ticks[first];
  const double fraction = (clip.ticks[sample] - begin) / (clip.ticks[last] - begin);
  if (track.channel == Channel::rotation) {
    return squared_chord(slerp(track.rotations[first], track.rotations[last], fraction),
                         track.rotations[sample]);
  }
  return squared_distance(mix(track.translations[first], track.translations[last], fraction),
                          track.translations[sample]);
}

class KeyReducer {
 public:
  KeyReducer(const SampledClip& clip, const ReductionBounds& bounds, const SpanTest& is_within)
      : clip_(clip), is_within_(is_within) {
    for (std::size_t i = 0; i < clip.tracks.size(); ++i) add(clip.tracks[i], bounds.tracks[i]);
    if (clip.root_rotation) add(*clip.root_rotation, bounds.root_rotation);
    if (clip.root_translation) add(*clip.root_translation, bounds.root_translation);
  }

  /// Shortest path from the first sample to the last over lawful spans.
  std::vector<std::uint32_t> run() {
    const auto samples = static_cast<std::uint32_t>(clip_.ticks.size());
    std::vector<std::uint32_t> spans(samples, std::numeric_limits<std::uint32_t>::max());
    std::vector<std::uint32_t> before(samples, 0);
    spans[0] = 0;
    for (std::uint32_t first = 0; first + 1 < samples; ++first) {
      const std::uint32_t farthest = std::min(samples - 1, first + longest_span);
      std::uint32_t failures = 0;
      for (std::uint32_t last = first + 1; last <= farthest && failures <= patience; ++last) {
        if (!is_lawful(first, last)) {
          ++failures;
          continue;
        }
        failures = 0;
        if (spans[first] + 1 >= spans[last]) continue;
        spans[last] = spans[first] + 1;
        before[last] = first;
      }
    }
    std::vector<std::uint32_t> kept{samples - 1};
    while (kept.back() != 0) kept.push_back(before[kept.back()]);
    std::reverse(kept.begin(), kept.end());
    return kept;
  }

 private:
  struct BoundedTrack {
    const SampledTrack* track = nullptr;
    double squared_bound = 0.0;  ///< of the chord, or of the distance
  };

  void add(const SampledTrack& track, double bound) {
    if (track.kind != TrackKind::animated || std::isinf(bound)) return;
    const bool is_rotation = track.channel == Channel::rotation;
    tracks_.push_back({&track, is_rotation ? squared_chord_of(bound) : bound * bound});
  }

  [[nodiscard]] bool is_within(const BoundedTrack& bounded, std::uint32_t first, std::uint32_t last,
                               std::uint32_t sample) const {
    return squared_error(clip_, *bounded.track, first, last, sample) <= bounded.squared_bound;
  }

  /// Whether all samples between are brought back. The track that failed last is tried first.
  bool is_lawful(std::uint32_t first, std::uint32_t last) {
    const std::uint32_t middle = first + (last - first) / 2;
    if (middle == first) return true;
    for (std::size_t i = 0; i < tracks_.size(); ++i) {
      const BoundedTrack& track = tracks_[i];
      // The middle is mostly the worst.
      bool is_lawful = is_within(track, first, last, middle);
      for (std::uint32_t sample = first + 1; is_lawful && sample < last; ++sample) {
        is_lawful = is_within(track, first, last, sample);
      }
      if (is_lawful) continue;
      std::rotate(tracks_.begin(), tracks_.begin() + static_cast<std::ptrdiff_t>(i),
                  tracks_.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      return false;
    }
    return !is_within_ || is_within_(first, last);
  }

  const SampledClip& clip_;
  const SpanTest& is_within_;
  std::vector<BoundedTrack> tracks_;
};

SampledTrack keep_samples(const SampledTrack& track, std::span<const std::uint32_t> kept) {
  if (track.kind == TrackKind::constant) return track;
  SampledTrack out{track.joint, track.channel, track.kind, {}, {}};
  for (const std::uint32_t sample : kept) {
    if (track.channel == Channel::rotation) {
      out.rotations.push_back(track.rotations[sample]);
    } else {
      out.translations.push_back(track.translations[sample]);
    }
  }
  return out;
}

}  // namespace

std::vector<std::uint32_t> reduce_keys(const SampledClip& clip, const ReductionBounds& bounds,
                                       const SpanTest& is_within) {
  return KeyReducer(clip, bounds, is_within).run();
}

SampledClip keep_samples(const SampledClip& clip, std::span<const std::uint32_t> kept) {
  SampledClip out;
  out.ticks_per_second = clip.ticks_per_second;
  out.was_resampled = clip.was_resampled;
  for (const std::uint32_t sample : kept) out.ticks.push_back(clip.ticks[sample]);
  for (const SampledTrack& track : clip.tracks) out.tracks.push_back(keep_samples(track, kept));
  if (clip.root_rotation) out.root_rotation = keep_samples(*clip.root_rotation, kept);
  if (clip.root_translation) out.root_translation = keep_samples(*clip.root_translation, kept);
  return out;
}

double reduction_error(const SampledClip& clip, const SampledTrack& track,
                       std::span<const std::uint32_t> kept) {
  if (track.kind == TrackKind::constant) return 0.0;
  double worst = 0.0;
  for (std::size_t i = 0; i + 1 < kept.size(); ++i) {
    for (std::uint32_t sample = kept[i] + 1; sample < kept[i + 1]; ++sample) {
      worst = std::max(worst, squared_error(clip, track, kept[i], kept[i + 1], sample));
    }
  }
  const double root = std::sqrt(worst);
  return track.channel == Channel::rotation ? 4.0 * std::asin(std::min(1.0, root / 2.0)) : root;
}

}  // namespace mabkit::motion
