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

}  // namespace mabkit
