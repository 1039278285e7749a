#include "fbx/euler.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace mabkit::fbx {
namespace {

constexpr double degree = std::numbers::pi / 180.0;
/// Below this cosine of the middle angle the outer two turn about the same axis.
constexpr double gimbal_lock = 1e-6;
/// Below this sine of an angle, slerp and a straight line are the same.
constexpr double tiny_sine = 1e-9;

double dot(const Rotation& a, const Rotation& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

Rotation unit(const Rotation& q) {
  const double length = std::sqrt(dot(q, q));
  return {q[0] / length, q[1] / length, q[2] / length, q[3] / length};
}

Angles turned_near(Angles angles, const Angles& previous) {
  for (std::size_t i = 0; i < 3; ++i) {
    angles[i] -= 360.0 * std::round((angles[i] - previous[i]) / 360.0);
  }
  return angles;
}

double squared_distance(const Angles& a, const Angles& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < 3; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

/// One set of angles; where the outer two can't be told apart, the first is `first`.
Angles angles_of(const Rotation& q, double first) {
  const auto [x, y, z, w] = q;
  const double m00 = 1 - 2 * (y * y + z * z);
  const double m10 = 2 * (x * y + z * w);
  const double m20 = 2 * (x * z - y * w);
  const double m21 = 2 * (y * z + x * w);
  const double m22 = 1 - 2 * (x * x + y * y);
  const double cosine = std::hypot(m21, m22);
  const double middle = std::atan2(-m20, cosine) / degree;
  if (cosine > gimbal_lock) {
    return {std::atan2(m21, m22) / degree, middle, std::atan2(m10, m00) / degree};
  }
  const double m01 = 2 * (x * y - z * w);
  const double m02 = 2 * (x * z + y * w);
  const double last = middle > 0.0 ? first - std::atan2(m01, m02) / degree
                                   : std::atan2(-m01, -m02) / degree - first;
  return {first, middle, last};
}

}  // namespace

Rotation to_rotation(const Quat& q) {
  return unit({q.x, q.y, q.z, q.w});
}

Rotation rotation_of(const Angles& angles) {
  const double a = angles[0] * degree / 2;
  const double b = angles[1] * degree / 2;
  const double c = angles[2] * degree / 2;
  const double sa = std::sin(a);
  const double sb = std::sin(b);
  const double sc = std::sin(c);
  const double ca = std::cos(a);
  const double cb = std::cos(b);
  const double cc = std::cos(c);
  return {cc * cb * sa - sc * sb * ca, cc * sb * ca + sc * cb * sa, sc * cb * ca - cc * sb * sa,
          cc * cb * ca + sc * sb * sa};
}

Angles angles_near(const Rotation& rotation, const Angles& previous) {
  const Angles angles = angles_of(rotation, previous[0]);
  const Angles near = turned_near(angles, previous);
  const Angles other =
      turned_near({angles[0] + 180.0, 180.0 - angles[1], angles[2] + 180.0}, previous);
  return squared_distance(other, previous) < squared_distance(near, previous) ? other : near;
}

Rotation between(const Rotation& a, const Rotation& b, double fraction) {
  const double cosine = dot(a, b);
  const double sign = cosine < 0.0 ? -1.0 : 1.0;
  const double angle = std::acos(std::min(1.0, std::abs(cosine)));
  const double sine = std::sin(angle);
  double from = 1.0 - fraction;
  double to = fraction;
  if (sine > tiny_sine) {
    from = std::sin(from * angle) / sine;
    to = std::sin(to * angle) / sine;
  }
  Rotation out{};
  for (std::size_t i = 0; i < 4; ++i) out[i] = from * a[i] + sign * to * b[i];
  return unit(out);
}

double degrees_apart(const Rotation& a, const Rotation& b) {
  const double sign = dot(a, b) < 0.0 ? -1.0 : 1.0;
  double squared = 0.0;
  for (std::size_t i = 0; i < 4; ++i) {
    const double difference = a[i] - sign * b[i];
    squared += difference * difference;
  }
  return 4.0 * std::asin(std::min(1.0, std::sqrt(squared) / 2.0)) / degree;
}

}  // namespace mabkit::fbx
