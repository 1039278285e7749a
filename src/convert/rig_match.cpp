#include "convert/rig_match.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mabkit/file.hpp>

#include "convert/listed.hpp"

namespace mabkit::conversion {
namespace {

RigMatch to_match(const Clip& clip, const Binding& binding) {
  RigMatch match;
  match.joints = clip.joints.size();
  match.rig_lacks_ids = binding.rig_lacks_ids;
  match.matched = binding.matched;
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
  for (const UnmatchedJoint& joint : joints) texts.push_back(text_of(joint));
  return listed(texts);
}

/// Whether the user's guess decides: joints without a hash, in a rig without ids.
bool goes_by_order(const Clip& clip, const Skeleton& skeleton, const BindOptions& options) {
  return options.order_as_id &&
         std::any_of(clip.joints.begin(), clip.joints.end(),
                     [](const Joint& joint) { return !joint.name_hash && !joint.name; }) &&
         std::none_of(skeleton.bones.begin(), skeleton.bones.end(),
                      [](const Bone& bone) { return bone.id.has_value(); });
}

}  // namespace

std::optional<RigMatch> match_rig(const Bank& bank, std::uint32_t index,
                                  const ConvertOptions& options) {
  std::optional<RigMatch> best;
  const Clip& clip = bank.clips[index];
  for (std::size_t i = 0; i < options.rigs.size(); ++i) {
    const Binding binding = bind(clip, options.rigs[i].skeleton, options.scene.bind);
    if (best && binding.matched <= best->matched) continue;
    best = to_match(clip, binding);
    best->rig = i;
    best->clip = index;
  }
  return best;
}

std::vector<Diagnostic> describe_match(const Bank& bank, const RigMatch& match,
                                       const ConvertOptions& options) {
  std::vector<Diagnostic> found;
  const Skeleton& skeleton = options.rigs[match.rig].skeleton;
  const std::string rig_name = path_text(options.rigs[match.rig].file.filename());
  const auto say = [&](std::string message) {
    found.push_back({std::nullopt, fmt::format("clip[{}]", match.clip), std::move(message)});
  };

  if (match.rig_lacks_ids) {
    say(
        fmt::format("names its joints by skeleton id, and {} has no ids: give the .skeleton of the "
                    "character, or --bone-order to take the order of the bones for their ids (a "
                    "guess)",
                    rig_name));
    return found;
  }
  if (goes_by_order(bank.clips[match.clip], skeleton, options.scene.bind)) {
    say(fmt::format("joints are matched by the order of the bones in {}, which is a guess",
                    rig_name));
  }
  if (!match.unmatched.empty()) {
    say(fmt::format("{} of {} joints are not in {}: {}", match.unmatched.size(), match.joints,
                    rig_name, list_of(match.unmatched)));
  }
  return found;
}

}  // namespace mabkit::conversion
