#include <fmt/format.h>

#include <cstdint>
#include <mabkit/joint_map.hpp>
#include <mabkit/names.hpp>
#include <set>
#include <utility>

namespace mabkit {
namespace {

constexpr std::uint32_t left_out = 0xFFFFFFFF;

/// New positions of the joints that stay; `left_out` for the others.
std::vector<std::uint32_t> new_positions(const Clip& clip, const JointMap& map) {
  std::vector<std::uint32_t> positions;
  std::uint32_t next = 0;
  for (const Joint& joint : clip.joints) {
    const auto* const target = map.find(joint);
    const bool stays = target == nullptr || target->has_value();
    positions.push_back(stays ? next++ : left_out);
  }
  return positions;
}

/// The nearest joint at or above `joint` that stays, by its new position. A cycle of parents ends.
std::optional<std::uint32_t> staying(const Clip& clip, const std::vector<std::uint32_t>& positions,
                                     std::optional<std::uint32_t> joint) {
  for (std::size_t steps = 0; joint && steps < positions.size(); ++steps) {
    if (*joint >= positions.size()) return std::nullopt;
    if (positions[*joint] != left_out) return positions[*joint];
    joint = clip.joints[*joint].parent;
  }
  return std::nullopt;
}

void note_known(const JointMap& map, const Joint& joint, std::set<std::string>& known) {
  if (joint.name && map.targets.contains(*joint.name)) known.insert(*joint.name);
  if (joint.name_hash) known.insert(hash_text(*joint.name_hash));
}

Joint as_joint(const Bone& bone) {
  Joint joint;
  joint.name = bone.name;
  joint.name_hash = bone.name_hash;
  return joint;
}

}  // namespace

const std::optional<std::string>* JointMap::find(const Joint& joint) const {
  if (joint.name) {
    if (const auto found = targets.find(*joint.name); found != targets.end()) return &found->second;
  }
  if (joint.name_hash) {
    const auto found = targets.find(hash_text(*joint.name_hash));
    if (found != targets.end()) return &found->second;
  }
  return nullptr;
}

void rename_joints(Clip& clip, const JointMap& map) {
  const std::vector<std::uint32_t> positions = new_positions(clip, map);
  std::vector<Joint> joints;
  for (std::size_t i = 0; i < clip.joints.size(); ++i) {
    if (positions[i] == left_out) continue;
    Joint joint = clip.joints[i];
    joint.parent = staying(clip, positions, joint.parent);
    if (const auto* const target = map.find(clip.joints[i])) {
      joint.name = **target;
      joint.name_hash = name_hash(**target);
    }
    joints.push_back(std::move(joint));
  }
  std::vector<Track> tracks;
  for (Track track : clip.tracks) {
    if (track.joint >= positions.size() || positions[track.joint] == left_out) continue;
    track.joint = positions[track.joint];
    tracks.push_back(track);
  }
  clip.joints = std::move(joints);
  clip.tracks = std::move(tracks);
}

void rename_bones(Skeleton& skeleton, const JointMap& map) {
  for (Bone& bone : skeleton.bones) {
    const auto* const target = map.find(as_joint(bone));
    if (target == nullptr || !*target) continue;
    bone.name = **target;
    bone.name_hash = name_hash(**target);
  }
}

std::vector<Diagnostic> apply_joint_map(const JointMap& map, ImportedMotion& motion) {
  std::set<std::string> known;
  for (const Bone& bone : motion.skeleton.bones) note_known(map, as_joint(bone), known);
  for (std::size_t i = 0; i < motion.bank.clips.size(); ++i) {
    Clip& clip = motion.bank.clips[i];
    if (i == 0 || motion.are_takes) {
      for (const Joint& joint : clip.joints) note_known(map, joint, known);
      rename_joints(clip, map);
    } else if (clip.parent) {
      const auto target = map.targets.find(*clip.parent);
      if (target != map.targets.end() && target->second) clip.parent = target->second;
    }
  }
  rename_bones(motion.skeleton, map);

  std::vector<Diagnostic> notices;
  for (const auto& [source, target] : map.targets) {
    const auto hash = source.starts_with("0x") ? hash_from_text(source) : std::nullopt;
    if (known.contains(hash ? hash_text(*hash) : source)) continue;
    notices.push_back({std::nullopt, source, "the map names a joint that the file does not have"});
  }
  return notices;
}

}  // namespace mabkit
