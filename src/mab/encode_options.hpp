#pragma once

#include <mabkit/encode.hpp>
#include <mabkit/error.hpp>

namespace mabkit::mab {

/// An error where a bound or tolerance of the options is no positive number, or a bone of their
/// rig has a bind pose that is not finite or hangs from no root.
[[nodiscard]] Result<void> check_options(const EncodeOptions& options);

}  // namespace mabkit::mab
