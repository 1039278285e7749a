#include <fmt/format.h>

#include <algorithm>
#include <mabkit/gltf.hpp>
#include <string>
#include <unordered_set>
#include <utility>

#include "base/allocation.hpp"
#include "gltf/animation.hpp"
#include "gltf/buffers.hpp"
#include "gltf/extras.hpp"
#include "gltf/json_text.hpp"
#include "scene/curves.hpp"
#include "scene/mesh.hpp"
#include "scene/rest_pose.hpp"
#include "scene/tree.hpp"

namespace mabkit {
namespace gltf {
namespace {

/// The indices of JOINTS_0 are 16 bits wide.
constexpr std::size_t max_skin_joints = 65536;
/// What the accessors of a skin and its mesh are called in JSON.
struct Skin {
  std::vector<std::uint32_t> joints;  ///< positions in `scene::NodeTree::nodes`
  std::uint32_t inverse_binds = 0;
  std::uint32_t positions = 0;
  std::uint32_t joints_of_vertices = 0;
  std::uint32_t weights = 0;
  std::uint32_t indices = 0;
};

/// Column-major 4 × 4, last row exactly 0 0 0 1. A joint whose rest pose has no inverse gets the
/// identity.
void append_inverse_bind(std::vector<float>& out, const scene::Affine& world) {
  const scene::Affine inverse = world.inverse().value_or(scene::Affine{});
  for (std::size_t column = 0; column < 3; ++column) {
    for (std::size_t row = 0; row < 3; ++row) {
      out.push_back(static_cast<float>(inverse.linear[3 * row + column]));
    }
    out.push_back(0.0F);
  }
  for (const double value : inverse.offset) out.push_back(static_cast<float>(value));
  out.push_back(1.0F);
}

Skin build_skin(const scene::NodeTree& tree, BufferBuilder& buffers) {
  Skin skin;
  const std::vector<scene::Affine> worlds = scene::rest_worlds(tree);
  std::vector<std::uint32_t> joint_of_node(tree.nodes.size(), 0);
  std::vector<float> inverse_binds;
  for (std::uint32_t node = 0; node < tree.nodes.size(); ++node) {
    if (tree.nodes[node].role == scene::NodeRole::fixed) continue;
    joint_of_node[node] = static_cast<std::uint32_t>(skin.joints.size());
    skin.joints.push_back(node);
    append_inverse_bind(inverse_binds, worlds[node]);
  }
  if (skin.joints.empty()) return skin;

  const scene::ProxyMesh mesh = scene::build_proxy_mesh(tree, worlds);
  std::vector<std::uint32_t> joint_of_vertex;
  joint_of_vertex.reserve(mesh.node_of_vertex.size());
  for (const std::uint32_t node : mesh.node_of_vertex)
    joint_of_vertex.push_back(joint_of_node[node]);
  skin.inverse_binds = buffers.add_matrices(inverse_binds);
  skin.positions = buffers.add_positions(mesh.positions);
  const auto skinning = buffers.add_rigid_skinning(joint_of_vertex, skin.joints.size());
  skin.joints_of_vertices = skinning[0];
  skin.weights = skinning[1];
  skin.indices = buffers.add_indices(mesh.triangles, mesh.positions.size());
  return skin;
}

void write_children(JsonText& json, const std::vector<std::uint32_t>& children) {
  if (children.empty()) return;
  json.key("children");
  json.begin_array();
  for (const std::uint32_t child : children) json.number(gltf_position(child));
  json.end_array();
}

void write_rest(JsonText& json, const scene::Node& node) {
  const auto [t, q, s] = scene::rest_y_up(node);
  if (t != Vec3{}) {
    json.key("translation");
    json.numbers(std::array<float, 3>{t.x, t.y, t.z});
  }
  if (q != Quat{}) {
    json.key("rotation");
    json.numbers(std::array<float, 4>{q.x, q.y, q.z, q.w});
  }
  if (s != Vec3{1.0F, 1.0F, 1.0F}) {
    json.key("scale");
    json.numbers(std::array<float, 3>{s.x, s.y, s.z});
  }
}

/// The root first. It is the node of the skinned mesh as well: a validator wants that one at the
/// root of the scene, and importers want one root.
void write_nodes(JsonText& json, const scene::NodeTree& tree, const std::vector<NodeNote>& notes,
                 const std::string& record, bool has_skin) {
  std::vector<std::vector<std::uint32_t>> children(tree.nodes.size());
  std::vector<std::uint32_t> top;
  for (std::uint32_t node = 0; node < tree.nodes.size(); ++node) {
    const auto parent = tree.nodes[node].parent;
    (parent ? children[*parent] : top).push_back(node);
  }
  json.key("nodes");
  json.begin_array();
  json.begin_object();
  json.member("name", tree.root_name);
  if (has_skin) {
    json.member("mesh", 0U);
    json.member("skin", 0U);
  }
  write_children(json, top);
  // Blender drops what the asset says of itself, and keeps what its objects say.
  json.key("extras");
  json.begin_object();
  json.member("mabkit", record);
  json.end_object();
  json.end_object();
  for (std::uint32_t node = 0; node < tree.nodes.size(); ++node) {
    json.begin_object();
    json.member("name", tree.nodes[node].name);
    write_rest(json, tree.nodes[node]);
    write_children(json, children[node]);
    write_node_extras(json, tree.nodes[node], notes[node]);
    json.end_object();
  }
  json.end_array();
}

void write_skin(JsonText& json, const scene::NodeTree& tree, const Skin& skin) {
  json.key("meshes");
  json.begin_array();
  json.begin_object();
  json.member("name", tree.root_name + "_proxy");
  json.key("primitives");
  json.begin_array();
  json.begin_object();
  json.key("attributes");
  json.begin_object();
  json.member("POSITION", skin.positions);
  json.member("JOINTS_0", skin.joints_of_vertices);
  json.member("WEIGHTS_0", skin.weights);
  json.end_object();
  json.member("indices", skin.indices);
  json.end_object();
  json.end_array();
  json.end_object();
  json.end_array();

  json.key("skins");
  json.begin_array();
  json.begin_object();
  json.member("name", tree.root_name);
  json.member("inverseBindMatrices", skin.inverse_binds);
  json.member("skeleton", 0U);
  json.key("joints");
  json.begin_array();
  for (const std::uint32_t node : skin.joints) json.number(gltf_position(node));
  json.end_array();
  json.end_object();
  json.end_array();
}

void write_animation(JsonText& json, const Animation& animation, std::uint32_t clip) {
  json.begin_object();
  json.member("name", animation.name);
  json.key("channels");
  json.begin_array();
  std::uint32_t sampler = 0;
  for (const AnimationChannel& channel : animation.channels) {
    json.begin_object();
    json.member("sampler", sampler++);
    json.key("target");
    json.begin_object();
    json.member("node", gltf_position(channel.node));
    json.member("path", channel.path == Channel::rotation ? "rotation" : "translation");
    json.end_object();
    json.end_object();
  }
  json.end_array();
  json.key("samplers");
  json.begin_array();
  for (const AnimationChannel& channel : animation.channels) {
    json.begin_object();
    json.member("input", channel.input);
    json.member("interpolation", "LINEAR");
    json.member("output", channel.output);
    json.end_object();
  }
  json.end_array();
  json.key("extras");
  json.begin_object();
  json.member("clip", clip);
  json.end_object();
  json.end_object();
}

void write_animations(JsonText& json, const scene::NodeTree& tree,
                      const std::vector<Animation>& animations) {
  const bool has_some =
      std::any_of(animations.begin(), animations.end(),
                  [](const Animation& animation) { return !animation.channels.empty(); });
  if (!has_some) return;
  json.key("animations");
  json.begin_array();
  for (std::size_t i = 0; i < animations.size(); ++i) {
    if (animations[i].channels.empty()) continue;
    write_animation(json, animations[i], tree.clips[i].clip);
  }
  json.end_array();
}

void write_head(JsonText& json, const std::string& record) {
  json.key("asset");
  json.begin_object();
  json.member("version", "2.0");
  json.member("generator", "mabkit");
  json.key("extras");
  json.begin_object();
  json.key("mabkit");
  json.raw(record);
  json.end_object();
  json.end_object();
  json.member("scene", 0U);
  json.key("scenes");
  json.begin_array();
  json.begin_object();
  json.key("nodes");
  json.numbers(std::array<std::uint32_t, 1>{0});
  json.end_object();
  json.end_array();
}

/// Bytes that the buffer will have, roughly: curves, of which the constant ones are doubled, and
/// each joint's matrix and octahedron.
std::size_t expected_size(const Bank& bank, const scene::NodeTree& tree) {
  constexpr std::size_t bytes_a_joint = 64 + 6 * (12 + 16 + 8) + 24 * 4;
  std::size_t size = tree.nodes.size() * bytes_a_joint;
  for (const scene::ClipNodes& nodes : tree.clips) {
    const Clip& clip = bank.clips[nodes.clip];
    size += (clip.times.size() + clip.values.size()) * sizeof(float);
    size += clip.tracks.size() * 4 * sizeof(float);
  }
  return size;
}

tl::unexpected<Error> error(ErrorCode code, std::string message) {
  return tl::unexpected(Error{code, std::nullopt, {}, std::move(message)});
}

Result<GltfAsset> build(const Bank& bank, const Skeleton* skeleton, const GltfOptions& options) {
  const std::uint32_t first = options.clip.value_or(0);
  if (first >= bank.clips.size()) {
    return error(ErrorCode::bad_argument,
                 fmt::format("there is no clip {}: the bank has {}", first, bank.clips.size()));
  }
  GltfAsset asset;
  const scene::NodeTree tree = scene::build_tree(bank, skeleton, options, asset.diagnostics);
  if (tree.nodes.size() > max_skin_joints) {
    return error(ErrorCode::limit, fmt::format("{} joints are more than the {} of a glTF skin",
                                               tree.nodes.size(), max_skin_joints));
  }
  BufferBuilder buffers;
  buffers.reserve(expected_size(bank, tree));
  const std::string stem = options.name.empty() ? "clip" : options.name;
  std::unordered_set<std::string> names;
  std::vector<Animation> animations;
  for (const scene::ClipNodes& nodes : tree.clips) {
    Animation animation = build_animation(bank.clips[nodes.clip], nodes, tree, options.root_motion,
                                          buffers, asset.diagnostics);
    if (!animation.channels.empty()) {
      animation.name = scene::animation_name(bank, nodes.clip, stem, names);
    }
    animations.push_back(std::move(animation));
  }
  const Skin skin = build_skin(tree, buffers);
  const std::string record = record_text(bank, tree, animations, options.root_motion);

  JsonText json;
  json.begin_object();
  write_head(json, record);
  write_nodes(json, tree, note_nodes(tree, animations), record, !skin.joints.empty());
  if (!skin.joints.empty()) write_skin(json, tree, skin);
  write_animations(json, tree, animations);
  buffers.write_json(json);
  json.end_object();
  asset.json = std::move(json).take();
  asset.buffer = std::move(buffers).take_buffer();
  return asset;
}

}  // namespace
}  // namespace gltf

Result<GltfAsset> build_gltf(const Bank& bank, const Skeleton* skeleton,
                             const GltfOptions& options) {
  return base::with_allocation_errors([&] { return gltf::build(bank, skeleton, options); });
}

}  // namespace mabkit
