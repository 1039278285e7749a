#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "mab/sparse_index.hpp"

namespace mabkit::mab {

/// The joints of a clip and the stored tracks that drive them (spec mab-sparse, 1.4 and 4.1).
struct SparseJoints {
  /// Bone ids, ascending; of a clip whose bones are unknown 0 to T - 1 for each kind in turn, so
  /// that no two tracks share a joint.
  std::vector<std::uint32_t> ids;
  /// For each kind and stored track of it, the position in `ids`. Absent where the track is
  /// overruled: a keyed one wins over a constant one.
  std::array<std::vector<std::optional<std::uint32_t>>, mask_kind_count> joint_of;
  /// Bones that a mask names and no track drives.
  std::uint32_t undriven = 0;

  [[nodiscard]] const std::vector<std::optional<std::uint32_t>>& tracks(MaskKind kind) const {
    return joint_of[static_cast<std::size_t>(kind)];
  }
  /// Tracks of a kind that drive a joint.
  [[nodiscard]] std::uint32_t driven(MaskKind kind) const;
};

[[nodiscard]] SparseJoints joints_of(const SparseClip& clip);

}  // namespace mabkit::mab
