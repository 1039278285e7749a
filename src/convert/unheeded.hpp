#pragma once

#include <mabkit/bank.hpp>
#include <mabkit/convert.hpp>
#include <optional>
#include <vector>

#include "convert/carry_over.hpp"
#include "convert/source.hpp"

namespace mabkit::conversion {

/// Which options were given and change nothing for this input and output, and why.
[[nodiscard]] std::vector<Diagnostic> unheeded_options(const Source& source, const RigChoice& rigs,
                                                       const ConvertOptions& options);

/// Which joints of a clip have a name and the hash of another one: somebody renamed them, and the
/// hash is what joints are found by. Nothing where there are none.
[[nodiscard]] std::optional<Diagnostic> names_against_hashes(const Clip& clip);

}  // namespace mabkit::conversion
