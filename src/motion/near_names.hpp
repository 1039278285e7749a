#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "motion/bone_spelling.hpp"

namespace mabkit::motion {

/// Answers `mabkit::near_names` for many names over the same candidates.
class NearNames {
 public:
  explicit NearNames(std::vector<std::string> candidates);

  [[nodiscard]] std::vector<std::string> find(std::string_view name, std::size_t most) const;

 private:
  std::vector<std::string> candidates_;
  std::vector<BoneSpelling> spellings_;  ///< one a candidate
};

}  // namespace mabkit::motion
