#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "codec/chunked_arithmetic.hpp"
#include "codec/object_motion.hpp"

namespace mabkit::codec {

/// A stored component over one chunk, what it should be, and what it does in object space.
struct ShapeComponent {
  ComponentBlock stored;
  float base = -1.0F;  ///< of raw, or word, 0
  float step = 0.0F;   ///< from one raw, or word, to the next
  double least = 0.0;  ///< of the targets
  double most = 0.0;
  std::array<double, keys_in_chunk> targets{};
  /// What a change of 1 does in object space: a small rotation, or a shift of the joint in metres.
  std::array<motion::Point, keys_in_chunk> effects{};
  std::array<double, keys_in_chunk> errors{};  ///< what is stored, less the target

  /// What a raw, or the word of a constant, decodes to.
  [[nodiscard]] double value(unsigned raw) const {
    return stored.is_constant ? constant_value(raw) : varying_value(raw, step, base);
  }
  /// What the value stored for a key should be: a constant serves all of them.
  [[nodiscard]] double aim(unsigned key) const {
    return stored.is_constant ? (least + most) / 2.0 : targets[key];
  }
  /// Raw of a key, or the word of a constant.
  [[nodiscard]] unsigned raw(unsigned key) const {
    return stored.is_constant ? stored.word : stored.raws[key];
  }
  /// Whether a choice is left at a key: the word of a constant is settled at the first.
  [[nodiscard]] bool is_free(unsigned key) const { return !stored.is_constant || key == 0; }
  [[nodiscard]] double span() const { return most - least; }
};

/// A track over one chunk: which components it stores, and how.
struct TrackShape {
  std::uint32_t joint = 0;
  Channel channel = Channel::rotation;
  unsigned keys = 1;
  unsigned bits = least_depth;
  bool has_signs = false;
  std::uint8_t implicit = 0;
  std::uint8_t signs = 0;
  std::array<ShapeComponent, 3> components;

  [[nodiscard]] unsigned largest_raw(const ShapeComponent& component) const {
    return component.stored.is_constant ? largest_word : (1U << bits) - 1U;
  }
};

/// Leaves out the component of a rotation that recovers best, among those that do well the one
/// under which most others are constant. `poses` are those of the joint at the chunk's keys.
[[nodiscard]] TrackShape rotation_shape(std::span<const Quat> keys,
                                        std::span<const JointPose> poses);

/// `scale` is what a component of 1 stands for, in metres.
[[nodiscard]] TrackShape translation_shape(std::span<const Vec3> keys, double scale,
                                           std::span<const JointPose> poses);

/// Fits base and slope of the varying components to a depth: those of the smallest step that reach
/// all targets within half a step (spec mab-chunked, section 7).
void fit(TrackShape& shape, unsigned bits);

/// Stores one value for the whole chunk: the middle.
void make_constant(ShapeComponent& component);

/// The block without further choice: the raws are those that were set.
[[nodiscard]] JointBlock to_block(const TrackShape& shape);

/// Values stored at the shape's depth: varying components times keys.
[[nodiscard]] unsigned varying_values(const TrackShape& shape);

/// The largest movement of a component within the chunk.
[[nodiscard]] double largest_span(const TrackShape& shape);

}  // namespace mabkit::codec
