#include "motion/resample.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mabkit/pose.hpp>

namespace mabkit::motion {
namespace {

tl::unexpected<Error> refuse(ErrorCode code, std::string path, std::string message) {
  return tl::unexpected(Error{code, std::nullopt, std::move(path), std::move(message)});
}

float dot(const Quat& a, const Quat& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

Quat normalised(const Quat& q) {
  const double x = q.x;
  const double y = q.y;
  const double z = q.z;
  const double w = q.w;
  const double length = std::sqrt(x * x + y * y + z * z + w * w);
  return {static_cast<float>(x / length), static_cast<float>(y / length),
          static_cast<float>(z / length), static_cast<float>(w / length)};
}

Vec3 mix(const Vec3& a, const Vec3& b, double fraction) {
  const auto at = [fraction](float from, float to) {
    return static_cast<float>(from + (static_cast<double>(to) - from) * fraction);
  };
  return {at(a.x, b.x), at(a.y, b.y), at(a.z, b.z)};
}

/// A curve of the source whose times were checked, and where its keys lie on the grid.
struct Curve {
  const Clip* clip = nullptr;
  Channel channel = Channel::rotation;
  TrackKind kind = TrackKind::animated;
  std::uint32_t joint = 0;
  Keys keys;
  std::string path;
  std::vector<double> times;  ///< in ticks; whole numbers where the clip lies on the grid
};

/// Where a time lies among the keys of a curve.
struct Segment {
  std::size_t first = 0;
  double fraction = 0.0;
};

Segment find_segment(const std::vector<double>& times, double time) {
  if (time <= times.front()) return {0, 0.0};
  if (time >= times.back()) return {times.size() - 1, 0.0};
  const auto after = std::upper_bound(times.begin(), times.end(), time);
  const auto first = static_cast<std::size_t>(after - times.begin()) - 1;
  return {first, (time - times[first]) / (times[first + 1] - times[first])};
}

Result<void> check(const Curve& curve) {
  const Clip& clip = *curve.clip;
  if (curve.keys.count == 0) {
    return refuse(ErrorCode::bad_value, curve.path, "has no key");
  }
  const auto times = clip.times_of(curve.keys);
  if (!all_finite(times)) {
    return refuse(ErrorCode::bad_value, curve.path, "has a time that is no number");
  }
  for (std::size_t i = 1; i < times.size(); ++i) {
    if (times[i] > times[i - 1]) continue;
    return refuse(ErrorCode::bad_value, curve.path,
                  fmt::format("has a key at {} s after one at {} s", times[i], times[i - 1]));
  }
  if (!all_finite(clip.values_of(curve.keys, curve.channel))) {
    return refuse(ErrorCode::bad_value, curve.path, "has a value that is no finite number");
  }
  if (curve.channel != Channel::rotation) return {};
  for (std::uint32_t i = 0; i < curve.keys.count; ++i) {
    const Quat q = clip.rotation(curve.keys, i);
    if (dot(q, q) > 1e-12F && std::isfinite(dot(q, q))) continue;
    return refuse(ErrorCode::bad_value, fmt::format("{}.key[{}]", curve.path, i),
                  "is no rotation: its length is not above 0");
  }
  return {};
}

class GridSampler {
 public:
  GridSampler(const Clip& clip, const SampleGrid& grid, std::uint32_t max_samples)
      : clip_(clip), grid_(grid), max_samples_(max_samples) {
    out_.ticks_per_second = grid.ticks_per_second;
  }

  Result<SampledClip> run() {
    if (auto collected = collect_curves(); !collected) return tl::unexpected(collected.error());
    place_on_grid();
    if (auto chosen = choose_ticks(); !chosen) return tl::unexpected(chosen.error());
    for (std::size_t i = 0; i < track_count_; ++i) out_.tracks.push_back(sample(curves_[i]));
    for (std::size_t i = track_count_; i < curves_.size(); ++i) {
      auto& root =
          curves_[i].channel == Channel::rotation ? out_.root_rotation : out_.root_translation;
      root = sample(curves_[i]);
    }
    return std::move(out_);
  }

 private:
  Result<void> add_curve(Curve curve) {
    curve.clip = &clip_;
    if (auto checked = check(curve); !checked) return checked;
    for (const float time : clip_.times_of(curve.keys)) {
      curve.times.push_back(static_cast<double>(time) * grid_.ticks_per_second);
    }
    curves_.push_back(std::move(curve));
    return {};
  }

  Result<void> collect_curves() {
    if (!std::isfinite(clip_.duration) || clip_.duration < 0.0F) {
      return refuse(ErrorCode::bad_value, "duration",
                    fmt::format("{} is no number of seconds", clip_.duration));
    }
    for (std::size_t i = 0; i < clip_.tracks.size(); ++i) {
      const Track& track = clip_.tracks[i];
      auto added = add_curve({nullptr,
                              track.channel,
                              track.kind,
                              track.joint,
                              track.keys,
                              fmt::format("track[{}]", i),
                              {}});
      if (!added) return added;
    }
    track_count_ = curves_.size();
    if (!clip_.root_motion) return {};
    const auto add_root = [&](const std::optional<Keys>& keys, Channel channel) -> Result<void> {
      if (!keys) return {};
      const TrackKind kind = keys->count == 1 ? TrackKind::constant : TrackKind::animated;
      return add_curve({nullptr, channel, kind, 0, *keys, "root_motion", {}});
    };
    return add_root(clip_.root_motion->translation, Channel::translation).and_then([&] {
      return add_root(clip_.root_motion->rotation, Channel::rotation);
    });
  }

  /// Moves keys onto ticks where each of them is near one.
  void place_on_grid() {
    const double tolerance = grid_tolerance * grid_.ticks_per_second;
    for (const Curve& curve : curves_) {
      if (curve.kind == TrackKind::constant) continue;
      for (const double time : curve.times) {
        const double tick = std::round(time);
        const bool is_between = grid_.frames_only && std::fmod(tick, grid_.ticks_per_frame) != 0.0;
        if (time < -tolerance || std::abs(time - tick) > tolerance || is_between) {
          out_.was_resampled = true;
          return;
        }
      }
    }
    for (Curve& curve : curves_) {
      for (double& time : curve.times) time = std::round(time);
    }
  }

  /// The last tick: that of the last key, or of the duration where that is later. One key stands
  /// for a clip of one frame (spec mab-chunked, 1.7).
  [[nodiscard]] double last_tick() const {
    double last_key = 0.0;
    for (const Curve& curve : curves_) {
      if (curve.kind == TrackKind::animated) last_key = std::max(last_key, curve.times.back());
    }
    const double end = std::round(static_cast<double>(clip_.duration) * grid_.ticks_per_second);
    const bool is_still = std::round(last_key) <= 0.0 && end <= grid_.ticks_per_frame;
    if (is_still) return 0.0;
    return std::max(std::round(last_key), end);
  }

  Result<void> choose_ticks() {
    const double last = last_tick();
    const double step = grid_.is_dense || out_.was_resampled ? grid_.ticks_per_frame : 1.0;
    if (!(last < 4294967295.0)) {
      return refuse(ErrorCode::limit, "duration",
                    fmt::format("{:.7g} s, up to the last key, are more than a clip can have",
                                last / grid_.ticks_per_second));
    }
    if (grid_.is_dense || out_.was_resampled) {
      if (last / step >= static_cast<double>(max_samples_)) return too_many(last / step + 1.0);
      const auto frames = static_cast<std::uint32_t>(std::ceil(last / step));
      for (std::uint32_t frame = 0; frame <= frames; ++frame) {
        out_.ticks.push_back(frame * grid_.ticks_per_frame);
      }
      return {};
    }
    out_.ticks = {0, static_cast<std::uint32_t>(last)};
    for (const Curve& curve : curves_) {
      if (curve.kind == TrackKind::constant) continue;
      for (const double time : curve.times) {
        out_.ticks.push_back(static_cast<std::uint32_t>(std::max(time, 0.0)));
      }
    }
    std::sort(out_.ticks.begin(), out_.ticks.end());
    out_.ticks.erase(std::unique(out_.ticks.begin(), out_.ticks.end()), out_.ticks.end());
    if (out_.ticks.size() > max_samples_) return too_many(static_cast<double>(out_.ticks.size()));
    return {};
  }

  [[nodiscard]] Result<void> too_many(double samples) const {
    return refuse(
        ErrorCode::limit, "duration",
        fmt::format("{:.0f} keys at {} a second are more than the {} that the format "
                    "holds: use fewer frames per second or a shorter clip",
                    samples, grid_.ticks_per_second / grid_.ticks_per_frame, max_samples_));
  }

  [[nodiscard]] SampledTrack sample(const Curve& curve) const {
    SampledTrack out{curve.joint, curve.channel, curve.kind, {}, {}};
    const std::size_t samples = curve.kind == TrackKind::constant ? 1 : out_.ticks.size();
    for (std::size_t i = 0; i < samples; ++i) {
      const Segment segment = find_segment(curve.times, out_.ticks[i]);
      if (curve.channel == Channel::rotation) {
        Quat q = rotation_at(curve, segment);
        if (!out.rotations.empty() && dot(q, out.rotations.back()) < 0.0F) {
          q = {-q.x, -q.y, -q.z, -q.w};
        }
        out.rotations.push_back(q);
      } else {
        out.translations.push_back(translation_at(curve, segment));
      }
    }
    return out;
  }

  [[nodiscard]] Quat rotation_at(const Curve& curve, const Segment& segment) const {
    const Quat a = normalised(clip_.rotation(curve.keys, segment.first));
    if (segment.fraction == 0.0) return a;
    return slerp(a, normalised(clip_.rotation(curve.keys, segment.first + 1)), segment.fraction);
  }

  [[nodiscard]] Vec3 translation_at(const Curve& curve, const Segment& segment) const {
    const Vec3 a = clip_.translation(curve.keys, segment.first);
    if (segment.fraction == 0.0) return a;
    return mix(a, clip_.translation(curve.keys, segment.first + 1), segment.fraction);
  }

  const Clip& clip_;
  const SampleGrid& grid_;
  std::uint32_t max_samples_;
  std::vector<Curve> curves_;  ///< tracks, then root motion
  std::size_t track_count_ = 0;
  SampledClip out_;
};

}  // namespace

bool all_finite(std::span<const float> numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](float n) { return std::isfinite(n); });
}

Result<SampledClip> sample_on_grid(const Clip& clip, const SampleGrid& grid,
                                   std::uint32_t max_samples) {
  return GridSampler(clip, grid, max_samples).run();
}

}  // namespace mabkit::motion
