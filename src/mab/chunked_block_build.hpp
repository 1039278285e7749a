#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "codec/chunked_track.hpp"
#include "mab/chunked_fields.hpp"
#include "mab/chunked_track_set.hpp"

namespace mabkit::mab {

/// A channel of one joint as a block stores it.
struct StoredTrack {
  std::uint32_t joint = 0;
  Channel channel = Channel::rotation;
  TrackKind kind = TrackKind::constant;
  codec::PackedQuaternion rotation;           ///< of a constant rotation
  std::array<std::int16_t, 3> translation{};  ///< of a constant translation
  codec::EncodedTrack animated;               ///< of an animated track
};

/// The track as a constant where one packed value is within `tolerance` (radians or metres) of
/// every sample; else animated, with nothing encoded (spec mab-chunked, section 7, step 2).
[[nodiscard]] StoredTrack pack_where_still(const motion::SampledTrack& track, double tolerance);

/// What a constant track decodes to.
[[nodiscard]] DecodedConstant decoded_constant(const StoredTrack& track);

/// Appends a track to the block's flags, constants, table and streams (spec mab-chunked, 2.2, 3 and
/// 5); the bytes that it takes, rounded up. Tracks come by joint, rotation first, after
/// displacement's table entry. The block has a flag a joint.
std::uint64_t add_track(BlockFields& block, const StoredTrack& track, std::uint32_t keys);

/// Bytes that an animated track of `keys` keys takes in its stream, rounded up.
[[nodiscard]] std::uint64_t track_bytes(const StoredTrack& track, std::uint32_t keys);

/// What a new header says.
struct HeaderValues {
  std::uint32_t last_tick = 0;
  double ticks_per_second = 30.0;
  double frames_per_second = 30.0;
  std::size_t joints = 0;
};

/// The header of a new block, in the order of `header_fields`, with the values that the spec gives
/// to writers (spec mab-chunked, 1.2).
[[nodiscard]] std::vector<std::uint64_t> new_header(const ChunkedLayout& layout,
                                                    const HeaderValues& values);

/// Seconds from the first key to the last; a clip of one key lasts a frame (spec mab-chunked, 1.7).
[[nodiscard]] float stored_duration(const HeaderValues& values);

/// A file of one block, with the values that the spec gives to writers.
[[nodiscard]] ChunkedFields file_around(const ChunkedLayout& layout, BlockFields block);

}  // namespace mabkit::mab
