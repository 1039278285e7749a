#include <mabkit/skeleton.hpp>

#include "motion/hierarchy.hpp"

namespace mabkit {

std::vector<std::uint32_t> parents_first(std::span<const Bone> bones) {
  std::vector<std::optional<std::uint32_t>> parents;
  parents.reserve(bones.size());
  for (const Bone& bone : bones) parents.push_back(bone.parent);
  return motion::parents_first(parents);
}

void name_joints(Clip& clip, const Skeleton& skeleton, const Binding& binding) {
  std::vector<std::optional<std::uint32_t>> joint_of_bone(skeleton.bones.size());
  for (std::uint32_t joint = 0; joint < binding.bone_of_joint.size(); ++joint) {
    if (const auto bone = binding.bone_of_joint[joint]) joint_of_bone[*bone] = joint;
  }
  // For each bone the joint of the nearest matched bone from itself upwards.
  std::vector<std::optional<std::uint32_t>> nearest(skeleton.bones.size());
  for (const std::uint32_t position : parents_first(skeleton.bones)) {
    const Bone& bone = skeleton.bones[position];
    const auto above = bone.parent ? nearest[*bone.parent] : std::nullopt;
    nearest[position] = joint_of_bone[position] ? joint_of_bone[position] : above;
    if (!joint_of_bone[position]) continue;
    Joint& joint = clip.joints[*joint_of_bone[position]];
    joint.name = bone.name;
    if (!joint.name_hash) joint.name_hash = bone.name_hash;
    joint.parent = above;
  }
}

}  // namespace mabkit
