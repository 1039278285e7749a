#pragma once

#include <cstddef>
#include <mabkit/error.hpp>
#include <optional>
#include <span>
#include <vector>

#include "mab/chunked_fields.hpp"

namespace mabkit::mab {

/// Writes edited blocks into a file that no writer of ours would lay out so: what changed is
/// replaced where it stands, what follows moves, and every offset that points past a change is
/// shifted; all else stays byte by byte (spec mab-chunked, 9.3). `edited` has an entry a block of
/// the index, absent where the block did not change; children and parts in it do not matter. Fails
/// with `limit` where an offset no longer fits its field.
[[nodiscard]] Result<std::vector<std::byte>> splice_blocks(
    std::span<const std::byte> file, const ChunkedIndex& index,
    const std::vector<std::optional<BlockFields>>& edited);

}  // namespace mabkit::mab
