#include "scene/tree.hpp"

#include <fmt/format.h>

#include <mabkit/names.hpp>
#include <mabkit/pose.hpp>
#include <unordered_map>
#include <utility>

#include "scene/values.hpp"

namespace mabkit::scene {
namespace {

constexpr std::uint32_t no_node = 0xFFFFFFFF;
/// Bind offsets and scales beyond this are damage, not a rig; they would overflow along a chain.
constexpr float largest_offset = 1e6F;
constexpr float smallest_scale = 1e-6F;
/// Rest offsets of root motion below these stay: the error of a packed quaternion is 1.5e-4 rad
/// (spec mab-sparse, section 2), half of which is the length of the vector part.
constexpr float ignored_turn = 1e-4F;
constexpr float ignored_offset = 1e-6F;

bool is_offset(float value) {
  return value >= -largest_offset && value <= largest_offset;
}
bool is_offset(const Vec3& v) {
  return is_offset(v.x) && is_offset(v.y) && is_offset(v.z);
}

bool is_scale(float value) {
  return is_offset(value) && (value >= smallest_scale || value <= -smallest_scale);
}
bool is_scale(const Vec3& s) {
  return is_scale(s.x) && is_scale(s.y) && is_scale(s.z);
}

/// Gives every node a name of its own, which importers want.
class NameTable {
 public:
  std::string unique(std::string name) {
    if (numbers_.try_emplace(name, 1).second) return name;
    // Go on where the last joint of this name stopped: a file may give one name to all.
    std::size_t number = numbers_[name];
    std::string candidate;
    do {
      candidate = fmt::format("{}_{}", name, ++number);
    } while (!numbers_.try_emplace(candidate, 1).second);
    numbers_[name] = number;
    return candidate;
  }

 private:
  std::unordered_map<std::string, std::size_t> numbers_;  ///< last number given, by name
};

std::string joint_name(const Joint& joint) {
  if (joint.name && !joint.name->empty()) return *joint.name;
  if (joint.name_hash) return hash_text(*joint.name_hash);
  return fmt::format("bone_{}", joint.id);
}

std::string clip_label(const Clip& clip, std::uint32_t position) {
  return clip.name && !clip.name->empty() ? *clip.name : fmt::format("clip_{}", position);
}

class TreeBuilder {
 public:
  TreeBuilder(const Bank& bank, const Skeleton* skeleton, const SceneOptions& options,
              std::vector<Diagnostic>& diagnostics)
      : bank_(bank), skeleton_(skeleton), options_(options), diagnostics_(diagnostics) {}

  NodeTree build() && {
    if (options_.clip) {
      add_first(*options_.clip);
    } else {
      add_first(0);
      for (std::uint32_t clip = 1; clip < bank_.clips.size(); ++clip) add_participant(clip);
    }
    tree_.root_name = names_.unique(options_.name.empty() ? "mabkit" : options_.name);
    return std::move(tree_);
  }

 private:
  using Parent = std::optional<std::uint32_t>;

  std::uint32_t add(Node node) {
    node.name = names_.unique(std::move(node.name));
    const auto position = static_cast<std::uint32_t>(tree_.nodes.size());
    tree_.nodes.push_back(std::move(node));
    tree_.parents_first.push_back(position);
    return position;
  }

  void warn(std::string path, std::string message) {
    diagnostics_.push_back({std::nullopt, std::move(path), std::move(message)});
  }

  void add_first(std::uint32_t position) {
    const Clip& clip = bank_.clips[position];
    ClipNodes nodes{.clip = position};
    nodes.node_of_joint.assign(clip.joints.size(), no_node);
    const Parent base = add_root_motion(clip, nodes, std::nullopt, "");
    if (skeleton_ != nullptr) {
      add_bones(nodes, base);
      claim_bones(clip, nodes);
    }
    add_joints(clip, nodes, base, "", std::nullopt);
    if (nodes.roots.empty()) nodes.roots = root_joint(clip, nodes);
    tree_.clips.push_back(std::move(nodes));
  }

  void add_participant(std::uint32_t position) {
    const Clip& clip = bank_.clips[position];
    ClipNodes nodes{.clip = position};
    nodes.node_of_joint.assign(clip.joints.size(), no_node);
    const std::string prefix = clip_label(clip, position) + ".";
    const std::size_t first_node = tree_.nodes.size();
    const Parent base = add_root_motion(clip, nodes, participant_parent(clip, position), prefix);
    add_joints(clip, nodes, base, prefix, position);
    nodes.roots = root_joint(clip, nodes);
    for (std::size_t node = first_node; node < tree_.nodes.size(); ++node) {
      tree_.nodes[node].participant = position;
    }
    tree_.clips.push_back(std::move(nodes));
  }

  /// Nodes that carry the root motion of `clip`, below `parent`. Returns what its joints hang from.
  ///
  /// The channels hold the stored values. Where the first ones are not the identity, a static node
  /// above undoes the offset and one below undoes the turn, so that the clip starts in place as in
  /// the engine, which only uses differences (spec mab-sparse, section 4).
  Parent add_root_motion(const Clip& clip, ClipNodes& nodes, Parent parent,
                         const std::string& prefix) {
    if (options_.root_motion != RootMotionTarget::node || !clip.root_motion) return parent;
    const RootMotion& motion = *clip.root_motion;
    const bool moves =
        motion.translation && has_keys(clip, *motion.translation, Channel::translation);
    const bool turns = motion.rotation && has_keys(clip, *motion.rotation, Channel::rotation);
    if (!moves && !turns) return parent;

    const Vec3 start = moves ? clip.translation(*motion.translation, 0) : Vec3{};
    const Quat turn = turns ? clip.rotation(*motion.rotation, 0) : Quat{};
    const auto add_static = [&](std::string_view name, const Trs& rest) {
      parent = add({.name = prefix + std::string(name),
                    .parent = parent,
                    .rest = rest,
                    .role = NodeRole::fixed});
    };
    Trs first;
    if (is_offset(start)) first.translation = start;
    if (is_rotation(turn)) first.rotation = normalised(turn);
    if (is_far(first.translation)) {
      const Vec3& p = first.translation;
      add_static(root_motion_start_name, {.translation = {-p.x, -p.y, -p.z}, .rotation = {}});
    }
    parent = add({.name = prefix + std::string(root_motion_name),
                  .parent = parent,
                  .rest = first,
                  .role = NodeRole::root_motion});
    nodes.root_motion = parent;
    if (is_turned(first.rotation)) {
      add_static(root_motion_rest_name, {.translation = {}, .rotation = conjugate(first.rotation)});
    }
    return parent;
  }

  static bool is_far(const Vec3& v) { return dot(v, v) > ignored_offset * ignored_offset; }
  static bool is_turned(const Quat& q) {
    const Vec3 v{q.x, q.y, q.z};
    return dot(v, v) > ignored_turn * ignored_turn;
  }
  static float dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

  /// Every bone of the rig, in its order. Bones in a cycle of parents are left out.
  void add_bones(ClipNodes& nodes, Parent base) {
    const std::vector<std::uint32_t> order = parents_first(skeleton_->bones);
    node_of_bone_.assign(skeleton_->bones.size(), no_node);
    for (const std::uint32_t bone : order) node_of_bone_[bone] = 0;
    auto next = static_cast<std::uint32_t>(tree_.nodes.size());
    for (std::uint32_t& node : node_of_bone_) {
      if (node != no_node) node = next++;
    }
    tree_.nodes.resize(next);
    for (const std::uint32_t bone : order) {
      const std::uint32_t node = node_of_bone_[bone];
      tree_.parents_first.push_back(node);
      if (!skeleton_->bones[bone].parent) nodes.roots.push_back(node);
    }
    for (std::size_t bone = 0; bone < node_of_bone_.size(); ++bone) {
      const std::string path = fmt::format("skeleton.bone[{}]", bone);
      if (node_of_bone_[bone] == no_node) {
        warn(path, "is left out: its chain of parents never reaches a root");
      } else {
        tree_.nodes[node_of_bone_[bone]] = bone_node(skeleton_->bones[bone], path, base);
      }
    }
  }

  Node bone_node(const Bone& bone, const std::string& path, Parent base) {
    Node node{.name = names_.unique(bone.name.empty() ? hash_text(bone.name_hash) : bone.name),
              .parent = bone.parent ? Parent(node_of_bone_[*bone.parent]) : base};
    node.id = bone.id;
    node.hash = bone.name_hash;
    node.animated_translation = bone.animated_translation;
    if (is_offset(bone.translation)) {
      node.rest.translation = bone.translation;
    } else {
      warn(path, "has a bind translation that is no place in metres; zero is used");
    }
    if (is_rotation(bone.rotation)) {
      node.rest.rotation = normalised(bone.rotation);
    } else {
      warn(path, "has a bind rotation that is no rotation; identity is used");
    }
    if (is_scale(bone.scale)) {
      node.rest.scale = bone.scale;
    } else {
      warn(path, "has a bind scale of zero or without end; 1 is used");
    }
    return node;
  }

  /// Gives the joints of `clip` their bones' nodes; no two have the same bone.
  void claim_bones(const Clip& clip, ClipNodes& nodes) {
    BindOptions bind_options = options_.bind;
    bind_options.near_names = false;
    const Binding binding = bind(clip, *skeleton_, bind_options);
    for (std::size_t joint = 0; joint < clip.joints.size(); ++joint) {
      const std::optional<std::uint32_t> bone = binding.bone_of_joint[joint];
      if (!bone || node_of_bone_[*bone] == no_node) continue;
      nodes.node_of_joint[joint] = node_of_bone_[*bone];
      tree_.nodes[node_of_bone_[*bone]].joint = static_cast<std::uint32_t>(joint);
    }
  }

  /// A node for each joint that has none yet: below its parent where the bank knows one, else
  /// below `base`.
  void add_joints(const Clip& clip, ClipNodes& nodes, Parent base, const std::string& prefix,
                  std::optional<std::uint32_t> participant) {
    const std::vector<Trs> rests = first_values(clip);
    std::vector<bool> is_waiting(clip.joints.size(), false);
    std::vector<std::uint32_t> chain;
    for (std::uint32_t joint = 0; joint < clip.joints.size(); ++joint) {
      // Up to an ancestor that has a node, or to one that waits already: a cycle, cut there.
      Parent next = joint;
      while (next && *next < clip.joints.size() && !is_waiting[*next] &&
             nodes.node_of_joint[*next] == no_node) {
        is_waiting[*next] = true;
        chain.push_back(*next);
        next = clip.joints[*next].parent;
      }
      for (; !chain.empty(); chain.pop_back()) {
        const std::uint32_t current = chain.back();
        const Joint& source = clip.joints[current];
        const bool has_parent = source.parent && *source.parent < clip.joints.size() &&
                                nodes.node_of_joint[*source.parent] != no_node;
        nodes.node_of_joint[current] =
            add({.name = prefix + joint_name(source),
                 .parent = has_parent ? Parent(nodes.node_of_joint[*source.parent]) : base,
                 .rest = rests[current],
                 .id = source.id,
                 .hash = source.name_hash,
                 .joint = current,
                 .participant = participant});
      }
    }
  }

  /// Without a bind pose, the first value of each track is the nearest thing to one.
  static std::vector<Trs> first_values(const Clip& clip) {
    std::vector<Trs> rests(clip.joints.size());
    for (const Track& track : clip.tracks) {
      if (track.joint >= rests.size() || !has_keys(clip, track.keys, track.channel)) continue;
      Trs& rest = rests[track.joint];
      if (track.channel == Channel::rotation) {
        const Quat first = clip.rotation(track.keys, 0);
        if (is_rotation(first)) rest.rotation = normalised(first);
      } else {
        const Vec3 first = clip.translation(track.keys, 0);
        if (is_offset(first)) rest.translation = first;
      }
    }
    return rests;
  }

  static std::vector<std::uint32_t> root_joint(const Clip& clip, const ClipNodes& nodes) {
    std::optional<std::uint32_t> first;
    for (std::uint32_t joint = 0; joint < clip.joints.size(); ++joint) {
      const Joint& candidate = clip.joints[joint];
      if (candidate.parent) continue;
      const bool is_root = candidate.name_hash == root_name_hash || candidate.name == "Root";
      if (is_root) return {nodes.node_of_joint[joint]};
      if (!first) first = nodes.node_of_joint[joint];
    }
    if (!first) return {};
    return {*first};
  }

  /// The node of clip 0 that the bank says `clip` hangs from: the joint of that name or hash,
  /// driven or not.
  Parent participant_parent(const Clip& clip, std::uint32_t position) {
    if (!clip.parent || clip.parent->empty()) return std::nullopt;
    // `Face` is a name, though it could be read as a number.
    const auto written_hash =
        clip.parent->starts_with("0x") ? hash_from_text(*clip.parent) : std::nullopt;
    const std::uint32_t hash = written_hash.value_or(name_hash(*clip.parent));
    const ClipNodes& first = tree_.clips.front();
    const auto& joints = bank_.clips.front().joints;
    for (std::size_t joint = 0; joint < joints.size(); ++joint) {
      const Node& node = tree_.nodes[first.node_of_joint[joint]];
      if (joints[joint].name == clip.parent || node.name == *clip.parent || node.hash == hash) {
        return first.node_of_joint[joint];
      }
    }
    for (std::size_t bone = 0; bone < node_of_bone_.size(); ++bone) {
      const bool is_named =
          skeleton_->bones[bone].name == *clip.parent || skeleton_->bones[bone].name_hash == hash;
      if (is_named && node_of_bone_[bone] != no_node) return node_of_bone_[bone];
    }
    warn(fmt::format("clip[{}].parent", position),
         fmt::format("hangs from the root: clip 0 has no joint that is known to be \"{}\"",
                     *clip.parent));
    return std::nullopt;
  }

  /// CRC-32 of `Root` (spec mab-chunked, 1.2).
  static constexpr std::uint32_t root_name_hash = 0xB6C65665;

  const Bank& bank_;
  const Skeleton* skeleton_;
  const SceneOptions& options_;
  std::vector<Diagnostic>& diagnostics_;
  NodeTree tree_;
  NameTable names_;
  std::vector<std::uint32_t> node_of_bone_;
};

}  // namespace

NodeTree build_tree(const Bank& bank, const Skeleton* skeleton, const SceneOptions& options,
                    std::vector<Diagnostic>& diagnostics) {
  return TreeBuilder(bank, skeleton, options, diagnostics).build();
}

}  // namespace mabkit::scene
