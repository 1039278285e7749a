#pragma once

#include <cstdint>
#include <mabkit/bank.hpp>
#include <mabkit/error.hpp>
#include <optional>
#include <vector>

#include "mab/sparse_edit_clip.hpp"

namespace mabkit::mab {

/// Which edited joints and tracks a template's are.
struct EditMatch {
  /// For each joint of the template: position in the edited clip.
  std::vector<std::optional<std::uint32_t>> joints;
  /// For each joint of the template: bone of the skeleton.
  std::vector<std::optional<std::uint32_t>> bones;
  /// For each track of the template: position in the edited clip's tracks.
  std::vector<std::optional<std::uint32_t>> tracks;
};

/// Joints by bone id, where the skeleton knows their names by that bone's; a clip whose bones are
/// unknown matches one with the same joints. Says what of the edited clip has no place in the
/// template. Fails with `bad_argument` where nothing has.
[[nodiscard]] Result<EditMatch> match_edit(const ClipEditJob& job,
                                           std::vector<Diagnostic>& notices);

}  // namespace mabkit::mab
