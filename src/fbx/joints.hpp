#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "fbx/imported_scene.hpp"

namespace mabkit::fbx {

/// A node that becomes a joint.
struct ImportedJoint {
  std::uint32_t node = 0;
  std::optional<std::uint32_t> parent;  ///< position among the joints, before this one
  /// The nodes from below the parent joint down to this one, whose transforms multiply to the
  /// joint's: parts of it, and nodes that are no joints.
  std::vector<std::uint32_t> chain;
};

/// The nodes that a skeleton is made of.
struct ImportedJoints {
  std::vector<ImportedJoint> joints;  ///< parents first
  /// The node of the actor's motion, where mabkit wrote the file.
  std::optional<std::uint32_t> root_motion;
};

/// Finds the joints: limbs of a skeleton and whatever else moves. Nodes that mabkit writes for root
/// motion are none and have no part in any chain; neither has the scene's own node.
[[nodiscard]] ImportedJoints find_joints(const ImportedScene& scene);

/// Whether a node of that name is one that mabkit writes for root motion.
[[nodiscard]] bool is_of_root_motion(std::string_view name);

/// Whether the values of `keys` differ by more than rounding.
[[nodiscard]] bool is_varying(const ImportedKeys& keys, std::size_t width);

}  // namespace mabkit::fbx
