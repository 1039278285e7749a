#include "bvh/rest_pose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>

namespace mabkit::bvh {
namespace {

constexpr std::size_t y_axis = 1;
constexpr std::size_t z_axis = 2;
/// A body this many times larger along Z than along Y stands on Z, where no foot says otherwise.
constexpr double clearly_larger = 2.0;
constexpr double smallest_person = 1.2;  // metres
constexpr double largest_person = 2.2;   // metres

struct Unit {
  std::string_view name;
  double metres;
};
/// The last is that of the CMU motion-capture database: lengths of its .asf files, as converted.
constexpr std::array units{Unit{"metres", 1.0}, Unit{"centimetres", 0.01}, Unit{"inches", 0.0254},
                           Unit{"inches / 0.45 (CMU)", 0.0254 / 0.45}};
/// What is chosen between where no unit gives a person.
constexpr std::size_t round_units = 2;

Point add(const Point& a, const Point& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}

/// Every joint in the space of the scene.
std::vector<Point> rest_places(const MotionDocument& document) {
  std::vector<Point> places;
  places.reserve(document.joints.size());
  for (const MotionJoint& joint : document.joints) {
    places.push_back(joint.parent ? add(places[*joint.parent], joint.offset) : joint.offset);
  }
  return places;
}

/// How far joints and end sites reach along each axis.
Point extents(const MotionDocument& document) {
  const std::vector<Point> places = rest_places(document);
  Point least = places.front();
  Point most = places.front();
  const auto include = [&](const Point& place) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      least[axis] = std::min(least[axis], place[axis]);
      most[axis] = std::max(most[axis], place[axis]);
    }
  };
  for (std::size_t joint = 0; joint < places.size(); ++joint) {
    include(places[joint]);
    for (const Point& end : document.joints[joint].end_sites) include(add(places[joint], end));
  }
  return {most[0] - least[0], most[1] - least[1], most[2] - least[2]};
}

bool is_foot(std::string_view name) {
  std::string lower(name);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower.find("foot") != std::string::npos || lower.find("ankle") != std::string::npos;
}

/// From where the chain of each foot leaves the body to the foot, sizes added up by axis.
Point leg_sizes(const MotionDocument& document) {
  std::vector<std::size_t> children(document.joints.size(), 0);
  for (const MotionJoint& joint : document.joints) {
    if (joint.parent) ++children[*joint.parent];
  }
  Point sizes{};
  for (const MotionJoint& joint : document.joints) {
    if (!is_foot(joint.name)) continue;
    Point leg = joint.offset;
    for (auto above = joint.parent; above && children[*above] == 1;
         above = document.joints[*above].parent) {
      leg = add(leg, document.joints[*above].offset);
    }
    for (std::size_t axis = 0; axis < 3; ++axis) sizes[axis] += std::abs(leg[axis]);
  }
  return sizes;
}

/// By what factor a size in metres misses a person's.
double distance_from_person(double metres) {
  if (metres < smallest_person) return smallest_person / metres;
  return std::max(1.0, metres / largest_person);
}

const Unit& nearest_unit(double size, std::size_t count) {
  return *std::min_element(units.begin(), units.begin() + static_cast<std::ptrdiff_t>(count),
                           [size](const Unit& a, const Unit& b) {
                             return distance_from_person(size * a.metres) <
                                    distance_from_person(size * b.metres);
                           });
}

}  // namespace

ChosenUp infer_up(const MotionDocument& document) {
  const Point legs = leg_sizes(document);
  if (legs[y_axis] > legs[z_axis]) return {UpAxis::y, "Y is up, inferred from the feet at rest"};
  if (legs[z_axis] > legs[y_axis]) return {UpAxis::z, "Z is up, inferred from the feet at rest"};
  const Point size = extents(document);
  if (size[z_axis] > clearly_larger * size[y_axis]) {
    return {UpAxis::z, "Z is up, a guess from the size of the rest pose"};
  }
  return {UpAxis::y, "Y is up, a guess: most BVH files are"};
}

ChosenUnit infer_unit(const MotionDocument& document) {
  const Point size = extents(document);
  const double largest = std::max({size[0], size[1], size[2]});
  if (!(largest > 0.0))
    return {1.0, "lengths are taken as metres, a guess: the rest pose has no size"};
  const Unit& unit = nearest_unit(largest, units.size());
  if (distance_from_person(largest * unit.metres) == 1.0) {
    return {unit.metres, fmt::format("lengths are taken as {}, inferred from the rest pose, which "
                                     "measures {:.4g} of them: {:.2f} m",
                                     unit.name, largest, largest * unit.metres)};
  }
  const Unit& fallback = nearest_unit(largest, round_units);
  return {fallback.metres,
          fmt::format("lengths are taken as {}, a guess: the rest pose measures {:.4g}, which is "
                      "no person's size in any customary unit",
                      fallback.name, largest)};
}

}  // namespace mabkit::bvh
