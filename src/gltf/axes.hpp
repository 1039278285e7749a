#pragma once

#include <mabkit/math.hpp>

#include "base/axes.hpp"

namespace mabkit::gltf {

[[nodiscard]] inline Vec3 to_gltf(const Vec3& v) {
  return base::y_up_from_z_up(v);
}
[[nodiscard]] inline Quat to_gltf(const Quat& q) {
  return base::y_up_from_z_up(q);
}

[[nodiscard]] inline Vec3 from_gltf(const Vec3& v) {
  return base::z_up_from_y_up(v);
}
[[nodiscard]] inline Quat from_gltf(const Quat& q) {
  return base::z_up_from_y_up(q);
}

/// Scales follow the axes but have no direction. Its own inverse.
[[nodiscard]] inline Vec3 swap_scale(const Vec3& s) {
  return {s.x, s.z, s.y};
}

}  // namespace mabkit::gltf
