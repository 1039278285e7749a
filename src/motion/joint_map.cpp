#include <algorithm>
#include <mabkit/joint_map.hpp>
#include <mabkit/names.hpp>
#include <unordered_map>

namespace mabkit {
namespace {

/// The entries by the hash of the name that they are for.
class Lookup {
 public:
  explicit Lookup(const JointMap& map) : map_(map), is_used_(map.entries.size()) {
    for (std::size_t i = 0; i < map.entries.size(); ++i) {
      const std::string& from = map.entries[i].from;
      by_hash_.emplace(name_hash(from), i);
      // Joints whose name nobody knows are written by their hash.
      if (const auto hash = hash_from_text(from)) by_hash_.emplace(*hash, i);
    }
  }

  [[nodiscard]] const JointMap::Entry* find(std::optional<std::uint32_t> hash) {
    const auto found = hash ? by_hash_.find(*hash) : by_hash_.end();
    if (found == by_hash_.end()) return nullptr;
    is_used_[found->second] = true;
    return &map_.entries[found->second];
  }

  [[nodiscard]] std::vector<std::string> unused() const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < is_used_.size(); ++i) {
      if (!is_used_[i]) names.push_back(map_.entries[i].from);
    }
    return names;
  }

 private:
  const JointMap& map_;
  std::vector<bool> is_used_;
  std::unordered_map<std::uint32_t, std::size_t> by_hash_;
};

std::optional<std::uint32_t> hash_of(const Joint& joint) {
  if (joint.name_hash) return joint.name_hash;
  return joint.name ? std::optional(name_hash(*joint.name)) : std::nullopt;
}

void rename_joints(Clip& clip, Lookup& lookup) {
  std::vector<bool> is_left_out(clip.joints.size());
  for (std::size_t i = 0; i < clip.joints.size(); ++i) {
    Joint& joint = clip.joints[i];
    const JointMap::Entry* const entry = lookup.find(hash_of(joint));
    if (entry == nullptr) continue;
    if (!entry->to) {
      is_left_out[i] = true;
      continue;
    }
    joint.name = entry->to;
    joint.name_hash = name_hash(*entry->to);
  }
  const auto is_without_joint = [&](const Track& track) { return is_left_out[track.joint]; };
  clip.tracks.erase(std::remove_if(clip.tracks.begin(), clip.tracks.end(), is_without_joint),
                    clip.tracks.end());
}

}  // namespace

std::vector<std::string> apply_joint_map(const JointMap& map, Bank& bank, Skeleton& skeleton) {
  Lookup lookup(map);
  if (!bank.clips.empty()) rename_joints(bank.clips.front(), lookup);
  for (Bone& bone : skeleton.bones) {
    const JointMap::Entry* const entry = lookup.find(bone.name_hash);
    if (entry == nullptr || !entry->to) continue;
    bone.name = *entry->to;
    bone.name_hash = name_hash(bone.name);
  }
  return lookup.unused();
}

}  // namespace mabkit
