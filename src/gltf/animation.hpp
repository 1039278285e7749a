#pragma once

#include <cstdint>
#include <mabkit/bank.hpp>
#include <mabkit/scene.hpp>
#include <string>
#include <vector>

#include "gltf/buffers.hpp"
#include "scene/tree.hpp"

namespace mabkit::gltf {

/// A curve that drives a node: a channel and its sampler in glTF.
struct AnimationChannel {
  std::uint32_t node = 0;  ///< position in `scene::NodeTree::nodes`
  Channel path = Channel::rotation;
  std::uint32_t input = 0;   ///< accessor of the times
  std::uint32_t output = 0;  ///< accessor of the values
};

/// What becomes of a clip.
struct Animation {
  std::vector<AnimationChannel> channels;
  /// Channels, ascending, that stand for a constant: two keys of one value.
  std::vector<std::uint32_t> constant_channels;
  /// Channels, ascending, whose curve has one key: the second is a copy.
  std::vector<std::uint32_t> one_key_channels;
  std::string name;       ///< in the file
  float last_key = 0.0F;  ///< seconds
};

/// Writes the curves of `clip` to `buffers`: exact key times, rotations in one hemisphere, two keys
/// at least. Curves that glTF can't hold are left out with a diagnostic.
[[nodiscard]] Animation build_animation(const Clip& clip, const scene::ClipNodes& nodes,
                                        const scene::NodeTree& tree, RootMotionTarget root_motion,
                                        BufferBuilder& buffers,
                                        std::vector<Diagnostic>& diagnostics);

}  // namespace mabkit::gltf
