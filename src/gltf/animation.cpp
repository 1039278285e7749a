#include "gltf/animation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "gltf/curve.hpp"
#include "gltf/root_motion.hpp"
#include "gltf/values.hpp"

namespace mabkit::gltf {
namespace {

/// A node's channel can be driven once.
enum class ChannelState : std::uint8_t {
  free,
  taken,     ///< by a track
  composed,  ///< with root motion, which took the joint's track in
};

class AnimationBuilder {
 public:
  AnimationBuilder(const Clip& clip, const ClipNodes& nodes, const NodeTree& tree,
                   BufferBuilder& buffers, std::vector<Diagnostic>& diagnostics)
      : clip_(clip),
        nodes_(nodes),
        tree_(tree),
        buffers_(buffers),
        diagnostics_(diagnostics),
        path_(fmt::format("clip[{}]", nodes.clip)),
        states_(2 * clip.joints.size()) {}

  Animation build(RootMotionTarget root_motion) && {
    if (nodes_.root_motion) add_root_motion(*nodes_.root_motion);
    if (root_motion == RootMotionTarget::joint) compose();
    for (std::size_t track = 0; track < clip_.tracks.size(); ++track) add_track(track);
    return std::move(animation_);
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
    auto stored = clip_.values_of(keys, channel);
    if (is_constant) stored = stored.first(value_width(channel));
    const std::vector<float> values = gltf_values(channel, stored);
    if (values.empty()) return "is left out: a value is not finite, or no rotation";

    const bool is_one_key = is_constant || keys.count == 1;
    const std::optional<std::uint32_t> input =
        is_one_key ? two_times(keys, is_constant) : times_accessor(keys);
    if (!input) return "is left out: its key times do not rise from 0 or later";

    const auto added = static_cast<std::uint32_t>(animation_.channels.size());
    if (is_constant) {
      animation_.constant_channels.push_back(added);
    } else if (is_one_key) {
      animation_.one_key_channels.push_back(added);
    }
    add_channel(node, channel, *input, values);
    return {};
  }

  void add_channel(std::uint32_t node, Channel channel, std::uint32_t input,
                   std::span<const float> values) {
    const std::uint32_t output =
        buffers_.add_curve(channel == Channel::rotation ? "VEC4" : "VEC3", values);
    animation_.channels.push_back({node, channel, input, output});
  }

  std::uint32_t add_times(std::span<const float> times) {
    animation_.last_key = std::max(animation_.last_key, times.back());
    return buffers_.add_times(times);
  }

  /// Times of the two keys that stand for one: its own (0 for a constant) and the clip's end.
  std::optional<std::uint32_t> two_times(const Keys& keys, bool is_constant) {
    const float first = is_constant ? 0.0F : clip_.times[keys.first_time];
    float second = end_time(clip_);
    if (!(second > first)) second = first + frame_time(clip_);
    if (!(second > first)) {
      second = std::nextafter(first, std::numeric_limits<float>::infinity());
    }
    const std::array<float, 2> times{first, second};
    if (!are_key_times(times)) return std::nullopt;
    return add_times(times);
  }

  /// Curves that share their times are looked at once.
  std::optional<std::uint32_t> times_accessor(const Keys& keys) {
    const auto [found, is_new] =
        accessor_of_times_.try_emplace(std::uint64_t{keys.first_time} << 32U | keys.count);
    if (is_new) {
      const auto times = clip_.times_of(keys);
      if (are_key_times(times)) found->second = add_times(times);
    }
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
    const ComposedCurves curves = compose_root_motion(clip_, joint);
    const std::vector<float> rotations = gltf_rotations(curves.rotations);
    const std::vector<float> translations = gltf_translations(curves.translations);
    if (rotations.empty() || translations.empty()) {
      return warn(path, "is not composed into a root joint: a value is not finite");
    }
    if (joint.rotation != nullptr) state(*joint.rotation) = ChannelState::composed;
    if (joint.translation != nullptr) state(*joint.translation) = ChannelState::composed;
    const std::uint32_t input = add_times(curves.times);
    add_channel(node, Channel::rotation, input, rotations);
    add_channel(node, Channel::translation, input, translations);
  }

  const Clip& clip_;
  const ClipNodes& nodes_;
  const NodeTree& tree_;
  BufferBuilder& buffers_;
  std::vector<Diagnostic>& diagnostics_;
  std::string path_;
  std::vector<ChannelState> states_;  ///< two a joint, by `Channel`
  std::unordered_map<std::uint64_t, std::optional<std::uint32_t>> accessor_of_times_;
  Animation animation_;
};

}  // namespace

Animation build_animation(const Clip& clip, const ClipNodes& nodes, const NodeTree& tree,
                          RootMotionTarget root_motion, BufferBuilder& buffers,
                          std::vector<Diagnostic>& diagnostics) {
  return AnimationBuilder(clip, nodes, tree, buffers, diagnostics).build(root_motion);
}

}  // namespace mabkit::gltf
