#include "gltf/extras.hpp"

#include <array>
#include <cmath>
#include <mabkit/names.hpp>
#include <optional>
#include <string>
#include <utility>

#include "base/base64.hpp"

namespace mabkit::gltf {
namespace {

std::string_view target_name(RootMotionTarget target) {
  switch (target) {
    case RootMotionTarget::node:
      return "node";
    case RootMotionTarget::joint:
      return "joint";
    case RootMotionTarget::ignore:
      break;
  }
  return "ignore";
}

template <class T>
void optional_member(JsonText& json, std::string_view name, const std::optional<T>& value) {
  if (value) json.member(name, *value);
}

void optional_hash(JsonText& json, std::string_view name,
                   const std::optional<std::uint32_t>& hash) {
  if (hash) json.member(name, hash_text(*hash));
}

void finite_member(JsonText& json, std::string_view name, float value) {
  if (std::isfinite(value)) json.member(name, value);
}

void optional_quaternion(JsonText& json, std::string_view name, const std::optional<Quat>& q) {
  if (!q) return;
  json.key(name);
  json.numbers(std::array<float, 4>{q->x, q->y, q->z, q->w});
}

void write_joints(JsonText& json, const Clip& clip, const scene::ClipNodes& nodes) {
  json.key("joints");
  json.begin_array();
  for (std::size_t i = 0; i < clip.joints.size(); ++i) {
    const Joint& joint = clip.joints[i];
    json.begin_object();
    json.member("node", gltf_position(nodes.node_of_joint[i]));
    json.member("id", joint.id);
    optional_hash(json, "hash", joint.name_hash);
    optional_member(json, "name", joint.name);
    optional_member(json, "parent", joint.parent);
    json.end_object();
  }
  json.end_array();
}

void write_root_motion(JsonText& json, const RootMotion& motion, const scene::ClipNodes& nodes,
                       RootMotionTarget target) {
  json.key("root_motion");
  json.begin_object();
  json.member("target", target_name(target));
  if (nodes.root_motion) json.member("node", gltf_position(*nodes.root_motion));
  optional_quaternion(json, "reference", motion.reference);
  optional_quaternion(json, "loop", motion.loop);
  json.end_object();
}

void write_events(JsonText& json, const Clip& clip) {
  json.key("events");
  json.begin_array();
  for (const Event& event : clip.events) {
    json.begin_object();
    finite_member(json, "time", event.time);
    optional_member(json, "type", event.type);
    optional_member(json, "class", event.class_name);
    json.member("payload", base::base64(event.payload));
    json.end_object();
  }
  json.end_array();
}

void write_clip(JsonText& json, const Clip& clip, const scene::ClipNodes& nodes,
                const Animation& animation, std::uint32_t animation_position,
                RootMotionTarget target) {
  json.begin_object();
  json.member("clip", nodes.clip);
  if (!animation.channels.empty()) {
    json.member("animation", animation_position);
    json.member("animation_name", animation.name);
    json.member("last_key", animation.last_key);
  }
  optional_member(json, "name", clip.name);
  optional_member(json, "parent", clip.parent);
  finite_member(json, "duration", clip.duration);
  finite_member(json, "frame_rate", clip.frame_rate);
  write_joints(json, clip, nodes);
  json.key("constant_channels");
  json.numbers(animation.constant_channels);
  json.key("one_key_channels");
  json.numbers(animation.one_key_channels);
  if (clip.root_motion) write_root_motion(json, *clip.root_motion, nodes, target);
  write_events(json, clip);
  optional_member(json, "participant", clip.participant);
  json.end_object();
}

void write_participant(JsonText& json, const Participant& participant) {
  json.begin_object();
  json.member("kind", participant.kind);
  finite_member(json, "start", participant.start);
  finite_member(json, "end", participant.end);
  json.member("child", hash_text(participant.child));
  json.member("parent", hash_text(participant.parent));
  json.member("target", hash_text(participant.target));
  optional_member(json, "name", participant.name);
  optional_member(json, "reference", participant.reference);
  optional_member(json, "clip", participant.clip);
  json.end_object();
}

/// The turn of every node to the scene at rest, in engine space. Scale does not turn.
std::vector<Quat> rest_turns(const scene::NodeTree& tree) {
  std::vector<scene::Affine> turns(tree.nodes.size());
  std::vector<Quat> out(tree.nodes.size());
  for (const std::uint32_t node : tree.parents_first) {
    scene::Trs own;
    own.rotation = tree.nodes[node].rest.rotation;
    turns[node] = scene::Affine::from(own);
    if (tree.nodes[node].parent) turns[node] = turns[*tree.nodes[node].parent] * turns[node];
    out[node] = turns[node].decompose().rotation;
  }
  return out;
}

}  // namespace

std::string record_text(const Bank& bank, const scene::NodeTree& tree,
                        std::span<const Animation> animations, RootMotionTarget root_motion) {
  JsonText json;
  json.begin_object();
  json.member("schema", "mabkit.gltf/1");
  json.member("format", bank.format);
  if (bank.game) json.member("game", short_name(*bank.game));
  json.key("clips");
  json.begin_array();
  std::uint32_t animation_position = 0;
  for (std::size_t i = 0; i < tree.clips.size(); ++i) {
    const scene::ClipNodes& nodes = tree.clips[i];
    write_clip(json, bank.clips[nodes.clip], nodes, animations[i], animation_position, root_motion);
    if (!animations[i].channels.empty()) ++animation_position;
  }
  json.end_array();
  json.key("participants");
  json.begin_array();
  for (const Participant& participant : bank.participants) write_participant(json, participant);
  json.end_array();
  json.end_object();
  return std::move(json).take();
}

std::vector<NodeNote> note_nodes(const scene::NodeTree& tree,
                                 std::span<const Animation> animations) {
  std::vector<NodeNote> notes(tree.nodes.size());
  const std::vector<Quat> binds = rest_turns(tree);
  for (std::size_t node = 0; node < notes.size(); ++node) notes[node].bind = binds[node];
  const auto note = [&](const AnimationChannel& channel, std::string_view kind) {
    NodeNote& of_node = notes[channel.node];
    (channel.path == Channel::rotation ? of_node.rotation : of_node.translation) = kind;
  };
  for (const Animation& animation : animations) {
    for (const AnimationChannel& channel : animation.channels) note(channel, "animated");
    for (const auto i : animation.constant_channels) note(animation.channels[i], "constant");
    for (const auto i : animation.one_key_channels) note(animation.channels[i], "one_key");
  }
  return notes;
}

void write_node_extras(JsonText& json, const scene::Node& node, const NodeNote& note) {
  json.key("extras");
  json.begin_object();
  optional_member(json, "id", node.id);
  optional_hash(json, "hash", node.hash);
  optional_member(json, "animated_translation", node.animated_translation);
  optional_member(json, "joint", node.joint);
  optional_member(json, "participant", node.participant);
  if (!note.rotation.empty()) json.member("rotation", note.rotation);
  if (!note.translation.empty()) json.member("translation", note.translation);
  optional_quaternion(json, "bind", note.bind);
  json.end_object();
}

}  // namespace mabkit::gltf
