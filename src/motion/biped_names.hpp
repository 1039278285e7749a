#pragma once

#include <string>
#include <vector>

namespace mabkit::motion {

/// Names of the joints of common biped rigs, in the conventions that this field uses. Some repeat.
[[nodiscard]] std::vector<std::string> biped_names();

}  // namespace mabkit::motion
