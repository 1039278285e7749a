#include "verify/curve_diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <mabkit/pose.hpp>

namespace mabkit::verification {
namespace {

double distance_between(const Vec3& a, const Vec3& b) {
  return std::hypot(static_cast<double>(a.x) - b.x, static_cast<double>(a.y) - b.y,
                    static_cast<double>(a.z) - b.z);
}

double difference_at(const CurveOf& a, const CurveOf& b, Channel channel, float time) {
  if (channel == Channel::rotation) {
    return angle_between(sample_rotation(a.clip, *a.keys, time),
                         sample_rotation(b.clip, *b.keys, time));
  }
  return distance_between(sample_translation(a.clip, *a.keys, time),
                          sample_translation(b.clip, *b.keys, time));
}

/// Whether every key of one curve has one of the other at the same time.
bool has_same_times(std::span<const float> a, std::span<const float> b, double max_time) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [max_time](float x, float y) {
    return std::abs(static_cast<double>(x) - y) <= max_time;
  });
}

}  // namespace

double angle_between(const Quat& a, const Quat& b) {
  // conj(a) * b in double, where products of floats are exact: equal inputs give exactly zero.
  const double ax = a.x;
  const double ay = a.y;
  const double az = a.z;
  const double aw = a.w;
  const double x = (aw * b.x - ax * b.w) + (az * b.y - ay * b.z);
  const double y = (aw * b.y - ay * b.w) + (ax * b.z - az * b.x);
  const double z = (aw * b.z - az * b.w) + (ay * b.x - ax * b.y);
  const double w = aw * b.w + ax * b.x + ay * b.y + az * b.z;
  return 2.0 * std::atan2(std::hypot(x, y, z), std::abs(w));
}

std::optional<WorstDifference> worst_difference(const CurveOf& a, const CurveOf& b,
                                                Channel channel) {
  if (!a.keys || !b.keys) return std::nullopt;
  const auto times_a = a.clip.times_of(*a.keys);
  const auto times_b = b.clip.times_of(*b.keys);
  std::vector<float> times;
  std::merge(times_a.begin(), times_a.end(), times_b.begin(), times_b.end(),
             std::back_inserter(times));

  WorstDifference worst;
  for (const float time : times) {
    const double amount = difference_at(a, b, channel, time);
    if (!(amount <= worst.amount)) worst = {amount, time};
  }
  return worst;
}

void remark_on_keys(std::vector<std::string>& remarks, std::string_view name, const CurveOf& a,
                    const CurveOf& b, double max_time) {
  if (!a.keys && !b.keys) return;
  if (!a.keys || !b.keys) {
    remarks.push_back(fmt::format("{} only in {}", name, a.keys ? "A" : "B"));
  } else if (a.keys->count != b.keys->count) {
    remarks.push_back(fmt::format("{} keys: {} in A, {} in B", name, a.keys->count, b.keys->count));
  } else if (!has_same_times(a.clip.times_of(*a.keys), b.clip.times_of(*b.keys), max_time)) {
    remarks.push_back(fmt::format("{} keys at other times", name));
  }
}

}  // namespace mabkit::verification
