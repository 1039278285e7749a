#pragma once

#include <mabkit/bank.hpp>
#include <mabkit/scene.hpp>
#include <span>

#include "gltf/animation.hpp"
#include "gltf/json_text.hpp"
#include "scene/tree.hpp"

namespace mabkit::gltf {

/// Member `extras` of the asset: an object `mabkit` with what glTF cannot hold of `bank` and of the
/// clips that are written (docs/formats/gltf.md). `animations` has one entry for each of
/// `tree.clips`.
void write_asset_extras(JsonText& json, const Bank& bank, const scene::NodeTree& tree,
                        std::span<const Animation> animations, RootMotionTarget root_motion);

/// Member `extras` of a node, where there is something to say. Flat and without large numbers or
/// nulls: Blender makes custom properties of it.
void write_node_extras(JsonText& json, const scene::Node& node);

/// Position in glTF's list of nodes; the asset's root has 0.
[[nodiscard]] constexpr std::uint32_t gltf_position(std::uint32_t node) {
  return node + 1;
}

}  // namespace mabkit::gltf
