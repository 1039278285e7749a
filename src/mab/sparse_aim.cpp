#include "mab/sparse_aim.hpp"

#include <algorithm>
#include <limits>

namespace mabkit::mab {
namespace {

using motion::Point;
using motion::Turn;

/// A symmetric 3 by 3 matrix, by its upper half.
struct Symmetric {
  double xx = 0.0, xy = 0.0, xz = 0.0, yy = 0.0, yz = 0.0, zz = 0.0;
};

/// The solution of `m` * x = `b`; zero where there is none.
Point solve(const Symmetric& m, const Point& b) {
  const Point row0{m.xx, m.xy, m.xz};
  const Point row1{m.xy, m.yy, m.yz};
  const Point row2{m.xz, m.yz, m.zz};
  const Point c12 = motion::cross(row1, row2);
  const double determinant = motion::dot(row0, c12);
  if (!(determinant > 0.0)) return {};
  const Point c20 = motion::cross(row2, row0);
  const Point c01 = motion::cross(row0, row1);
  return (1.0 / determinant) * (b.x * c12 + b.y * c20 + b.z * c01);
}

/// The small turn, as a rotation vector, that improves `turn` most.
Point gauss_newton_step(const Aim& aim, const Turn& turn) {
  Symmetric normal;
  Point gradient;
  for (const AimPoint& at : aim) {
    const Point r = turn * at.point;
    const double w = at.weight * at.weight;
    // The derivative of the point by a small turn is -[r]x, its normal matrix |r|² - r rᵀ.
    const double squared = motion::dot(r, r);
    normal.xx += w * (squared - r.x * r.x);
    normal.yy += w * (squared - r.y * r.y);
    normal.zz += w * (squared - r.z * r.z);
    normal.xy -= w * r.x * r.y;
    normal.xz -= w * r.x * r.z;
    normal.yz -= w * r.y * r.z;
    gradient = gradient + w * motion::cross(r, at.target - r);
  }
  return solve(normal, gradient);
}

/// `turn`, then the rotation vector `step`.
Turn stepped(const Turn& turn, const Point& step) {
  const Turn small{0.5 * step.x, 0.5 * step.y, 0.5 * step.z, 1.0};
  const Turn t = small * turn;
  const double length = std::sqrt(t.x * t.x + t.y * t.y + t.z * t.z + t.w * t.w);
  return {t.x / length, t.y / length, t.z / length, t.w / length};
}

}  // namespace

double aim_error(const Aim& aim, const Turn& turn) {
  double worst = 0.0;
  for (const AimPoint& at : aim) {
    const Point miss = turn * at.point - at.target;
    worst = std::max(worst, at.weight * at.weight * motion::dot(miss, miss));
  }
  return std::sqrt(worst);
}

Turn best_turn(const Aim& aim, const Turn& start) {
  // The start is off by no more than what encoding the parents cost: one step gets there, the
  // second makes up for large corrections.
  constexpr int steps = 2;
  Turn turn = start;
  for (int i = 0; i < steps; ++i) turn = stepped(turn, gauss_newton_step(aim, turn));
  return turn;
}

codec::PackedQuaternion best_words(const Aim& aim, const Turn& turn) {
  codec::PackedQuaternion best;
  double least = std::numeric_limits<double>::infinity();
  const auto consider = [&](codec::PackedQuaternion words) {
    const Quat decoded = codec::unpack(words, codec::sparse_packed_half).rotation;
    const double error = aim_error(aim, motion::precise(decoded));
    if (error >= least) return;
    least = error;
    best = words;
  };
  const Quat q = motion::rounded(turn);
  // What a decoder gave goes back to the words that it came from.
  if (const auto exact = codec::find_packed(q, codec::sparse_packed_half)) consider(*exact);
  for (const codec::PackedQuaternion& words : codec::packed_around(q)) consider(words);
  return best;
}

}  // namespace mabkit::mab
