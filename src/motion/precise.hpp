#pragma once

#include <array>
#include <cmath>
#include <cstddef>
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

  /// 0 = x .. 3 = w.
  [[nodiscard]] double operator[](std::size_t component) const {
    return component == 0 ? x : component == 1 ? y : component == 2 ? z : w;
  }
};

/// Rotate, then move.
struct Placement {
  Turn turn;
  Point origin;
};

[[nodiscard]] inline Point precise(const Vec3& v) {
  return {v.x, v.y, v.z};
}

/// `q` in double, at unit length; the identity where it has no length.
[[nodiscard]] inline Turn precise(const Quat& q) {
  const Turn t{q.x, q.y, q.z, q.w};
  const double length = std::sqrt(t.x * t.x + t.y * t.y + t.z * t.z + t.w * t.w);
  if (!(length > 0.0)) return {};
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
/// The same rotation, in the other hemisphere.
[[nodiscard]] inline Turn negated(const Turn& t) {
  return {-t.x, -t.y, -t.z, -t.w};
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

/// The largest distance between the virtual vertices of a joint in two places: one along each axis,
/// `d` from the joint.
[[nodiscard]] inline double vertex_distance_between(const Placement& a, const Placement& b,
                                                    double d) {
  double worst = 0.0;
  for (const Point& vertex : {Point{d, 0.0, 0.0}, Point{0.0, d, 0.0}, Point{0.0, 0.0, d}}) {
    const double distance = length(a * vertex - b * vertex);
    // Not `>`: what is no number is no distance of 0.
    worst = distance <= worst ? worst : distance;
  }
  return worst;
}

/// Angle of the rotation between two, in radians, exact for small ones.
[[nodiscard]] inline double angle_between(const Turn& a, const Turn& b) {
  const Turn d = inverse(a) * b;
  return 2.0 * std::atan2(std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z), std::abs(d.w));
}

/// The small rotation that leads from `from` to `to`, as a vector in the space that both lead to.
/// Right to the second order.
[[nodiscard]] inline Point small_rotation(const Turn& from, const Turn& to) {
  const Turn t = to * inverse(from);
  const double scale = t.w < 0.0 ? -2.0 : 2.0;
  return {scale * t.x, scale * t.y, scale * t.z};
}

/// Row by row.
struct Matrix {
  std::array<std::array<double, 3>, 3> m{};
};

[[nodiscard]] inline Point operator*(const Matrix& a, const Point& v) {
  return {a.m[0][0] * v.x + a.m[0][1] * v.y + a.m[0][2] * v.z,
          a.m[1][0] * v.x + a.m[1][1] * v.y + a.m[1][2] * v.z,
          a.m[2][0] * v.x + a.m[2][1] * v.y + a.m[2][2] * v.z};
}

/// The inverse of a matrix that has one.
[[nodiscard]] inline Matrix inverse(const Matrix& a) {
  const auto& m = a.m;
  const auto minor = [&m](std::size_t r0, std::size_t r1, std::size_t c0, std::size_t c1) {
    return m[r0][c0] * m[r1][c1] - m[r0][c1] * m[r1][c0];
  };
  Matrix out;
  out.m = {{{minor(1, 2, 1, 2), -minor(0, 2, 1, 2), minor(0, 1, 1, 2)},
            {-minor(1, 2, 0, 2), minor(0, 2, 0, 2), -minor(0, 1, 0, 2)},
            {minor(1, 2, 0, 1), -minor(0, 2, 0, 1), minor(0, 1, 0, 1)}}};
  const double determinant = m[0][0] * out.m[0][0] + m[0][1] * out.m[1][0] + m[0][2] * out.m[2][0];
  for (auto& row : out.m) {
    for (double& value : row) value /= determinant;
  }
  return out;
}

}  // namespace mabkit::motion
