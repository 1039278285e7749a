#pragma once

#include <cstdint>
#include <mabkit/skeleton.hpp>
#include <optional>
#include <vector>

#include "motion/precise.hpp"

namespace mabkit::motion {

/// The bind pose of a rig in double precision. Bones outside the tree (a cycle of parents) count as
/// roots.
struct RigPose {
  explicit RigPose(const Skeleton& skeleton);

  std::vector<std::uint32_t> order;  ///< parents before their children; bones in a cycle left out
  std::vector<std::optional<std::uint32_t>> parents;  ///< one a bone; never a cycle
  std::vector<Placement> local;                       ///< one a bone
  std::vector<Placement> object;                      ///< one a bone

  /// Whether `ancestor` is above `bone`.
  [[nodiscard]] bool is_above(std::uint32_t ancestor, std::uint32_t bone) const {
    return ancestor != bone && first_[ancestor] <= first_[bone] && first_[bone] < end_[ancestor];
  }

 private:
  // Bones numbered so that all below a bone follow it: from its own number to its end.
  std::vector<std::uint32_t> first_;
  std::vector<std::uint32_t> end_;
};

/// Height of a bone over the lowest of `others`, in metres.
[[nodiscard]] double height_over(const RigPose& pose, std::uint32_t bone,
                                 const std::vector<std::uint32_t>& others);

}  // namespace mabkit::motion
