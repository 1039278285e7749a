#pragma once

#include <cstdint>
#include <mabkit/error.hpp>
#include <mabkit/limits.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gltf/source_buffers.hpp"
#include "gltf/source_curve.hpp"
#include "gltf/source_nodes.hpp"

namespace mabkit::gltf {

/// What drives a node.
struct NodeCurves {
  std::optional<LinearCurve> rotation;
  std::optional<LinearCurve> translation;
};

/// An animation, as far as it drives nodes that matter.
struct SourceAnimation {
  std::string name;
  std::optional<std::uint32_t> clip;  ///< that `extras` say it is: a position in a bank
  std::map<std::uint32_t, NodeCurves> nodes;
  double frames_per_second = 30.0;  ///< of the grid that its keys lie on; 30 where they lie on none
  bool has_grid = false;            ///< its keys lie on the frames of `frames_per_second`
  float first_time = 0.0F;          ///< of the first key
  float last_time = 0.0F;           ///< of the last key
  std::size_t channels_elsewhere = 0;  ///< that drive other nodes, or shapes
};

/// Reads every animation of the document. `matters` says for each node whether it is a joint or
/// above one. Fails where an animation is broken, and with `unsupported` where it scales a node.
[[nodiscard]] Result<std::vector<SourceAnimation>> read_animations(
    const Json& document, const std::vector<SourceNode>& nodes, const std::vector<bool>& matters,
    SourceBuffers& buffers, const ReadLimits& limits);

}  // namespace mabkit::gltf
