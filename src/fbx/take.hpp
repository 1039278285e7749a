#pragma once

#include <cstddef>
#include <mabkit/imported_motion.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "fbx/imported_scene.hpp"
#include "fbx/joints.hpp"

namespace mabkit::fbx {

/// How places and turns of the file become those of the bank.
struct Space {
  UpAxis up = UpAxis::y;
  double metres_per_unit = 1.0;

  [[nodiscard]] Quat rotation(const Quat& q) const;
  /// `scale` is what the joints above leave to a joint.
  [[nodiscard]] Vec3 translation(const Vec3& v, double scale) const;
};

/// Why a joint can't be read, in words.
[[nodiscard]] std::string refusal(std::string_view joint, std::string_view problem);

/// Reads animation `position`; absent where it moves no joint. The joints are those of
/// `motion.skeleton`, in its order; what was chosen or left out goes to `motion.notices`. Fails
/// with `unsupported` where a joint is scaled in a way that no translation can stand for.
[[nodiscard]] Result<std::optional<Clip>> read_take(const ImportedScene& scene,
                                                    const ImportedJoints& joints,
                                                    std::size_t position, const Space& space,
                                                    ImportedMotion& motion);

}  // namespace mabkit::fbx
