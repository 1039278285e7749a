#pragma once

#include <mabkit/bank.hpp>
#include <mabkit/scene.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gltf/animation.hpp"
#include "gltf/json_text.hpp"
#include "scene/tree.hpp"

namespace mabkit::gltf {

/// What glTF cannot hold of `bank` and of the clips that are written (docs/formats/gltf.md), a JSON
/// object. `animations` has one entry for each of `tree.clips`.
[[nodiscard]] std::string record_text(const Bank& bank, const scene::NodeTree& tree,
                                      std::span<const Animation> animations,
                                      RootMotionTarget root_motion);

/// What a reader needs to know of a node that other programs have changed.
struct NodeNote {
  std::string_view rotation;     ///< how the bank had the curve: `animated`, `one_key`, `constant`
  std::string_view translation;  ///< the same; both empty where it has none
  Quat bind;                     ///< turn to the scene at rest, engine space
};

/// One note a node.
[[nodiscard]] std::vector<NodeNote> note_nodes(const scene::NodeTree& tree,
                                               std::span<const Animation> animations);

/// Member `extras` of a node. Flat and without large numbers or nulls: Blender makes custom
/// properties of it.
void write_node_extras(JsonText& json, const scene::Node& node, const NodeNote& note);

/// Position in glTF's list of nodes; the asset's root has 0.
[[nodiscard]] constexpr std::uint32_t gltf_position(std::uint32_t node) {
  return node + 1;
}

}  // namespace mabkit::gltf
