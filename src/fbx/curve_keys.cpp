#include "fbx/curve_keys.hpp"

#include <cmath>
#include <cstddef>

#include "fbx/euler.hpp"
#include "scene/axes.hpp"

namespace mabkit::fbx {
namespace {

constexpr float longest_time = 1e8F;
/// Two keys get at most 2^8 - 1 others in between, which is enough for half a turn; the rest is a
/// passage through gimbal lock, where angles fly but the rotation hardly moves.
constexpr int deepest_split = 8;
constexpr double centimetres = 100.0;

/// A key of three values.
struct Key {
  std::int64_t tick = 0;
  std::array<double, 3> values{};
};

void add(CurveKeys& keys, const Key& key) {
  // Times that only differ below one tick: the last one stands.
  if (!keys.ticks.empty() && key.tick <= keys.ticks.back()) {
    keys.ticks.pop_back();
    for (auto& values : keys.values) values.pop_back();
  }
  keys.ticks.push_back(key.tick);
  for (std::size_t i = 0; i < 3; ++i) keys.values[i].push_back(static_cast<float>(key.values[i]));
}

struct RotationKey {
  std::int64_t tick = 0;
  Rotation rotation{};
  Angles angles{};
};

/// Whether straight lines from the angles of `from` to those of `to` stay near the short way.
bool is_straight(const RotationKey& from, const RotationKey& to) {
  for (const double fraction : {0.25, 0.5, 0.75}) {
    Angles angles{};
    for (std::size_t i = 0; i < 3; ++i) {
      angles[i] = from.angles[i] + fraction * (to.angles[i] - from.angles[i]);
    }
    const Rotation short_way = between(from.rotation, to.rotation, fraction);
    if (degrees_apart(rotation_of(angles), short_way) > max_stray) return false;
  }
  return true;
}

/// Adds the key `to`, whose angles are not chosen yet, and what it takes between `from` and it.
/// Returns it with its angles.
RotationKey add_rotation(CurveKeys& keys, const RotationKey& from, RotationKey to, int depth) {
  to.angles = angles_near(to.rotation, from.angles);
  const std::int64_t middle = from.tick + (to.tick - from.tick) / 2;
  if (depth < deepest_split && middle > from.tick && !is_straight(from, to)) {
    const double fraction =
        static_cast<double>(middle - from.tick) / static_cast<double>(to.tick - from.tick);
    const RotationKey half = add_rotation(
        keys, from, {middle, between(from.rotation, to.rotation, fraction), {}}, depth + 1);
    return add_rotation(keys, half, to, depth + 1);
  }
  add(keys, {to.tick, to.angles});
  return to;
}

Quat rotation_at(const scene::NodeCurve& curve, std::size_t key) {
  const float* v = &curve.values[4 * key];
  return scene::to_y_up(Quat{v[0], v[1], v[2], v[3]});
}

Key translation_at(const scene::NodeCurve& curve, std::size_t key, std::int64_t tick) {
  const float* v = &curve.values[3 * key];
  const Vec3 at = scene::to_y_up(Vec3{v[0], v[1], v[2]});
  return {tick, {centimetres * at.x, centimetres * at.y, centimetres * at.z}};
}

}  // namespace

std::optional<std::int64_t> tick_of(float seconds) {
  if (!(seconds >= 0.0F && seconds <= longest_time)) return std::nullopt;
  return std::llround(static_cast<double>(seconds) * ticks_per_second);
}

std::optional<CurveKeys> curve_keys(const scene::NodeCurve& curve) {
  const bool is_one_value = curve.kind != scene::CurveKind::keys;
  const std::span<const float> times = is_one_value ? std::span(curve.ends) : curve.times;
  CurveKeys keys;
  RotationKey last;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const auto tick = tick_of(times[i]);
    if (!tick) return std::nullopt;
    const std::size_t key = is_one_value ? 0 : i;
    if (curve.channel == Channel::translation) {
      add(keys, translation_at(curve, key, *tick));
    } else if (i == 0) {
      last = {*tick, to_rotation(rotation_at(curve, key)), {}};
      last.angles = angles_near(last.rotation, {});
      add(keys, {last.tick, last.angles});
    } else {
      last = add_rotation(keys, last, {*tick, to_rotation(rotation_at(curve, key)), {}}, 0);
    }
  }
  return keys;
}

}  // namespace mabkit::fbx
