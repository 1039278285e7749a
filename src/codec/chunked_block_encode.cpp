#include "codec/chunked_block_encode.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "codec/chunked_arithmetic.hpp"
#include "codec/chunked_component.hpp"

namespace mabkit::codec {
namespace {

using Components = std::array<double, 4>;
using KeyValues = std::array<double, keys_in_chunk>;

/// Which components are constant, by mask, the smallest block first.
constexpr std::array<unsigned, 8> constant_masks{0b111, 0b011, 0b101, 0b110,
                                                 0b001, 0b010, 0b100, 0b000};
/// The order that settles ties between implicit components: w, z, y, x (spec mab-chunked, section
/// 7).
constexpr std::array<unsigned, 4> tie_order{3, 2, 1, 0};

/// What the decoded keys are compared with: unit in double precision, each in the hemisphere of
/// the one before.
struct RotationTargets {
  std::array<Components, keys_in_chunk> keys{};
  unsigned count = 0;
};

RotationTargets align(std::span<const Quat> keys) {
  RotationTargets targets;
  targets.count = static_cast<unsigned>(keys.size());
  for (unsigned key = 0; key < targets.count; ++key) {
    Components q{keys[key].x, keys[key].y, keys[key].z, keys[key].w};
    double length = 0.0;
    double dot = 0.0;
    for (unsigned i = 0; i < 4; ++i) {
      length += q[i] * q[i];
      if (key > 0) dot += q[i] * targets.keys[key - 1][i];
    }
    length = std::sqrt(length);
    for (double& component : q) component /= dot < 0.0 ? -length : length;
    targets.keys[key] = q;
  }
  return targets;
}

double angle_of_chord(double squared) {
  return 4.0 * std::asin(std::min(1.0, std::sqrt(squared) / 2.0));
}

/// Largest squared chord between decoded quaternions and targets, either sign.
double largest_chord(const RotationTargets& targets, std::span<const float> decoded) {
  double largest = 0.0;
  for (unsigned key = 0; key < targets.count; ++key) {
    double minus = 0.0;
    double plus = 0.0;
    for (unsigned i = 0; i < 4; ++i) {
      const double value = decoded[4 * std::size_t{key} + i];
      const double target = targets.keys[key][i];
      minus += (value - target) * (value - target);
      plus += (value + target) * (value + target);
    }
    largest = std::max(largest, std::min(minus, plus));
  }
  return largest;
}

double measure(const RotationTargets& targets, const JointBlock& block, unsigned bits) {
  std::array<float, std::size_t{4} * keys_in_chunk> decoded;
  decode_rotations(block, bits, targets.count, decoded);
  return angle_of_chord(largest_chord(targets, decoded));
}

/// A block without implicit component `implicit`: its stored three and their signs.
struct RotationSplit {
  unsigned implicit = 0;
  bool has_signs = false;
  std::uint8_t signs = 0;
  std::array<KeyValues, 3> stored{};
};

/// Leaves a component out. The chunk as a whole is turned so that the left-out component is
/// positive; where it changes sign, so that its first key is.
RotationSplit leave_out(const RotationTargets& targets, unsigned implicit) {
  RotationSplit split;
  split.implicit = implicit;
  const double turn = targets.keys[0][implicit] < 0.0 ? -1.0 : 1.0;
  for (unsigned key = 0; key < targets.count; ++key) {
    unsigned stored = 0;
    for (unsigned component = 0; component < 4; ++component) {
      const double value = turn * targets.keys[key][component];
      if (component != implicit) {
        split.stored[stored++][key] = value;
      } else if (value < 0.0) {
        split.has_signs = true;
        split.signs |= static_cast<std::uint8_t>(1U << key);
      }
    }
  }
  return split;
}

/// Implicit components, the one whose least magnitude is largest first.
std::array<unsigned, 4> by_magnitude(const RotationTargets& targets) {
  std::array<double, 4> least{};
  for (unsigned component = 0; component < 4; ++component) {
    least[component] = std::abs(targets.keys[0][component]);
    for (unsigned key = 1; key < targets.count; ++key) {
      least[component] = std::min(least[component], std::abs(targets.keys[key][component]));
    }
  }
  std::array<unsigned, 4> order = tie_order;
  std::stable_sort(order.begin(), order.end(),
                   [&](unsigned a, unsigned b) { return least[a] > least[b]; });
  return order;
}

/// Whether `a` is to be preferred to `b`.
bool is_better(const EncodedBlock& a, const EncodedBlock& b, double tolerance) {
  const bool a_is_within = a.error <= tolerance;
  const bool b_is_within = b.error <= tolerance;
  if (a_is_within != b_is_within) return a_is_within;
  if (a_is_within && a.size != b.size) return a.size < b.size;
  return a.error < b.error;
}

/// The fits of one component, made when they are asked for.
class ComponentChoice {
 public:
  ComponentChoice(std::span<const double> values, unsigned bits)
      : values_(values), bits_(bits), constant_(fit_constant(values)) {}

  const ComponentFit& constant() const { return constant_; }
  const ComponentFit& varying() {
    if (!varying_) varying_ = fit_varying(values_, bits_);
    return *varying_;
  }
  /// Whether a constant may be part of the answer: it is near enough, or nearer than varying raws.
  bool admits_constant(double tolerance) {
    return constant_.error <= tolerance || constant_.error <= varying().error;
  }

 private:
  std::span<const double> values_;
  unsigned bits_;
  ComponentFit constant_;
  std::optional<ComponentFit> varying_;
};

using Choices = std::array<ComponentChoice, 3>;

/// Fills the components of `block` as the mask says; false where the mask can't be the answer.
bool fill_components(JointBlock& block, Choices& choices, unsigned mask, double tolerance) {
  for (unsigned component = 0; component < 3; ++component) {
    if ((mask >> component & 1U) == 0) continue;
    if (!choices[component].admits_constant(tolerance)) return false;
  }
  for (unsigned component = 0; component < 3; ++component) {
    const bool is_constant = (mask >> component & 1U) != 0;
    block.components[component] =
        is_constant ? choices[component].constant().block : choices[component].varying().block;
  }
  return true;
}

/// The size of a block with the constants of `mask`.
std::uint64_t size_of(JointBlock block, unsigned mask, BlockKind kind, unsigned bits,
                      unsigned keys) {
  for (unsigned component = 0; component < 3; ++component) {
    block.components[component].is_constant = (mask >> component & 1U) != 0;
  }
  return block_bits(block, kind, bits, keys);
}

/// Tries every set of constants for a block whose control bits are set, and keeps the best.
template <class Measure>
void try_constants(const JointBlock& control, BlockKind kind, unsigned bits, unsigned keys,
                   Choices& choices, double tolerance, double component_tolerance,
                   const Measure& error_of, EncodedBlock& best) {
  for (const unsigned mask : constant_masks) {
    EncodedBlock candidate{control, size_of(control, mask, kind, bits, keys), 0.0};
    if (best.error <= tolerance && candidate.size > best.size) continue;
    if (!fill_components(candidate.block, choices, mask, component_tolerance)) continue;
    candidate.error = error_of(candidate.block);
    if (is_better(candidate, best, tolerance)) best = candidate;
  }
}

EncodedBlock nothing_yet() {
  EncodedBlock block;
  block.error = std::numeric_limits<double>::infinity();
  return block;
}

std::span<const double> first(const KeyValues& values, unsigned count) {
  return std::span(values).first(count);
}

double largest_distance(std::span<const Vec3> keys, std::span<const float> decoded) {
  double largest = 0.0;
  for (std::size_t key = 0; key < keys.size(); ++key) {
    const double x = static_cast<double>(decoded[3 * key]) - keys[key].x;
    const double y = static_cast<double>(decoded[3 * key + 1]) - keys[key].y;
    const double z = static_cast<double>(decoded[3 * key + 2]) - keys[key].z;
    largest = std::max(largest, x * x + y * y + z * z);
  }
  return std::sqrt(largest);
}

std::array<KeyValues, 3> scaled_axes(std::span<const Vec3> keys, std::uint32_t scale_units) {
  const double scale = translation_scale(scale_units);
  std::array<KeyValues, 3> axes{};
  for (std::size_t key = 0; key < keys.size(); ++key) {
    axes[0][key] = scale > 0.0 ? keys[key].x / scale : 0.0;
    axes[1][key] = scale > 0.0 ? keys[key].y / scale : 0.0;
    axes[2][key] = scale > 0.0 ? keys[key].z / scale : 0.0;
  }
  return axes;
}

/// Takes the raws of `shape` for key `key`.
void take_raws(JointBlock& block, const JointBlock& shape, unsigned key) {
  for (unsigned component = 0; component < 3; ++component) {
    block.components[component].raws[key] = shape.components[component].raws[key];
  }
}

}  // namespace

EncodedBlock encode_rotation_block(std::span<const Quat> keys, unsigned bits, double tolerance) {
  const RotationTargets targets = align(keys);
  EncodedBlock best = nothing_yet();
  for (const unsigned implicit : by_magnitude(targets)) {
    const RotationSplit split = leave_out(targets, implicit);
    JointBlock control;
    control.implicit = static_cast<std::uint8_t>(implicit);
    control.has_signs = split.has_signs;
    control.signs = split.signs;
    Choices choices{ComponentChoice(first(split.stored[0], targets.count), bits),
                    ComponentChoice(first(split.stored[1], targets.count), bits),
                    ComponentChoice(first(split.stored[2], targets.count), bits)};
    // The angle is at least twice the error of any component.
    try_constants(
        control, BlockKind::rotation, bits, targets.count, choices, tolerance, tolerance / 2.0,
        [&](const JointBlock& block) { return measure(targets, block, bits); }, best);
  }
  return best;
}

EncodedBlock encode_translation_block(std::span<const Vec3> keys, unsigned bits,
                                      std::uint32_t scale_units, double tolerance) {
  const auto count = static_cast<unsigned>(keys.size());
  const std::array<KeyValues, 3> axes = scaled_axes(keys, scale_units);
  Choices choices{ComponentChoice(first(axes[0], count), bits),
                  ComponentChoice(first(axes[1], count), bits),
                  ComponentChoice(first(axes[2], count), bits)};
  const double scale = translation_scale(scale_units);
  EncodedBlock best = nothing_yet();
  try_constants(
      {}, BlockKind::translation, bits, count, choices, tolerance,
      scale > 0.0 ? tolerance / scale : tolerance,
      [&](const JointBlock& block) {
        return translation_block_error(block, bits, scale_units, keys);
      },
      best);
  return best;
}

std::optional<JointBlock> reproduce_rotation_block(std::span<const Quat> keys, unsigned bits,
                                                   const JointBlock& shape) {
  const auto count = static_cast<unsigned>(keys.size());
  JointBlock block = shape;
  block.signs = 0;
  std::array<KeyValues, 3> stored{};
  for (unsigned key = 0; key < count; ++key) {
    const std::array<float, 4> q{keys[key].x, keys[key].y, keys[key].z, keys[key].w};
    for (unsigned component = 0, next = 0; component < 4; ++component) {
      if (component != shape.implicit) stored[next++][key] = q[component];
    }
    const bool is_negative = std::signbit(q[shape.implicit]);
    if (shape.has_signs && is_negative) block.signs |= static_cast<std::uint8_t>(1U << key);
  }
  for (unsigned component = 0; component < 3; ++component) {
    block.components[component] =
        fit_to_shape(first(stored[component], count), bits, shape.components[component]).block;
  }
  std::array<float, std::size_t{4} * keys_in_chunk> decoded;
  const auto reproduces = [&](unsigned key) {
    const float* const q = decoded.data() + std::size_t{4} * key;
    return Quat{q[0], q[1], q[2], q[3]} == keys[key];
  };
  decode_rotations(block, bits, count, decoded);
  for (unsigned key = 0; key < count; ++key) {
    if (!reproduces(key)) take_raws(block, shape, key);
  }
  decode_rotations(block, bits, count, decoded);
  for (unsigned key = 0; key < count; ++key) {
    if (!reproduces(key)) return std::nullopt;
  }
  return block;
}

std::optional<JointBlock> reproduce_translation_block(std::span<const Vec3> keys, unsigned bits,
                                                      std::uint32_t scale_units,
                                                      const JointBlock& shape) {
  const auto count = static_cast<unsigned>(keys.size());
  const std::array<KeyValues, 3> axes = scaled_axes(keys, scale_units);
  JointBlock block = shape;
  for (unsigned component = 0; component < 3; ++component) {
    block.components[component] =
        fit_to_shape(first(axes[component], count), bits, shape.components[component]).block;
  }
  std::array<float, std::size_t{3} * keys_in_chunk> decoded;
  const float scale = translation_scale(scale_units);
  const auto reproduces = [&](unsigned key) {
    const float* const v = decoded.data() + std::size_t{3} * key;
    return Vec3{v[0], v[1], v[2]} == keys[key];
  };
  decode_translations(block, bits, count, scale, decoded);
  for (unsigned key = 0; key < count; ++key) {
    if (!reproduces(key)) take_raws(block, shape, key);
  }
  decode_translations(block, bits, count, scale, decoded);
  for (unsigned key = 0; key < count; ++key) {
    if (!reproduces(key)) return std::nullopt;
  }
  return block;
}

double rotation_block_error(const JointBlock& block, unsigned bits, std::span<const Quat> keys) {
  return measure(align(keys), block, bits);
}

double translation_block_error(const JointBlock& block, unsigned bits, std::uint32_t scale_units,
                               std::span<const Vec3> keys) {
  std::array<float, std::size_t{3} * keys_in_chunk> decoded;
  decode_translations(block, bits, static_cast<unsigned>(keys.size()),
                      translation_scale(scale_units), decoded);
  return largest_distance(keys, decoded);
}

}  // namespace mabkit::codec
