#include "motion/resample.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mabkit/pose.hpp>

#include "motion/interpolation.hpp"

namespace mabkit::motion {
namespace {

tl::unexpected<Error> refuse(ErrorCode code, std::string path, std::string message) {
  return tl::unexpected(Error{code, std::nullopt, std::move(path), std::move(message)});
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

/// Squared, in float32: shorter quaternions have no direction worth keeping.
constexpr float least_squared_length = 1e-12F;

/// Whether `count` elements from `first` are among `size`.
bool fits(std::size_t first, std::size_t count, std::size_t size) {
  return first <= size && count <= size - first;
}

Result<void> check(const Curve& curve) {
  const Clip& clip = *curve.clip;
  if (curve.keys.count == 0) {
    return refuse(ErrorCode::bad_value, curve.path, "has no key");
  }
  const std::size_t floats = curve.keys.count * value_width(curve.channel);
  if (!fits(curve.keys.first_time, curve.keys.count, clip.times.size()) ||
      !fits(curve.keys.first_value, floats, clip.values.size())) {
    return refuse(ErrorCode::bad_value, curve.path,
                  fmt::format("has {} keys, not all of which are among the clip's {} times and {} "
                              "values",
                              curve.keys.count, clip.times.size(), clip.values.size()));
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
    if (dot(q, q) > least_squared_length && std::isfinite(dot(q, q))) continue;
    return refuse(ErrorCode::bad_value, fmt::format("{}.key[{}]", curve.path, i),
                  "is no rotation: its length is not above 0");
  }
  return {};
}

std::uint64_t bytes_of_value(Channel channel) {
  return value_width(channel) * sizeof(float);
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
    if (auto checked = check_memory(); !checked) return tl::unexpected(checked.error());
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
    // One value for all times has one key: what has several moves, whatever it says.
    if (curve.keys.count > 1) curve.kind = TrackKind::animated;
    key_bytes_ += std::uint64_t{curve.keys.count} * bytes_of_value(curve.channel);
    if (key_bytes_ > grid_.max_bytes) return too_big("keys", key_bytes_);
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

  [[nodiscard]] std::size_t samples_of(const Curve& curve) const {
    return curve.kind == TrackKind::constant ? 1 : out_.ticks.size();
  }

  [[nodiscard]] Result<void> check_memory() const {
    std::uint64_t bytes = 0;
    for (const Curve& curve : curves_) bytes += samples_of(curve) * bytes_of_value(curve.channel);
    return bytes > grid_.max_bytes ? too_big("samples", bytes) : Result<void>{};
  }

  [[nodiscard]] Result<void> too_big(const char* what, std::uint64_t bytes) const {
    return refuse(ErrorCode::limit, "tracks",
                  fmt::format("the {} take {} bytes or more, where {} are allowed: leave out "
                              "joints or clips, or use fewer frames per second",
                              what, bytes, grid_.max_bytes));
  }

  [[nodiscard]] SampledTrack sample(const Curve& curve) const {
    SampledTrack out{curve.joint, curve.channel, curve.kind, {}, {}};
    for (std::size_t i = 0; i < samples_of(curve); ++i) {
      const Segment segment = find_segment(curve.times, out_.ticks[i]);
      if (curve.channel == Channel::rotation) {
        const Quat q = rotation_at(curve, segment);
        out.rotations.push_back(out.rotations.empty() ? q : aligned(q, out.rotations.back()));
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
  std::uint64_t key_bytes_ = 0;
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

std::uint64_t sampled_bytes(const SampledClip& clip) {
  std::uint64_t bytes = 0;
  const auto add = [&bytes](const SampledTrack& track) {
    bytes += sizeof(Quat) * track.rotations.size() + sizeof(Vec3) * track.translations.size();
  };
  for (const SampledTrack& track : clip.tracks) add(track);
  if (clip.root_rotation) add(*clip.root_rotation);
  if (clip.root_translation) add(*clip.root_translation);
  return bytes;
}

}  // namespace mabkit::motion
