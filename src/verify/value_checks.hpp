#pragma once

#include <mabkit/bank.hpp>
#include <mabkit/verify.hpp>
#include <vector>

namespace mabkit::verification {

/// Adds what is wrong with decoded values: rotations that are not finite or not unit, translations
/// that are not finite, times that do not rise or lie past the clip's end, and indices that point
/// nowhere. At most one finding a curve and kind of fault.
void check_values(std::vector<Finding>& out, const Bank& bank);

}  // namespace mabkit::verification
