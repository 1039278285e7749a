#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mabkit::motion {

enum class Side : std::uint8_t { none, left, right };

/// A bone's name taken apart, so that `Bip01 L Foot`, `LFoot`, `LeftFoot` and `foot_l` compare
/// equal.
struct BoneSpelling {
  Side side = Side::none;
  std::string part;  ///< what is left of the name without side, prefix and name space
  std::string key;   ///< `part` in lower case without separators
};

[[nodiscard]] BoneSpelling take_apart(std::string_view name);

/// Other ways in which games and tools spell the same bone's name; each once, `name` itself among
/// them.
[[nodiscard]] std::vector<std::string> spellings(std::string_view name);

}  // namespace mabkit::motion
