#pragma once

#include <mabkit/math.hpp>
#include <string>
#include <string_view>

namespace mabkit::rig {

/// What is wrong with a bind rotation, in words for a warning; empty where it is a unit quaternion.
[[nodiscard]] std::string rotation_fault(const Quat& rotation);
/// `rotation` itself where it is a unit quaternion, else normalised, else the identity.
[[nodiscard]] Quat usable_rotation(const Quat& rotation);

[[nodiscard]] bool is_finite(const Vec3& vector);

/// A bone's name as people and text formats can have it: valid UTF-8 without control characters.
/// Bytes that are not are written as `\x..`.
[[nodiscard]] std::string readable_name(std::string_view name);

}  // namespace mabkit::rig
