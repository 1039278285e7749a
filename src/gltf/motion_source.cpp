#include "gltf/motion_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <mabkit/names.hpp>
#include <unordered_set>

#include "scene/axes.hpp"
#include "scene/tree.hpp"

namespace mabkit::gltf {
namespace {

/// The number in `bone_12`, which build_gltf calls joints that have an id and nothing else.
std::optional<std::uint32_t> id_in_name(std::string_view name) {
  constexpr std::string_view prefix = "bone_";
  constexpr std::size_t most_digits = 9;
  if (!name.starts_with(prefix)) return std::nullopt;
  name.remove_prefix(prefix.size());
  if (name.empty() || name.size() > most_digits) return std::nullopt;
  std::uint32_t id = 0;
  for (const char c : name) {
    if (c < '0' || c > '9') return std::nullopt;
    id = 10 * id + static_cast<std::uint32_t>(c - '0');
  }
  return id;
}

/// The hash in `0x1234abcd`.
std::optional<std::uint32_t> hash_in_name(std::string_view name) {
  constexpr std::size_t length = 10;
  if (name.size() != length || !name.starts_with("0x")) return std::nullopt;
  return hash_from_text(name);
}

std::string node_name(const SourceRig& rig, std::uint32_t node) {
  const std::string& name = rig.nodes[node].name;
  return name.empty() ? fmt::format("node_{}", node) : name;
}

/// Names as their owner gave them.
std::vector<std::string> own_names(const SourceRig& rig, const std::vector<std::uint32_t>& joints) {
  std::unordered_set<std::string> taken;
  for (const std::uint32_t node : joints) taken.insert(node_name(rig, node));
  std::vector<std::string> names;
  for (const std::uint32_t node : joints) {
    std::string name = node_name(rig, node);
    std::string bare(without_number(name));
    const bool is_free = !bare.empty() && bare != name && taken.insert(bare).second;
    names.push_back(is_free ? std::move(bare) : std::move(name));
  }
  return names;
}

Joint identify(const SourceNode& node, const std::string& name, bool has_ids_in_names) {
  Joint joint;
  joint.name_hash = extra_hash(node, "hash");
  const std::optional<std::uint32_t> id = extra_number(node, "id");
  const bool is_numbered = id_in_name(name) && (id ? *id == *id_in_name(name) : has_ids_in_names);
  if (is_numbered && !joint.name_hash) return joint;
  if (const auto hash = hash_in_name(name)) {
    if (!joint.name_hash) joint.name_hash = hash;
    if (joint.name_hash == hash) return joint;
  }
  joint.name = name;
  if (!joint.name_hash) joint.name_hash = name_hash(name);
  return joint;
}

/// Positions in `joints` by node.
std::vector<std::uint32_t> positions_of(const SourceRig& rig,
                                        const std::vector<std::uint32_t>& joints) {
  std::vector<std::uint32_t> out(rig.nodes.size(), no_node);
  for (std::size_t i = 0; i < joints.size(); ++i) out[joints[i]] = static_cast<std::uint32_t>(i);
  return out;
}

}  // namespace

std::string_view without_number(std::string_view name) {
  constexpr std::size_t length = 4;  // .001
  if (name.size() <= length || name[name.size() - length] != '.') return name;
  for (const char c : name.substr(name.size() - length + 1)) {
    if (c < '0' || c > '9') return name;
  }
  return name.substr(0, name.size() - length);
}

bool carries_root_motion(std::string_view name) {
  return is_root_motion(name) && name.ends_with(scene::root_motion_name);
}

std::vector<Joint> identify_joints(const SourceRig& rig, const std::vector<std::uint32_t>& joints) {
  const std::vector<std::string> names = own_names(rig, joints);
  const bool has_ids_in_names =
      std::all_of(names.begin(), names.end(),
                  [](const std::string& name) { return id_in_name(name) || hash_in_name(name); });
  const std::vector<std::uint32_t> position = positions_of(rig, joints);
  std::vector<Joint> out;
  for (std::uint32_t i = 0; i < joints.size(); ++i) {
    const SourceNode& node = rig.nodes[joints[i]];
    Joint joint = identify(node, names[i], has_ids_in_names);
    const auto id_of_name = has_ids_in_names ? id_in_name(names[i]) : std::nullopt;
    joint.id = extra_number(node, "id").value_or(id_of_name.value_or(i));
    auto above = rig.frames.of_node[joints[i]]->parent;
    while (above && position[*above] == no_node) above = rig.frames.of_node[*above]->parent;
    if (above) joint.parent = position[*above];
    out.push_back(std::move(joint));
  }
  return out;
}

Skeleton rest_skeleton(const MotionSource& source, const std::vector<Joint>& identities) {
  Skeleton skeleton;
  skeleton.source = "gltf";
  const std::vector<std::string> names = own_names(source.rig, source.joints);
  for (std::size_t i = 0; i < source.joints.size(); ++i) {
    const SourceNode& node = source.rig.nodes[source.joints[i]];
    const Transform rest = rest_of(source.rig, source.joints[i]);
    Bone bone;
    bone.name = names[i];
    bone.name_hash = identities[i].name_hash.value_or(name_hash(names[i]));
    bone.id = extra_number(node, "id");
    bone.parent = identities[i].parent;
    bone.rotation = rest.rotation;
    bone.translation = rest.translation;
    if (bone.id || extra(node, "hash") != nullptr) bone.scale = scene::swap_scale(node.trs.scale);
    const Json* const moves = extra(node, "animated_translation");
    if (moves != nullptr && moves->is_boolean()) bone.animated_translation = moves->get<bool>();
    skeleton.bones.push_back(std::move(bone));
  }
  return skeleton;
}

Keys append_keys(Clip& clip, const LinearCurve& curve) {
  Keys keys;
  keys.count = static_cast<std::uint32_t>(curve.count());
  const std::size_t shared = clip.times.size() - std::min(clip.times.size(), curve.count());
  const bool is_shared = clip.times.size() >= curve.count() &&
                         std::equal(curve.times.begin(), curve.times.end(),
                                    clip.times.begin() + static_cast<std::ptrdiff_t>(shared));
  keys.first_time = is_shared ? shared : clip.times.size();
  keys.first_value = clip.values.size();
  if (!is_shared) clip.times.insert(clip.times.end(), curve.times.begin(), curve.times.end());
  clip.values.insert(clip.values.end(), curve.values.begin(), curve.values.end());
  return keys;
}

}  // namespace mabkit::gltf
