#pragma once

#include <cstdint>
#include <mabkit/bank.hpp>
#include <mabkit/error.hpp>
#include <vector>

#include "mab/sparse_clip_source.hpp"
#include "mab/sparse_fields.hpp"
#include "mab/sparse_fit.hpp"
#include "mab/sparse_layout.hpp"

namespace mabkit::mab {

/// Bytes that a track takes of its section.
[[nodiscard]] std::uint64_t rotation_bytes(const RotationTrack& track, std::uint32_t frames);
[[nodiscard]] std::uint64_t translation_bytes(const TranslationTrack& track);

/// A new clip from its tracks: masks, arrays, root motion and duration (spec mab-sparse 1.3 to 1.7,
/// 4.1, rule 7). Without tag records and events. Slots 0 and 1 exist where `is_main`.
[[nodiscard]] ClipFields new_clip_fields(const ClipSource& source, const ClipFit& fit,
                                         const SparseLayout& layout, bool is_main);

/// The events as nodes of the chain (spec mab-sparse, 1.10). Those that no file of the family could
/// hold are left out, with a notice.
[[nodiscard]] std::vector<EventFields> event_fields(const Clip& clip, std::size_t number,
                                                    std::vector<Diagnostic>& notices);

}  // namespace mabkit::mab
