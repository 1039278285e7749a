#include "gltf/source_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <mabkit/names.hpp>
#include <utility>

#include "base/bytes.hpp"
#include "scene/tree.hpp"
#include "scene/values.hpp"

namespace mabkit::gltf {
namespace {

constexpr std::uint32_t glb_magic = 0x46546C67;     // "glTF"
constexpr std::uint32_t json_chunk = 0x4E4F534A;    // "JSON"
constexpr std::uint32_t binary_chunk = 0x004E4942;  // "BIN"
constexpr std::size_t first_chunk = 12;             // after the file's header
constexpr std::size_t chunk_header = 8;             // length and type
constexpr std::size_t alignment = 4;

/// A chunk of a `.glb` that starts at `offset`.
struct Chunk {
  std::uint32_t type = 0;
  std::span<const std::byte> bytes;
};

Result<Chunk> read_chunk(const base::ByteReader& in, std::uint64_t offset, int position) {
  const std::string path = fmt::format("glb.chunk[{}]", position);
  const auto size = in.read<std::uint32_t>(offset, path + ".length");
  if (!size) return tl::unexpected(size.error());
  const auto type = in.read<std::uint32_t>(offset + 4, path + ".type");
  if (!type) return tl::unexpected(type.error());
  const auto bytes = in.slice(offset + chunk_header, *size, path);
  if (!bytes) return tl::unexpected(bytes.error());
  return Chunk{*type, *bytes};
}

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
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

Result<void> read_trs(const Json& node, const std::string& path, SourceNode& out) {
  const auto matrix = numbers<16>(node, "matrix", path);
  const auto translation = numbers<3>(node, "translation", path);
  const auto rotation = numbers<4>(node, "rotation", path);
  const auto scale = numbers<3>(node, "scale", path);
  if (!matrix) return tl::unexpected(matrix.error());
  if (!translation) return tl::unexpected(translation.error());
  if (!rotation) return tl::unexpected(rotation.error());
  if (!scale) return tl::unexpected(scale.error());
  if (*matrix) {
    const scene::Affine affine = affine_from_columns(**matrix);
    out.trs = affine.decompose();
    out.is_sheared = affine.shear() > shear_tolerance;
    return {};
  }

  scene::Trs& trs = out.trs;
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
  return {};
}

/// The nodes that the skins name, in order; nothing where there is no skin.
Result<std::optional<std::vector<std::uint32_t>>> skin_joints(const Json& document,
                                                              std::size_t node_count) {
  const auto skins = document.find("skins");
  if (skins == document.end() || !skins->is_array() || skins->empty()) return std::nullopt;
  std::vector<std::uint32_t> out;
  bool has_skin = false;
  for (std::size_t i = 0; i < skins->size(); ++i) {
    if (!(*skins)[i].is_object()) continue;
    has_skin = true;
    const auto joints = positions((*skins)[i], "joints", node_count, fmt::format("skins[{}]", i));
    if (!joints) return tl::unexpected(joints.error());
    out.insert(out.end(), joints->begin(), joints->end());
  }
  if (!has_skin) return std::nullopt;
  return out;
}

}  // namespace

tl::unexpected<Error> error(ErrorCode code, std::string path, std::string message) {
  return tl::unexpected(Error{code, std::nullopt, std::move(path), std::move(message)});
}

Result<SourceParts> split_container(std::span<const std::byte> bytes) {
  const base::ByteReader in(bytes);
  if (!in.has(0, sizeof glb_magic) || base::load<std::uint32_t>(bytes, 0) != glb_magic) {
    return SourceParts{as_text(bytes), std::nullopt};
  }
  const auto json = read_chunk(in, first_chunk, 0);
  if (!json) return tl::unexpected(json.error());
  if (json->type != json_chunk) {
    return error(ErrorCode::bad_value, "glb.chunk[0].type", "the first chunk is not JSON");
  }
  SourceParts parts{as_text(json->bytes), std::nullopt};
  const std::uint64_t second =
      base::align_up(first_chunk + chunk_header + json->bytes.size(), alignment);
  // What is broken in the second chunk only matters to who needs a buffer.
  if (!in.has(second, chunk_header)) return parts;
  if (const auto binary = read_chunk(in, second, 1); binary && binary->type == binary_chunk) {
    parts.binary = binary->bytes;
  }
  return parts;
}

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

Result<std::vector<SourceNode>> read_nodes(const Json& document) {
  const auto list = document.find("nodes");
  if (list == document.end() || !list->is_array() || list->empty()) {
    return error(ErrorCode::bad_value, "nodes", "there are no nodes, so there is no rig");
  }
  std::vector<SourceNode> nodes(list->size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::string path = fmt::format("nodes[{}]", i);
    const Json& json = (*list)[i];
    if (!json.is_object()) return error(ErrorCode::bad_value, path, "is not an object");
    if (auto done = read_trs(json, path, nodes[i]); !done) return tl::unexpected(done.error());
    nodes[i].json = &json;
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

/// A cycle of nodes has no root that leads to it.
Result<std::vector<std::uint32_t>> order_nodes(const std::vector<SourceNode>& nodes) {
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

bool is_root_motion(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot != std::string_view::npos) name.remove_prefix(dot + 1);
  return name == scene::root_motion_name || name == scene::root_motion_start_name ||
         name == scene::root_motion_rest_name;
}

const Json* extra(const SourceNode& node, const char* name) {
  const auto extras = node.json->find("extras");
  if (extras == node.json->end() || !extras->is_object()) return nullptr;
  const auto member = extras->find(name);
  return member == extras->end() ? nullptr : &*member;
}

std::optional<std::uint32_t> extra_number(const SourceNode& node, const char* name) {
  const Json* const value = extra(node, name);
  if (value == nullptr || !value->is_number_unsigned()) return std::nullopt;
  if (value->get<std::uint64_t>() > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
  return value->get<std::uint32_t>();
}

std::optional<std::uint32_t> extra_hash(const SourceNode& node, const char* name) {
  const Json* const value = extra(node, name);
  if (value == nullptr || !value->is_string()) return std::nullopt;
  return hash_from_text(value->get_ref<const std::string&>());
}

Result<std::vector<std::uint32_t>> find_joints(const Json& document,
                                               const std::vector<SourceNode>& nodes) {
  auto candidates = skin_joints(document, nodes.size());
  if (!candidates) return tl::unexpected(candidates.error());
  if (!*candidates) {
    candidates->emplace();
    for (std::uint32_t node = 0; node < nodes.size(); ++node) {
      if (!nodes[node].name.empty()) (*candidates)->push_back(node);
    }
  }
  std::vector<std::uint32_t> joints;
  std::vector<bool> is_taken(nodes.size(), false);
  for (const std::uint32_t node : **candidates) {
    const bool is_of_rig =
        !is_root_motion(nodes[node].name) && extra(nodes[node], "participant") == nullptr;
    if (is_taken[node] || !is_of_rig) continue;
    is_taken[node] = true;
    joints.push_back(node);
  }
  return joints;
}

}  // namespace mabkit::gltf
