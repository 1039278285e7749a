#pragma once

#include <cmath>
#include <mabkit/math.hpp>

namespace mabkit::motion {

/// Angle of the rotation between two, in radians, exact for small ones: from the vector part of the
/// difference, in double.
[[nodiscard]] inline double angle_between(const Quat& a, const Quat& b) {
  const double ax = a.x, ay = a.y, az = a.z, aw = a.w;
  const double bx = b.x, by = b.y, bz = b.z, bw = b.w;
  const double x = aw * bx - ax * bw - ay * bz + az * by;
  const double y = aw * by - ay * bw - az * bx + ax * bz;
  const double z = aw * bz - az * bw - ax * by + ay * bx;
  const double w = aw * bw + ax * bx + ay * by + az * bz;
  return 2.0 * std::atan2(std::sqrt(x * x + y * y + z * z), std::abs(w));
}

[[nodiscard]] inline double distance(const Vec3& a, const Vec3& b) {
  const double x = static_cast<double>(a.x) - b.x;
  const double y = static_cast<double>(a.y) - b.y;
  const double z = static_cast<double>(a.z) - b.z;
  return std::sqrt(x * x + y * y + z * z);
}

/// The larger of two errors. What is no number is larger than any, so that no bound holds it.
[[nodiscard]] inline double larger_error(double a, double b) {
  return !(a <= b) && !std::isnan(b) ? a : b;
}

}  // namespace mabkit::motion
