#pragma once

#include <cstdint>
#include <mabkit/skeleton.hpp>
#include <optional>
#include <string>

namespace mabkit {

/// What becomes of a clip's root motion in a scene of nodes.
enum class RootMotionTarget : std::uint8_t {
  node,    ///< curves on a node of its own above the joints
  joint,   ///< composed into the tracks of the root joint
  ignore,  ///< left out
};

/// How a bank becomes a scene of nodes, which glTF and FBX hold.
struct SceneOptions {
  /// Name of the root node and of clips without a name, usually the file's stem.
  std::string name;
  RootMotionTarget root_motion = RootMotionTarget::node;
  /// Only this clip of the bank; absent: all, one animation each.
  std::optional<std::uint32_t> clip;
  /// How the first clip written finds its joints in the skeleton.
  BindOptions bind;
};

}  // namespace mabkit
