#include "mab/sparse_joints.hpp"

#include <algorithm>

namespace mabkit::mab {
namespace {

/// Bones of the tracks that a kind's section holds: the mask's first ones where it names more.
std::vector<std::uint32_t> stored_bones(const SparseClip& clip, MaskKind kind) {
  std::vector<std::uint32_t> bones = clip.mask(kind).bones();
  if (bones.size() > clip.stored(kind)) bones.resize(clip.stored(kind));
  return bones;
}

MaskKind keyed_rival(MaskKind kind) {
  return kind == MaskKind::constant_rotation ? MaskKind::keyed_rotation
                                             : MaskKind::animated_translation;
}

bool is_constant(MaskKind kind) {
  return kind == MaskKind::constant_rotation || kind == MaskKind::constant_translation;
}

SparseJoints raw_joints(const SparseClip& clip) {
  SparseJoints joints;
  for (const MaskKind kind : all_mask_kinds) {
    auto& tracks = joints.joint_of[static_cast<std::size_t>(kind)];
    for (std::uint32_t track = 0; track < clip.stored(kind); ++track) {
      tracks.emplace_back(static_cast<std::uint32_t>(joints.ids.size()));
      joints.ids.push_back(track);
    }
  }
  return joints;
}

}  // namespace

std::uint32_t SparseJoints::driven(MaskKind kind) const {
  return static_cast<std::uint32_t>(
      std::count_if(tracks(kind).begin(), tracks(kind).end(),
                    [](const auto& joint) { return joint.has_value(); }));
}

SparseJoints joints_of(const SparseClip& clip) {
  if (!clip.has_masks()) return raw_joints(clip);

  std::array<std::vector<std::uint32_t>, mask_kind_count> bones;
  SparseJoints joints;
  std::vector<std::uint32_t> named;
  for (const MaskKind kind : all_mask_kinds) {
    auto& stored = bones[static_cast<std::size_t>(kind)];
    stored = stored_bones(clip, kind);
    joints.ids.insert(joints.ids.end(), stored.begin(), stored.end());
    const auto all = clip.mask(kind).bones();
    named.insert(named.end(), all.begin(), all.end());
  }
  const auto make_set = [](std::vector<std::uint32_t>& ids) {
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  };
  make_set(joints.ids);
  make_set(named);
  joints.undriven = static_cast<std::uint32_t>(named.size() - joints.ids.size());

  for (const MaskKind kind : all_mask_kinds) {
    auto& tracks = joints.joint_of[static_cast<std::size_t>(kind)];
    for (const std::uint32_t bone : bones[static_cast<std::size_t>(kind)]) {
      const auto& rival = bones[static_cast<std::size_t>(keyed_rival(kind))];
      if (is_constant(kind) && std::binary_search(rival.begin(), rival.end(), bone)) {
        tracks.emplace_back(std::nullopt);
        continue;
      }
      const auto joint = std::lower_bound(joints.ids.begin(), joints.ids.end(), bone);
      tracks.emplace_back(static_cast<std::uint32_t>(joint - joints.ids.begin()));
    }
  }
  return joints;
}

}  // namespace mabkit::mab
