#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "mab/tick_curve.hpp"

namespace mabkit::mab {

/// A curve that the keys of a clip are to hold, and how far interpolation between them may be off.
struct CurveToHold {
  const TickCurve* curve = nullptr;
  double tolerance = 0.0;  ///< radians or metres
};

/// The ticks at which edited curves say something: their own keys where those lie on ticks, else
/// every frame; and the stored ticks. From 0 to `last`, rising strictly.
[[nodiscard]] std::vector<std::uint32_t> ticks_of_edit(std::span<const CurveToHold> curves,
                                                       std::span<const std::uint16_t> stored,
                                                       std::uint32_t ticks_per_frame,
                                                       std::uint32_t last);

/// The stored ticks up to `last`, `last` itself, 0 where something moves before the first of them,
/// and the fewest of `ticks` between two of them that interpolation needs to be within every
/// tolerance.
[[nodiscard]] std::vector<std::uint16_t> choose_keys(std::span<const CurveToHold> curves,
                                                     std::span<const std::uint16_t> stored,
                                                     std::span<const std::uint32_t> ticks,
                                                     std::uint32_t last);

/// Largest difference, at `ticks`, between a curve and what its values at `keys` are interpolated
/// to.
[[nodiscard]] double interpolation_error(const TickCurve& curve,
                                         std::span<const std::uint16_t> keys,
                                         std::span<const std::uint32_t> ticks);

}  // namespace mabkit::mab
