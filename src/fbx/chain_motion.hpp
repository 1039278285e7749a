#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fbx/imported_scene.hpp"
#include "scene/affine.hpp"

namespace mabkit::fbx {

/// How a chain of nodes moves in one animation. Times are in ticks.
class ChainMotion {
 public:
  /// `channel_of_node` has the channel of each node of the scene, null where it has none.
  ChainMotion(const ImportedScene& scene, std::span<const std::uint32_t> chain,
              std::span<const ImportedChannel* const> channel_of_node);

  /// Transforms that `at` multiplies.
  [[nodiscard]] std::size_t size() const { return links_.size(); }
  /// Whether anything drives it, be it with one value.
  [[nodiscard]] bool is_driven() const;
  /// The times of all keys, rising.
  [[nodiscard]] std::vector<double> times() const;
  /// The product of the nodes' transforms.
  [[nodiscard]] scene::Affine at(double time) const;

 private:
  struct Link {
    const ImportedNode* node = nullptr;
    const ImportedChannel* channel = nullptr;
    scene::Trs rest;
  };
  std::vector<Link> links_;
};

/// A transform as games have it, and the scale that is left over.
struct RigidPart {
  Vec3 translation;
  Quat rotation;
  double scale = 1.0;
};

/// Differences of scale below this are none.
inline constexpr double scale_tolerance = 1e-3;

/// Takes a transform apart. Absent with a reason where it scales axes differently, shears, mirrors
/// or flattens.
struct Rigid {
  std::optional<RigidPart> part;
  std::string problem;
};
[[nodiscard]] Rigid take_apart(const scene::Affine& transform);

}  // namespace mabkit::fbx
