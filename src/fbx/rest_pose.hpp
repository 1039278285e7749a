#pragma once

#include <cstddef>
#include <vector>

#include "fbx/imported_scene.hpp"
#include "fbx/joints.hpp"
#include "scene/affine.hpp"

namespace mabkit::fbx {

/// How the joints stand to one another before anything moves.
struct RestPose {
  std::vector<scene::Affine> locals;  ///< of each joint, to its parent joint
  /// Joints whose own place in the file is another: programs write them where the current frame of
  /// an animation has them.
  std::size_t bound_elsewhere = 0;
};

/// The pose in which the bones' meshes were bound, and that of the nodes where there is no mesh.
/// The nodes of root motion have no part in it.
[[nodiscard]] RestPose rest_pose(const ImportedScene& scene, const ImportedJoints& joints);

}  // namespace mabkit::fbx
