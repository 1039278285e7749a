#include "codec/packed_quaternion.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace mabkit::codec {
namespace {

constexpr std::uint16_t selector_bit = 0x8000;
constexpr std::uint16_t level_mask = 0x7FFF;
constexpr double most_level = 0x7FFF;

/// The encoder's constants are the decimal literals: as float32 values they would turn exact zero
/// into 0x4000 instead of 0x3FFF (spec mab-sparse, section 2).
constexpr double encoder_half = 0.70710677;
constexpr double encoder_step = 4.315969e-05;

using Components = std::array<double, 4>;

/// Which component the selector bits drop: 2 * bit(w0) + bit(w1) (spec mab-sparse, section 2).
constexpr std::array<std::size_t, 4> dropped_by_code{0, 2, 1, 3};

constexpr std::uint16_t code_that_drops(std::size_t component) {
  for (std::size_t code = 0; code < dropped_by_code.size(); ++code) {
    if (dropped_by_code[code] == component) return static_cast<std::uint16_t>(code);
  }
  return 0;
}

Components unit_components(const Quat& q) {
  Components out{q.x, q.y, q.z, q.w};
  const double length =
      std::sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2] + out[3] * out[3]);
  for (double& component : out) component /= length;
  return out;
}

/// The largest; on exact ties one that is not negative, among equals the later one.
std::size_t component_to_drop(const Components& q) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < q.size(); ++i) {
    const double size = std::abs(q[i]);
    const double best_size = std::abs(q[best]);
    if (size > best_size || (size == best_size && (q[i] >= 0.0 || q[best] < 0.0))) best = i;
  }
  return best;
}

/// The kept components of `q` as levels before rounding, its sign such that the dropped one isn't
/// negative.
std::array<double, 3> kept_levels(const Components& q, std::size_t dropped) {
  const double sign = q[dropped] < 0.0 ? -1.0 : 1.0;
  std::array<double, 3> levels{};
  std::size_t kept = 0;
  for (std::size_t i = 0; i < q.size(); ++i) {
    if (i != dropped) levels[kept++] = (sign * q[i] + encoder_half) / encoder_step;
  }
  return levels;
}

std::uint16_t whole_level(double level) {
  return static_cast<std::uint16_t>(std::clamp(std::floor(level), 0.0, most_level));
}

PackedQuaternion with_selector(std::uint16_t a, std::uint16_t b, std::uint16_t c,
                               std::size_t dropped) {
  const std::uint16_t code = code_that_drops(dropped);
  const auto bit = [&](unsigned place) {
    return (code & place) != 0 ? selector_bit : std::uint16_t{0};
  };
  return {static_cast<std::uint16_t>(a | bit(2)), static_cast<std::uint16_t>(b | bit(1)), c};
}

PackedQuaternion pack_dropping(const Components& q, std::size_t dropped) {
  const auto levels = kept_levels(q, dropped);
  return with_selector(whole_level(levels[0] + 0.5), whole_level(levels[1] + 0.5),
                       whole_level(levels[2] + 0.5), dropped);
}

/// Squared distance of the nearer of `b` and its negative.
double squared_chord(const Components& a, const Quat& b) {
  const Components other{b.x, b.y, b.z, b.w};
  double dot = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) dot += a[i] * other[i];
  const double sign = dot < 0.0 ? -1.0 : 1.0;
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += (a[i] - sign * other[i]) * (a[i] - sign * other[i]);
  }
  return sum;
}

}  // namespace

UnpackedQuaternion unpack(PackedQuaternion packed, float half) {
  float a = static_cast<float>(packed.w0 & level_mask) * packed_step - half;
  float b = static_cast<float>(packed.w1 & level_mask) * packed_step - half;
  // The third word is sign-extended: all 16 bits count (spec mab-sparse, section 2).
  float c = static_cast<float>(static_cast<std::int16_t>(packed.w2)) * packed_step - half;

  const float radicand = 1.0F - a * a - b * b - c * c;
  float d = 0.0F;
  if (radicand >= 0.0F) {
    d = std::sqrt(radicand);
  } else {
    const float length = std::sqrt(a * a + b * b + c * c);
    a /= length;
    b /= length;
    c /= length;
  }

  const bool first = (packed.w0 & selector_bit) != 0;
  const bool second = (packed.w1 & selector_bit) != 0;
  if (first && second) return {{a, b, c, d}, radicand};
  if (first) return {{a, d, b, c}, radicand};
  if (second) return {{a, b, d, c}, radicand};
  return {{d, a, b, c}, radicand};
}

bool is_rotation(const Quat& q) {
  const Components c{q.x, q.y, q.z, q.w};
  const double squared = c[0] * c[0] + c[1] * c[1] + c[2] * c[2] + c[3] * c[3];
  return std::isfinite(squared) && squared > 0.0;
}

PackedQuaternion pack(const Quat& q) {
  const Components unit = unit_components(is_rotation(q) ? q : Quat{});
  return pack_dropping(unit, component_to_drop(unit));
}

std::optional<PackedQuaternion> find_packed(const Quat& q, float half) {
  // Two roundings of a component near 1, squared and over all four.
  constexpr double rounding = 4 * 1.2e-7 * 1.2e-7;
  if (!is_rotation(q)) return std::nullopt;
  const Components unit = unit_components(q);
  const Components stored{q.x, q.y, q.z, q.w};
  const std::size_t largest = component_to_drop(unit);
  for (std::size_t i = 0; i < unit.size(); ++i) {
    const PackedQuaternion packed = pack_dropping(unit, (largest + i) % unit.size());
    if (squared_chord(stored, unpack(packed, half).rotation) <= rounding) return packed;
  }
  return std::nullopt;
}

std::array<PackedQuaternion, 8> packed_around(const Quat& q) {
  const Components unit = unit_components(is_rotation(q) ? q : Quat{});
  const std::size_t dropped = component_to_drop(unit);
  const auto levels = kept_levels(unit, dropped);
  std::array<PackedQuaternion, 8> around;
  for (std::size_t i = 0; i < around.size(); ++i) {
    const auto level = [&](std::size_t component) {
      return whole_level(levels[component] + static_cast<double>((i >> component) & 1U));
    };
    around[i] = with_selector(level(0), level(1), level(2), dropped);
  }
  return around;
}

PackedQuaternion pack_nearest(const Quat& q, float half) {
  if (const auto exact = find_packed(q, half)) return *exact;
  const Components unit = unit_components(is_rotation(q) ? q : Quat{});
  PackedQuaternion best = pack(q);
  double least = squared_chord(unit, unpack(best, half).rotation);
  for (const PackedQuaternion& packed : packed_around(q)) {
    const double chord = squared_chord(unit, unpack(packed, half).rotation);
    if (chord < least) {
      least = chord;
      best = packed;
    }
  }
  return best;
}

}  // namespace mabkit::codec
