#include "mab/encode_options.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include "motion/hierarchy.hpp"
#include "motion/resample.hpp"

namespace mabkit::mab {
namespace {

/// No error can be measured on a rig with numbers that are none, or where bones hang from nothing.
Result<void> check_rig(const Skeleton& skeleton) {
  for (std::size_t bone = 0; bone < skeleton.bones.size(); ++bone) {
    const Quat& q = skeleton.bones[bone].rotation;
    const Vec3& v = skeleton.bones[bone].translation;
    const std::array numbers{q.x, q.y, q.z, q.w, v.x, v.y, v.z};
    if (motion::all_finite(numbers)) continue;
    return tl::unexpected(
        Error{ErrorCode::bad_argument,
              std::nullopt,
              {},
              fmt::format("bone {} of the skeleton ({}) has a bind pose that is no place", bone,
                          skeleton.bones[bone].name)});
  }
  std::vector<std::optional<std::uint32_t>> parents;
  for (const Bone& bone : skeleton.bones) parents.push_back(bone.parent);
  const auto rootless = motion::first_rootless(parents);
  if (!rootless) return {};
  return tl::unexpected(Error{
      ErrorCode::bad_argument,
      std::nullopt,
      {},
      fmt::format("bone {} of the skeleton ({}) hangs from no root: its parents end outside the {} "
                  "bones or go round in a ring",
                  *rootless, skeleton.bones[*rootless].name, skeleton.bones.size())});
}

}  // namespace

Result<void> check_options(const EncodeOptions& options) {
  struct Named {
    double value;
    bool may_be_zero;  ///< translations are stored exactly, rotations never are
    std::string_view name;
  };
  for (const auto& [value, may_be_zero, name] :
       {Named{options.max_rotation_error, false, "bound on rotations"},
        Named{options.max_translation_error, true, "bound on translations"},
        Named{options.max_object_error, false, "bound in object space"},
        Named{options.vertex_distance, false, "distance of the virtual vertices"},
        Named{options.keep_tolerance, true, "tolerance of kept tracks"}}) {
    if (std::isfinite(value) && (value > 0.0 || (may_be_zero && value == 0.0))) continue;
    return tl::unexpected(Error{ErrorCode::bad_argument,
                                std::nullopt,
                                {},
                                fmt::format("the {} is {}: give a number above 0", name, value)});
  }
  return options.skeleton != nullptr ? check_rig(*options.skeleton) : Result<void>{};
}

}  // namespace mabkit::mab
