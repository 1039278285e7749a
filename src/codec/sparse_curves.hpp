#pragma once

#include <cstddef>
#include <cstdint>
#include <mabkit/math.hpp>
#include <optional>
#include <span>

#include "codec/packed_quaternion.hpp"

namespace mabkit::codec {

/// Bytes of a stored translation: f32[3] (spec mab-sparse, section 4).
inline constexpr std::size_t packed_translation_size = 12;

/// Dense translations, stored frame by frame, one f32[3] a track (spec mab-sparse, section 4).
/// Writes track by track, `3 * frames` floats each. `stored` has `tracks * frames` vectors.
void decode_dense_translations(std::span<const std::byte> stored, std::uint32_t tracks,
                               std::uint32_t frames, std::span<float> out);

/// The rotation of packed quaternion number `index`, or nothing where it is none (spec mab-sparse,
/// section 2).
[[nodiscard]] std::optional<Quat> decode_rotation(std::span<const std::byte> stored,
                                                  std::size_t index);

}  // namespace mabkit::codec
