#pragma once

#include <array>
#include <cstdint>
#include <mabkit/math.hpp>
#include <span>

#include "codec/packed_quaternion.hpp"

namespace mabkit::mab {

/// One rotation for a whole clip as it would be stored (spec mab-chunked, 2.5).
struct PackedRotation {
  codec::PackedQuaternion words;
  Quat decoded;
  double error = 0.0;  ///< largest angle to any of the values, in radians
};

/// The packed rotation in the middle of `values`, of which there is at least one, each in the
/// hemisphere of the one before. Words that decode to a single value exactly are taken.
[[nodiscard]] PackedRotation pack_constant(std::span<const Quat> values);

/// One translation for a whole clip as it would be stored (spec mab-chunked, 3.3).
struct PackedTranslation {
  std::array<std::int16_t, 3> words{};
  Vec3 decoded;
  double error = 0.0;  ///< largest distance to any of the values, in metres
};

/// The same for translations. Beyond the range of about two metres the error is what is missing.
[[nodiscard]] PackedTranslation pack_constant(std::span<const Vec3> values);

/// What three stored words mean, in metres.
[[nodiscard]] Vec3 unpack_translation(const std::array<std::int16_t, 3>& words);

}  // namespace mabkit::mab
