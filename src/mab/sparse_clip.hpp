#pragma once

#include <cstddef>
#include <cstdint>
#include <mabkit/bank.hpp>
#include <mabkit/error.hpp>
#include <span>
#include <vector>

#include "mab/sparse_index.hpp"

namespace mabkit::mab {

/// Decodes clip `number`: joints, tracks, root motion, duration and rate (spec mab-sparse, 4.1).
/// Subtracts the bytes of its values from `memory_left`; fails with `limit` where they are too
/// many. Adds what had to be dropped to `diagnostics`.
[[nodiscard]] Result<Clip> decode_clip(std::span<const std::byte> bytes, const SparseIndex& index,
                                       std::size_t number, std::uint64_t& memory_left,
                                       std::vector<Diagnostic>& diagnostics);

/// The rotation at `position` of the clip's header: reference or loop (spec mab-sparse, 1.3).
[[nodiscard]] Quat header_rotation(std::span<const std::byte> bytes, const SparseClip& clip,
                                   std::uint32_t position);

/// The clip's duration in seconds: as stored, or the last frame's time where that makes no sense.
[[nodiscard]] float duration_of(const SparseClip& clip);

/// The rate at which a section's frames run: its own, else the clip's.
[[nodiscard]] float rate_of(const SparseClip& clip, const SparseSection& section);

}  // namespace mabkit::mab
