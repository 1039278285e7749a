#pragma once

#include <cstddef>
#include <mabkit/error.hpp>

#include "mab/sparse_index.hpp"
#include "mab/sparse_source.hpp"

namespace mabkit::mab {

/// Finds the sections of `clip` by its section table, checks that none overlaps another or the
/// header, and measures each (spec mab-sparse, 1.5 to 1.7). Reads the event chain and, in the first
/// clip, the tag table. `number` is the clip's place in the chain.
[[nodiscard]] Result<void> read_sections(const SparseSource& source, std::size_t number,
                                         SparseClip& clip);

/// Lists the bytes of `clip` that no section covers, with what the padding rules explain of them
/// (spec mab-sparse, 1.6).
void find_gaps(const SparseSource& source, std::size_t number, SparseClip& clip);

}  // namespace mabkit::mab
