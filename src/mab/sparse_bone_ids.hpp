#pragma once

#include <cstdint>
#include <mabkit/bank.hpp>
#include <mabkit/encode.hpp>
#include <optional>
#include <string>
#include <vector>

namespace mabkit::mab {

/// Which bones the joints of a clip are.
struct BoneIds {
  std::vector<std::optional<std::uint32_t>> ids;    ///< skeleton bone id of each joint
  std::vector<std::optional<std::uint32_t>> bones;  ///< position in the skeleton of each joint
  std::vector<std::uint32_t> unknown;               ///< joints that move and have no id
  /// The ids are positions in a source that knows none: a guess.
  bool is_guess = false;
};

/// Finds the bone ids of a clip's joints (spec mab-sparse, 1.4): those of the bones that the
/// skeleton has by the joints' names, else the joints' own where `has_ids` says that these are bone
/// ids. Without a skeleton the joints' own, whatever they are. `skeleton` may be null.
[[nodiscard]] BoneIds find_bone_ids(const Clip& clip, bool has_ids, const Skeleton* skeleton,
                                    const BindOptions& options);

/// Whether the ids of a clip's joints are skeleton bone ids: those of the sparse family are, and so
/// are ids that aren't just positions.
[[nodiscard]] bool has_bone_ids(const Bank& bank, const Clip& clip);

/// `12 joints (a, b, c, ...)`: how many there are, and the first few of them.
[[nodiscard]] std::string list_joints(const Clip& clip, const std::vector<std::uint32_t>& joints);

}  // namespace mabkit::mab
