#include "convert/carry_over.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mabkit/file.hpp>
#include <mabkit/names.hpp>
#include <unordered_set>

#include "convert/listed.hpp"

namespace mabkit::conversion {
namespace {

/// Joints take the names and ids of the target's bones; values stay as they are.
RetargetMatch carry_raw(Clip& clip, const Rig& target, const ConvertOptions& options) {
  RetargetMatch match{target.file, 0, {}, 1.0};
  const Binding binding = bind(clip, target.skeleton, options.scene.bind);
  name_joints(clip, target.skeleton, binding);
  match.matched = binding.matched;
  for (std::uint32_t joint = 0; joint < clip.joints.size(); ++joint) {
    const auto bone = binding.bone_of_joint[joint];
    Joint& of = clip.joints[joint];
    if (bone) {
      of.id = target.skeleton.bones[*bone].id.value_or(of.id);
    } else {
      match.left_out.push_back(joint_label(of));
    }
  }
  return match;
}

}  // namespace

RetargetMatch carry_over(Bank& bank, const RigChoice& rigs, const ConvertOptions& options,
                         std::vector<Diagnostic>& warnings) {
  Clip& clip = bank.clips[rigs.clip];
  RetargetMatch match;
  if (!options.retarget || rigs.source == nullptr) {
    match = carry_raw(clip, *rigs.target, options);
  } else {
    const Binding binding = bind(clip, *rigs.source, options.scene.bind);
    Retargeted carried = retarget(clip, *rigs.source, binding, rigs.target->skeleton);
    clip = std::move(carried.clip);
    match = {rigs.target->file, carried.matched, std::move(carried.left_out), carried.scale};
  }
  if (!match.left_out.empty()) {
    const bool is_one = match.left_out.size() == 1;
    const std::string_view fate = !options.retarget ? ""
                                  : is_one          ? " and is left out"
                                                    : " and are left out";
    warnings.push_back(
        {std::nullopt, fmt::format("clip[{}]", rigs.clip),
         fmt::format("{} {} no bone of that name in {}{}: {}; --map FILE says which bone a joint "
                     "means",
                     match.left_out.size(), is_one ? "joint has" : "joints have",
                     path_text(match.rig.filename()), fate, listed(match.left_out))});
  }
  return match;
}

const Rig* best_target(const Skeleton& skeleton, const ConvertOptions& options) {
  std::unordered_set<std::uint32_t> hashes;
  for (const Bone& bone : skeleton.bones) hashes.insert(bone.name_hash);
  const Rig* best = nullptr;
  std::ptrdiff_t most = 0;
  for (const Rig& rig : options.rigs) {
    const auto& bones = rig.skeleton.bones;
    const auto shared = std::count_if(bones.begin(), bones.end(), [&](const Bone& bone) {
      return hashes.contains(bone.name_hash);
    });
    if (shared <= most) continue;
    most = shared;
    best = &rig;
  }
  return best;
}

}  // namespace mabkit::conversion
