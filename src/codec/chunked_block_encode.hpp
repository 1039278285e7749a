#pragma once

#include <cstdint>
#include <mabkit/math.hpp>
#include <optional>
#include <span>

#include "codec/chunked_stream.hpp"

namespace mabkit::codec {

/// One joint's keys over one chunk as they would be stored.
struct EncodedBlock {
  JointBlock block;
  std::uint64_t size = 0;  ///< bits
  double error = 0.0;      ///< largest, decoded in the engine's float32 order: radians or metres
};

/// Encodes 1 to 8 rotations at `bits` (2..16) a varying component: the smallest block whose error
/// is within `tolerance` radians, among equally small ones the nearest; where none is within, the
/// nearest of all. Implicit components, constant components, signs, base and slope bytes are
/// searched (spec mab-chunked, section 7). Signs of the quaternions do not matter.
[[nodiscard]] EncodedBlock encode_rotation_block(std::span<const Quat> keys, unsigned bits,
                                                 double tolerance);

/// The same for translations in metres; `scale_units` is U of the table (spec mab-chunked, 3.1).
[[nodiscard]] EncodedBlock encode_translation_block(std::span<const Vec3> keys, unsigned bits,
                                                    std::uint32_t scale_units, double tolerance);

/// The block with the implicit component, constants, bases and slopes of `shape` that decodes to
/// exactly `keys`, zeros of either sign being equal. The raws of `shape` are only taken for keys
/// that rounding does not bring back: where a radicand below zero was renormalised, the stored
/// three can't be told from the decoded ones.
[[nodiscard]] std::optional<JointBlock> reproduce_rotation_block(std::span<const Quat> keys,
                                                                 unsigned bits,
                                                                 const JointBlock& shape);
[[nodiscard]] std::optional<JointBlock> reproduce_translation_block(std::span<const Vec3> keys,
                                                                    unsigned bits,
                                                                    std::uint32_t scale_units,
                                                                    const JointBlock& shape);

/// Largest angle, in radians, between what a block decodes to and `keys`.
[[nodiscard]] double rotation_block_error(const JointBlock& block, unsigned bits,
                                          std::span<const Quat> keys);
/// Largest distance, in metres, between what a block decodes to and `keys`.
[[nodiscard]] double translation_block_error(const JointBlock& block, unsigned bits,
                                             std::uint32_t scale_units, std::span<const Vec3> keys);

}  // namespace mabkit::codec
