#pragma once

#include <cstdint>
#include <mabkit/bank.hpp>
#include <mabkit/scene.hpp>
#include <mabkit/skeleton.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scene/affine.hpp"

namespace mabkit::scene {

/// Names of the nodes that carry a clip's root motion. A prefix stands before them in clips other
/// than the first; readers recognise the ending.
inline constexpr std::string_view root_motion_name = "mabkit_root_motion";
inline constexpr std::string_view root_motion_start_name = "mabkit_root_motion_start";
inline constexpr std::string_view root_motion_rest_name = "mabkit_root_motion_rest";

enum class NodeRole : std::uint8_t {
  joint,        ///< of a skeleton or a clip; in the skin
  root_motion,  ///< has a clip's root motion; in the skin, so that importers make it a bone
  fixed,        ///< around a node of root motion
};

/// A node below the asset's root, in engine space.
struct Node {
  std::string name;
  std::optional<std::uint32_t>
      parent{};  ///< position in `NodeTree::nodes`; absent: the asset's root
  Trs rest{};
  NodeRole role = NodeRole::joint;
  std::optional<std::uint32_t> id{};    ///< skeleton bone id, else the joint's
  std::optional<std::uint32_t> hash{};  ///< CRC-32 of the bone's name
  std::optional<bool> animated_translation{};
  std::optional<std::uint32_t> joint{};  ///< position in `Clip::joints`
  /// Position in `Bank::clips` where the node is of another entity than the first clip written.
  std::optional<std::uint32_t> participant{};
};

/// Where the joints of a clip went.
struct ClipNodes {
  std::uint32_t clip = 0;                      ///< position in `Bank::clips`
  std::vector<std::uint32_t> node_of_joint{};  ///< one entry a joint
  std::optional<std::uint32_t> root_motion{};  ///< the node that has its channels
  /// Nodes that root motion is composed into where it has no node: the roots of the rig, else the
  /// joint that has no parent (the one named Root, else the first).
  std::vector<std::uint32_t> roots{};
};

struct NodeTree {
  std::string root_name;
  std::vector<Node> nodes;
  std::vector<std::uint32_t> parents_first;  ///< every node, its parent before it
  std::vector<ClipNodes> clips;              ///< the clips that are written, in order
};

/// Lays out the nodes of the clips that `options` picks; the first is bound to `skeleton`, which
/// may be null. Values that no scene can hold become their defaults, with a diagnostic.
[[nodiscard]] NodeTree build_tree(const Bank& bank, const Skeleton* skeleton,
                                  const SceneOptions& options,
                                  std::vector<Diagnostic>& diagnostics);

}  // namespace mabkit::scene
