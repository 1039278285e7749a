#pragma once

#include <cstddef>
#include <mabkit/bank.hpp>
#include <mabkit/math.hpp>
#include <span>
#include <vector>

namespace mabkit::mab {

/// A channel over time as ticks of a clip's key times; fractions of ticks where the source's keys
/// lie between them.
struct TickCurve {
  Channel channel = Channel::rotation;
  std::vector<double> ticks;       ///< rising strictly; never empty
  std::vector<Quat> rotations;     ///< where the channel is one
  std::vector<Vec3> translations;  ///< metres

  /// Short-way slerp between keys, held at both ends.
  [[nodiscard]] Quat rotation_at(double tick) const;
  /// Linear between keys, held at both ends.
  [[nodiscard]] Vec3 translation_at(double tick) const;
  /// Whether all keys are whole ticks.
  [[nodiscard]] bool is_on_grid() const;
};

/// A bank's keys, of which there is at least one, with rising times. Keys are moved onto ticks
/// where each of them is within `motion::grid_tolerance` of one; rotations are unit, each in the
/// hemisphere of the one before.
[[nodiscard]] TickCurve curve_of(const Clip& clip, const Keys& keys, Channel channel,
                                 double ticks_per_second);

/// The curve's value at a tick, for ever.
[[nodiscard]] TickCurve held_at(const TickCurve& curve, double tick);

/// Angle in radians, or distance in metres, between two curves of one channel.
[[nodiscard]] double difference_at(const TickCurve& a, const TickCurve& b, double tick);

/// Whether two curves differ by no more than `tolerance` at `ticks` and midway between them.
[[nodiscard]] bool stays_within(const TickCurve& a, const TickCurve& b,
                                std::span<const double> ticks, double tolerance);

}  // namespace mabkit::mab
