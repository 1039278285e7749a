#pragma once

#include <cstdint>
#include <mabkit/bank.hpp>
#include <mabkit/imported_motion.hpp>
#include <mabkit/limits.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gltf/bank_record.hpp"
#include "gltf/joint_curves.hpp"
#include "gltf/source_animation.hpp"

namespace mabkit::gltf {

/// Everything of a file that clips are made of.
struct MotionSource {
  SourceRig rig;
  std::vector<std::uint32_t> joints;  ///< nodes of the rig, in its order
  std::vector<SourceAnimation> animations;
  ReadLimits limits;
};

/// Who the rig's joints are, one a node of `joints`: by their `extras`, else by their names, of
/// which `0x1234abcd` is a hash. `bone_12` is an id where all names are of that kind. `.001`, which
/// Blender adds, is taken off where no joint has the name without it. Parents are positions in
/// `joints`; an id that is not known is the position.
[[nodiscard]] std::vector<Joint> identify_joints(const SourceRig& rig,
                                                 const std::vector<std::uint32_t>& joints);

/// The rig in its rest pose. `identities` has one entry a joint.
[[nodiscard]] Skeleton rest_skeleton(const MotionSource& source,
                                     const std::vector<Joint>& identities);

/// The name without the `.001` that Blender adds to one that is taken.
[[nodiscard]] std::string_view without_number(std::string_view name);

/// Whether the node itself carries root motion.
[[nodiscard]] bool carries_root_motion(std::string_view name);

/// Appends a curve's keys to the clip's buffers; times that are those of the clip's last curve are
/// shared.
[[nodiscard]] Keys append_keys(Clip& clip, const LinearCurve& curve);

/// A clip an animation, all of them on the file's rig.
[[nodiscard]] Result<void> read_takes(const MotionSource& source, ImportedMotion& out);

/// The bank that the file was made of, with what was changed since.
[[nodiscard]] Result<void> read_recorded_bank(const MotionSource& source, BankRecord record,
                                              ImportedMotion& out);

}  // namespace mabkit::gltf
