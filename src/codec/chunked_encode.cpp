#include "codec/chunked_encode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "codec/chunked_arithmetic.hpp"
#include "codec/chunked_block_encode.hpp"

namespace mabkit::codec {
namespace {

/// Encodes one track, a depth at a time.
class TrackEncoder {
 public:
  TrackEncoder(const TrackToEncode& track, double tolerance)
      : track_(track), tolerance_(tolerance) {}

  Result<EncodedTrack> run() {
    if (auto checked = check_values(); !checked) return tl::unexpected(std::move(checked.error()));
    if (is_rotation()) return search();
    // The source's scale first, so that what did not change keeps its bits.
    const std::uint32_t needed = scale_units_for(track_.translations);
    if (track_.start_shape && track_.start_shape->scale_units != needed) {
      scale_units_ = track_.start_shape->scale_units;
      if (auto encoded = search()) return encoded;
    }
    scale_units_ = needed;
    return search();
  }

 private:
  /// The smallest depth under the scale that is set.
  Result<EncodedTrack> search() {
    const unsigned start = std::clamp(track_.start_bits.value_or(least_depth), 1U, most_depth);
    hardest_ = 0;
    for (unsigned bits = start; bits <= most_depth; ++bits) {
      EncodedTrack encoded;
      if (try_depth(bits, encoded)) return encoded;
    }
    return fail(ErrorCode::bad_argument, describe_unreachable());
  }

  [[nodiscard]] bool is_rotation() const { return track_.channel == Channel::rotation; }
  [[nodiscard]] std::uint32_t keys() const {
    return static_cast<std::uint32_t>(is_rotation() ? track_.rotations.size()
                                                    : track_.translations.size());
  }
  [[nodiscard]] tl::unexpected<Error> fail(ErrorCode code, std::string message) const {
    return tl::unexpected(
        Error{code, std::nullopt, fmt::format("joint[{}]", track_.joint), std::move(message)});
  }

  Result<void> check_values() {
    if (keys() == 0) return fail(ErrorCode::bad_argument, "an animated track has no keys");
    for (const Quat& q : track_.rotations) {
      const float length = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
      if (!std::isfinite(length) || length <= 0.0F) {
        return fail(ErrorCode::bad_value,
                    fmt::format("({}, {}, {}, {}) is no rotation", q.x, q.y, q.z, q.w));
      }
    }
    for (const Vec3& v : track_.translations) {
      const float farthest = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
      if (!std::isfinite(v.x) || !std::isfinite(v.y) || !std::isfinite(v.z)) {
        return fail(ErrorCode::bad_value,
                    fmt::format("({}, {}, {}) is no translation", v.x, v.y, v.z));
      }
      if (farthest > translation_scale(largest_scale_units)) {
        return fail(ErrorCode::limit,
                    fmt::format("{} metres are beyond the {} that the format's "
                                "translations reach; scale the motion down",
                                farthest, translation_scale(largest_scale_units)));
      }
    }
    return {};
  }

  [[nodiscard]] EncodedBlock encode_chunk(std::uint32_t chunk, unsigned bits) const {
    const unsigned count = keys_of_chunk(keys(), chunk);
    const std::size_t first = std::size_t{chunk} * keys_in_chunk;
    if (auto kept = reproduce(chunk, bits, first, count)) return *kept;
    if (bits < least_depth) return {{}, 0, std::numeric_limits<double>::infinity()};
    if (is_rotation()) {
      return encode_rotation_block(std::span(track_.rotations).subspan(first, count), bits,
                                   tolerance_);
    }
    return encode_translation_block(std::span(track_.translations).subspan(first, count), bits,
                                    scale_units_, tolerance_);
  }

  /// The chunk as its source stored it, where that decodes to the same values.
  [[nodiscard]] std::optional<EncodedBlock> reproduce(std::uint32_t chunk, unsigned bits,
                                                      std::size_t first, unsigned count) const {
    if (!track_.start_shape || bits != track_.start_bits.value_or(0)) return std::nullopt;
    if (chunk >= track_.start_shape->chunks.size()) return std::nullopt;
    const JointBlock& shape = track_.start_shape->chunks[chunk];
    const BlockKind kind = is_rotation() ? BlockKind::rotation : BlockKind::translation;
    std::optional<JointBlock> block;
    if (is_rotation()) {
      block =
          reproduce_rotation_block(std::span(track_.rotations).subspan(first, count), bits, shape);
    } else if (track_.start_shape->scale_units == scale_units_) {
      block = reproduce_translation_block(std::span(track_.translations).subspan(first, count),
                                          bits, scale_units_, shape);
    }
    if (!block) return std::nullopt;
    return EncodedBlock{*block, block_bits(*block, kind, bits, count), 0.0};
  }

  /// Whether every chunk is within the tolerance at this depth. The chunk that failed last is tried
  /// first: it decides most depths.
  bool try_depth(unsigned bits, EncodedTrack& out) {
    const std::uint32_t chunks = chunk_count(keys());
    if (encode_chunk(hardest_, bits).error > tolerance_) return false;
    out.bits = bits;
    out.scale_units = scale_units_;
    out.chunks.resize(chunks);
    for (std::uint32_t chunk = 0; chunk < chunks; ++chunk) {
      const EncodedBlock encoded = encode_chunk(chunk, bits);
      out.chunks[chunk] = encoded.block;
      out.worst_error = std::max(out.worst_error, encoded.error);
      if (encoded.error > tolerance_) {
        hardest_ = chunk;
        return false;
      }
    }
    return true;
  }

  [[nodiscard]] std::string describe_unreachable() const {
    double worst = 0.0;
    for (std::uint32_t chunk = 0; chunk < chunk_count(keys()); ++chunk) {
      worst = std::max(worst, encode_chunk(chunk, most_depth).error);
    }
    if (is_rotation()) {
      constexpr double degrees = 180.0 / std::numbers::pi;
      return fmt::format(
          "its rotation can't be stored within {:.3g} degrees, the best that is reachable is "
          "{:.3g}; allow a larger error",
          tolerance_ * degrees, worst * degrees);
    }
    return fmt::format(
        "its translation can't be stored within {:.3g} mm, the best that is reachable is {:.3g}; "
        "allow a larger error",
        tolerance_ * 1e3, worst * 1e3);
  }

  const TrackToEncode& track_;
  double tolerance_;
  std::uint32_t scale_units_ = 0;
  std::uint32_t hardest_ = 0;
};

}  // namespace

Result<EncodedTrack> encode_track(const TrackToEncode& track, double tolerance) {
  return TrackEncoder(track, tolerance).run();
}

std::uint32_t scale_units_for(std::span<const Vec3> translations) {
  double farthest = 0.0;
  for (const Vec3& v : translations) {
    for (const float component : {v.x, v.y, v.z}) {
      farthest = std::max(farthest, std::abs(static_cast<double>(component)));
    }
  }
  const double units = std::ceil(farthest / static_cast<double>(translation_unit));
  return static_cast<std::uint32_t>(
      std::clamp(units, 1.0, static_cast<double>(largest_scale_units)));
}

std::vector<Quat> decode_rotation_track(const EncodedTrack& track, std::uint32_t keys) {
  std::vector<Quat> out;
  out.reserve(keys);
  std::array<float, std::size_t{4} * keys_in_chunk> values;
  for (std::uint32_t chunk = 0; chunk < chunk_count(keys); ++chunk) {
    const unsigned count = keys_of_chunk(keys, chunk);
    decode_rotations(track.chunks[chunk], track.bits, count, values);
    for (unsigned key = 0; key < count; ++key) {
      const float* const q = values.data() + std::size_t{4} * key;
      out.push_back({q[0], q[1], q[2], q[3]});
    }
  }
  return out;
}

std::vector<Vec3> decode_translation_track(const EncodedTrack& track, std::uint32_t keys) {
  std::vector<Vec3> out;
  out.reserve(keys);
  std::array<float, std::size_t{3} * keys_in_chunk> values;
  for (std::uint32_t chunk = 0; chunk < chunk_count(keys); ++chunk) {
    const unsigned count = keys_of_chunk(keys, chunk);
    decode_translations(track.chunks[chunk], track.bits, count,
                        translation_scale(track.scale_units), values);
    for (unsigned key = 0; key < count; ++key) {
      const float* const v = values.data() + std::size_t{3} * key;
      out.push_back({v[0], v[1], v[2]});
    }
  }
  return out;
}

}  // namespace mabkit::codec
