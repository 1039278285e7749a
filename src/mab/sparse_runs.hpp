#pragma once

#include <cstddef>
#include <mabkit/byte_run.hpp>
#include <span>
#include <vector>

#include "mab/sparse_index.hpp"

namespace mabkit::mab {

/// Every byte of the file that `index` was read from by what it is, ascending, without gap or
/// overlap.
[[nodiscard]] std::vector<ByteRun> list_runs(std::span<const std::byte> bytes,
                                             const SparseIndex& index);

}  // namespace mabkit::mab
