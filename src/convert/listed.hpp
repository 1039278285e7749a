#pragma once

#include <string>
#include <vector>

namespace mabkit::conversion {

/// `Hips, Spine, Head and 12 more`: what a message names of many.
[[nodiscard]] std::string listed(const std::vector<std::string>& names);

}  // namespace mabkit::conversion
