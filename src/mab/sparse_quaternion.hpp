#pragma once

#include <cmath>
#include <mabkit/math.hpp>

namespace mabkit::mab {

[[nodiscard]] inline bool is_zero(const Quat& q) {
  return q.x == 0.0F && q.y == 0.0F && q.z == 0.0F && q.w == 0.0F;
}

[[nodiscard]] inline float squared_length(const Quat& q) {
  return q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
}

[[nodiscard]] inline bool is_finite(const Quat& q) {
  return std::isfinite(squared_length(q));
}

/// What a header may hold as a rotation (spec mab-sparse, 1.3 and 5.2).
[[nodiscard]] inline bool is_unit_or_zero(const Quat& q) {
  constexpr float tolerance = 1e-3F;  // of the squared length
  return is_zero(q) || std::abs(squared_length(q) - 1.0F) <= tolerance;
}

/// A rotation of a clip header: a zero quaternion is read as the identity (spec mab-sparse, 1.3),
/// and so is one that is no number.
[[nodiscard]] inline Quat read_as_rotation(const Quat& stored) {
  return is_zero(stored) || !is_finite(stored) ? Quat{} : stored;
}

}  // namespace mabkit::mab
