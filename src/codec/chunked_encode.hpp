#pragma once

#include <cstdint>
#include <mabkit/error.hpp>
#include <mabkit/math.hpp>
#include <span>
#include <vector>

#include "codec/chunked_track.hpp"

namespace mabkit::codec {

/// Encodes a track at the smallest depth whose decoded error is within `tolerance` (radians of
/// rotation angle, metres) in every chunk (spec mab-chunked, section 7). Fails with `bad_argument`
/// where no depth is, naming the best reachable error, with `bad_value` where a value is not finite
/// or a rotation has no length, and with `limit` where a translation is farther than the table's
/// scale reaches.
[[nodiscard]] Result<EncodedTrack> encode_track(const TrackToEncode& track, double tolerance);

/// U of the smallest scale that reaches every translation (spec mab-chunked, section 7). Not above
/// `largest_scale_units` for translations within its 5000 metres.
[[nodiscard]] std::uint32_t scale_units_for(std::span<const Vec3> translations);
inline constexpr std::uint32_t largest_scale_units = (1U << 24U) - 1U;

/// What the track decodes to: one value a key.
[[nodiscard]] std::vector<Quat> decode_rotation_track(const EncodedTrack& track,
                                                      std::uint32_t keys);
[[nodiscard]] std::vector<Vec3> decode_translation_track(const EncodedTrack& track,
                                                         std::uint32_t keys);

}  // namespace mabkit::codec
