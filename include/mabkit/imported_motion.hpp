#pragma once

#include <cstdint>
#include <mabkit/bank.hpp>
#include <mabkit/limits.hpp>
#include <mabkit/skeleton.hpp>
#include <optional>
#include <string>
#include <vector>

namespace mabkit {

/// Which axis of a file points up.
enum class UpAxis : std::uint8_t { y, z };

/// How another tool's file is read.
struct ImportOptions {
  ReadLimits limits;
  /// Absent: as the format says, else as the rest pose suggests; `ImportedMotion::notices` says
  /// which was taken.
  std::optional<UpAxis> up;
  /// Metres in one unit of the file. Absent: as the format says, else as the size of the rest pose
  /// suggests; `ImportedMotion::notices` says which was taken.
  std::optional<double> metres_per_unit;
};

/// What a file of another tool holds, in the bank's space: Z up, right-handed, metres.
struct ImportedMotion {
  Bank bank;  ///< `format` is `gltf`, `bvh`, `fbx` or `json`
  /// The rig that clip 0 moves, in its rest pose; without bones where the file has none.
  Skeleton skeleton;
  /// The clips are takes on one rig, of which a `.mab` takes one. Otherwise they are what a bank's
  /// clips are: a main one and participants.
  bool are_takes = false;
  /// What was chosen, resampled or left out.
  std::vector<Diagnostic> notices;
};

}  // namespace mabkit
