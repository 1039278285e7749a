#include <fmt/format.h>

#include <algorithm>
#include <mabkit/names.hpp>
#include <mabkit/rig.hpp>

#include "motion/hierarchy.hpp"
#include "rig/bind_pose.hpp"
#include "rig/field_reader.hpp"
#include "rig/xbg_chunks.hpp"
#include "rig/xbg_layout.hpp"

namespace mabkit {
namespace rig {
namespace {

// A node, spec mab-sparse, 6.5.
constexpr std::int32_t no_node = -1;
constexpr std::uint64_t parent_at = 0x0C;
constexpr std::uint64_t first_child_at = 0x04;
constexpr std::uint64_t next_sibling_at = 0x08;
constexpr std::uint64_t unread_size = 0x44 - 0x38;  // skin index, 1.0, a size-like value
constexpr std::uint64_t least_node_size = 0x48 + 1;

/// A node's bone, and what is compared with other nodes once all are read.
struct Node {
  std::uint64_t offset = 0;
  std::int32_t first_child = no_node;
  std::int32_t next_sibling = no_node;
  Bone bone;
};

void take_bind_pose(FieldReader& in, Bone& bone) {
  const auto rotation = in.take<Quat>("rotation");
  if (std::string fault = rotation_fault(rotation); !fault.empty()) in.warn("rotation", fault);
  bone.rotation = usable_rotation(rotation);
  const auto translation = in.take<Vec3>("translation");
  if (is_finite(translation)) {
    bone.translation = translation;
  } else {
    in.warn("translation", "is not finite; zero is used");
  }
  const auto scale = in.take<Vec3>("scale");
  if (is_finite(scale)) {
    bone.scale = scale;
  } else {
    in.warn("scale", "is not finite; 1 is used");
  }
}

void take_name(FieldReader& in, Bone& bone, std::uint32_t stored_hash) {
  const std::string name = in.take_text(in.take<std::uint32_t>("name"), "name");
  bone.name = readable_name(name);
  bone.name_hash = name_hash(name);
  // The root's hash is 0 in Far Cry 2.
  const bool is_nameless_root = !bone.parent && stored_hash == 0;
  if (stored_hash != bone.name_hash && !is_nameless_root) {
    in.warn("name", fmt::format("'{}' has hash {}, but {} is stored", bone.name,
                                hash_text(bone.name_hash), hash_text(stored_hash)));
  } else if (bone.name != name) {
    in.warn("name", fmt::format("holds bytes that are no text; shown as '{}'", bone.name));
  }
  if (const auto end = in.take<std::uint8_t>("name"); end != 0) {
    in.fail(ErrorCode::bad_value, "name",
            fmt::format("'{}' is followed by 0x{:02X}, not by a zero byte", bone.name, end));
  }
}

Node take_node(FieldReader& in, const XbgLayout& layout, std::uint32_t count) {
  Node node;
  node.offset = in.position();
  const auto hash = in.take<std::uint32_t>("hash");
  node.first_child = in.take<std::int32_t>("first_child");
  node.next_sibling = in.take<std::int32_t>("next_sibling");
  const auto parent = in.take<std::int32_t>("parent");
  if (parent < no_node || std::int64_t{parent} >= count) {
    in.fail(ErrorCode::inconsistent, "parent",
            fmt::format("is {}, but there are {} nodes", parent, count));
  } else if (parent != no_node) {
    node.bone.parent = static_cast<std::uint32_t>(parent);
  }
  take_bind_pose(in, node.bone);
  in.skip(unread_size, "skin_index");
  in.skip(layout.extra_before_name, "extra_before_name");
  take_name(in, node.bone, hash);
  in.skip(layout.extra_after_name, "extra_after_name");
  return node;
}

std::int64_t link(const std::optional<std::uint32_t>& node) {
  return node ? std::int64_t{*node} : no_node;
}

/// Parents alone make the hierarchy; links that contradict them are told.
void compare_links(const std::vector<Node>& nodes, motion::Parents parents,
                   std::vector<Diagnostic>& diagnostics) {
  const auto derived = motion::links_from_parents(parents);
  const auto warn = [&](std::size_t i, std::uint64_t at, std::string_view field,
                        std::int64_t stored, std::int64_t expected) {
    if (stored == expected) return;
    diagnostics.push_back({nodes[i].offset + at, fmt::format("node[{}].{}", i, field),
                           fmt::format("is {}, but by the parents it is {}; the parents are used",
                                       stored, expected)});
  };
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    warn(i, first_child_at, "first_child", nodes[i].first_child, link(derived[i].first_child));
    // Whether several roots are each other's siblings is unknown: both are accepted.
    if (!parents[i]) continue;
    warn(i, next_sibling_at, "next_sibling", nodes[i].next_sibling, link(derived[i].next_sibling));
  }
}

Result<Skeleton> make_skeleton(std::vector<Node> nodes, std::vector<Diagnostic> diagnostics) {
  std::vector<std::optional<std::uint32_t>> parents;
  parents.reserve(nodes.size());
  for (const Node& node : nodes) parents.push_back(node.bone.parent);
  if (const auto rootless = motion::first_rootless(parents)) {
    return tl::unexpected(Error{ErrorCode::inconsistent, nodes[*rootless].offset + parent_at,
                                fmt::format("node[{}].parent", *rootless),
                                "leads back to the node itself or into a circle of nodes, so that "
                                "no root is reached"});
  }
  compare_links(nodes, parents, diagnostics);
  Skeleton skeleton{"xbg", {}, std::move(diagnostics)};
  skeleton.bones.reserve(nodes.size());
  for (Node& node : nodes) skeleton.bones.push_back(std::move(node.bone));
  return skeleton;
}

Result<Skeleton> read_nodes(std::span<const std::byte> bytes, const XbgNodeChunk& chunk,
                            const XbgLayout& layout, const ReadLimits& limits) {
  FieldReader in(bytes, chunk.begin, chunk.end, "node chunk");
  const auto count = in.take<std::uint32_t>("node_count");
  if (count > limits.max_joints) {
    in.fail(ErrorCode::limit, "node_count",
            fmt::format("is {}, more than the limit of {}", count, limits.max_joints));
  } else if (count * least_node_size > in.left()) {
    in.fail(ErrorCode::truncated, "node_count",
            fmt::format("is {}, but only {} bytes are left in the node chunk", count, in.left()));
  }
  std::vector<Node> nodes;
  for (std::uint32_t i = 0; i < count && !in.has_failed(); ++i) {
    in.enter(fmt::format("node[{}]", i));
    nodes.push_back(take_node(in, layout, count));
  }
  if (in.error()) return tl::unexpected(*in.error());
  return make_skeleton(std::move(nodes), std::move(in.diagnostics()));
}

}  // namespace
}  // namespace rig

Result<Skeleton> parse_xbg(std::span<const std::byte> bytes, const ReadLimits& limits) {
  rig::FieldReader in(bytes, 0, bytes.size(), "file");
  if (in.take<std::uint32_t>("magic") != rig::xbg_magic) {
    in.fail(ErrorCode::unknown_format, "magic", "is not 'HSEM', so this is no .xbg");
  }
  const auto major = in.take<std::uint16_t>("version");
  if (in.error()) return tl::unexpected(*in.error());
  const auto chunk = rig::find_node_chunk(bytes, limits);
  if (!chunk) return tl::unexpected(chunk.error());

  const auto* const row =
      std::find_if(rig::xbg_layouts.begin(), rig::xbg_layouts.end(),
                   [major](const rig::XbgLayout& layout) { return layout.major == major; });
  const bool is_known = row != rig::xbg_layouts.end();
  if (!is_known) {
    in.warn("version", fmt::format("{} is unknown; the layout is inferred: that of {}", major,
                                   rig::xbg_plain_layout.games));
  }
  auto skeleton = rig::read_nodes(bytes, *chunk, is_known ? *row : rig::xbg_plain_layout, limits);
  if (!skeleton) return skeleton;
  auto& diagnostics = skeleton->diagnostics;
  diagnostics.insert(diagnostics.begin(), chunk->diagnostics.begin(), chunk->diagnostics.end());
  diagnostics.insert(diagnostics.begin(), in.diagnostics().begin(), in.diagnostics().end());
  return skeleton;
}

}  // namespace mabkit
