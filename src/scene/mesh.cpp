#include "scene/mesh.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

namespace mabkit::scene {
namespace {

/// Radius of the octahedron of a joint without a bone, metres.
constexpr double joint_radius = 0.015;
/// Half the width of a bone's octahedron, as a part of its length, and its bounds in metres.
constexpr double bone_slimness = 0.1;
constexpr double thinnest_bone = 0.004;
constexpr double thickest_bone = 0.03;
/// Where a bone's octahedron is widest, from the parent's end.
constexpr double bone_waist = 0.2;
/// Shorter links are no bones to look at.
constexpr double shortest_bone = 0.005;

using Point = std::array<double, 3>;

Point add(const Point& a, const Point& b, double factor) {
  return {a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]};
}

double length(const Point& v) {
  return std::hypot(v[0], v[1], v[2]);
}

Point cross(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Point unit(const Point& v) {
  const double norm = length(v);
  return {v[0] / norm, v[1] / norm, v[2] / norm};
}

Vec3 to_float(const Point& p) {
  return {static_cast<float>(p[0]), static_cast<float>(p[1]), static_cast<float>(p[2])};
}

/// Two unit vectors across `direction`, right-handed with it.
std::array<Point, 2> across(const Point& direction) {
  std::size_t least = 0;
  for (std::size_t axis = 1; axis < 3; ++axis) {
    if (std::abs(direction[axis]) < std::abs(direction[least])) least = axis;
  }
  Point axis{};
  axis[least] = 1.0;
  const Point first = unit(cross(direction, axis));
  return {first, cross(direction, first)};
}

/// Six points: both tips, then the four corners of the waist, counter-clockwise seen from the
/// second tip.
using Octahedron = std::array<Point, 6>;

Octahedron bone_octahedron(const Point& from, const Point& to) {
  const Point along = add(to, from, -1.0);
  const double size = length(along);
  const double width = std::clamp(bone_slimness * size, thinnest_bone, thickest_bone);
  const auto [u, v] = across(unit(along));
  const Point waist = add(from, along, bone_waist);
  return {from,
          to,
          add(waist, u, width),
          add(waist, v, width),
          add(waist, u, -width),
          add(waist, v, -width)};
}

Octahedron joint_octahedron(const Point& at) {
  constexpr double r = joint_radius;
  return {add(at, {0, 0, -r}, 1), add(at, {0, 0, r}, 1),  add(at, {r, 0, 0}, 1),
          add(at, {0, r, 0}, 1),  add(at, {-r, 0, 0}, 1), add(at, {0, -r, 0}, 1)};
}

/// The joint that a bone of the same entity leads from to `node`.
std::optional<std::uint32_t> bone_start(const NodeTree& tree, const Node& node) {
  if (!node.parent) return std::nullopt;
  const Node& parent = tree.nodes[*node.parent];
  const bool is_bone = parent.role == NodeRole::joint && parent.participant == node.participant;
  return is_bone ? node.parent : std::nullopt;
}

void add_octahedron(ProxyMesh& mesh, const Octahedron& points, std::uint32_t node) {
  const auto first = static_cast<std::uint32_t>(mesh.positions.size());
  for (const Point& point : points) {
    mesh.positions.push_back(to_float(point));
    mesh.node_of_vertex.push_back(node);
  }
  for (std::uint32_t corner = 0; corner < 4; ++corner) {
    const std::uint32_t a = first + 2 + corner;
    const std::uint32_t b = first + 2 + (corner + 1) % 4;
    mesh.triangles.insert(mesh.triangles.end(), {first, b, a, first + 1, a, b});
  }
}

}  // namespace

ProxyMesh build_proxy_mesh(const NodeTree& tree, std::span<const Affine> worlds) {
  ProxyMesh mesh;
  for (std::uint32_t node = 0; node < tree.nodes.size(); ++node) {
    if (tree.nodes[node].role == NodeRole::fixed) continue;
    const Point& at = worlds[node].offset;
    const std::optional<std::uint32_t> start = bone_start(tree, tree.nodes[node]);
    if (start && length(add(at, worlds[*start].offset, -1.0)) >= shortest_bone) {
      add_octahedron(mesh, bone_octahedron(worlds[*start].offset, at), *start);
    } else {
      add_octahedron(mesh, joint_octahedron(at), node);
    }
  }
  return mesh;
}

}  // namespace mabkit::scene
