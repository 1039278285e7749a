#pragma once

#include <cstdint>
#include <mabkit/math.hpp>
#include <span>
#include <vector>

#include "scene/affine.hpp"
#include "scene/tree.hpp"

namespace mabkit::scene {

/// A figure to see the skeleton by: an octahedron a joint, moved by one joint each.
struct ProxyMesh {
  std::vector<Vec3> positions;                ///< Y-up space, rest pose
  std::vector<std::uint32_t> node_of_vertex;  ///< position in `NodeTree::nodes`
  std::vector<std::uint32_t> triangles;  ///< three indices each, counter-clockwise from outside
};

/// One octahedron for each joint of `tree`: along the bone from its parent, which then moves it, or
/// a small one around the joint where there is no such bone. `worlds` are the nodes' transforms in
/// rest pose, in Y-up space.
[[nodiscard]] ProxyMesh build_proxy_mesh(const NodeTree& tree, std::span<const Affine> worlds);

}  // namespace mabkit::scene
