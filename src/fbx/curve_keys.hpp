#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "scene/curves.hpp"

namespace mabkit::fbx {

/// FBX counts time in these; a second has as many.
inline constexpr double ticks_per_second = 46186158000.0;

/// The tick of a time in seconds; absent beyond three years, which no tick can say safely.
[[nodiscard]] std::optional<std::int64_t> tick_of(float seconds);

/// How far rotations between two keys may stray from the short way round, in degrees.
inline constexpr double max_stray = 0.05;

/// Keys of the three curves that drive a channel: degrees or centimetres, Y up.
struct CurveKeys {
  std::vector<std::int64_t> ticks;  ///< strictly rising
  std::array<std::vector<float>, 3> values;
};

/// The keys of `curve` at their own times, and further ones where straight lines between angles
/// would stray more than `max_stray`. Absent where a time has no tick.
[[nodiscard]] std::optional<CurveKeys> curve_keys(const scene::NodeCurve& curve);

}  // namespace mabkit::fbx
