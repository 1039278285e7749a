#include "mab/sparse_bone_ids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mabkit/names.hpp>

#include "mab/sparse_layout.hpp"

namespace mabkit::mab {
namespace {

std::optional<std::uint32_t> id_of_bone(const Skeleton& skeleton, std::uint32_t bone,
                                        const BindOptions& options) {
  std::optional<std::uint32_t> id = skeleton.bones[bone].id;
  if (!id && options.order_as_id) id = bone;
  if (!id) return std::nullopt;
  return static_cast<std::uint32_t>(static_cast<std::int64_t>(*id) + options.bone_offset);
}

bool is_named(const Joint& joint) {
  return joint.name || joint.name_hash;
}

}  // namespace

BoneIds find_bone_ids(const Clip& clip, bool has_ids, const Skeleton* skeleton,
                      const BindOptions& options) {
  BoneIds out;
  out.ids.resize(clip.joints.size());
  out.bones.resize(clip.joints.size());
  if (skeleton != nullptr) {
    BindOptions quiet = options;
    quiet.near_names = false;
    out.bones = bind(clip, *skeleton, quiet).bone_of_joint;
  }
  for (std::size_t i = 0; i < clip.joints.size(); ++i) {
    const Joint& joint = clip.joints[i];
    if (out.bones[i] && is_named(joint)) out.ids[i] = id_of_bone(*skeleton, *out.bones[i], options);
    const bool may_take_own = has_ids || skeleton == nullptr || !is_named(joint);
    if (!out.ids[i] && may_take_own) out.ids[i] = joint.id;
  }
  std::vector<bool> moves(clip.joints.size(), false);
  for (const Track& track : clip.tracks) {
    if (track.joint < moves.size()) moves[track.joint] = true;
  }
  for (std::uint32_t i = 0; i < moves.size(); ++i) {
    if (moves[i] && !out.ids[i]) out.unknown.push_back(i);
  }
  out.is_guess = !has_ids && skeleton == nullptr;
  return out;
}

bool has_bone_ids(const Bank& bank, const Clip& clip) {
  if (bank.game && std::any_of(sparse_games.begin(), sparse_games.end(),
                               [&](const auto& row) { return row.game == *bank.game; })) {
    return true;
  }
  for (std::size_t i = 0; i < clip.joints.size(); ++i) {
    if (clip.joints[i].id != i) return true;
  }
  return false;
}

std::string list_joints(const Clip& clip, const std::vector<std::uint32_t>& joints) {
  constexpr std::size_t most_named = 3;
  std::string names;
  for (std::size_t i = 0; i < std::min(joints.size(), most_named); ++i) {
    if (i != 0) names += ", ";
    names += joint_label(clip.joints[joints[i]]);
  }
  if (joints.size() > most_named) names += ", ...";
  return fmt::format("{} {} ({})", joints.size(), joints.size() == 1 ? "joint" : "joints", names);
}

}  // namespace mabkit::mab
