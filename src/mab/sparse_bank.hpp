#pragma once

#include <cstddef>
#include <mabkit/bank.hpp>
#include <mabkit/error.hpp>
#include <span>

#include "mab/sparse_index.hpp"

namespace mabkit::mab {

/// Decodes every clip of the file that `index` was read from (spec mab-sparse, 4.1). Fails only
/// where the values need more memory than the limits grant.
[[nodiscard]] Result<Bank> decode_bank(std::span<const std::byte> bytes, const SparseIndex& index);

}  // namespace mabkit::mab
