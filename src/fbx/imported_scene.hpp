#pragma once

#include <array>
#include <cstdint>
#include <mabkit/error.hpp>
#include <mabkit/limits.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scene/affine.hpp"

namespace mabkit::fbx {

/// A node of the file, or a part of its transform: the importer makes one of each of a node's
/// pivots, rotations and offsets.
struct ImportedNode {
  std::string name;  ///< of the node that it is, or that it is a part of
  bool is_part = false;
  bool is_limb = false;                 ///< of a skeleton, as far as the file says
  std::optional<std::uint32_t> parent;  ///< position in `ImportedScene::nodes`, before this one
  scene::Affine local;
  /// Where the node stood in the scene when its mesh was bound; of a mesh's bones only.
  std::optional<scene::Affine> bind;
};

/// Values over time, all finite. Times are in ticks and do not fall.
struct ImportedKeys {
  std::vector<double> times;
  std::vector<float> values;  ///< 3 or 4 each
};

/// What drives a node. A list of keys may be empty.
struct ImportedChannel {
  std::uint32_t node = 0;
  ImportedKeys translation;
  ImportedKeys rotation;  ///< x y z w
  ImportedKeys scale;
};

struct ImportedAnimation {
  std::string name;
  double ticks_per_second = 0.0;
  double duration = 0.0;  ///< ticks
  std::vector<ImportedChannel> channels;
};

/// What the importer of FBX hands over (`mabkit.fbx-scene/1`, docs/formats/fbx.md).
struct ImportedScene {
  std::optional<int> up_axis;  ///< 0, 1, 2 are X, Y, Z
  std::optional<int> up_axis_sign;
  std::optional<double> centimetres_per_unit;
  std::vector<ImportedNode> nodes;  ///< the first one is the scene itself
  std::vector<ImportedAnimation> animations;
};

/// Reads the importer's text, trusting nothing in it. Fails with `bad_value` where it is not what
/// the importer writes, and with `limit`.
[[nodiscard]] Result<ImportedScene> parse_scene(std::string_view text, const ReadLimits& limits);

}  // namespace mabkit::fbx
