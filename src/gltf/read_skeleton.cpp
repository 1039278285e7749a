#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <mabkit/gltf.hpp>
#include <mabkit/names.hpp>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "base/allocation.hpp"
#include "base/bytes.hpp"
#include "scene/affine.hpp"
#include "scene/axes.hpp"
#include "scene/tree.hpp"
#include "scene/values.hpp"

namespace mabkit {
namespace gltf {
namespace {

using Json = nlohmann::json;

constexpr std::uint32_t glb_magic = 0x46546C67;   // "glTF"
constexpr std::uint32_t json_chunk = 0x4E4F534A;  // "JSON"
constexpr std::size_t glb_json_header = 12;       // the length of the first chunk stands here
constexpr std::size_t glb_json = 20;              // and its bytes here
constexpr std::uint32_t no_node = 0xFFFFFFFF;
/// Deepest value that a rig is read from: root, `nodes`, node, `extras`, value.
constexpr int deepest_value = 5;

tl::unexpected<Error> error(ErrorCode code, std::string path, std::string message) {
  return tl::unexpected(Error{code, std::nullopt, std::move(path), std::move(message)});
}

struct NodeIn {
  const Json* json = nullptr;
  std::string name;
  scene::Trs trs;  ///< glTF space
  std::uint32_t parent = no_node;
  std::vector<std::uint32_t> children;
};

Result<std::string_view> json_text(std::span<const std::byte> bytes) {
  const base::ByteReader in(bytes);
  const auto as_text = [](std::span<const std::byte> part) {
    return std::string_view(reinterpret_cast<const char*>(part.data()), part.size());
  };
  if (!in.has(0, sizeof glb_magic) || base::load<std::uint32_t>(bytes, 0) != glb_magic) {
    return as_text(bytes);
  }
  const auto size = in.read<std::uint32_t>(glb_json_header, "glb.chunk[0].length");
  const auto type = in.read<std::uint32_t>(glb_json_header + 4, "glb.chunk[0].type");
  if (!size) return tl::unexpected(size.error());
  if (!type) return tl::unexpected(type.error());
  if (*type != json_chunk) {
    return error(ErrorCode::bad_value, "glb.chunk[0].type", "the first chunk is not JSON");
  }
  const auto part = in.slice(glb_json, *size, "glb.chunk[0]");
  if (!part) return tl::unexpected(part.error());
  return as_text(*part);
}

/// Keeps what a rig is read from: meshes, buffers with their base64 and deep `extras` would only
/// cost memory.
bool is_of_interest(int depth, Json::parse_event_t event, const Json& parsed) {
  if (depth > deepest_value) return false;
  if (depth != 1 || event != Json::parse_event_t::key) return true;
  return parsed == "nodes" || parsed == "skins";
}

std::optional<double> number(const Json& value) {
  if (!value.is_number()) return std::nullopt;
  return value.get<double>();
}

/// Member `name`, an array of N finite numbers; nothing where there is no such member.
template <std::size_t N>
Result<std::optional<std::array<double, N>>> numbers(const Json& object, const char* name,
                                                     const std::string& path) {
  const auto member = object.find(name);
  if (member == object.end()) return std::nullopt;
  std::array<double, N> out{};
  bool is_lawful = member->is_array() && member->size() == N;
  for (std::size_t i = 0; is_lawful && i < N; ++i) {
    const auto value = number((*member)[i]);
    is_lawful = value && std::abs(*value) <= double{std::numeric_limits<float>::max()};
    out[i] = value.value_or(0.0);
  }
  if (!is_lawful) {
    return error(ErrorCode::bad_value, path + "." + name,
                 fmt::format("is not a list of {} numbers", N));
  }
  return out;
}

scene::Affine affine_from_columns(const std::array<double, 16>& m) {
  scene::Affine out;
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 3; ++column) {
      out.linear[3 * row + column] = m[4 * column + row];
    }
    out.offset[row] = m[12 + row];
  }
  return out;
}

Vec3 vec3(const std::array<double, 3>& v) {
  return {static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])};
}

Result<scene::Trs> read_trs(const Json& node, const std::string& path) {
  const auto matrix = numbers<16>(node, "matrix", path);
  const auto translation = numbers<3>(node, "translation", path);
  const auto rotation = numbers<4>(node, "rotation", path);
  const auto scale = numbers<3>(node, "scale", path);
  if (!matrix) return tl::unexpected(matrix.error());
  if (!translation) return tl::unexpected(translation.error());
  if (!rotation) return tl::unexpected(rotation.error());
  if (!scale) return tl::unexpected(scale.error());
  if (*matrix) return affine_from_columns(**matrix).decompose();

  scene::Trs trs;
  if (*translation) trs.translation = vec3(**translation);
  if (*scale) trs.scale = vec3(**scale);
  if (*rotation) {
    const auto& q = **rotation;
    trs.rotation = {static_cast<float>(q[0]), static_cast<float>(q[1]), static_cast<float>(q[2]),
                    static_cast<float>(q[3])};
    if (!scene::is_rotation(trs.rotation)) {
      return error(ErrorCode::bad_value, path + ".rotation", "is no rotation: its length is 0");
    }
    trs.rotation = scene::normalised(trs.rotation);
  }
  return trs;
}

/// Member `name`, a list of positions below `count`; empty where there is no such member.
Result<std::vector<std::uint32_t>> positions(const Json& object, const char* name,
                                             std::size_t count, const std::string& path) {
  std::vector<std::uint32_t> out;
  const auto member = object.find(name);
  if (member == object.end()) return out;
  if (!member->is_array()) {
    return error(ErrorCode::bad_value, path + "." + name, "is not a list");
  }
  for (std::size_t i = 0; i < member->size(); ++i) {
    const Json& value = (*member)[i];
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() >= count) {
      return error(ErrorCode::bad_value, fmt::format("{}.{}[{}]", path, name, i),
                   fmt::format("is not one of the {} nodes", count));
    }
    out.push_back(value.get<std::uint32_t>());
  }
  return out;
}

Result<std::vector<NodeIn>> read_nodes(const Json& document) {
  const auto list = document.find("nodes");
  if (list == document.end() || !list->is_array() || list->empty()) {
    return error(ErrorCode::bad_value, "nodes", "there are no nodes, so there is no rig");
  }
  std::vector<NodeIn> nodes(list->size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::string path = fmt::format("nodes[{}]", i);
    const Json& json = (*list)[i];
    if (!json.is_object()) return error(ErrorCode::bad_value, path, "is not an object");
    auto trs = read_trs(json, path);
    if (!trs) return tl::unexpected(trs.error());
    nodes[i].json = &json;
    nodes[i].trs = *trs;
    const auto name = json.find("name");
    if (name != json.end() && name->is_string()) nodes[i].name = name->get<std::string>();

    auto children = positions(json, "children", nodes.size(), path);
    if (!children) return tl::unexpected(children.error());
    nodes[i].children = std::move(*children);
    for (const std::uint32_t child : nodes[i].children) {
      if (nodes[child].parent != no_node) {
        return error(ErrorCode::inconsistent, fmt::format("nodes[{}]", child),
                     "is a child of two nodes");
      }
      nodes[child].parent = static_cast<std::uint32_t>(i);
    }
  }
  return nodes;
}

/// Every node, its parent before it. A cycle of nodes has no root that leads to it.
Result<std::vector<std::uint32_t>> order_nodes(const std::vector<NodeIn>& nodes) {
  std::vector<std::uint32_t> order;
  order.reserve(nodes.size());
  std::vector<bool> is_reached(nodes.size(), false);
  const auto reach = [&](std::uint32_t node) {
    order.push_back(node);
    is_reached[node] = true;
  };
  for (std::uint32_t node = 0; node < nodes.size(); ++node) {
    if (nodes[node].parent == no_node) reach(node);
  }
  std::size_t next = 0;
  while (next < order.size()) {
    for (const std::uint32_t child : nodes[order[next]].children) reach(child);
    ++next;
  }
  if (order.size() == nodes.size()) return order;
  const auto lost = std::find(is_reached.begin(), is_reached.end(), false) - is_reached.begin();
  return error(ErrorCode::inconsistent, fmt::format("nodes[{}]", lost),
               "no root leads to it: its ancestors form a cycle");
}

/// Root motion and its fixed neighbours, by the names that build_gltf gives them.
bool is_root_motion(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot != std::string_view::npos) name.remove_prefix(dot + 1);
  return name == scene::root_motion_name || name == scene::root_motion_start_name ||
         name == scene::root_motion_rest_name;
}

const Json* extra(const NodeIn& node, const char* name) {
  const auto extras = node.json->find("extras");
  if (extras == node.json->end() || !extras->is_object()) return nullptr;
  const auto member = extras->find(name);
  return member == extras->end() ? nullptr : &*member;
}

bool is_of_rig(const NodeIn& node) {
  return !is_root_motion(node.name) && extra(node, "participant") == nullptr;
}

/// The joints of the first skin, else every named node; without root motion and other entities.
Result<std::vector<std::uint32_t>> find_joints(const Json& document,
                                               const std::vector<NodeIn>& nodes) {
  std::vector<std::uint32_t> candidates;
  const auto skins = document.find("skins");
  if (skins != document.end() && skins->is_array() && !skins->empty() && (*skins)[0].is_object()) {
    auto listed = positions((*skins)[0], "joints", nodes.size(), "skins[0]");
    if (!listed) return listed;
    candidates = std::move(*listed);
  } else {
    for (std::uint32_t node = 0; node < nodes.size(); ++node) {
      if (!nodes[node].name.empty()) candidates.push_back(node);
    }
  }
  std::vector<std::uint32_t> joints;
  std::vector<bool> is_taken(nodes.size(), false);
  for (const std::uint32_t node : candidates) {
    if (is_taken[node] || !is_of_rig(nodes[node])) continue;
    is_taken[node] = true;
    joints.push_back(node);
  }
  return joints;
}

/// Where a node stands relative to the nearest bone at or above it, or to the scene.
struct Place {
  std::optional<std::uint32_t> bone;
  scene::Affine to_bone;
  bool is_at_bone = true;  ///< `to_bone` is the identity, exactly
};

Place step(const Place& parent, const NodeIn& node) {
  if (node.trs == scene::Trs{} || is_root_motion(node.name)) return parent;
  return {parent.bone, parent.to_bone * scene::Affine::from(node.trs), false};
}

Bone read_bone(const NodeIn& node, std::uint32_t position) {
  Bone bone;
  bone.name = node.name.empty() ? fmt::format("node_{}", position) : node.name;
  bone.name_hash = name_hash(bone.name);
  const Json* const hash = extra(node, "hash");
  if (hash != nullptr && hash->is_string()) {
    bone.name_hash = hash_from_text(hash->get_ref<const std::string&>()).value_or(bone.name_hash);
  }
  const Json* const id = extra(node, "id");
  if (id != nullptr && id->is_number_unsigned() &&
      id->get<std::uint64_t>() <= std::numeric_limits<std::uint32_t>::max()) {
    bone.id = id->get<std::uint32_t>();
  }
  const Json* const moves = extra(node, "animated_translation");
  if (moves != nullptr && moves->is_boolean()) bone.animated_translation = moves->get<bool>();
  return bone;
}

std::vector<Bone> read_bones(const std::vector<NodeIn>& nodes,
                             const std::vector<std::uint32_t>& order,
                             const std::vector<std::uint32_t>& joints) {
  std::vector<std::uint32_t> bone_of_node(nodes.size(), no_node);
  for (std::size_t bone = 0; bone < joints.size(); ++bone) {
    bone_of_node[joints[bone]] = static_cast<std::uint32_t>(bone);
  }
  std::vector<Bone> bones(joints.size());
  std::vector<Place> places(nodes.size());
  for (const std::uint32_t node : order) {
    const NodeIn& in = nodes[node];
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
  const auto text = json_text(bytes);
  if (!text) return tl::unexpected(text.error());
  const Json document = Json::parse(text->begin(), text->end(), is_of_interest, false);
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
        ErrorCode::limit, "skins[0].joints",
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
