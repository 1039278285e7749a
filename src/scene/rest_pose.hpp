#pragma once

#include <vector>

#include "scene/affine.hpp"
#include "scene/tree.hpp"

namespace mabkit::scene {

/// The node's rest pose below its parent, Y up.
[[nodiscard]] Trs rest_y_up(const Node& node);

/// Every node's transform to the scene in rest pose, Y up. A node that damage along its chain puts
/// farther out than anything stands at the origin.
[[nodiscard]] std::vector<Affine> rest_worlds(const NodeTree& tree);

}  // namespace mabkit::scene
