#pragma once

#include <cstddef>
#include <mabkit/bank.hpp>
#include <mabkit/error.hpp>
#include <mabkit/imported_motion.hpp>
#include <mabkit/scene.hpp>
#include <mabkit/skeleton.hpp>
#include <string_view>
#include <vector>

namespace mabkit {

using FbxOptions = SceneOptions;

/// A binary FBX 7.4 in memory.
struct FbxFile {
  std::vector<std::byte> bytes;
  /// What had to be left out or mended because FBX can't hold it.
  std::vector<Diagnostic> diagnostics;
};

/// Writes binary FBX 7.4: Y up, centimetres, one root, joints as limb nodes with hierarchy and bind
/// pose, a small skinned proxy mesh, one animation stack a clip, exact key times
/// (docs/formats/fbx.md). The same bank always gives the same bytes.
///
/// Rotations become Euler curves. Where those stray between two keys by more than 0.05 degrees from
/// what the engine interpolates, keys are added in between.
///
/// `skeleton`, the tracks left out and the failures are those of `build_gltf`; over 4 GiB fails
/// with `limit`.
[[nodiscard]] Result<FbxFile> write_fbx(const Bank& bank, const Skeleton* skeleton,
                                        const FbxOptions& options);

/// Turns what the importer of FBX prints (`mabkit.fbx-scene/1`, docs/formats/fbx.md) into a bank of
/// takes and their rig; `read_fbx` in `fbx_file.hpp` runs the importer.
///
/// Every limb of a skeleton and every node that moves becomes a joint. Pivots, pre-rotations and
/// nodes between joints are multiplied in; so is a uniform scale that does not change. Fails with
/// `unsupported` where a joint is scaled otherwise by more than 0.1 %, and where there are no
/// joints or no animation; with `bad_value` where the text is not what the importer prints.
[[nodiscard]] Result<ImportedMotion> read_fbx_scene(std::string_view text,
                                                    const ImportOptions& options);

}  // namespace mabkit
