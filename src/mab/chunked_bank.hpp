#pragma once

#include <cstddef>
#include <mabkit/bank.hpp>
#include <span>

#include "mab/chunked_index.hpp"

namespace mabkit::mab {

/// Decodes every block (spec mab-chunked, 6.4).
[[nodiscard]] Result<Bank> decode_chunked(std::span<const std::byte> file,
                                          const ChunkedIndex& index);

}  // namespace mabkit::mab
