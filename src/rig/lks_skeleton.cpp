#include <fmt/format.h>

#include <mabkit/names.hpp>
#include <mabkit/rig.hpp>
#include <vector>

#include "motion/hierarchy.hpp"
#include "rig/bind_pose.hpp"
#include "rig/lks_format.hpp"

namespace mabkit {
namespace {

std::vector<std::optional<std::uint32_t>> parents_of(const std::vector<LksBone>& bones) {
  std::vector<std::optional<std::uint32_t>> parents(bones.size());
  for (std::size_t i = 0; i < bones.size(); ++i) {
    if (bones[i].parent != lks_none) parents[i] = bones[i].parent;
  }
  return parents;
}

}  // namespace

namespace rig {

std::optional<LksFault> fault_of(const LksBone& bone, std::size_t position, std::size_t count) {
  if (bone.id != position) {
    return LksFault{"id",
                    fmt::format("is {}, but the bone stands at position {}", bone.id, position)};
  }
  if (bone.parent != lks_none && bone.parent >= count) {
    return LksFault{"parent", fmt::format("is {}, but there are {} bones", bone.parent, count)};
  }
  return std::nullopt;
}

std::optional<std::size_t> bone_without_root(const std::vector<LksBone>& bones) {
  return motion::first_rootless(parents_of(bones));
}

std::vector<motion::Links> links_of(const std::vector<LksBone>& bones) {
  return motion::links_from_parents(parents_of(bones));
}

}  // namespace rig

LksText lks_text(std::string text) {
  return {name_hash(text), std::move(text)};
}

void derive_links(LksSkeleton& skeleton) {
  const auto links = rig::links_of(skeleton.bones);
  for (std::size_t i = 0; i < links.size(); ++i) {
    skeleton.bones[i].first_child = rig::stored_link(links[i].first_child);
    skeleton.bones[i].next_sibling = rig::stored_link(links[i].next_sibling);
  }
}

Skeleton to_skeleton(const LksSkeleton& skeleton) {
  Skeleton out{"skeleton", {}, skeleton.diagnostics};
  out.bones.reserve(skeleton.bones.size());
  for (const LksBone& stored : skeleton.bones) {
    Bone& bone = out.bones.emplace_back();
    bone.name = rig::readable_name(stored.name.text);
    bone.name_hash = name_hash(stored.name.text);
    bone.id = stored.id;
    if (stored.parent < skeleton.bones.size()) bone.parent = stored.parent;
    bone.rotation = rig::usable_rotation(stored.rotation);
    if (rig::is_finite(stored.offset)) bone.translation = stored.offset;
    bone.animated_translation = stored.animated_translation != 0;
  }
  return out;
}

}  // namespace mabkit
