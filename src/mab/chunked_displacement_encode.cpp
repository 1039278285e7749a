#include "mab/chunked_displacement_encode.hpp"

#include <fmt/format.h>

#include <limits>

#include "codec/chunked_block_encode.hpp"
#include "codec/chunked_encode.hpp"
#include "mab/chunked_parse.hpp"
#include "motion/difference.hpp"

namespace mabkit::mab {
namespace {

/// What shipped files have in the table for displacement that stands still (spec mab-chunked, 3.1).
constexpr unsigned still_translation_bits = 8;

/// Scales that are tried for displacement that stands still: one 16-bit step of a far place may be
/// wider than the tolerance, and the scale decides where the steps lie.
constexpr std::uint32_t scales_to_try = 4096;
constexpr double any_error = std::numeric_limits<double>::max();

/// One chunk of one key, all components constant.
EncodedDisplacement encode_still_rotation(const std::vector<Quat>& values) {
  EncodedDisplacement out;
  const auto middle = std::span(values).subspan(values.size() / 2, 1);
  const codec::EncodedBlock block =
      codec::encode_rotation_block(middle, codec::least_depth, any_error);
  out.stream = {codec::BlockKind::rotation, 1, {1}, {{block.block}}};
  std::array<float, 4> q{};
  codec::decode_rotations(block.block, 1, 1, q);
  for (const Quat& value : values) {
    out.error = std::max(out.error, motion::angle_between({q[0], q[1], q[2], q[3]}, value));
  }
  return out;
}

EncodedDisplacement encode_still_translation(const std::vector<Vec3>& values,
                                             std::uint32_t scale_units) {
  EncodedDisplacement out;
  const auto middle = std::span(values).subspan(values.size() / 2, 1);
  const codec::EncodedBlock block =
      codec::encode_translation_block(middle, codec::least_depth, scale_units, any_error);
  out.stream = {codec::BlockKind::translation, 1, {1}, {{block.block}}};
  out.table_entry = translation_word(still_translation_bits, scale_units);
  std::array<float, 3> v{};
  codec::decode_translations(block.block, 1, 1, translation_entry(out.table_entry).scale, v);
  for (const Vec3& value : values) {
    out.error = std::max(out.error, motion::distance({v[0], v[1], v[2]}, value));
  }
  return out;
}

EncodedDisplacement encode_still(const motion::SampledTrack& track, double tolerance) {
  if (track.channel == Channel::rotation) return encode_still_rotation(track.rotations);
  const std::uint32_t least = codec::scale_units_for(track.translations);
  EncodedDisplacement best = encode_still_translation(track.translations, least);
  if (track.kind == TrackKind::animated) return best;
  for (std::uint32_t more = 1; more <= scales_to_try && best.error > tolerance; ++more) {
    if (least + more > codec::largest_scale_units) break;
    EncodedDisplacement still = encode_still_translation(track.translations, least + more);
    if (still.error < best.error) best = std::move(still);
  }
  return best;
}

EncodedDisplacement as_stream(const codec::EncodedTrack& track, codec::BlockKind kind,
                              std::uint32_t keys) {
  EncodedDisplacement out;
  out.stream = {kind, keys, {track.bits}, {}};
  for (const codec::JointBlock& block : track.chunks) out.stream.chunks.push_back({block});
  if (kind == codec::BlockKind::translation) {
    out.table_entry = translation_word(track.bits, track.scale_units);
  }
  out.error = track.worst_error;
  out.moves = true;
  return out;
}

}  // namespace

Result<EncodedDisplacement> encode_displacement(const motion::SampledTrack& track,
                                                std::uint32_t keys, double tolerance) {
  EncodedDisplacement still = encode_still(track, tolerance);
  const bool is_rotation = track.channel == Channel::rotation;
  const std::size_t values = is_rotation ? track.rotations.size() : track.translations.size();
  if (still.error <= tolerance || values != keys) return still;

  codec::TrackToEncode request;
  request.channel = track.channel;
  request.rotations = track.rotations;
  request.translations = track.translations;
  const codec::BlockKind kind =
      is_rotation ? codec::BlockKind::rotation : codec::BlockKind::translation;
  for (unsigned bits = codec::least_depth; bits <= codec::most_depth; ++bits) {
    request.start_bits = bits;
    auto encoded = codec::encode_track(request, tolerance);
    if (!encoded) {
      encoded.error().path = "root_motion";
      return tl::unexpected(std::move(encoded.error()));
    }
    bits = encoded->bits;
    EncodedDisplacement moving = as_stream(*encoded, kind, keys);
    const unsigned stored = is_rotation ? 0 : bits;
    // This depth is one that fits, so where the reader settles on one, it reads the same values.
    if (solve_displacement_bits(stream_bytes(moving.stream), kind, stored, keys) != 0) {
      return moving;
    }
  }
  return tl::unexpected(
      Error{ErrorCode::unsupported, std::nullopt, "root_motion",
            fmt::format(
                "the turning of the actor over {} keys can't be stored so that a reader finds its "
                "bit depth; give the clip at least 8 keys, or move a joint instead",
                keys)});
}

}  // namespace mabkit::mab
