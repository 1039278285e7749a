#pragma once

#include <cstddef>
#include <mabkit/byte_run.hpp>
#include <mabkit/summary.hpp>
#include <span>
#include <vector>

#include "mab/chunked_index.hpp"

namespace mabkit::mab {

/// Every byte of the file by what it is, ascending, without gap or overlap.
[[nodiscard]] std::vector<ByteRun> chunked_runs(std::span<const std::byte> file,
                                                const ChunkedIndex& index);

/// The runs that the index does not account for: padding and preserved bytes, ascending.
[[nodiscard]] std::vector<ByteRun> unclaimed_runs(std::span<const std::byte> file,
                                                  const ChunkedIndex& index);

/// See `ChunkedMab::summary`.
[[nodiscard]] FileSummary chunked_summary(std::span<const std::byte> file,
                                          const ChunkedIndex& index);

}  // namespace mabkit::mab
