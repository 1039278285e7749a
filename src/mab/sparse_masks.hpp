#pragma once

#include <mabkit/error.hpp>

#include "mab/sparse_index.hpp"
#include "mab/sparse_source.hpp"

namespace mabkit::mab {

/// Reads the bone masks of every clip and checks them against what the sections hold (spec
/// mab-sparse, 1.4).
///
/// Where the game's row leaves the width of a mask open, it is the one that fits every clip, and of
/// several the one with the lowest highest bone (spec 5.2); a clip that it doesn't fit keeps its
/// tracks raw, with a warning. Where the row says the width, a keyed mask that contradicts its
/// section is an error.
[[nodiscard]] Result<void> resolve_masks(const SparseSource& source, SparseIndex& index);

}  // namespace mabkit::mab
