#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fbx/node_writer.hpp"
#include "scene/tree.hpp"

namespace mabkit::fbx {

/// Centimetres in a metre: FBX programs think in centimetres.
inline constexpr double unit_scale = 100.0;

/// `name` without the control characters that FBX takes for its own.
[[nodiscard]] std::string fbx_name(std::string_view name);

/// Objects are known by numbers, and connected in a list at the end of the file.
class ObjectTable {
 public:
  /// The scene itself.
  static constexpr std::int64_t scene = 0;

  [[nodiscard]] std::int64_t next_id() { return next_id_++; }
  void connect(std::int64_t child, std::int64_t parent) { links_.push_back({child, parent, {}}); }
  void connect(std::int64_t child, std::int64_t parent, std::string_view property) {
    links_.push_back({child, parent, property});
  }
  void write_connections(NodeWriter& out) const;

 private:
  struct Link {
    std::int64_t child = 0;
    std::int64_t parent = 0;
    std::string_view property;  ///< of the parent; empty: the object itself
  };

  std::int64_t next_id_ = 1'000'000;
  std::vector<Link> links_;
};

/// Writes the models of the root and of every node, the proxy mesh with its skin, and the bind
/// pose. Returns the id of each node's model.
[[nodiscard]] std::vector<std::int64_t> write_models(NodeWriter& out, ObjectTable& objects,
                                                     const scene::NodeTree& tree);

}  // namespace mabkit::fbx
