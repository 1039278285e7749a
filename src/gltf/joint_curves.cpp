#include "gltf/joint_curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "scene/axes.hpp"

namespace mabkit::gltf {
namespace {

/// A file that asks for more products of transforms than these asks for hours.
constexpr std::uint64_t most_work = 50'000'000;

/// How a frame's values become the bank's.
class Conversion {
 public:
  Conversion(const JointFrame& frame, bool is_y_up) : frame_(frame), is_y_up_(is_y_up) {}

  [[nodiscard]] Quat rotation(const Quat& q) const {
    if (frame_.is_plain) return turned_up(q);
    scene::Trs trs;
    trs.rotation = q;
    return rotation(frame_.above * scene::Affine::from(trs));
  }

  [[nodiscard]] Vec3 translation(const Vec3& v) const {
    if (frame_.is_plain) return turned_up(v);
    scene::Trs trs;
    trs.translation = v;
    return translation(frame_.above * scene::Affine::from(trs));
  }

  /// Of a transform in the parent's own axes.
  [[nodiscard]] Quat rotation(const scene::Affine& local) const {
    return turned_up((local * frame_.unturned).decompose().rotation);
  }
  [[nodiscard]] Vec3 translation(const scene::Affine& local) const {
    const auto& v = local.offset;
    return turned_up(Vec3{static_cast<float>(v[0] * frame_.metres),
                          static_cast<float>(v[1] * frame_.metres),
                          static_cast<float>(v[2] * frame_.metres)});
  }

 private:
  [[nodiscard]] Quat turned_up(const Quat& q) const { return is_y_up_ ? scene::from_y_up(q) : q; }
  [[nodiscard]] Vec3 turned_up(const Vec3& v) const { return is_y_up_ ? scene::from_y_up(v) : v; }

  const JointFrame& frame_;
  bool is_y_up_;
};

Conversion conversion(const SourceRig& rig, std::uint32_t node) {
  return {*rig.frames.of_node[node], rig.is_y_up};
}

void append_rotation(LinearCurve& curve, Quat q, bool aligns) {
  if (aligns && !curve.values.empty()) {
    const float* const p = &curve.values[curve.values.size() - 4];
    if (p[0] * q.x + p[1] * q.y + p[2] * q.z + p[3] * q.w < 0.0F) q = {-q.x, -q.y, -q.z, -q.w};
  }
  curve.values.insert(curve.values.end(), {q.x, q.y, q.z, q.w});
}

void append_translation(LinearCurve& curve, const Vec3& v) {
  curve.values.insert(curve.values.end(), {v.x, v.y, v.z});
}

void add_times(std::vector<float>& times, const NodeCurves& curves) {
  for (const auto* const curve : {&curves.rotation, &curves.translation}) {
    if (*curve) times.insert(times.end(), (*curve)->times.begin(), (*curve)->times.end());
  }
}

/// A driven node between joints.
struct Link {
  const scene::Trs* rest = nullptr;
  const NodeCurves* curves = nullptr;  ///< null where nothing drives it

  [[nodiscard]] scene::Affine at(float time) const {
    scene::Trs trs = *rest;
    if (curves != nullptr && curves->rotation) trs.rotation = curves->rotation->rotation_at(time);
    if (curves != nullptr && curves->translation) {
      trs.translation = curves->translation->translation_at(time);
    }
    return scene::Affine::from(trs);
  }
};

}  // namespace

Transform rest_of(const SourceRig& rig, std::uint32_t node) {
  const Conversion to_bank = conversion(rig, node);
  const scene::Trs& rest = rig.nodes[node].trs;
  return {to_bank.rotation(rest.rotation), to_bank.translation(rest.translation)};
}

JointCurves::JointCurves(const SourceRig& rig, const SourceAnimation& animation,
                         const ReadLimits& limits)
    : rig_(rig), animation_(animation), limits_(limits), moves_between_(rig.nodes.size(), false) {
  for (const std::uint32_t node : rig.order) {
    const std::uint32_t parent = rig.nodes[node].parent;
    if (parent == no_node || rig.frames.of_node[parent]) continue;
    moves_between_[node] = moves_between_[parent] || animation.nodes.contains(parent);
  }
}

Result<NodeCurves> JointCurves::of(std::uint32_t node) {
  if (moves_between_[node]) return composed(node);
  NodeCurves out;
  const auto found = animation_.nodes.find(node);
  if (found == animation_.nodes.end()) return out;
  const Conversion to_bank = conversion(rig_, node);
  const bool aligns = !rig_.frames.of_node[node]->is_plain;
  if (const auto& curve = found->second.rotation) {
    out.rotation.emplace(LinearCurve{Channel::rotation, curve->times, {}});
    for (std::size_t key = 0; key < curve->count(); ++key) {
      append_rotation(*out.rotation, to_bank.rotation(curve->rotation(key)), aligns);
    }
  }
  if (const auto& curve = found->second.translation) {
    out.translation.emplace(LinearCurve{Channel::translation, curve->times, {}});
    for (std::size_t key = 0; key < curve->count(); ++key) {
      append_translation(*out.translation, to_bank.translation(curve->translation(key)));
    }
  }
  return out;
}

Result<NodeCurves> JointCurves::composed(std::uint32_t node) {
  std::vector<Link> chain;
  std::vector<float> times;
  for (std::uint32_t at = node; at != no_node; at = rig_.nodes[at].parent) {
    if (at != node && rig_.frames.of_node[at]) break;
    const auto found = animation_.nodes.find(at);
    const NodeCurves* const curves = found == animation_.nodes.end() ? nullptr : &found->second;
    chain.push_back({&rig_.nodes[at].trs, curves});
    if (curves != nullptr) add_times(times, *curves);
  }
  std::reverse(chain.begin(), chain.end());  // outermost first
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  work_ += chain.size() * times.size();
  if (times.size() > limits_.max_keys || work_ > most_work) {
    return error(ErrorCode::limit, fmt::format("nodes[{}]", node),
                 fmt::format("the {} nodes above joint \"{}\" have {} key times together, which is "
                             "too much to multiply",
                             chain.size() - 1, rig_.nodes[node].name, times.size()));
  }

  NodeCurves out;
  out.rotation.emplace(LinearCurve{Channel::rotation, times, {}});
  out.translation.emplace(LinearCurve{Channel::translation, times, {}});
  const JointFrame& frame = *rig_.frames.of_node[node];
  const Conversion to_bank = conversion(rig_, node);
  for (const float time : times) {
    scene::Affine local = frame.turn;
    for (const Link& link : chain) local = local * link.at(time);
    append_rotation(*out.rotation, to_bank.rotation(local), true);
    append_translation(*out.translation, to_bank.translation(local));
  }
  return out;
}

}  // namespace mabkit::gltf
