#pragma once

#include <array>
#include <cstdint>
#include <mabkit/bank.hpp>
#include <mabkit/scene.hpp>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "scene/root_motion.hpp"
#include "scene/tree.hpp"

namespace mabkit::scene {

enum class CurveKind : std::uint8_t {
  keys,      ///< two keys or more
  constant,  ///< one value for the whole clip
  one_key,   ///< an animated track that has one key
};

/// What drives one channel of a node. Every value is lawful, and times rise from 0 or later.
struct NodeCurve {
  std::uint32_t node = 0;  ///< position in `NodeTree::nodes`
  Channel channel = Channel::rotation;
  CurveKind kind = CurveKind::keys;
  /// Times of the keys, in seconds; empty where there is one value.
  std::span<const float> times{};
  /// As stored, in engine space; only one value unless `kind` is `keys`.
  std::span<const float> values;
  /// Times of the two keys that stand for one value: its own (0 for a constant) and the clip's end.
  std::array<float, 2> ends{};
};

/// The curves of a clip, each node's channel driven once at most.
struct ClipCurves {
  std::vector<NodeCurve> curves;  ///< over the buffers of the clip and of `composed`
  std::vector<ComposedCurves> composed;
};

/// Finds what drives the nodes of `clip`. Curves that no scene can hold (not finite, times that
/// don't rise, a second one of a channel) are left out with a diagnostic.
[[nodiscard]] ClipCurves clip_curves(const Clip& clip, const ClipNodes& nodes, const NodeTree& tree,
                                     RootMotionTarget root_motion,
                                     std::vector<Diagnostic>& diagnostics);

/// What the animation of clip `position` is called: the clip's own name, below `stem` where it is
/// not the main clip; stable, and not among `used`, which grows by it.
[[nodiscard]] std::string animation_name(const Bank& bank, std::uint32_t position,
                                         const std::string& stem,
                                         std::unordered_set<std::string>& used);

}  // namespace mabkit::scene
