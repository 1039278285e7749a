#pragma once

#include <cstddef>
#include <mabkit/limits.hpp>
#include <optional>
#include <span>
#include <string>

namespace mabkit::nbcf {

/// Class of the event that `payload` holds: the text of its type value (spec mab-sparse, 4.1
/// rule 6). Nothing where the payload does not parse within `limits` or names no type.
[[nodiscard]] std::optional<std::string> event_class(std::span<const std::byte> payload,
                                                     const ReadLimits& limits);

}  // namespace mabkit::nbcf
