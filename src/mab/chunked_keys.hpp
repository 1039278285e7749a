#pragma once

#include <cstdint>
#include <mabkit/error.hpp>
#include <string>

#include "mab/chunked_parse.hpp"

namespace mabkit::mab {

/// How many keys a block of Far Cry 4 has, which stores no count (spec mab-chunked, 6.4 rule 5): of
/// the counts that the section of key times, `times`, can hold, those that consume the last chunk
/// of the rotations to its byte; among them the one whose last time is the duration.
[[nodiscard]] std::uint32_t infer_key_count(const ChunkedParse& parse, const ChunkedBlock& block,
                                            const SectionSpan& times);

/// Checks that the key times of `block` do not fall, and settles its `ticks_per_second` (spec
/// mab-chunked, section 4 and 6.4 rule 4). `path` is `clip[i]`.
[[nodiscard]] Result<void> check_key_times(const ChunkedParse& parse, ChunkedBlock& block,
                                           const std::string& path);

}  // namespace mabkit::mab
