#pragma once

#include <cstdint>
#include <mabkit/bank.hpp>
#include <string>

namespace mabkit::conversion {

/// What stands between stem and extension of the output for one clip of a split bank: `.1`, or
/// `.1-prop` for a clip named `prop`. Letters, digits, `_` and `-` only, apart from the first dot.
[[nodiscard]] std::string part_infix(std::uint32_t clip, const Clip& of);

/// The bank with clip `index` alone; participants stay, those of other clips without their clip.
[[nodiscard]] Bank single_clip(const Bank& bank, std::uint32_t index);

}  // namespace mabkit::conversion
