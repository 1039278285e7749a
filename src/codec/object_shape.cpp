#include "codec/object_shape.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "codec/chunked_component.hpp"

namespace mabkit::codec {
namespace {

using motion::Point;
using motion::Turn;

/// Components that move less than this are constant from the start: half a word's step and a
/// margin (spec mab-chunked, section 7).
constexpr double plainly_constant_rotation = 2e-5;
constexpr double plainly_constant_metres = 1e-5;
/// An implicit component that stays above this recovers well enough to let constants decide.
constexpr double well_recovered = 0.35;
/// What an implicit component counts for at least, when errors of the others are carried over.
constexpr double least_recovered = 1e-6;
/// What a reach that falls short counts for beside its step, so that of equal ones the fuller wins.
constexpr double weight_of_missing_reach = 0.01;

/// The rotations of a chunk, unit, as stored so far.
struct Keys4 {
  std::array<Turn, keys_in_chunk> q;
  unsigned count = 0;

  [[nodiscard]] double least_magnitude(unsigned component) const {
    double least = std::abs(q[0][component]);
    for (unsigned key = 1; key < count; ++key) {
      least = std::min(least, std::abs(q[key][component]));
    }
    return least;
  }
  [[nodiscard]] bool changes_sign(unsigned component) const {
    for (unsigned key = 1; key < count; ++key) {
      if ((q[key][component] < 0.0) != (q[0][component] < 0.0)) return true;
    }
    return false;
  }
  [[nodiscard]] double span(unsigned component) const {
    double least = q[0][component];
    double most = least;
    for (unsigned key = 1; key < count; ++key) {
      least = std::min(least, q[key][component]);
      most = std::max(most, q[key][component]);
    }
    return most - least;
  }
};

/// Unit, and each in the hemisphere of the one before.
Keys4 aligned(std::span<const Quat> keys) {
  Keys4 out;
  out.count = static_cast<unsigned>(keys.size());
  for (unsigned key = 0; key < out.count; ++key) {
    out.q[key] = motion::precise(keys[key]);
    if (key == 0) continue;
    double cosine = 0.0;
    for (unsigned i = 0; i < 4; ++i) cosine += out.q[key][i] * out.q[key - 1][i];
    if (cosine < 0.0) out.q[key] = negated(out.q[key]);
  }
  return out;
}

unsigned constants_without(const Keys4& keys, unsigned implicit) {
  unsigned count = 0;
  for (unsigned component = 0; component < 4; ++component) {
    if (component != implicit && keys.span(component) < 2.0 * plainly_constant_rotation) ++count;
  }
  return count;
}

unsigned choose_implicit(const Keys4& keys) {
  // Sign bits cost as much as the recovered component is worth little.
  const auto worth = [&keys](unsigned component) {
    return keys.changes_sign(component) ? 0.0 : keys.least_magnitude(component);
  };
  unsigned best = 3;
  for (unsigned candidate = 3; candidate-- > 0;) {
    const double gain = worth(candidate);
    const unsigned constants = constants_without(keys, candidate);
    const unsigned best_constants = constants_without(keys, best);
    const bool has_more_constants = gain > well_recovered && constants > best_constants;
    const bool recovers_better = gain > worth(best) && constants >= best_constants;
    const bool rescues = worth(best) < well_recovered && gain > worth(best);
    if (has_more_constants || recovers_better || rescues) best = candidate;
  }
  return best;
}

void settle(ShapeComponent& component, unsigned keys, double tolerance) {
  const auto [least, most] =
      std::minmax_element(component.targets.begin(), component.targets.begin() + keys);
  component.least = *least;
  component.most = *most;
  if (component.span() < 2.0 * tolerance) make_constant(component);
}

/// How well a base and a slope serve: the step, or what lies out of reach where that is more.
double cost_of(const ShapeComponent& component, unsigned base, unsigned slope, unsigned bits) {
  const double first = base_value(base);
  const double step = slope_value(slope, bits);
  const double last = first + step * ((1U << bits) - 1U);
  const double missed = std::max({0.0, first - component.least, component.most - last});
  return std::max(2.0 * missed, step) + weight_of_missing_reach * missed;
}

void fit(ShapeComponent& component, unsigned bits) {
  const int plain_base = std::clamp(
      static_cast<int>(std::floor((component.least + 1.0) * bases_per_unit)), 0, largest_byte);
  double best = std::numeric_limits<double>::infinity();
  for (int base = plain_base; base <= std::min(plain_base + 1, largest_byte); ++base) {
    const double reach = component.most - base_value(static_cast<unsigned>(base));
    const int plain_slope =
        std::clamp(static_cast<int>(std::ceil(reach * slopes_per_unit)), 1, largest_byte);
    for (int slope = std::max(1, plain_slope - 1); slope <= plain_slope; ++slope) {
      const double cost =
          cost_of(component, static_cast<unsigned>(base), static_cast<unsigned>(slope), bits);
      if (cost >= best) continue;
      best = cost;
      component.stored.base = static_cast<std::uint8_t>(base);
      component.stored.slope = static_cast<std::uint8_t>(slope);
    }
  }
  component.base = base_value(component.stored.base);
  component.step = slope_value(component.stored.slope, bits);
}

}  // namespace

TrackShape rotation_shape(std::span<const Quat> rotations, std::span<const JointPose> poses) {
  const Keys4 keys = aligned(rotations);
  TrackShape shape;
  shape.keys = keys.count;
  const unsigned implicit = choose_implicit(keys);
  shape.implicit = static_cast<std::uint8_t>(implicit);
  // The chunk as a whole is turned so that the left-out component starts above zero.
  const bool is_turned = keys.q[0][implicit] < 0.0;
  for (unsigned key = 0; key < keys.count; ++key) {
    const Turn q = is_turned ? negated(keys.q[key]) : keys.q[key];
    if (q[implicit] < 0.0) {
      shape.has_signs = true;
      shape.signs = static_cast<std::uint8_t>(shape.signs | 1U << key);
    }
    unsigned stored = 0;
    for (unsigned component = 0; component < 4; ++component) {
      if (component == implicit) continue;
      ShapeComponent& out = shape.components[stored++];
      out.targets[key] = q[component];
      // The implicit component follows: d(implicit) = -component / implicit.
      const double recovered =
          std::abs(q[implicit]) < least_recovered ? least_recovered : q[implicit];
      std::array<double, 4> change{};
      change[component] = 1.0;
      change[implicit] = -q[component] / recovered;
      const Turn turn = Turn{change[0], change[1], change[2], change[3]} * inverse(q);
      out.effects[key] =
          poses[key].parent_rotation * Point{2.0 * turn.x, 2.0 * turn.y, 2.0 * turn.z};
    }
  }
  for (ShapeComponent& component : shape.components) {
    settle(component, keys.count, plainly_constant_rotation);
  }
  return shape;
}

TrackShape translation_shape(std::span<const Vec3> keys, double scale,
                             std::span<const JointPose> poses) {
  TrackShape shape;
  shape.channel = Channel::translation;
  shape.keys = static_cast<unsigned>(keys.size());
  for (unsigned key = 0; key < shape.keys; ++key) {
    const std::array<double, 3> value{keys[key].x, keys[key].y, keys[key].z};
    const std::array<Point, 3> axes{Point{scale, 0.0, 0.0}, {0.0, scale, 0.0}, {0.0, 0.0, scale}};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      shape.components[axis].targets[key] = value[axis] / scale;
      shape.components[axis].effects[key] = poses[key].parent_rotation * axes[axis];
    }
  }
  for (ShapeComponent& component : shape.components) {
    settle(component, shape.keys, plainly_constant_metres / scale);
  }
  return shape;
}

void fit(TrackShape& shape, unsigned bits) {
  shape.bits = bits;
  for (ShapeComponent& component : shape.components) {
    if (!component.stored.is_constant) fit(component, bits);
  }
}

void make_constant(ShapeComponent& component) {
  component.stored = {};
  component.stored.is_constant = true;
  component.stored.word = nearest_word(component.aim(0));
  component.base = -1.0F;
  component.step = constant_scale;
}

JointBlock to_block(const TrackShape& shape) {
  JointBlock block;
  block.has_signs = shape.has_signs;
  block.implicit = shape.implicit;
  block.signs = shape.signs;
  for (std::size_t i = 0; i < 3; ++i) block.components[i] = shape.components[i].stored;
  return block;
}

unsigned varying_values(const TrackShape& shape) {
  unsigned count = 0;
  for (const ShapeComponent& component : shape.components) {
    if (!component.stored.is_constant) count += shape.keys;
  }
  return count;
}

double largest_span(const TrackShape& shape) {
  double span = 0.0;
  for (const ShapeComponent& component : shape.components) {
    if (!component.stored.is_constant) span = std::max(span, component.span());
  }
  return span;
}

}  // namespace mabkit::codec
