#include "scene/curves.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "scene/values.hpp"

namespace mabkit::scene {
namespace {

/// A node's channel can be driven once.
enum class ChannelState : std::uint8_t {
  free,
  taken,     ///< by a track
  composed,  ///< with root motion, which took the joint's track in
};

bool are_lawful(Channel channel, std::span<const float> values) {
  const std::size_t width = value_width(channel);
  for (std::size_t i = 0; i + width <= values.size(); i += width) {
    const float* v = &values[i];
    const bool is_lawful = channel == Channel::rotation ? is_rotation({v[0], v[1], v[2], v[3]})
                                                        : is_finite(Vec3{v[0], v[1], v[2]});
    if (!is_lawful) return false;
  }
  return true;
}

class CurveFinder {
 public:
  CurveFinder(const Clip& clip, const ClipNodes& nodes, const NodeTree& tree,
              std::vector<Diagnostic>& diagnostics)
      : clip_(clip),
        nodes_(nodes),
        tree_(tree),
        diagnostics_(diagnostics),
        path_(fmt::format("clip[{}]", nodes.clip)),
        states_(2 * clip.joints.size()) {}

  ClipCurves find(RootMotionTarget root_motion) && {
    if (nodes_.root_motion) add_root_motion(*nodes_.root_motion);
    if (root_motion == RootMotionTarget::joint) compose();
    for (std::size_t track = 0; track < clip_.tracks.size(); ++track) add_track(track);
    return std::move(out_);
  }

 private:
  void warn(std::string path, std::string_view message) {
    diagnostics_.push_back({std::nullopt, std::move(path), std::string(message)});
  }

  ChannelState& state(const Track& track) {
    return states_[std::size_t{2} * track.joint + static_cast<std::size_t>(track.channel)];
  }

  void add_root_motion(std::uint32_t node) {
    const RootMotion& motion = *clip_.root_motion;
    if (motion.translation) {
      const auto problem = add_curve(node, Channel::translation, *motion.translation, false);
      if (!problem.empty()) warn(path_ + ".root_motion.translation", problem);
    }
    if (motion.rotation) {
      const auto problem = add_curve(node, Channel::rotation, *motion.rotation, false);
      if (!problem.empty()) warn(path_ + ".root_motion.rotation", problem);
    }
  }

  void add_track(std::size_t position) {
    const std::string_view problem = add_track(clip_.tracks[position]);
    if (!problem.empty()) warn(fmt::format("{}.track[{}]", path_, position), problem);
  }

  /// Why the track is left out; empty where it is not.
  std::string_view add_track(const Track& track) {
    if (track.joint >= clip_.joints.size()) return "is left out: its joint does not exist";
    switch (state(track)) {
      case ChannelState::composed:
        return {};
      case ChannelState::taken:
        return "is left out: its joint has another track of that channel";
      case ChannelState::free:
        break;
    }
    state(track) = ChannelState::taken;
    return add_curve(nodes_.node_of_joint[track.joint], track.channel, track.keys,
                     track.kind == TrackKind::constant);
  }

  /// Why the curve is left out; empty where it is not.
  std::string_view add_curve(std::uint32_t node, Channel channel, const Keys& keys,
                             bool is_constant) {
    if (!has_keys(clip_, keys, channel)) return "is left out: it has no keys";
    NodeCurve curve{.node = node, .channel = channel, .values = clip_.values_of(keys, channel)};
    if (is_constant) curve.values = curve.values.first(value_width(channel));
    if (!are_lawful(channel, curve.values)) {
      return "is left out: a value is not finite, or no rotation";
    }
    if (is_constant || keys.count == 1) {
      curve.kind = is_constant ? CurveKind::constant : CurveKind::one_key;
      curve.ends = two_times(keys, is_constant);
    } else {
      curve.times = clip_.times_of(keys);
    }
    const bool have_lawful_times =
        curve.kind == CurveKind::keys ? are_lawful_times(keys) : are_key_times(curve.ends);
    if (!have_lawful_times) return "is left out: its key times do not rise from 0 or later";
    out_.curves.push_back(curve);
    return {};
  }

  std::array<float, 2> two_times(const Keys& keys, bool is_constant) const {
    const float first = is_constant ? 0.0F : clip_.times[keys.first_time];
    float second = end_time(clip_);
    if (!(second > first)) second = first + frame_time(clip_);
    if (!(second > first)) {
      second = std::nextafter(first, std::numeric_limits<float>::infinity());
    }
    return {first, second};
  }

  /// Curves that share their times are looked at once.
  bool are_lawful_times(const Keys& keys) {
    const auto [found, is_new] =
        lawful_times_.try_emplace(std::uint64_t{keys.first_time} << 32U | keys.count);
    if (is_new) found->second = are_key_times(clip_.times_of(keys));
    return found->second;
  }

  void compose() {
    if (!clip_.root_motion) return;
    if (!has_lawful_root_motion(clip_)) {
      return warn(path_ + ".root_motion",
                  "is left out: it has no keys, or their times do not rise");
    }
    if (!has_moving_root_motion(clip_)) return;
    for (const std::uint32_t node : nodes_.roots) compose_into(node);
  }

  void compose_into(std::uint32_t node) {
    const std::string path = path_ + ".root_motion";
    JointTracks joint{.rest = tree_.nodes[node].rest};
    for (const Track& track : clip_.tracks) {
      if (track.joint >= clip_.joints.size() || nodes_.node_of_joint[track.joint] != node) continue;
      if (!has_keys(clip_, track.keys, track.channel) ||
          !are_key_times(clip_.times_of(track.keys))) {
        return warn(path, "is not composed into a root joint: a track of it has no lawful times");
      }
      (track.channel == Channel::rotation ? joint.rotation : joint.translation) = &track;
    }
    ComposedCurves curves = compose_root_motion(clip_, joint);
    if (!are_lawful(Channel::rotation, curves.rotations) ||
        !are_lawful(Channel::translation, curves.translations)) {
      return warn(path, "is not composed into a root joint: a value is not finite");
    }
    if (joint.rotation != nullptr) state(*joint.rotation) = ChannelState::composed;
    if (joint.translation != nullptr) state(*joint.translation) = ChannelState::composed;
    // The spans stay good when the list grows: a vector that moves keeps its buffer.
    const ComposedCurves& kept = out_.composed.emplace_back(std::move(curves));
    out_.curves.push_back({.node = node,
                           .channel = Channel::rotation,
                           .times = kept.times,
                           .values = kept.rotations});
    out_.curves.push_back({.node = node,
                           .channel = Channel::translation,
                           .times = kept.times,
                           .values = kept.translations});
  }

  const Clip& clip_;
  const ClipNodes& nodes_;
  const NodeTree& tree_;
  std::vector<Diagnostic>& diagnostics_;
  std::string path_;
  std::vector<ChannelState> states_;  ///< two a joint, by `Channel`
  std::unordered_map<std::uint64_t, bool> lawful_times_;
  ClipCurves out_;
};

}  // namespace

ClipCurves clip_curves(const Clip& clip, const ClipNodes& nodes, const NodeTree& tree,
                       RootMotionTarget root_motion, std::vector<Diagnostic>& diagnostics) {
  return CurveFinder(clip, nodes, tree, diagnostics).find(root_motion);
}

std::string animation_name(const Bank& bank, std::uint32_t position, const std::string& stem,
                           std::unordered_set<std::string>& used) {
  const Clip& clip = bank.clips[position];
  const bool is_named = clip.name && !clip.name->empty();
  std::string name = is_named ? *clip.name : fmt::format("clip_{}", position);
  if (position == 0 && !is_named) name = stem;
  if (position != 0) name = fmt::format("{}_{}", stem, name);
  while (!used.insert(name).second) name += fmt::format("_{}", position);
  return name;
}

}  // namespace mabkit::scene
