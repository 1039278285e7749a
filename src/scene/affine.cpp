#include "scene/affine.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace mabkit::scene {
namespace {

double length_of(const Affine& map, std::size_t column) {
  return std::hypot(map.linear[column], map.linear[3 + column], map.linear[6 + column]);
}

bool fits_float(double value) {
  return std::abs(value) <= static_cast<double>(std::numeric_limits<float>::max());
}

/// The rotation of an orthonormal right-handed matrix: the largest component first, so that no
/// small number is divided by.
Quat rotation_of(const std::array<double, 9>& m) {
  const std::array<double, 4> squares{1.0 + m[0] - m[4] - m[8], 1.0 - m[0] + m[4] - m[8],
                                      1.0 - m[0] - m[4] + m[8], 1.0 + m[0] + m[4] + m[8]};
  const auto largest =
      static_cast<std::size_t>(std::max_element(squares.begin(), squares.end()) - squares.begin());
  const double twice = std::sqrt(squares[largest]);
  const double factor = 0.5 / twice;
  const double xy = (m[1] + m[3]) * factor;
  const double xz = (m[2] + m[6]) * factor;
  const double yz = (m[5] + m[7]) * factor;
  const double xw = (m[7] - m[5]) * factor;
  const double yw = (m[2] - m[6]) * factor;
  const double zw = (m[3] - m[1]) * factor;
  const double own = 0.5 * twice;
  const auto quat = [](double x, double y, double z, double w) {
    const double length = std::sqrt(x * x + y * y + z * z + w * w);
    return Quat{static_cast<float>(x / length), static_cast<float>(y / length),
                static_cast<float>(z / length), static_cast<float>(w / length)};
  };
  switch (largest) {
    case 0:
      return quat(own, xy, xz, xw);
    case 1:
      return quat(xy, own, yz, yw);
    case 2:
      return quat(xz, yz, own, zw);
    default:
      return quat(xw, yw, zw, own);
  }
}

}  // namespace

Affine Affine::from(const Trs& trs) {
  const auto [x, y, z, w] =
      std::array<double, 4>{trs.rotation.x, trs.rotation.y, trs.rotation.z, trs.rotation.w};
  const std::array<double, 3> scale{trs.scale.x, trs.scale.y, trs.scale.z};
  Affine out;
  out.linear = {1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),
                2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
                2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y)};
  for (std::size_t i = 0; i < 9; ++i) out.linear[i] *= scale[i % 3];
  out.offset = {trs.translation.x, trs.translation.y, trs.translation.z};
  return out;
}

Affine Affine::operator*(const Affine& other) const {
  Affine out;
  for (std::size_t row = 0; row < 3; ++row) {
    const double* r = &linear[3 * row];
    for (std::size_t column = 0; column < 3; ++column) {
      out.linear[3 * row + column] = r[0] * other.linear[column] + r[1] * other.linear[3 + column] +
                                     r[2] * other.linear[6 + column];
    }
    out.offset[row] =
        r[0] * other.offset[0] + r[1] * other.offset[1] + r[2] * other.offset[2] + offset[row];
  }
  return out;
}

std::optional<Affine> Affine::inverse() const {
  const double d = determinant();
  if (!(std::abs(d) > std::numeric_limits<double>::min()) || !std::isfinite(d)) return std::nullopt;
  const auto& m = linear;
  Affine out;
  out.linear = {(m[4] * m[8] - m[5] * m[7]) / d, (m[2] * m[7] - m[1] * m[8]) / d,
                (m[1] * m[5] - m[2] * m[4]) / d, (m[5] * m[6] - m[3] * m[8]) / d,
                (m[0] * m[8] - m[2] * m[6]) / d, (m[2] * m[3] - m[0] * m[5]) / d,
                (m[3] * m[7] - m[4] * m[6]) / d, (m[1] * m[6] - m[0] * m[7]) / d,
                (m[0] * m[4] - m[1] * m[3]) / d};
  for (std::size_t row = 0; row < 3; ++row) {
    out.offset[row] = -(out.linear[3 * row] * offset[0] + out.linear[3 * row + 1] * offset[1] +
                        out.linear[3 * row + 2] * offset[2]);
  }
  if (!out.is_finite()) return std::nullopt;
  return out;
}

double Affine::determinant() const {
  const auto& m = linear;
  return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) +
         m[2] * (m[3] * m[7] - m[4] * m[6]);
}

double Affine::shear() const {
  double largest = 0.0;
  for (std::size_t a = 0; a < 3; ++a) {
    const std::size_t b = (a + 1) % 3;
    const double lengths = length_of(*this, a) * length_of(*this, b);
    const double dot =
        linear[a] * linear[b] + linear[3 + a] * linear[3 + b] + linear[6 + a] * linear[6 + b];
    if (lengths > 0.0) largest = std::max(largest, std::abs(dot) / lengths);
  }
  return largest;
}

bool Affine::is_finite() const {
  return std::all_of(linear.begin(), linear.end(), fits_float) &&
         std::all_of(offset.begin(), offset.end(), fits_float);
}

Trs Affine::decompose() const {
  std::array<double, 3> scale{};
  for (std::size_t column = 0; column < 3; ++column) {
    scale[column] = length_of(*this, column);
  }
  if (determinant() < 0.0) scale[0] = -scale[0];
  std::array<double, 9> unit = linear;
  for (std::size_t i = 0; i < 9; ++i) {
    unit[i] = scale[i % 3] == 0.0 ? (i % 4 == 0 ? 1.0 : 0.0) : unit[i] / scale[i % 3];
  }
  return {
      {static_cast<float>(offset[0]), static_cast<float>(offset[1]), static_cast<float>(offset[2])},
      rotation_of(unit),
      {static_cast<float>(scale[0]), static_cast<float>(scale[1]), static_cast<float>(scale[2])}};
}

}  // namespace mabkit::scene
