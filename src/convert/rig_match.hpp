#pragma once

#include <mabkit/bank.hpp>
#include <mabkit/convert.hpp>
#include <optional>
#include <vector>

namespace mabkit::conversion {

/// The rig of `options` that finds most joints of clip `index`, the first among equals; nothing
/// where there is no rig.
[[nodiscard]] std::optional<RigMatch> match_rig(const Bank& bank, std::uint32_t index,
                                                const ConvertOptions& options);

/// What a person should know of a match: joints that were not found, and guesses.
[[nodiscard]] std::vector<Diagnostic> describe_match(const Bank& bank, const RigMatch& match,
                                                     const ConvertOptions& options);

}  // namespace mabkit::conversion
