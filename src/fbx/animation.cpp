#include "fbx/animation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "scene/values.hpp"

namespace mabkit::fbx {
namespace {

constexpr std::int32_t curve_version = 4008;
/// A straight line to the next key; the other bits are what the SDK writes beside it.
constexpr std::int32_t linear_keys = 0x4 | 0x100 | 0x2000 | 0x4000;
/// Slopes and weights of tangents, which straight lines do not use; the third is the SDK's
/// packing of its default weights.
constexpr std::array<float, 4> no_tangents{0.0F, 0.0F, 9.419963e-30F, 0.0F};
constexpr std::array<std::string_view, 3> axes{"d|X", "d|Y", "d|Z"};

float last_time(const scene::NodeCurve& curve) {
  return curve.kind == scene::CurveKind::keys ? curve.times.back() : curve.ends.back();
}

/// What of the curve lies beyond FBX; empty where nothing does.
std::string_view problem_of(const scene::NodeCurve& curve) {
  // In metres: centimetres have to fit a float32.
  constexpr float farthest = 1e36F;
  if (!tick_of(last_time(curve))) return "its keys lie at times";
  const bool is_near = curve.channel == Channel::rotation ||
                       std::all_of(curve.values.begin(), curve.values.end(), [](float value) {
                         return value >= -farthest && value <= farthest;
                       });
  return is_near ? std::string_view() : "its values are";
}

void write_curve(NodeWriter& out, std::int64_t id, std::span<const std::int64_t> ticks,
                 std::span<const float> values) {
  out.begin("AnimationCurve");
  out.value(id);
  out.object_name("", "AnimCurve");
  out.value("");
  out.leaf("Default", double{values.front()});
  out.leaf("KeyVer", curve_version);
  out.array_leaf("KeyTime", ticks);
  out.array_leaf("KeyValueFloat", values);
  // One set of attributes for all keys.
  out.array_leaf<std::int32_t>("KeyAttrFlags", std::array{linear_keys});
  out.array_leaf<float>("KeyAttrDataFloat", no_tangents);
  out.array_leaf<std::int32_t>("KeyAttrRefCount",
                               std::array{static_cast<std::int32_t>(ticks.size())});
  out.end();
}

void write_channel(NodeWriter& out, ObjectTable& objects, const scene::NodeCurve& curve,
                   std::int64_t layer, std::int64_t model) {
  const std::optional<CurveKeys> keys = curve_keys(curve);
  if (!keys) return;
  const bool is_rotation = curve.channel == Channel::rotation;
  const std::int64_t id = objects.next_id();
  out.begin("AnimationCurveNode");
  out.value(id);
  out.object_name(is_rotation ? "R" : "T", "AnimCurveNode");
  out.value("");
  out.begin("Properties70");
  for (std::size_t axis = 0; axis < 3; ++axis) {
    out.property(axes[axis], "Number", "", "A", double{keys->values[axis].front()});
  }
  out.end();
  out.end();
  objects.connect(id, layer);
  objects.connect(id, model, is_rotation ? "Lcl Rotation" : "Lcl Translation");
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::int64_t curve_id = objects.next_id();
    write_curve(out, curve_id, keys->ticks, keys->values[axis]);
    objects.connect(curve_id, id, axes[axis]);
  }
}

}  // namespace

Stack make_stack(const Clip& clip, const scene::ClipNodes& nodes, const scene::NodeTree& tree,
                 RootMotionTarget root_motion, std::vector<Diagnostic>& diagnostics) {
  Stack stack;
  stack.clip = clip_curves(clip, nodes, tree, root_motion, diagnostics);
  auto& curves = stack.clip.curves;
  for (const scene::NodeCurve& curve : curves) {
    const std::string_view problem = problem_of(curve);
    if (problem.empty()) continue;
    diagnostics.push_back({std::nullopt, fmt::format("clip[{}]", nodes.clip),
                           fmt::format("a curve of {} is left out: {} beyond what FBX can say",
                                       tree.nodes[curve.node].name, problem)});
  }
  curves.erase(
      std::remove_if(curves.begin(), curves.end(),
                     [](const scene::NodeCurve& curve) { return !problem_of(curve).empty(); }),
      curves.end());
  stack.end = tick_of(scene::end_time(clip)).value_or(0);
  for (const scene::NodeCurve& curve : curves) {
    stack.end = std::max(stack.end, tick_of(last_time(curve)).value_or(0));
  }
  return stack;
}

void write_stack(NodeWriter& out, ObjectTable& objects, const Stack& stack,
                 std::span<const std::int64_t> models, std::uint64_t most_bytes) {
  const std::int64_t id = objects.next_id();
  out.begin("AnimationStack");
  out.value(id);
  out.object_name(stack.name, "AnimStack");
  out.value("");
  out.begin("Properties70");
  out.property("LocalStart", "KTime", "Time", "", std::int64_t{0});
  out.property("LocalStop", "KTime", "Time", "", stack.end);
  out.property("ReferenceStart", "KTime", "Time", "", std::int64_t{0});
  out.property("ReferenceStop", "KTime", "Time", "", stack.end);
  out.end();
  out.end();

  const std::int64_t layer = objects.next_id();
  out.begin("AnimationLayer");
  out.value(layer);
  out.object_name(stack.name, "AnimLayer");
  out.value("");
  out.begin("Properties70");
  out.property("Weight", "Number", "", "A", 100.0);
  out.end();
  out.end();
  objects.connect(layer, id);
  for (const scene::NodeCurve& curve : stack.clip.curves) {
    write_channel(out, objects, curve, layer, models[curve.node]);
    if (out.size() > most_bytes) return;
  }
}

}  // namespace mabkit::fbx
