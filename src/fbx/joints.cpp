#include "fbx/joints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <unordered_map>

#include "scene/tree.hpp"

namespace mabkit::fbx {
namespace {

/// Of a value, or absolute below 1.
constexpr float rounding = 1e-5F;

bool is_varying(const ImportedChannel& channel) {
  constexpr std::size_t vector_width = 3;
  constexpr std::size_t quaternion_width = 4;
  return is_varying(channel.translation, vector_width) ||
         is_varying(channel.rotation, quaternion_width) || is_varying(channel.scale, vector_width);
}

/// What a node is, before its neighbours are looked at.
enum class Kind : std::uint8_t {
  other,
  joint,
  skipped,  ///< has no part in any transform
};

class JointFinder {
 public:
  JointFinder(const ImportedScene& scene, const ReadLimits& limits)
      : scene_(scene), limits_(limits) {}

  Result<ImportedJoints> find() && {
    classify();
    std::vector<std::optional<std::uint32_t>> joint_of_node(scene_.nodes.size());
    for (std::uint32_t node = 0; node < scene_.nodes.size(); ++node) {
      if (kinds_[node] != Kind::joint) continue;
      ImportedJoint joint{.node = node, .parent = std::nullopt, .chain = {}};
      std::optional<std::uint32_t> at = node;
      while (at && (*at == node || kinds_[*at] != Kind::joint)) {
        if (kinds_[*at] != Kind::skipped) joint.chain.push_back(*at);
        at = scene_.nodes[*at].parent;
      }
      if (at) joint.parent = joint_of_node[*at];
      std::reverse(joint.chain.begin(), joint.chain.end());
      chain_nodes_ += joint.chain.size();
      if (auto fault = fault_so_far()) return tl::unexpected(std::move(*fault));
      joint_of_node[node] = static_cast<std::uint32_t>(found_.joints.size());
      found_.joints.push_back(std::move(joint));
    }
    return std::move(found_);
  }

 private:
  /// Joints below thousands of nodes that are none have all of these in their chains.
  std::optional<Error> fault_so_far() const {
    constexpr std::size_t most_chain_nodes = std::size_t{1} << 21U;
    if (found_.joints.size() >= limits_.max_joints) {
      return Error{ErrorCode::limit,
                   std::nullopt,
                   {},
                   fmt::format("holds more joints than the limit of {}", limits_.max_joints)};
    }
    if (chain_nodes_ <= most_chain_nodes) return std::nullopt;
    return Error{ErrorCode::limit,
                 std::nullopt,
                 {},
                 fmt::format("has joints below so many nodes that are none that their transforms "
                             "take more than {} steps",
                             most_chain_nodes)};
  }

  void classify() {
    kinds_.assign(scene_.nodes.size(), Kind::other);
    std::unordered_map<std::string_view, std::uint32_t> whole_nodes;
    for (std::uint32_t node = 0; node < scene_.nodes.size(); ++node) {
      if (!scene_.nodes[node].is_part) whole_nodes.try_emplace(scene_.nodes[node].name, node);
      if (scene_.nodes[node].is_limb) kinds_[node] = Kind::joint;
    }
    for (const ImportedAnimation& animation : scene_.animations) {
      for (const ImportedChannel& channel : animation.channels) {
        if (!is_varying(channel)) continue;
        const auto owner = whole_nodes.find(scene_.nodes[channel.node].name);
        if (owner != whole_nodes.end()) kinds_[owner->second] = Kind::joint;
      }
    }
    for (std::uint32_t node = 0; node < scene_.nodes.size(); ++node) {
      if (!is_of_root_motion(scene_.nodes[node].name)) continue;
      kinds_[node] = Kind::skipped;
      const bool is_it = scene_.nodes[node].name == scene::root_motion_name;
      if (is_it && !scene_.nodes[node].is_part) found_.root_motion = node;
    }
    kinds_.front() = Kind::skipped;
  }

  const ImportedScene& scene_;
  const ReadLimits& limits_;
  std::size_t chain_nodes_ = 0;
  std::vector<Kind> kinds_;
  ImportedJoints found_;
};

}  // namespace

bool is_of_root_motion(std::string_view name) {
  return name == scene::root_motion_name || name == scene::root_motion_start_name ||
         name == scene::root_motion_rest_name;
}

bool is_varying(const ImportedKeys& keys, std::size_t width) {
  for (std::size_t i = width; i < keys.values.size(); ++i) {
    const float first = keys.values[i % width];
    if (std::abs(keys.values[i] - first) > rounding * std::max(1.0F, std::abs(first))) return true;
  }
  return false;
}

Result<ImportedJoints> find_joints(const ImportedScene& scene, const ReadLimits& limits) {
  return JointFinder(scene, limits).find();
}

}  // namespace mabkit::fbx
