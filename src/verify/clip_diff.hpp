#pragma once

#include <mabkit/bank.hpp>
#include <mabkit/diff.hpp>

namespace mabkit::verification {

/// How two clips differ. `ClipDifference::clip` is left to the caller.
[[nodiscard]] ClipDifference diff_clips(const Clip& a, const Clip& b, const DiffOptions& options);

}  // namespace mabkit::verification
