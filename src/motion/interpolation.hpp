#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <mabkit/math.hpp>
#include <vector>

/// What lies between two keys of a curve.
namespace mabkit::motion {

/// Where a time lies among the keys of a curve.
struct Segment {
  std::size_t first = 0;  ///< key
  double fraction = 0.0;  ///< of the way to the next, below 1; 0 where the curve is held
};

/// `times`, of which there is at least one, rise strictly. Curves are held at both ends.
[[nodiscard]] inline Segment find_segment(const std::vector<double>& times, double time) {
  if (time <= times.front()) return {0, 0.0};
  if (time >= times.back()) return {times.size() - 1, 0.0};
  const auto after = std::upper_bound(times.begin(), times.end(), time);
  const auto first = static_cast<std::size_t>(after - times.begin()) - 1;
  return {first, (time - times[first]) / (times[first + 1] - times[first])};
}

/// Linear, in double.
[[nodiscard]] inline Vec3 mix(const Vec3& a, const Vec3& b, double fraction) {
  const auto at = [fraction](float from, float to) {
    return static_cast<float>(from + (static_cast<double>(to) - from) * fraction);
  };
  return {at(a.x, b.x), at(a.y, b.y), at(a.z, b.z)};
}

[[nodiscard]] inline float dot(const Quat& a, const Quat& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

/// `q`, which has a length, at unit length.
[[nodiscard]] inline Quat normalised(const Quat& q) {
  const double x = q.x;
  const double y = q.y;
  const double z = q.z;
  const double w = q.w;
  const double length = std::sqrt(x * x + y * y + z * z + w * w);
  return {static_cast<float>(x / length), static_cast<float>(y / length),
          static_cast<float>(z / length), static_cast<float>(w / length)};
}

/// `q`, in the hemisphere of `other`.
[[nodiscard]] inline Quat aligned(const Quat& q, const Quat& other) {
  return dot(q, other) < 0.0F ? Quat{-q.x, -q.y, -q.z, -q.w} : q;
}

}  // namespace mabkit::motion
