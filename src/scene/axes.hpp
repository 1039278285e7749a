#pragma once

#include <mabkit/math.hpp>

namespace mabkit::scene {

// Engine space is Z up, scenes are written Y up: x' = x, y' = z, z' = -y, for vectors and for the
// vector part of quaternions (spec mab-sparse, section 4). `0 -` keeps a zero positive.

[[nodiscard]] inline Vec3 to_y_up(const Vec3& v) {
  return {v.x, v.z, 0.0F - v.y};
}
[[nodiscard]] inline Quat to_y_up(const Quat& q) {
  return {q.x, q.z, 0.0F - q.y, q.w};
}

[[nodiscard]] inline Vec3 from_y_up(const Vec3& v) {
  return {v.x, 0.0F - v.z, v.y};
}
[[nodiscard]] inline Quat from_y_up(const Quat& q) {
  return {q.x, 0.0F - q.z, q.y, q.w};
}

/// Scales follow the axes but have no direction. Its own inverse.
[[nodiscard]] inline Vec3 swap_scale(const Vec3& s) {
  return {s.x, s.z, s.y};
}

}  // namespace mabkit::scene
