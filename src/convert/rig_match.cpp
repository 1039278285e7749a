#include "convert/rig_match.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace mabkit::conversion {
namespace {

constexpr std::size_t most_listed = 8;  // joints that a warning names before it says "and N more"

RigMatch to_match(const Clip& clip, const Binding& binding, std::size_t rig) {
  RigMatch match{rig, binding.matched, {}};
  for (const Binding::Unmatched& unmatched : binding.unmatched) {
    const Joint& joint = clip.joints[unmatched.joint];
    match.unmatched.push_back(
        {unmatched.joint, joint.id, joint.name_hash, joint.name, unmatched.near_names});
  }
  return match;
}

std::string text_of(const UnmatchedJoint& joint) {
  std::string text = joint.name   ? *joint.name
                     : joint.hash ? hash_text(*joint.hash)
                                  : fmt::format("id {}", joint.id);
  if (!joint.near_names.empty()) {
    text += fmt::format(" (near: {})", fmt::join(joint.near_names, ", "));
  }
  return text;
}

std::string list_of(const std::vector<UnmatchedJoint>& joints) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(joints.size(), most_listed); ++i) {
    texts.push_back(text_of(joints[i]));
  }
  if (joints.size() > most_listed) {
    texts.push_back(fmt::format("and {} more", joints.size() - most_listed));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

/// Whether joints are found by id, in a rig that has none.
bool lacks_ids(const Clip& clip, const Skeleton& skeleton) {
  const bool clip_has_hashes = std::any_of(clip.joints.begin(), clip.joints.end(),
                                           [](const Joint& joint) { return joint.name_hash; });
  const bool rig_has_ids = std::any_of(skeleton.bones.begin(), skeleton.bones.end(),
                                       [](const Bone& bone) { return bone.id.has_value(); });
  return !clip_has_hashes && !rig_has_ids;
}

}  // namespace

std::optional<RigMatch> match_rig(const Bank& bank, const ConvertOptions& options) {
  std::optional<RigMatch> best;
  if (bank.clips.empty()) return best;
  for (std::size_t i = 0; i < options.rigs.size(); ++i) {
    const Binding binding = bind(bank.clips[0], options.rigs[i].skeleton, options.gltf.bind);
    if (!best || binding.matched > best->matched) best = to_match(bank.clips[0], binding, i);
  }
  return best;
}

std::vector<Diagnostic> describe_match(const Bank& bank, const RigMatch& match,
                                       const ConvertOptions& options) {
  std::vector<Diagnostic> found;
  const Rig& rig = options.rigs[match.rig];
  const Clip& clip = bank.clips[0];
  const std::string rig_name = rig.file.filename().string();
  const auto say = [&](std::string message) {
    found.push_back({std::nullopt, "clip[0]", std::move(message)});
  };

  if (lacks_ids(clip, rig.skeleton)) {
    if (options.gltf.bind.order_as_id) {
      say(fmt::format("joints are matched by the order of the bones in {}, which is a guess",
                      rig_name));
    } else {
      say(
          fmt::format("names its joints by skeleton id, and {} has no ids: give the .skeleton of "
                      "the character, or --bone-order to take the order of the bones for their "
                      "ids (a guess)",
                      rig_name));
      return found;
    }
  }
  if (!match.unmatched.empty()) {
    say(fmt::format("{} of {} joints are not in {}: {}", match.unmatched.size(), clip.joints.size(),
                    rig_name, list_of(match.unmatched)));
  }
  return found;
}

}  // namespace mabkit::conversion
