#pragma once

#include <mabkit/bank.hpp>
#include <mabkit/error.hpp>
#include <mabkit/skeleton.hpp>
#include <vector>

#include "mab/sparse_fields.hpp"

namespace mabkit::mab {

/// A tag record for every chained clip of a bank, in the order of the chain (spec mab-sparse, 1.9).
/// `durations` are those of the clips as written. Fails with `limit` for a name that is too long.
[[nodiscard]] Result<std::vector<TagFields>> new_tags(const Bank& bank,
                                                      const std::vector<FloatBits>& durations,
                                                      const Skeleton* skeleton,
                                                      std::vector<Diagnostic>& notices);

}  // namespace mabkit::mab
