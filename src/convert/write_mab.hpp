#pragma once

#include <mabkit/convert.hpp>
#include <mabkit/encode.hpp>
#include <mabkit/error.hpp>
#include <optional>
#include <vector>

#include "convert/carry_over.hpp"

namespace mabkit::conversion {

/// Encodes a bank as the options say: into the template, or as a new file. `bank` has absolute
/// rotations; where the target's relate to the bind pose, it is changed.
[[nodiscard]] Result<EncodedFile> write_mab(Bank& bank, const RigChoice& rigs,
                                            const ConvertOptions& options,
                                            std::vector<Diagnostic>& warnings);

/// The game that is written for, where options or bank say so.
[[nodiscard]] std::optional<Game> target_game(const Bank& bank, const ConvertOptions& options);

/// Whether the values of clip 0 relate to the bind pose of `skeleton`: as the options say, else by
/// vote where the format leaves it open. What the vote found is said in `warnings`: it is a guess.
[[nodiscard]] bool is_relative_to_bind_pose(const Clip& clip, const Skeleton& skeleton,
                                            const Document* document, const ConvertOptions& options,
                                            std::vector<Diagnostic>& warnings);

}  // namespace mabkit::conversion
