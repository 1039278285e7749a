#include "scene/values.hpp"

#include <cmath>
#include <cstdint>

#include "base/bytes.hpp"

namespace mabkit::scene {
namespace {

constexpr double shortest_rotation = 1e-6;
/// Of a squared length; ten times what float32 decoding of a unit quaternion leaves.
constexpr double length_tolerance = 1e-5;
constexpr float default_frame_time = 1.0F / 30.0F;
/// A rate below one frame an hour is no rate.
constexpr float slowest_frame_time = 3600.0F;

double squared_length(const Quat& q) {
  return static_cast<double>(q.x) * q.x + static_cast<double>(q.y) * q.y +
         static_cast<double>(q.z) * q.z + static_cast<double>(q.w) * q.w;
}

}  // namespace

bool has_keys(const Clip& clip, const Keys& keys, Channel channel) {
  return keys.count != 0 && base::fits(keys.first_time, keys.count, clip.times.size()) &&
         base::fits(keys.first_value, std::uint64_t{keys.count} * value_width(channel),
                    clip.values.size());
}

bool are_key_times(std::span<const float> times) {
  if (times.empty() || !(times.front() >= 0.0F) || !std::isfinite(times.back())) return false;
  for (std::size_t i = 1; i < times.size(); ++i) {
    if (!(times[i - 1] < times[i])) return false;
  }
  return true;
}

bool is_finite(const Vec3& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

bool is_rotation(const Quat& q) {
  const double length = std::sqrt(squared_length(q));
  return std::isfinite(length) && length >= shortest_rotation;
}

Quat normalised(const Quat& q) {
  const double squared = squared_length(q);
  if (std::abs(squared - 1.0) <= length_tolerance) return q;
  const double length = std::sqrt(squared);
  return {static_cast<float>(q.x / length), static_cast<float>(q.y / length),
          static_cast<float>(q.z / length), static_cast<float>(q.w / length)};
}

float frame_time(const Clip& clip) {
  const float frame = 1.0F / clip.frame_rate;
  return frame > 0.0F && frame <= slowest_frame_time ? frame : default_frame_time;
}

float end_time(const Clip& clip) {
  return std::isfinite(clip.duration) && clip.duration > 0.0F ? clip.duration : frame_time(clip);
}

}  // namespace mabkit::scene
