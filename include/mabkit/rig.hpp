#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mabkit/error.hpp>
#include <mabkit/limits.hpp>
#include <mabkit/skeleton.hpp>
#include <span>
#include <string>
#include <vector>

namespace mabkit {

/// Reads a rig of any kind by its content: `.skeleton` (LKS 18), `.xbg` (HSEM).
[[nodiscard]] Result<Skeleton> parse_rig(std::span<const std::byte> bytes,
                                         const ReadLimits& limits = {});

}  // namespace mabkit
