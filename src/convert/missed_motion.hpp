#pragma once

#include <mabkit/bank.hpp>
#include <mabkit/convert.hpp>
#include <mabkit/encode.hpp>
#include <optional>

namespace mabkit::conversion {

/// What the frames of a new file miss of a clip's own keys: a file's grid may be coarser than the
/// source's, and its error is bounded on that grid. `skeleton` is the rig that both go by; null
/// where joints go by hash or id. Says where and by how much the source's keys are farther away
/// than the report's samples, from half a degree or a millimetre more on.
[[nodiscard]] std::optional<Diagnostic> missed_motion(const Clip& source, const EncodedFile& file,
                                                      const Skeleton* skeleton,
                                                      const ConvertOptions& options);

}  // namespace mabkit::conversion
