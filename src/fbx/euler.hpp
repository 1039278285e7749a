#pragma once

#include <array>
#include <mabkit/math.hpp>

namespace mabkit::fbx {

/// A unit quaternion in double, x y z w: what goes through angles and back stays the same.
using Rotation = std::array<double, 4>;
/// Turns about X, then Y, then Z of the parent, in degrees: FBX's default order.
using Angles = std::array<double, 3>;

/// `q` at length 1; `q` is a rotation.
[[nodiscard]] Rotation to_rotation(const Quat& q);

/// The rotation that the angles stand for.
[[nodiscard]] Rotation rotation_of(const Angles& angles);

/// Of the endless many angles of a rotation those nearest to `previous`, so that curves through
/// them do not jump.
[[nodiscard]] Angles angles_near(const Rotation& rotation, const Angles& previous);

/// The rotation `fraction` of the way from `a` to `b`, the short way round.
[[nodiscard]] Rotation between(const Rotation& a, const Rotation& b, double fraction);

/// The angle between two rotations, in degrees.
[[nodiscard]] double degrees_apart(const Rotation& a, const Rotation& b);

}  // namespace mabkit::fbx
