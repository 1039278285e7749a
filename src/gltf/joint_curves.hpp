#pragma once

#include <cstdint>
#include <mabkit/error.hpp>
#include <mabkit/imported_motion.hpp>
#include <mabkit/pose.hpp>
#include <optional>
#include <vector>

#include "gltf/source_animation.hpp"
#include "gltf/source_frames.hpp"
#include "gltf/source_nodes.hpp"

namespace mabkit::gltf {

/// A file's hierarchy, as far as its motion needs it.
struct SourceRig {
  std::vector<SourceNode> nodes;
  std::vector<std::uint32_t> order;  ///< every node, its parent before it
  SourceFrames frames;
  bool is_y_up = true;
};

/// The joint's local transform at rest, in the bank's space. `node` has a frame.
[[nodiscard]] Transform rest_of(const SourceRig& rig, std::uint32_t node);

/// Brings an animation's curves into the frames of joints.
class JointCurves {
 public:
  /// Both outlive it.
  JointCurves(const SourceRig& rig, const SourceAnimation& animation, const ReadLimits& limits);

  /// What drives the joint, in the bank's space. A node between the joint and its parent that moves
  /// has its keys taken in: both channels then have keys at the times of all curves together.
  [[nodiscard]] Result<NodeCurves> of(std::uint32_t node);

 private:
  [[nodiscard]] Result<NodeCurves> composed(std::uint32_t node);

  const SourceRig& rig_;
  const SourceAnimation& animation_;
  const ReadLimits& limits_;
  std::vector<bool> moves_between_;  ///< by node: some node between its frame and it is driven
  std::uint64_t work_ = 0;           ///< transforms multiplied
};

}  // namespace mabkit::gltf
