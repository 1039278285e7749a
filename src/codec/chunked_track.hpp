#pragma once

#include <cstdint>
#include <mabkit/bank.hpp>
#include <mabkit/math.hpp>
#include <optional>
#include <vector>

#include "codec/chunked_stream.hpp"

namespace mabkit::codec {

/// The depths that a writer may choose; one bit carries nothing (spec mab-chunked, section 7).
inline constexpr unsigned least_depth = 2;
inline constexpr unsigned most_depth = 16;

/// How a track was stored in the file that it comes from.
struct SourceShape {
  std::uint32_t scale_units = 0;   ///< U of the translation table; translations only
  std::vector<JointBlock> chunks;  ///< of the same keys
};

/// An animated channel of one joint at the key times of its clip.
struct TrackToEncode {
  std::uint32_t joint = 0;  ///< what errors name
  Channel channel = Channel::rotation;
  std::vector<Quat> rotations;     ///< where the channel is one; never empty
  std::vector<Vec3> translations;  ///< metres
  /// Depth to begin the search at. Absent: the smallest.
  std::optional<unsigned> start_bits;
  /// Chunks that this shape reproduces to the bit at `start_bits` keep it.
  std::optional<SourceShape> start_shape;
};

/// A channel of one joint as a stream stores it.
struct EncodedTrack {
  unsigned bits = 0;               ///< of a varying component
  std::uint32_t scale_units = 0;   ///< U of the translation table; translations only
  std::vector<JointBlock> chunks;  ///< one a chunk
  double worst_error = 0.0;        ///< radians or metres, decoded against what was asked for
  friend bool operator==(const EncodedTrack&, const EncodedTrack&) = default;
};

}  // namespace mabkit::codec
