#include "mab/chunked_block_build.hpp"

#include "mab/chunked_constants.hpp"

namespace mabkit::mab {
namespace {

constexpr std::uint64_t usual_signature = 0x694E61;  // 'aNi'
/// What most clips have that move one joint: a guess of the spec (1.2).
constexpr std::uint64_t usual_flags = 0x0F;

std::uint64_t float_bits(float value) {
  return base::cast_bits<std::uint32_t>(value);
}

codec::BlockKind kind_of(Channel channel) {
  return channel == Channel::rotation ? codec::BlockKind::rotation : codec::BlockKind::translation;
}

/// Appends a joint to every chunk of a stream.
void add_to_stream(std::optional<StreamFields>& stream, const StoredTrack& track,
                   std::uint32_t keys) {
  if (!stream) stream = StreamFields{kind_of(track.channel), keys, {}, {}};
  stream->bits.push_back(track.animated.bits);
  stream->chunks.resize(track.animated.chunks.size());
  for (std::uint32_t chunk = 0; chunk < track.animated.chunks.size(); ++chunk) {
    stream->chunks[chunk].push_back(track.animated.chunks[chunk]);
  }
}

std::uint64_t add_constant(BlockFields& block, const StoredTrack& track) {
  if (track.channel == Channel::rotation) {
    block.flags[track.joint] |= constant_rotation_flags;
    block.constant_rotations.push_back(track.rotation);
    return sizeof(track.rotation);
  }
  block.flags[track.joint] |= constant_translation_flags;
  block.constant_translations.push_back(track.translation);
  return sizeof(track.translation);
}

}  // namespace

StoredTrack pack_where_still(const motion::SampledTrack& track, double tolerance) {
  StoredTrack stored;
  stored.joint = track.joint;
  stored.channel = track.channel;
  double error = 0.0;
  if (track.channel == Channel::rotation) {
    const PackedRotation packed = pack_constant(track.rotations);
    stored.rotation = packed.words;
    error = packed.error;
  } else {
    const PackedTranslation packed = pack_constant(track.translations);
    stored.translation = packed.words;
    error = packed.error;
  }
  stored.kind = error <= tolerance ? TrackKind::constant : TrackKind::animated;
  return stored;
}

DecodedConstant decoded_constant(const StoredTrack& track) {
  return {track.joint, track.channel,
          codec::unpack(track.rotation, codec::chunked_packed_half).rotation,
          unpack_translation(track.translation)};
}

std::uint64_t add_track(BlockFields& block, const StoredTrack& track, std::uint32_t keys) {
  if (track.kind == TrackKind::constant) return add_constant(block, track);
  std::uint8_t& flags = block.flags[track.joint];
  if (track.channel == Channel::rotation) {
    flags |= static_cast<std::uint8_t>(rotation_flag | (track.animated.bits - 1U));
    add_to_stream(block.joint_rotations, track, keys);
  } else {
    flags |= translation_flag;
    block.translation_table.push_back(
        translation_word(track.animated.bits, track.animated.scale_units));
    add_to_stream(block.joint_translations, track, keys);
  }
  return track_bytes(track, keys);
}

std::uint64_t track_bytes(const StoredTrack& track, std::uint32_t keys) {
  std::uint64_t bits = 0;
  for (std::uint32_t chunk = 0; chunk < track.animated.chunks.size(); ++chunk) {
    bits += codec::block_bits(track.animated.chunks[chunk], kind_of(track.channel),
                              track.animated.bits, codec::keys_of_chunk(keys, chunk));
  }
  return (bits + 7) / 8;
}

std::vector<std::uint64_t> new_header(const ChunkedLayout& layout, const HeaderValues& values) {
  const auto rate = static_cast<float>(values.frames_per_second);
  std::vector<std::uint64_t> header;
  for (const HeaderField& field : header_fields(layout)) {
    std::uint64_t word = 0;
    if (field.offset == layout.signature) word = usual_signature;
    if (field.offset == flags_position(layout)) word = usual_flags;
    if (field.offset == layout.duration) word = float_bits(stored_duration(values));
    if (field.offset == layout.frame_rate) word = float_bits(rate);
    if (field.offset == layout.joint_count) word = values.joints;
    header.push_back(word);
  }
  return header;
}

float stored_duration(const HeaderValues& values) {
  if (values.last_tick == 0) return 1.0F / static_cast<float>(values.frames_per_second);
  return static_cast<float>(values.last_tick) / static_cast<float>(values.ticks_per_second);
}

ChunkedFields file_around(const ChunkedLayout& layout, BlockFields block) {
  ChunkedFields file;
  file.layout = &layout;
  file.wrapper[0] = layout.magic;
  file.part_record_size = layout.part_record_size;
  file.main = std::move(block);
  file.tail.resize(layout.tail_size);
  return file;
}

}  // namespace mabkit::mab
