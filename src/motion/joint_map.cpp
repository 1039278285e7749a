#include <algorithm>
#include <charconv>
#include <mabkit/joint_map.hpp>
#include <mabkit/names.hpp>
#include <unordered_map>

namespace mabkit {
namespace {

/// The number that a text is, digits and nothing else.
std::optional<std::uint32_t> number_in(std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// The entries by the hash of the name that they are for, or by the number of the joint.
class Lookup {
 public:
  explicit Lookup(const JointMap& map) : map_(map), is_used_(map.entries.size()) {
    for (std::size_t i = 0; i < map.entries.size(); ++i) {
      const std::string& from = map.entries[i].from;
      by_hash_.emplace(name_hash(from), i);
      // Joints whose name nobody knows are written by their hash.
      if (const auto hash = hash_from_text(from)) by_hash_.emplace(*hash, i);
      if (const auto number = number_in(from)) by_number_.emplace(*number, i);
    }
  }

  [[nodiscard]] const JointMap::Entry* find_hash(std::uint32_t hash) {
    return find(by_hash_, hash);
  }
  [[nodiscard]] const JointMap::Entry* find_number(std::uint32_t number) {
    return find(by_number_, number);
  }

  [[nodiscard]] std::vector<std::string> unused() const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < is_used_.size(); ++i) {
      if (!is_used_[i]) names.push_back(map_.entries[i].from);
    }
    return names;
  }

 private:
  using Positions = std::unordered_map<std::uint32_t, std::size_t>;

  [[nodiscard]] const JointMap::Entry* find(const Positions& positions, std::uint32_t key) {
    const auto found = positions.find(key);
    if (found == positions.end()) return nullptr;
    is_used_[found->second] = true;
    return &map_.entries[found->second];
  }

  const JointMap& map_;
  std::vector<bool> is_used_;
  Positions by_hash_;
  Positions by_number_;
};

using NumberedEntries = std::unordered_map<std::uint32_t, const JointMap::Entry*>;

std::optional<std::uint32_t> hash_of(const Joint& joint) {
  if (joint.name_hash) return joint.name_hash;
  return joint.name ? std::optional(name_hash(*joint.name)) : std::nullopt;
}

/// Returns the entries that renamed joints by their number.
NumberedEntries rename_joints(Clip& clip, Lookup& lookup) {
  NumberedEntries numbered;
  std::vector<bool> is_left_out(clip.joints.size());
  for (std::size_t i = 0; i < clip.joints.size(); ++i) {
    Joint& joint = clip.joints[i];
    const auto hash = hash_of(joint);
    const JointMap::Entry* const entry =
        hash ? lookup.find_hash(*hash) : lookup.find_number(joint.id);
    if (entry == nullptr) continue;
    if (!hash) numbered.emplace(joint.id, entry);
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
  return numbered;
}

}  // namespace

std::vector<std::string> apply_joint_map(const JointMap& map, Bank& bank, Skeleton& skeleton) {
  Lookup lookup(map);
  NumberedEntries numbered;
  if (!bank.clips.empty()) numbered = rename_joints(bank.clips.front(), lookup);
  for (Bone& bone : skeleton.bones) {
    // A joint that goes by number goes by it in its rig, too.
    const auto by_number = bone.id ? numbered.find(*bone.id) : numbered.end();
    const JointMap::Entry* const entry =
        by_number != numbered.end() ? by_number->second : lookup.find_hash(bone.name_hash);
    if (entry == nullptr || !entry->to) continue;
    bone.name = *entry->to;
    bone.name_hash = name_hash(bone.name);
  }
  return lookup.unused();
}

}  // namespace mabkit
