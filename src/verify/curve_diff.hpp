#pragma once

#include <mabkit/bank.hpp>
#include <mabkit/diff.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mabkit::verification {

/// A curve of a clip, or its absence.
struct CurveOf {
  const Clip& clip;
  std::optional<Keys> keys;
};

/// Angle between two rotations, in radians, whatever their signs. Exact where they are equal.
[[nodiscard]] double angle_between(const Quat& a, const Quat& b);

/// The largest difference of two curves over the key times of both, in radians or metres; nothing
/// where one of them is absent.
[[nodiscard]] std::optional<WorstDifference> worst_difference(const CurveOf& a, const CurveOf& b,
                                                              Channel channel);

/// What only one of them has, in words: the curve itself, or keys of other times.
void remark_on_keys(std::vector<std::string>& remarks, std::string_view name, const CurveOf& a,
                    const CurveOf& b, double max_time);

}  // namespace mabkit::verification
