#pragma once

#include <cstddef>
#include <mabkit/bank.hpp>
#include <mabkit/encode.hpp>
#include <mabkit/error.hpp>
#include <optional>
#include <string>
#include <vector>

#include "mab/sparse_clip_source.hpp"
#include "mab/sparse_fit.hpp"

namespace mabkit::mab {

/// A clip that was written, for its report.
struct WrittenClip {
  std::size_t number = 0;
  ClipSource source;
  ClipFit fit;
  const Skeleton* skeleton = nullptr;  ///< where errors are measured in object space
};

/// What became of a clip: errors between its source and `decoded`, which was read back from the
/// file.
[[nodiscard]] ClipReport report_clip(const WrittenClip& clip, const Clip& decoded,
                                     const EncodeOptions& options);

/// The report of a clip of a template that stays as it is.
[[nodiscard]] ClipReport report_kept_clip(std::size_t number, const Clip& stored);

/// Where the worst error of a report is: `joint NAME at 1.233 s`.
[[nodiscard]] std::string describe_place(const Clip& source, const ErrorFigures& figures);

/// An error where a report's figures are beyond the options' bounds; it says what is the best.
[[nodiscard]] Result<void> check_bounds(const WrittenClip& clip, const ClipReport& report,
                                        const EncodeOptions& options);

}  // namespace mabkit::mab
