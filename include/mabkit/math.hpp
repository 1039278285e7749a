#pragma once

namespace mabkit {

/// A vector in metres; Z up, right-handed, unless a declaration says otherwise.
struct Vec3 {
  float x = 0.0F;
  float y = 0.0F;
  float z = 0.0F;
  friend bool operator==(const Vec3&, const Vec3&) = default;
};

/// A rotation: Hamilton, active, x y z w.
struct Quat {
  float x = 0.0F;
  float y = 0.0F;
  float z = 0.0F;
  float w = 1.0F;
  friend bool operator==(const Quat&, const Quat&) = default;
};

}  // namespace mabkit
