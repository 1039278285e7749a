#pragma once

#include <cstdint>
#include <functional>
#include <mabkit/math.hpp>
#include <span>
#include <vector>

#include "codec/packed_quaternion.hpp"
#include "motion/precise.hpp"

namespace mabkit::mab {

/// How far a rotation is from what its frame asks for; up to 1 is tolerated.
using TurnError = std::function<double(const motion::Turn&)>;

/// Words for keys on the outer side of the bend that `turns` make at `frame`, at shares of what is
/// tolerated. Chords between such keys stay near the curve for longer than chords between points of
/// it. None where the curve is straight, and at its ends.
[[nodiscard]] std::vector<codec::PackedQuaternion> outer_words(std::span<const motion::Turn> turns,
                                                               std::uint32_t frame,
                                                               const TurnError& error);

}  // namespace mabkit::mab
