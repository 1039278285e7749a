#include "gltf/animation.hpp"

#include <algorithm>
#include <span>
#include <unordered_map>

#include "gltf/curve.hpp"
#include "scene/curves.hpp"

namespace mabkit::gltf {
namespace {

/// Writes times to the buffers; curves that share theirs are looked at once.
class TimeAccessors {
 public:
  explicit TimeAccessors(BufferBuilder& buffers) : buffers_(buffers) {}

  std::uint32_t of(const scene::NodeCurve& curve) {
    if (curve.kind != scene::CurveKind::keys) return buffers_.add_times(curve.ends);
    Known& known = known_[curve.times.data()];
    if (known.count != curve.times.size()) {
      known = {curve.times.size(), buffers_.add_times(curve.times)};
    }
    return known.accessor;
  }

 private:
  struct Known {
    std::size_t count = 0;
    std::uint32_t accessor = 0;
  };

  BufferBuilder& buffers_;
  std::unordered_map<const float*, Known> known_;
};

}  // namespace

Animation build_animation(const Clip& clip, const scene::ClipNodes& nodes,
                          const scene::NodeTree& tree, RootMotionTarget root_motion,
                          BufferBuilder& buffers, std::vector<Diagnostic>& diagnostics) {
  Animation animation;
  TimeAccessors times(buffers);
  const scene::ClipCurves found = clip_curves(clip, nodes, tree, root_motion, diagnostics);
  for (const scene::NodeCurve& curve : found.curves) {
    const auto added = static_cast<std::uint32_t>(animation.channels.size());
    if (curve.kind == scene::CurveKind::constant) animation.constant_channels.push_back(added);
    if (curve.kind == scene::CurveKind::one_key) animation.one_key_channels.push_back(added);
    const std::span<const float> curve_times =
        curve.kind == scene::CurveKind::keys ? curve.times : std::span<const float>(curve.ends);
    animation.last_key = std::max(animation.last_key, curve_times.back());
    const std::uint32_t input = times.of(curve);
    const std::uint32_t output =
        buffers.add_curve(curve.channel == Channel::rotation ? "VEC4" : "VEC3",
                          gltf_values(curve.channel, curve.values));
    animation.channels.push_back({curve.node, curve.channel, input, output});
  }
  return animation;
}

}  // namespace mabkit::gltf
