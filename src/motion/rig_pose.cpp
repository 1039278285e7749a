#include "motion/rig_pose.hpp"

#include <algorithm>

namespace mabkit::motion {

RigPose::RigPose(const Skeleton& skeleton)
    : order(parents_first(skeleton.bones)),
      parents(skeleton.bones.size()),
      first_(skeleton.bones.size()),
      end_(skeleton.bones.size()) {
  for (const Bone& bone : skeleton.bones) {
    local.push_back({precise(bone.rotation), precise(bone.translation)});
  }
  object = local;
  for (const std::uint32_t bone : order) {
    parents[bone] = skeleton.bones[bone].parent;
    if (const auto parent = parents[bone]) object[bone] = object[*parent] * local[bone];
  }

  // How many bones hang from each, itself included; then where each subtree starts.
  std::vector<std::uint32_t> sizes(skeleton.bones.size(), 1);
  for (std::size_t i = order.size(); i-- > 0;) {
    if (const auto parent = parents[order[i]]) sizes[*parent] += sizes[order[i]];
  }
  std::uint32_t next_root = 0;
  std::vector<std::uint32_t> next(skeleton.bones.size());
  const auto place = [&](std::uint32_t bone) {
    std::uint32_t& start = parents[bone] ? next[*parents[bone]] : next_root;
    first_[bone] = start;
    end_[bone] = start + sizes[bone];
    next[bone] = start + 1;
    start += sizes[bone];
  };
  std::vector<bool> is_placed(skeleton.bones.size());
  for (const std::uint32_t bone : order) {
    place(bone);
    is_placed[bone] = true;
  }
  for (std::uint32_t bone = 0; bone < skeleton.bones.size(); ++bone) {
    if (!is_placed[bone]) place(bone);
  }
}

double height_over(const RigPose& pose, std::uint32_t bone,
                   const std::vector<std::uint32_t>& others) {
  double ground = pose.object[bone].origin.z;
  for (const std::uint32_t other : others) {
    ground = std::min(ground, pose.object[other].origin.z);
  }
  return pose.object[bone].origin.z - ground;
}

}  // namespace mabkit::motion
