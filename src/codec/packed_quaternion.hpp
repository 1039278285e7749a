#pragma once

#include <array>
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
/// Largest angle, in radians, between a rotation and what the words nearest to it decode to (spec
/// mab-sparse, section 2).
inline constexpr double packed_error = 1.5e-4;
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

/// Whether a quaternion has a direction: finite, and not zero. What has none can't be packed.
[[nodiscard]] bool is_rotation(const Quat& q);

/// Encodes by spec mab-sparse, section 2: in double, with the decimal literals of the sparse
/// family. Need not be a unit quaternion; the identity where it is no rotation.
///
/// Serves both families: their halves are 0.002 levels apart, so that the words of whatever either
/// decoder gives come back, except where the dropped component is no longer the largest after
/// decoding. (spec mab-chunked, 2.5 has the same rounding; only values that stand within 0.002
/// levels of the middle between two, such as exact zeros, would go the other way.)
[[nodiscard]] PackedQuaternion pack(const Quat& q);

/// The words that decode to `q` or its negative under `half`, to the rounding of float32, where
/// there are some: those of `pack` or, on near ties, those that drop another component. A decoded
/// file's words come back through this wherever no others decode to the same floats.
[[nodiscard]] std::optional<PackedQuaternion> find_packed(const Quat& q, float half);

/// The words around `q`: each kept component rounded down and up. The component that `pack` drops
/// is dropped. Those of `pack` are among them.
[[nodiscard]] std::array<PackedQuaternion, 8> packed_around(const Quat& q);

/// Those of `find_packed`, else the ones of `packed_around` that decode nearest to `q`, in angle:
/// `pack` doesn't ask whether rounding errors add up in the dropped component.
[[nodiscard]] PackedQuaternion pack_nearest(const Quat& q, float half);

}  // namespace mabkit::codec
