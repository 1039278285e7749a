#include <algorithm>
#include <mabkit/names.hpp>
#include <mabkit/skeleton.hpp>
#include <unordered_map>

#include "motion/bone_spelling.hpp"
#include "motion/near_names.hpp"

namespace mabkit {
namespace {

using Positions = std::unordered_map<std::int64_t, std::uint32_t>;

/// What a joint is looked up by.
std::optional<std::uint32_t> hash_of(const Joint& joint) {
  if (joint.name_hash) return joint.name_hash;
  if (joint.name) return name_hash(*joint.name);
  return std::nullopt;
}

Positions bones_by_hash(const Skeleton& skeleton) {
  Positions positions;
  for (std::uint32_t i = 0; i < skeleton.bones.size(); ++i) {
    positions.emplace(skeleton.bones[i].name_hash, i);
  }
  return positions;
}

Positions bones_by_id(const Skeleton& skeleton, bool order_as_id) {
  Positions positions;
  for (std::uint32_t i = 0; i < skeleton.bones.size(); ++i) {
    if (const auto id = skeleton.bones[i].id) positions.emplace(*id, i);
  }
  if (!positions.empty() || !order_as_id) return positions;
  for (std::uint32_t i = 0; i < skeleton.bones.size(); ++i) positions.emplace(i, i);
  return positions;
}

/// Proposes bones for joints that have none.
class Proposals {
 public:
  static constexpr std::size_t most = 3;

  explicit Proposals(const Skeleton& skeleton) : skeleton_(&skeleton), near_(names_of(skeleton)) {
    for (std::uint32_t i = 0; i < skeleton.bones.size(); ++i) {
      for (const std::string& spelling : motion::spellings(skeleton.bones[i].name)) {
        by_spelling_.emplace(name_hash(spelling), i);
      }
    }
  }

  [[nodiscard]] std::vector<std::string> of(const Joint& joint) const {
    std::vector<std::string> names;
    if (const auto hash = hash_of(joint)) {
      const auto found = by_spelling_.find(*hash);
      if (found != by_spelling_.end()) names.push_back(skeleton_->bones[found->second].name);
    }
    if (!joint.name) return names;
    for (std::string& name : near_.find(*joint.name, most)) {
      if (names.size() == most) break;
      if (std::find(names.begin(), names.end(), name) == names.end()) {
        names.push_back(std::move(name));
      }
    }
    return names;
  }

 private:
  static std::vector<std::string> names_of(const Skeleton& skeleton) {
    std::vector<std::string> names;
    names.reserve(skeleton.bones.size());
    for (const Bone& bone : skeleton.bones) names.push_back(bone.name);
    return names;
  }

  const Skeleton* skeleton_;
  motion::NearNames near_;
  Positions by_spelling_;
};

void propose(Binding& binding, const Clip& clip, const Skeleton& skeleton) {
  const bool can_propose =
      std::any_of(binding.unmatched.begin(), binding.unmatched.end(),
                  [&clip](const auto& missing) { return hash_of(clip.joints[missing.joint]); });
  if (!can_propose) return;
  const Proposals proposals(skeleton);
  for (auto& missing : binding.unmatched) {
    missing.near_names = proposals.of(clip.joints[missing.joint]);
  }
}

}  // namespace

Binding bind(const Clip& clip, const Skeleton& skeleton, const BindOptions& options) {
  const Positions by_hash = bones_by_hash(skeleton);
  const Positions by_id = bones_by_id(skeleton, options.order_as_id);
  std::vector<bool> is_taken(skeleton.bones.size(), false);

  Binding binding;
  binding.bone_of_joint.resize(clip.joints.size());
  for (std::uint32_t i = 0; i < clip.joints.size(); ++i) {
    const Joint& joint = clip.joints[i];
    const auto hash = hash_of(joint);
    const Positions& positions = hash ? by_hash : by_id;
    const std::int64_t key =
        hash ? std::int64_t{*hash} : std::int64_t{joint.id} - options.bone_offset;
    if (!hash && by_id.empty()) binding.rig_lacks_ids = true;

    const auto found = positions.find(key);
    if (found == positions.end() || is_taken[found->second]) {
      binding.unmatched.push_back({i, {}});
      continue;
    }
    is_taken[found->second] = true;
    binding.bone_of_joint[i] = found->second;
    ++binding.matched;
  }
  if (options.near_names) propose(binding, clip, skeleton);
  return binding;
}

}  // namespace mabkit
