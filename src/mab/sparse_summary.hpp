#pragma once

#include <cstddef>
#include <mabkit/summary.hpp>
#include <span>

#include "mab/sparse_index.hpp"

namespace mabkit::mab {

/// What the index says, in the words of `info`; decodes no values.
[[nodiscard]] FileSummary summarise(std::span<const std::byte> bytes, const SparseIndex& index);

}  // namespace mabkit::mab
