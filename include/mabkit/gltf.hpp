#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mabkit/bank.hpp>
#include <mabkit/error.hpp>
#include <mabkit/imported_motion.hpp>
#include <mabkit/limits.hpp>
#include <mabkit/scene.hpp>
#include <mabkit/skeleton.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mabkit {

using GltfOptions = SceneOptions;

/// A glTF 2.0 asset in memory.
struct GltfAsset {
  std::string json;               ///< the document
  std::vector<std::byte> buffer;  ///< its only buffer; may be empty
  /// What had to be left out or mended because glTF can't hold it.
  std::vector<Diagnostic> diagnostics;
};

/// Builds the asset: Y up, metres, one root, joints as nodes with hierarchy and bind pose, a skin
/// with a small proxy mesh, one animation a clip, exact key times (docs/formats/gltf.md).
///
/// `skeleton` is the rig of the first clip written; other clips are other entities and hang from
/// the joint that the bank names. It may be null: joints then lie flat under the root, named by
/// name, hash or id. Tracks that glTF can't hold (not finite, times that don't rise) are left out
/// with a diagnostic. Fails with `bad_argument` where there is no such clip and with `limit` where
/// there are more than 65,536 joints.
[[nodiscard]] Result<GltfAsset> build_gltf(const Bank& bank, const Skeleton* skeleton,
                                           const GltfOptions& options);

/// The asset as one binary file (GLB). Fails with `limit` over 4 GiB, which its header can't say.
[[nodiscard]] Result<std::vector<std::byte>> write_glb(const GltfAsset& asset);

/// The asset as one `.gltf` text with its buffer embedded in base64. Fails with `bad_argument` for
/// an asset that `build_gltf` did not make.
[[nodiscard]] Result<std::string> write_gltf(const GltfAsset& asset);

/// Reads the joints of the skins of a `.glb` or `.gltf` (or all named nodes where there is no
/// skin) as a rig: converted to Z up, in the pose that the nodes have, transforms of nodes between
/// and above them multiplied in. Joints that `build_gltf` marked as another entity's or as root
/// motion are left out. Buffers are never read, so an external one need not be there.
[[nodiscard]] Result<Skeleton> read_gltf_skeleton(std::span<const std::byte> bytes,
                                                  const ReadLimits& limits = {});

/// Gives the bytes of a buffer that a `.gltf` keeps in another file. `uri` is as the file has it:
/// whoever reads files for it refuses absolute paths, `..` and schemes.
using BufferSource = std::function<Result<std::vector<std::byte>>(std::string_view uri)>;

/// Reads the animations of a `.glb` or `.gltf` as clips, and the rig that they move.
///
/// What `build_gltf` made becomes the bank that it was made of, also after Blender where custom
/// properties were exported: clips, participants, root motion, events, constants, and the bones'
/// own axes, which Blender's importer turns. Any other file gives a clip an animation, takes of the
/// joints of its skins (or of all named nodes where there is no skin).
///
/// LINEAR keys are taken as they are; STEP gets a key just before each step; CUBICSPLINE is
/// sampled at 120 frames a second or more and at its keys. Nodes between joints are multiplied in.
/// A uniform scale above the rig goes into its lengths; any other scale that differs from 1 by more
/// than 0.1 % is refused with `unsupported`. Y becomes Z unless `options.up` says that Z is up
/// already. Buffers in other files come from `buffers_from`; without it they are refused. Errors
/// have a path such as `animations[0].samplers[3].input`.
[[nodiscard]] Result<ImportedMotion> read_gltf_motion(std::span<const std::byte> bytes,
                                                      const ImportOptions& options = {},
                                                      const BufferSource& buffers_from = {});

}  // namespace mabkit
