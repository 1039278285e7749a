#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <mabkit/math.hpp>

/// Vectors, rotations and 3 x 3 matrices in double precision, for work whose errors would otherwise
/// be of the size of what is measured.
namespace mabkit::motion {

struct Vector {
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;
};

[[nodiscard]] constexpr Vector to_vector(const Vec3& v) {
  return {v.x, v.y, v.z};
}
[[nodiscard]] constexpr Vector operator+(const Vector& a, const Vector& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
[[nodiscard]] constexpr Vector operator-(const Vector& a, const Vector& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
[[nodiscard]] constexpr Vector operator*(double s, const Vector& v) {
  return {s * v.x, s * v.y, s * v.z};
}
[[nodiscard]] constexpr double dot(const Vector& a, const Vector& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
[[nodiscard]] constexpr Vector cross(const Vector& a, const Vector& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
[[nodiscard]] inline double length(const Vector& v) {
  return std::sqrt(dot(v, v));
}

/// x y z w, as `Quat`.
struct Rotation {
  std::array<double, 4> components{0.0, 0.0, 0.0, 1.0};

  [[nodiscard]] constexpr double operator[](std::size_t i) const { return components[i]; }
  [[nodiscard]] constexpr double& operator[](std::size_t i) { return components[i]; }
};

/// Brought to length 1; the identity where it has no length.
[[nodiscard]] inline Rotation to_rotation(const Quat& q) {
  const Rotation r{{q.x, q.y, q.z, q.w}};
  const double size = std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);
  if (!(size > 0.0)) return {};
  return {{r[0] / size, r[1] / size, r[2] / size, r[3] / size}};
}
[[nodiscard]] constexpr Rotation negated(const Rotation& q) {
  return {{-q[0], -q[1], -q[2], -q[3]}};
}
[[nodiscard]] constexpr Rotation inverse(const Rotation& q) {
  return {{-q[0], -q[1], -q[2], q[3]}};
}
/// The rotation `b`, then `a`.
[[nodiscard]] constexpr Rotation multiply(const Rotation& a, const Rotation& b) {
  return {{a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
           a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
           a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
           a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]}};
}
[[nodiscard]] constexpr Vector rotate(const Rotation& q, const Vector& v) {
  const Vector u{q[0], q[1], q[2]};
  const Vector t = 2.0 * cross(u, v);
  return v + q[3] * t + cross(u, t);
}
/// The small rotation that leads from `from` to `to`, as a vector in the space that both lead to.
/// Right to the second order.
[[nodiscard]] constexpr Vector small_rotation(const Rotation& from, const Rotation& to) {
  const Rotation q = multiply(to, inverse(from));
  const double scale = q[3] < 0.0 ? -2.0 : 2.0;
  return {scale * q[0], scale * q[1], scale * q[2]};
}

/// Row by row.
struct Matrix {
  std::array<std::array<double, 3>, 3> m{};
};

[[nodiscard]] constexpr Vector operator*(const Matrix& a, const Vector& v) {
  return {a.m[0][0] * v.x + a.m[0][1] * v.y + a.m[0][2] * v.z,
          a.m[1][0] * v.x + a.m[1][1] * v.y + a.m[1][2] * v.z,
          a.m[2][0] * v.x + a.m[2][1] * v.y + a.m[2][2] * v.z};
}

/// The inverse of a matrix that has one.
[[nodiscard]] constexpr Matrix inverse(const Matrix& a) {
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
