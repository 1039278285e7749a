#include "mab/tick_curve.hpp"

#include <algorithm>
#include <cmath>
#include <mabkit/pose.hpp>

#include "motion/difference.hpp"
#include "motion/interpolation.hpp"
#include "motion/resample.hpp"

namespace mabkit::mab {
Quat TickCurve::rotation_at(double tick) const {
  const motion::Segment segment = motion::find_segment(ticks, tick);
  if (segment.fraction == 0.0) return rotations[segment.first];
  return slerp(rotations[segment.first], rotations[segment.first + 1], segment.fraction);
}

Vec3 TickCurve::translation_at(double tick) const {
  const motion::Segment segment = motion::find_segment(ticks, tick);
  const Vec3& a = translations[segment.first];
  if (segment.fraction == 0.0) return a;
  return motion::mix(a, translations[segment.first + 1], segment.fraction);
}

bool TickCurve::is_on_grid() const {
  return std::all_of(ticks.begin(), ticks.end(),
                     [](double tick) { return tick == std::round(tick); });
}

TickCurve curve_of(const Clip& clip, const Keys& keys, Channel channel, double ticks_per_second) {
  TickCurve curve;
  curve.channel = channel;
  const double tolerance = motion::grid_tolerance * ticks_per_second;
  bool is_near_grid = true;
  for (const float time : clip.times_of(keys)) {
    curve.ticks.push_back(static_cast<double>(time) * ticks_per_second);
    const double tick = curve.ticks.back();
    if (std::abs(tick - std::round(tick)) > tolerance) is_near_grid = false;
  }
  // Keys that would meet on one tick stay where they are.
  for (std::size_t i = 1; is_near_grid && i < curve.ticks.size(); ++i) {
    is_near_grid = std::round(curve.ticks[i]) > std::round(curve.ticks[i - 1]);
  }
  if (is_near_grid) {
    for (double& tick : curve.ticks) tick = std::round(tick);
  }
  for (std::uint32_t key = 0; key < keys.count; ++key) {
    if (channel == Channel::translation) {
      curve.translations.push_back(clip.translation(keys, key));
      continue;
    }
    const Quat q = motion::normalised(clip.rotation(keys, key));
    curve.rotations.push_back(key == 0 ? q : motion::aligned(q, curve.rotations.back()));
  }
  return curve;
}

TickCurve held_at(const TickCurve& curve, double tick) {
  TickCurve held;
  held.channel = curve.channel;
  held.ticks = {0.0};
  if (curve.channel == Channel::rotation) {
    held.rotations = {curve.rotation_at(tick)};
  } else {
    held.translations = {curve.translation_at(tick)};
  }
  return held;
}

double difference_at(const TickCurve& a, const TickCurve& b, double tick) {
  if (a.channel == Channel::rotation) {
    return motion::angle_between(a.rotation_at(tick), b.rotation_at(tick));
  }
  return motion::distance(a.translation_at(tick), b.translation_at(tick));
}

bool stays_within(const TickCurve& a, const TickCurve& b, std::span<const double> ticks,
                  double tolerance) {
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    if (!(difference_at(a, b, ticks[i]) <= tolerance)) return false;
    if (i + 1 == ticks.size()) return true;
    if (!(difference_at(a, b, (ticks[i] + ticks[i + 1]) / 2.0) <= tolerance)) return false;
  }
  return true;
}

}  // namespace mabkit::mab
