#pragma once

#include <cstddef>
#include <cstdint>
#include <mabkit/bank.hpp>
#include <mabkit/error.hpp>
#include <mabkit/limits.hpp>
#include <mabkit/skeleton.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mabkit {

/// What becomes of a clip's root motion in glTF.
enum class RootMotionTarget : std::uint8_t {
  node,    ///< channels on a node of its own above the joints
  joint,   ///< composed into the tracks of the root joint
  ignore,  ///< left out
};

struct GltfOptions {
  RootMotionTarget root_motion = RootMotionTarget::node;
  /// Only this clip of the bank; absent: all, one animation each.
  std::optional<std::uint32_t> clip;
  BindOptions bind;
};

/// A glTF 2.0 asset in memory.
struct GltfAsset {
  std::string json;               ///< the document
  std::vector<std::byte> buffer;  ///< its only buffer
};

/// Builds the asset: Y up, metres, one root, joints as nodes with hierarchy and bind pose, a skin
/// with a small proxy mesh, one animation a clip, exact key times. `skeleton` may be null: joints
/// then lie flat under the root, named by name or hash.
[[nodiscard]] Result<GltfAsset> build_gltf(const Bank& bank, const Skeleton* skeleton,
                                           const GltfOptions& options);

/// The asset as one binary file (GLB).
[[nodiscard]] Result<std::vector<std::byte>> write_glb(const GltfAsset& asset);

/// The asset as one `.gltf` text with its buffer embedded in base64.
[[nodiscard]] Result<std::string> write_gltf(const GltfAsset& asset);

/// Reads the joints of the first skin of a `.glb` or `.gltf` (or all named nodes where there is no
/// skin) as a rig: converted to Z up. External buffers are not read.
[[nodiscard]] Result<Skeleton> read_gltf_skeleton(std::span<const std::byte> bytes,
                                                  const ReadLimits& limits = {});

}  // namespace mabkit
