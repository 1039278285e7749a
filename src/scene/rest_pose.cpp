#include "scene/rest_pose.hpp"

#include <algorithm>
#include <cstdint>

#include "scene/axes.hpp"

namespace mabkit::scene {
namespace {

/// Bind places farther out than this, in metres, are damage along a chain and are drawn at the
/// origin.
constexpr double farthest_joint = 1e9;

bool is_near(const Affine& world) {
  return world.is_finite() && std::all_of(world.offset.begin(), world.offset.end(), [](double v) {
           return v >= -farthest_joint && v <= farthest_joint;
         });
}

}  // namespace

Trs rest_y_up(const Node& node) {
  return {to_y_up(node.rest.translation), to_y_up(node.rest.rotation), swap_scale(node.rest.scale)};
}

std::vector<Affine> rest_worlds(const NodeTree& tree) {
  std::vector<Affine> worlds(tree.nodes.size());
  for (const std::uint32_t node : tree.parents_first) {
    worlds[node] = Affine::from(rest_y_up(tree.nodes[node]));
    if (tree.nodes[node].parent) worlds[node] = worlds[*tree.nodes[node].parent] * worlds[node];
    if (!is_near(worlds[node])) worlds[node] = {};
  }
  return worlds;
}

}  // namespace mabkit::scene
