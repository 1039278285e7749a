#pragma once

#include <cmath>
#include <mabkit/math.hpp>

/// Rigid transforms in double: encoders compare errors of a tenth of a millimetre with what single
/// precision loses along a chain of joints.
namespace mabkit::motion {

struct Point {
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;
};

/// A unit quaternion.
struct Turn {
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;
  double w = 1.0;
};

/// Rotate, then move.
struct Placement {
  Turn turn;
  Point origin;
};

[[nodiscard]] inline Point precise(const Vec3& v) {
  return {v.x, v.y, v.z};
}

/// `q` in double, at unit length.
[[nodiscard]] inline Turn precise(const Quat& q) {
  const Turn t{q.x, q.y, q.z, q.w};
  const double length = std::sqrt(t.x * t.x + t.y * t.y + t.z * t.z + t.w * t.w);
  return {t.x / length, t.y / length, t.z / length, t.w / length};
}

[[nodiscard]] inline Quat rounded(const Turn& t) {
  return {static_cast<float>(t.x), static_cast<float>(t.y), static_cast<float>(t.z),
          static_cast<float>(t.w)};
}

[[nodiscard]] inline Point operator+(const Point& a, const Point& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
[[nodiscard]] inline Point operator-(const Point& a, const Point& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
[[nodiscard]] inline Point operator*(double s, const Point& p) {
  return {s * p.x, s * p.y, s * p.z};
}
[[nodiscard]] inline double dot(const Point& a, const Point& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
[[nodiscard]] inline Point cross(const Point& a, const Point& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
[[nodiscard]] inline double length(const Point& p) {
  return std::sqrt(dot(p, p));
}

/// The rotation `b`, then `a`.
[[nodiscard]] inline Turn operator*(const Turn& a, const Turn& b) {
  return {
      a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
      a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
[[nodiscard]] inline Turn inverse(const Turn& t) {
  return {-t.x, -t.y, -t.z, t.w};
}
/// `p` turned by `t`.
[[nodiscard]] inline Point operator*(const Turn& t, const Point& p) {
  const Point u{t.x, t.y, t.z};
  const Point c = 2.0 * cross(u, p);
  return p + t.w * c + cross(u, c);
}

/// The transform `b`, then `a`.
[[nodiscard]] inline Placement operator*(const Placement& a, const Placement& b) {
  return {a.turn * b.turn, a.origin + a.turn * b.origin};
}
[[nodiscard]] inline Point operator*(const Placement& a, const Point& p) {
  return a.origin + a.turn * p;
}

/// Angle of the rotation between two, in radians, exact for small ones.
[[nodiscard]] inline double angle_between(const Turn& a, const Turn& b) {
  const Turn d = inverse(a) * b;
  return 2.0 * std::atan2(std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z), std::abs(d.w));
}

}  // namespace mabkit::motion
