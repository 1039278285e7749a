#include "verify/value_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace mabkit::verification {
namespace {

constexpr float unit_tolerance = 1e-3F;

/// One curve, and where it stands in the bank.
struct Curve {
  const Clip& clip;
  const Keys& keys;
  Channel channel;
  std::string path;
};

void add(std::vector<Finding>& out, Severity severity, std::string path, std::string message) {
  out.push_back({severity, "values", std::nullopt, std::move(path), std::move(message)});
}

/// Whether the curve's offsets lie in the clip's buffers.
bool check_extent(std::vector<Finding>& out, const Curve& curve) {
  const auto& [clip, keys, channel, path] = curve;
  const std::size_t floats = keys.count * value_width(channel);
  if (keys.first_time <= clip.times.size() && keys.count <= clip.times.size() - keys.first_time &&
      keys.first_value <= clip.values.size() && floats <= clip.values.size() - keys.first_value) {
    return true;
  }
  add(out, Severity::failure, path,
      fmt::format("its {} keys lie outside the values that were decoded", keys.count));
  return false;
}

void check_times(std::vector<Finding>& out, const Curve& curve) {
  const auto times = curve.clip.times_of(curve.keys);
  if (times.empty()) return add(out, Severity::failure, curve.path, "has no keys");
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!std::isfinite(times[i]) || times[i] < 0.0F || (i > 0 && times[i] <= times[i - 1])) {
      return add(out, Severity::failure, curve.path,
                 fmt::format("key {} is at {} s, which does not rise from the key before it", i,
                             times[i]));
    }
  }
  // Shipped clips may end up to one frame past their duration (spec mab-sparse, 3.5).
  const float frame = curve.clip.frame_rate > 0.0F ? 1.0F / curve.clip.frame_rate : 0.0F;
  if (!(times.back() <= curve.clip.duration + 1.001F * frame)) {
    add(out, Severity::warning, curve.path,
        fmt::format("its last key is at {} s, past the clip's duration of {} s", times.back(),
                    curve.clip.duration));
  }
}

void check_rotations(std::vector<Finding>& out, const Curve& curve) {
  for (std::size_t i = 0; i < curve.keys.count; ++i) {
    const Quat q = curve.clip.rotation(curve.keys, i);
    const float length = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    if (!(std::abs(length - 1.0F) <= unit_tolerance)) {
      return add(out, Severity::failure, curve.path,
                 fmt::format("key {} is a rotation of length {}, not 1", i, length));
    }
  }
}

void check_translations(std::vector<Finding>& out, const Curve& curve) {
  for (std::size_t i = 0; i < curve.keys.count; ++i) {
    const Vec3 t = curve.clip.translation(curve.keys, i);
    if (!std::isfinite(t.x) || !std::isfinite(t.y) || !std::isfinite(t.z)) {
      return add(out, Severity::failure, curve.path,
                 fmt::format("key {} is a translation that is not finite", i));
    }
  }
}

void check_curve(std::vector<Finding>& out, const Curve& curve) {
  if (!check_extent(out, curve)) return;
  check_times(out, curve);
  if (curve.channel == Channel::rotation) {
    check_rotations(out, curve);
  } else {
    check_translations(out, curve);
  }
}

/// Tracks come by joint, rotation first, at most one a channel.
void check_track_order(std::vector<Finding>& out, const Clip& clip, const std::string& path) {
  const auto is_before = [](const Track& a, const Track& b) {
    return a.joint != b.joint ? a.joint < b.joint : a.channel < b.channel;
  };
  for (std::size_t i = 0; i < clip.tracks.size(); ++i) {
    const std::string at = fmt::format("{}.track[{}]", path, i);
    if (clip.tracks[i].joint >= clip.joints.size()) {
      add(out, Severity::failure, at,
          fmt::format("drives joint {} of {}", clip.tracks[i].joint, clip.joints.size()));
    }
    if (i > 0 && !is_before(clip.tracks[i - 1], clip.tracks[i])) {
      add(out, Severity::failure, at, "drives what an earlier track drives, or is out of order");
    }
  }
}

void check_clip(std::vector<Finding>& out, const Bank& bank, const Clip& clip,
                const std::string& path) {
  if (!std::isfinite(clip.duration) || clip.duration < 0.0F) {
    add(out, Severity::failure, path, fmt::format("has a duration of {} s", clip.duration));
  }
  if (clip.participant && *clip.participant >= bank.participants.size()) {
    add(out, Severity::failure, path, "belongs to a participant that does not exist");
  }
  check_track_order(out, clip, path);
  for (std::size_t i = 0; i < clip.tracks.size(); ++i) {
    const Track& track = clip.tracks[i];
    check_curve(out, {clip, track.keys, track.channel, fmt::format("{}.track[{}]", path, i)});
  }
  if (!clip.root_motion) return;
  const auto& [translation, rotation, reference, loop] = *clip.root_motion;
  if (translation) {
    check_curve(out, {clip, *translation, Channel::translation, path + ".root_motion.translation"});
  }
  if (rotation) {
    check_curve(out, {clip, *rotation, Channel::rotation, path + ".root_motion.rotation"});
  }
}

}  // namespace

void check_values(std::vector<Finding>& out, const Bank& bank) {
  for (std::size_t i = 0; i < bank.clips.size(); ++i) {
    check_clip(out, bank, bank.clips[i], fmt::format("clip[{}]", i));
  }
}

}  // namespace mabkit::verification
