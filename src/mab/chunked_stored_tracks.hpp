#pragma once

#include <cstdint>
#include <vector>

#include "mab/chunked_block_build.hpp"
#include "mab/chunked_fields.hpp"
#include "mab/tick_curve.hpp"

namespace mabkit::mab {

/// The tracks of a block as it stores them, by joint, rotation first. Joints whose flags name a
/// value that the block lacks have none.
[[nodiscard]] std::vector<StoredTrack> stored_tracks(const ChunkedLayout& layout,
                                                     const BlockFields& block);

/// What a stored track decodes to: one value a tick, or one alone where it is constant. Of keys
/// that share a tick, the last counts.
[[nodiscard]] TickCurve decoded_curve(const StoredTrack& track,
                                      const std::vector<std::uint16_t>& ticks);

/// Puts `tracks` in the place of the block's own: flags, constants, table and streams are made
/// anew. The table's entries for displacement stay, and so do constants that no flag names.
void replace_tracks(BlockFields& block, const ChunkedLayout& layout,
                    const std::vector<StoredTrack>& tracks);

}  // namespace mabkit::mab
