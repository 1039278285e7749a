#pragma once

#include <cstddef>
#include <cstdint>
#include <mabkit/error.hpp>
#include <mabkit/math.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scene/affine.hpp"

namespace mabkit::gltf {

// The nodes of a glTF that is read.

using Json = nlohmann::json;

/// Cosines between axes up to this do not count.
inline constexpr double shear_tolerance = 1e-3;

inline constexpr std::uint32_t no_node = 0xFFFFFFFF;

struct SourceNode {
  const Json* json = nullptr;
  std::string name;
  scene::Trs trs;           ///< glTF space; a matrix is decomposed
  bool is_sheared = false;  ///< a matrix whose axes are askew, which `trs` has lost
  std::uint32_t parent = no_node;
  std::vector<std::uint32_t> children;
};

[[nodiscard]] tl::unexpected<Error> error(ErrorCode code, std::string path, std::string message);

/// Where the parts of a file stand.
struct SourceParts {
  std::string_view json;
  /// The buffer inside of a `.glb`; absent where there is none.
  std::optional<std::span<const std::byte>> binary;
};

/// Takes a `.glb` apart; anything else is taken for the JSON of a `.gltf`.
[[nodiscard]] Result<SourceParts> split_container(std::span<const std::byte> bytes);

[[nodiscard]] Result<std::vector<SourceNode>> read_nodes(const Json& document);

/// Every node, its parent before it. Fails where ancestors form a cycle.
[[nodiscard]] Result<std::vector<std::uint32_t>> order_nodes(const std::vector<SourceNode>& nodes);

/// Member `name`, a list of positions below `count`; empty where there is no such member.
[[nodiscard]] Result<std::vector<std::uint32_t>> positions(const Json& object, const char* name,
                                                           std::size_t count,
                                                           const std::string& path);

/// Whether the node has root motion or stands beside it, by the names that build_gltf gives them.
[[nodiscard]] bool is_root_motion(std::string_view name);

/// A member of the node's `extras`; null where it has none.
[[nodiscard]] const Json* extra(const SourceNode& node, const char* name);
/// The same where it is a number that fits, or a hash as text.
[[nodiscard]] std::optional<std::uint32_t> extra_number(const SourceNode& node, const char* name);
[[nodiscard]] std::optional<std::uint32_t> extra_hash(const SourceNode& node, const char* name);

/// The joints of the skins, else every named node; without root motion and other entities.
[[nodiscard]] Result<std::vector<std::uint32_t>> find_joints(const Json& document,
                                                             const std::vector<SourceNode>& nodes);

}  // namespace mabkit::gltf
