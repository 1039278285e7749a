#include "fbx/imported_scene.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <utility>

namespace mabkit::fbx {
namespace {

using Json = nlohmann::json;

constexpr std::string_view schema = "mabkit.fbx-scene/1";
/// What stands between a node's name and that of a part of its transform.
constexpr std::string_view part_marker = "_$AssimpFbx$_";
/// Parts that a node's transform may come in, and itself.
constexpr std::size_t most_parts = 32;
/// Nodes that are no joints (meshes, controls) may be more than joints.
constexpr std::size_t most_nodes_a_joint = 16;

tl::unexpected<Error> error(ErrorCode code, std::string path, std::string message) {
  return tl::unexpected(Error{code, std::nullopt, std::move(path), std::move(message)});
}

tl::unexpected<Error> foreign(std::string path, std::string_view what) {
  return error(ErrorCode::bad_value, std::move(path),
               fmt::format("the importer's answer {}", what));
}

const Json* member(const Json& object, const char* name) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

std::optional<double> number(const Json* value) {
  if (value == nullptr || !value->is_number()) return std::nullopt;
  const auto got = value->get<double>();
  if (!std::isfinite(got)) return std::nullopt;
  return got;
}

std::optional<int> integer(const Json* value) {
  constexpr double most = 1e9;
  const auto got = number(value);
  if (!got || std::abs(*got) > most) return std::nullopt;
  return static_cast<int>(*got);
}

/// A position below `count`.
std::optional<std::uint32_t> position(const Json* value, std::size_t count) {
  if (value == nullptr || !value->is_number_unsigned()) return std::nullopt;
  const auto got = value->get<std::uint64_t>();
  if (got >= count) return std::nullopt;
  return static_cast<std::uint32_t>(got);
}

std::string text(const Json* value) {
  return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
}

class SceneParser {
 public:
  explicit SceneParser(const ReadLimits& limits) : limits_(limits) {}

  Result<ImportedScene> parse(std::string_view source) && {
    const Json root = Json::parse(source.begin(), source.end(), nullptr, false);
    if (root.is_discarded() || !root.is_object()) return foreign({}, "is no JSON object");
    if (text(member(root, "schema")) != schema) return foreign({}, "is of another version");
    scene_.up_axis = integer(member(root, "up_axis"));
    scene_.up_axis_sign = integer(member(root, "up_axis_sign"));
    scene_.centimetres_per_unit = number(member(root, "centimetres_per_unit"));
    if (auto done = parse_nodes(member(root, "nodes")); !done) {
      return tl::unexpected(std::move(done.error()));
    }
    if (auto done = parse_animations(member(root, "animations")); !done) {
      return tl::unexpected(std::move(done.error()));
    }
    return std::move(scene_);
  }

 private:
  Result<void> parse_nodes(const Json* nodes) {
    if (nodes == nullptr || !nodes->is_array() || nodes->empty())
      return foreign({}, "has no nodes");
    const std::size_t most = most_parts * most_nodes_a_joint * std::size_t{limits_.max_joints};
    if (nodes->size() > most) {
      return error(
          ErrorCode::limit, {},
          fmt::format("the file has {} nodes, more than the limit of {}", nodes->size(), most));
    }
    for (const Json& source : *nodes) {
      const std::size_t at = scene_.nodes.size();
      auto node = parse_node(source, at);
      if (!node) return foreign(fmt::format("node[{}]", at), "has a node that is none");
      scene_.nodes.push_back(std::move(*node));
    }
    return {};
  }

  static std::optional<ImportedNode> parse_node(const Json& source, std::size_t at) {
    ImportedNode node;
    node.name = text(member(source, "name"));
    const std::size_t marker = node.name.find(part_marker);
    if (marker != std::string::npos) {
      node.name.resize(marker);
      node.is_part = true;
    }
    const Json* limb = member(source, "is_limb");
    node.is_limb = limb != nullptr && limb->is_boolean() && limb->get<bool>() && !node.is_part;
    node.parent = position(member(source, "parent"), at);
    if (!node.parent && at != 0) return std::nullopt;
    const auto local = matrix(member(source, "matrix"));
    if (!local) return std::nullopt;
    node.local = *local;
    // A bind that holds no numbers is as good as none: the node's own place stands in for it.
    node.bind = matrix(member(source, "bind"));
    return node;
  }

  /// Twelve numbers, row by row, without the last row.
  static std::optional<scene::Affine> matrix(const Json* rows) {
    constexpr std::size_t row_width = 4;
    if (rows == nullptr || !rows->is_array() || rows->size() != 3 * row_width) return std::nullopt;
    scene::Affine matrix;
    for (std::size_t i = 0; i < rows->size(); ++i) {
      const auto value = number(&(*rows)[i]);
      if (!value) return std::nullopt;
      const std::size_t row = i / row_width;
      const std::size_t column = i % row_width;
      (column == 3 ? matrix.offset[row] : matrix.linear[3 * row + column]) = *value;
    }
    return matrix;
  }

  Result<void> parse_animations(const Json* animations) {
    if (animations == nullptr || !animations->is_array()) return foreign({}, "has no animations");
    if (animations->size() > limits_.max_clips) {
      return error(ErrorCode::limit, {},
                   fmt::format("the file has {} animations, more than the limit of {}",
                               animations->size(), limits_.max_clips));
    }
    for (const Json& source : *animations) {
      const std::string path = fmt::format("animation[{}]", scene_.animations.size());
      ImportedAnimation animation;
      animation.name = text(member(source, "name"));
      // Absent where the file says a number that is none.
      animation.ticks_per_second = number(member(source, "ticks_per_second")).value_or(0.0);
      animation.duration = number(member(source, "duration")).value_or(0.0);
      const Json* channels = member(source, "channels");
      if (channels == nullptr || !channels->is_array()) return foreign(path, "has no channels");
      for (const Json& channel : *channels) {
        auto parsed =
            parse_channel(channel, fmt::format("{}.channel[{}]", path, animation.channels.size()));
        if (!parsed) return tl::unexpected(std::move(parsed.error()));
        animation.channels.push_back(std::move(*parsed));
      }
      scene_.animations.push_back(std::move(animation));
    }
    return {};
  }

  Result<ImportedChannel> parse_channel(const Json& source, const std::string& path) const {
    ImportedChannel channel;
    const auto node = position(member(source, "node"), scene_.nodes.size());
    if (!node) return foreign(path, "drives a node that does not exist");
    channel.node = *node;
    constexpr std::size_t vector_width = 3;
    constexpr std::size_t quaternion_width = 4;
    const std::array<std::pair<const char*, std::size_t>, 3> names{
        {{"translation", vector_width}, {"rotation", quaternion_width}, {"scale", vector_width}}};
    const std::array<ImportedKeys*, 3> targets{&channel.translation, &channel.rotation,
                                               &channel.scale};
    for (std::size_t i = 0; i < names.size(); ++i) {
      auto keys =
          parse_keys(member(source, names[i].first), names[i].second, path + "." + names[i].first);
      if (!keys) return tl::unexpected(std::move(keys.error()));
      *targets[i] = std::move(*keys);
    }
    return channel;
  }

  Result<ImportedKeys> parse_keys(const Json* source, std::size_t width,
                                  const std::string& path) const {
    const Json* times = source == nullptr ? nullptr : member(*source, "times");
    const Json* values = source == nullptr ? nullptr : member(*source, "values");
    if (times == nullptr || values == nullptr || !times->is_array() || !values->is_array() ||
        values->size() != width * times->size()) {
      return foreign(path, "has keys without values");
    }
    if (times->size() > limits_.max_keys) {
      return error(
          ErrorCode::limit, path,
          fmt::format("has {} keys, more than the limit of {}", times->size(), limits_.max_keys));
    }
    ImportedKeys keys;
    for (const Json& time : *times) {
      const auto value = number(&time);
      if (!value) return error(ErrorCode::bad_value, path, "has a time that is no number");
      if (!keys.times.empty() && *value < keys.times.back()) {
        return error(ErrorCode::bad_value, path, "has times that fall");
      }
      keys.times.push_back(*value);
    }
    for (const Json& entry : *values) {
      const auto value = number(&entry);
      const auto single = static_cast<float>(value.value_or(0.0));
      if (!value || !std::isfinite(single)) {
        return error(ErrorCode::bad_value, path, "has a value that is no number");
      }
      keys.values.push_back(single);
    }
    return keys;
  }

  const ReadLimits& limits_;
  ImportedScene scene_;
};

}  // namespace

Result<ImportedScene> parse_scene(std::string_view text, const ReadLimits& limits) {
  return SceneParser(limits).parse(text);
}

}  // namespace mabkit::fbx
