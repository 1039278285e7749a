#pragma once

#include <cstddef>
#include <mabkit/bank.hpp>
#include <mabkit/encode.hpp>
#include <mabkit/error.hpp>
#include <span>

#include "mab/sparse_index.hpp"

namespace mabkit::mab {

/// See `SparseMab::with`.
[[nodiscard]] Result<EncodedFile> edit_sparse(std::span<const std::byte> bytes,
                                              const SparseIndex& index, const Bank& edited,
                                              const EncodeOptions& options);

}  // namespace mabkit::mab
