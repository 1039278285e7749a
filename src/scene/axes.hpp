#pragma once

#include <mabkit/math.hpp>

#include "base/axes.hpp"

namespace mabkit::scene {

// Engine space is Z up, scenes are written Y up.

[[nodiscard]] inline Vec3 to_y_up(const Vec3& v) {
  return base::y_up_from_z_up(v);
}
[[nodiscard]] inline Quat to_y_up(const Quat& q) {
  return base::y_up_from_z_up(q);
}

[[nodiscard]] inline Vec3 from_y_up(const Vec3& v) {
  return base::z_up_from_y_up(v);
}
[[nodiscard]] inline Quat from_y_up(const Quat& q) {
  return base::z_up_from_y_up(q);
}

/// Scales follow the axes but have no direction. Its own inverse.
[[nodiscard]] inline Vec3 swap_scale(const Vec3& s) {
  return {s.x, s.z, s.y};
}

}  // namespace mabkit::scene
