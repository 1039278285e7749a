#pragma once

#include <cstdint>
#include <mabkit/math.hpp>
#include <optional>

namespace mabkit::codec {

/// A smallest-three quaternion in 48 bits, as stored (spec mab-sparse, section 2;
/// mab-chunked, 2.5).
struct PackedQuaternion {
  std::uint16_t w0 = 0;
  std::uint16_t w1 = 0;
  std::uint16_t w2 = 0;
  friend bool operator==(const PackedQuaternion&, const PackedQuaternion&) = default;
};
static_assert(sizeof(PackedQuaternion) == 6);

/// One level of a stored component: sqrt(2) / 32767 (spec mab-sparse, section 2).
inline constexpr float packed_step = 4.315969e-05F;
/// What is subtracted, as the sparse family's decoder has it (spec mab-sparse, section 2).
inline constexpr float sparse_packed_half = 0.70710677F;
/// The same for the chunked family (spec mab-chunked, 2.5): one unit in the last place more.
inline constexpr float chunked_packed_half = 0.7071068F;

/// A decoded quaternion, and 1 - a*a - b*b - c*c of its three kept components.
struct UnpackedQuaternion {
  Quat rotation;
  float radicand = 0.0F;
};

/// Decodes in the engine's float32 order: multiply, then subtract. Where the radicand is below
/// zero the kept three are divided by their length and the dropped one is 0.
[[nodiscard]] UnpackedQuaternion unpack(PackedQuaternion packed, float half);

}  // namespace mabkit::codec
