#include "mab/sparse_bend.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace mabkit::mab {
namespace {

using motion::Point;
using motion::Turn;

/// Below this, in radians, a bend is what rounding to words makes of a straight curve (spec
/// mab-sparse, section 2).
constexpr double least_bend = codec::packed_error;
/// Shares of the tolerance that keys are moved by: found by trying, on captured and on smooth
/// motion.
constexpr std::array shares{0.4, 0.8};
/// Farther out than the bend itself no chord gains.
constexpr double most_bends = 1.0;

/// A small rotation as the vector along its axis, as long as its angle.
Point as_vector(const Turn& turn) {
  const double sign = turn.w < 0.0 ? -2.0 : 2.0;
  return {sign * turn.x, sign * turn.y, sign * turn.z};
}

Turn from_vector(const Point& v) {
  const double squared = 0.25 * motion::dot(v, v);
  return {0.5 * v.x, 0.5 * v.y, 0.5 * v.z, std::sqrt(std::max(0.0, 1.0 - squared))};
}

}  // namespace

std::vector<codec::PackedQuaternion> outer_words(std::span<const Turn> turns, std::uint32_t frame,
                                                 const TurnError& error) {
  if (frame == 0 || frame + 1 >= turns.size()) return {};
  const Turn& here = turns[frame];
  const Turn back = motion::inverse(here);
  const Point bend = as_vector(back * turns[frame - 1]) + as_vector(back * turns[frame + 1]);
  const double size = motion::length(bend);
  if (!(size > least_bend)) return {};
  // Errors of this size grow with the way: one try says how far the tolerance reaches.
  constexpr double probe = 1e-3;
  const double error_of_probe = error(here * from_vector((-probe / size) * bend));
  if (!(error_of_probe > 0.0)) return {};
  std::vector<codec::PackedQuaternion> words;
  for (const double share : shares) {
    const double way = std::min(share * probe / error_of_probe, most_bends * size);
    const Turn outer = here * from_vector((-way / size) * bend);
    words.push_back(codec::pack_nearest(motion::rounded(outer), codec::sparse_packed_half));
  }
  return words;
}

}  // namespace mabkit::mab
