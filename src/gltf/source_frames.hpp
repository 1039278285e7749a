#pragma once

#include <cstdint>
#include <mabkit/error.hpp>
#include <mabkit/imported_motion.hpp>
#include <optional>
#include <vector>

#include "gltf/source_nodes.hpp"
#include "scene/affine.hpp"

namespace mabkit::gltf {

/// The frame that a joint's values are in, and how to bring them from the file's nodes there.
///
/// Nodes between a joint and its parent joint are multiplied in. A joint whose bone had other axes
/// before another program turned them (its `bind` says which) gets them back: with C the turn from
/// the bone's own axes at rest to the node's, the local transform is C(parent) · node · C(joint)⁻¹.
struct JointFrame {
  std::optional<std::uint32_t> parent;  ///< node of the nearest frame above
  scene::Affine above;     ///< C(parent) and the nodes between, at rest, in the file's unit
  scene::Affine turn;      ///< C(parent) alone
  scene::Affine unturned;  ///< C(joint)⁻¹
  double metres = 1.0;     ///< in one unit of `parent`
  bool is_plain = true;    ///< values are the node's own, to the bit
};

/// Frames of all joints of a file, by node; absent for nodes that are none.
struct SourceFrames {
  std::vector<std::optional<JointFrame>> of_node;
  /// Turns and offsets of every node to the scene at rest, scale left out.
  std::vector<scene::Affine> worlds;
  std::vector<Diagnostic> notices;
};

/// Lays the frames out. `is_frame` says for each node whether it is a joint or carries root motion.
/// Fails with `unsupported` where a scale that is none of the rig's own can't be folded in.
[[nodiscard]] Result<SourceFrames> build_frames(const std::vector<SourceNode>& nodes,
                                                const std::vector<std::uint32_t>& order,
                                                const std::vector<bool>& is_frame,
                                                const ImportOptions& options);

}  // namespace mabkit::gltf
