#include <fmt/format.h>

#include <mabkit/gltf.hpp>
#include <mabkit/names.hpp>
#include <utility>

#include "base/allocation.hpp"
#include "gltf/source_nodes.hpp"
#include "scene/axes.hpp"

namespace mabkit {
namespace gltf {
namespace {

/// Deepest value that a rig is read from: root, `nodes`, node, `extras`, value.
constexpr int deepest_value = 5;

/// Keeps what a rig is read from: meshes, buffers with their base64 and deep `extras` would only
/// cost memory.
bool is_of_interest(int depth, Json::parse_event_t event, const Json& parsed) {
  if (depth > deepest_value) return false;
  if (depth != 1 || event != Json::parse_event_t::key) return true;
  return parsed == "nodes" || parsed == "skins";
}

/// Where a node stands relative to the nearest bone at or above it, or to the scene.
struct Place {
  std::optional<std::uint32_t> bone;
  scene::Affine to_bone;
  bool is_at_bone = true;  ///< `to_bone` is the identity, exactly
};

Place step(const Place& parent, const SourceNode& node) {
  if (node.trs == scene::Trs{} || is_root_motion(node.name)) return parent;
  return {parent.bone, parent.to_bone * scene::Affine::from(node.trs), false};
}

Bone read_bone(const SourceNode& node, std::uint32_t position) {
  Bone bone;
  bone.name = node.name.empty() ? fmt::format("node_{}", position) : node.name;
  bone.name_hash = extra_hash(node, "hash").value_or(name_hash(bone.name));
  bone.id = extra_number(node, "id");
  const Json* const moves = extra(node, "animated_translation");
  if (moves != nullptr && moves->is_boolean()) bone.animated_translation = moves->get<bool>();
  return bone;
}

std::vector<Bone> read_bones(const std::vector<SourceNode>& nodes,
                             const std::vector<std::uint32_t>& order,
                             const std::vector<std::uint32_t>& joints) {
  std::vector<std::uint32_t> bone_of_node(nodes.size(), no_node);
  for (std::size_t bone = 0; bone < joints.size(); ++bone) {
    bone_of_node[joints[bone]] = static_cast<std::uint32_t>(bone);
  }
  std::vector<Bone> bones(joints.size());
  std::vector<Place> places(nodes.size());
  for (const std::uint32_t node : order) {
    const SourceNode& in = nodes[node];
    const Place above = in.parent == no_node ? Place{} : places[in.parent];
    const std::uint32_t position = bone_of_node[node];
    if (position == no_node) {
      places[node] = step(above, in);
      continue;
    }
    const scene::Trs trs =
        above.is_at_bone ? in.trs : (above.to_bone * scene::Affine::from(in.trs)).decompose();
    Bone& bone = bones[position];
    bone = read_bone(in, node);
    bone.parent = above.bone;
    bone.translation = scene::from_y_up(trs.translation);
    bone.rotation = scene::from_y_up(trs.rotation);
    bone.scale = scene::swap_scale(trs.scale);
    places[node].bone = position;
  }
  return bones;
}

Result<Skeleton> read_skeleton(std::span<const std::byte> bytes, const ReadLimits& limits) {
  if (bytes.size() > limits.max_file_size) {
    return error(
        ErrorCode::limit, {},
        fmt::format("has {} bytes, more than the limit of {}", bytes.size(), limits.max_file_size));
  }
  const auto parts = split_container(bytes);
  if (!parts) return tl::unexpected(parts.error());
  const Json document = Json::parse(parts->json.begin(), parts->json.end(), is_of_interest, false);
  if (!document.is_object()) {
    return error(ErrorCode::unknown_format, {}, "is neither a .glb nor the JSON of a .gltf");
  }
  const auto nodes = read_nodes(document);
  if (!nodes) return tl::unexpected(nodes.error());
  const auto order = order_nodes(*nodes);
  if (!order) return tl::unexpected(order.error());
  const auto joints = find_joints(document, *nodes);
  if (!joints) return tl::unexpected(joints.error());
  if (joints->empty()) return error(ErrorCode::bad_value, "nodes", "no node is a joint");
  if (joints->size() > limits.max_joints) {
    return error(
        ErrorCode::limit, "skins",
        fmt::format("{} joints are more than the limit of {}", joints->size(), limits.max_joints));
  }
  Skeleton skeleton;
  skeleton.source = "gltf";
  skeleton.bones = read_bones(*nodes, *order, *joints);
  return skeleton;
}

}  // namespace
}  // namespace gltf

Result<Skeleton> read_gltf_skeleton(std::span<const std::byte> bytes, const ReadLimits& limits) {
  return base::with_allocation_errors([&] { return gltf::read_skeleton(bytes, limits); });
}

}  // namespace mabkit
