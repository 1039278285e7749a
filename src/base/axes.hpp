#pragma once

#include <mabkit/math.hpp>

namespace mabkit::base {

// Engine space is Z up; glTF and most motion capture is Y up, both right-handed: x' = x, y' = z,
// z' = -y, for vectors and for the vector part of quaternions (spec mab-sparse, section 4).
// `0 -` keeps a zero positive.

[[nodiscard]] inline Vec3 y_up_from_z_up(const Vec3& v) {
  return {v.x, v.z, 0.0F - v.y};
}
[[nodiscard]] inline Quat y_up_from_z_up(const Quat& q) {
  return {q.x, q.z, 0.0F - q.y, q.w};
}

[[nodiscard]] inline Vec3 z_up_from_y_up(const Vec3& v) {
  return {v.x, 0.0F - v.z, v.y};
}
[[nodiscard]] inline Quat z_up_from_y_up(const Quat& q) {
  return {q.x, 0.0F - q.z, q.y, q.w};
}

}  // namespace mabkit::base
