#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mabkit/names.hpp>
#include <utility>

#include "gltf/motion_source.hpp"
#include "scene/values.hpp"

namespace mabkit::gltf {
namespace {

/// Values that differ by no more than this, in metres and as a part of a quaternion, are the same:
/// a trip through another program changes the last digits of everything.
constexpr float same_value = 1e-5F;
/// Joints that are named in a notice.
constexpr std::size_t most_names = 8;

using Value = std::vector<float>;

bool is_same(Channel channel, const float* a, const float* b) {
  float same = 0.0F;
  float opposite = 0.0F;
  for (std::size_t i = 0; i < value_width(channel); ++i) {
    same = std::max(same, std::abs(a[i] - b[i]));
    opposite = std::max(opposite, std::abs(a[i] + b[i]));
  }
  return same <= same_value || (channel == Channel::rotation && opposite <= same_value);
}

bool stays_at(const LinearCurve& curve, const Value& value) {
  for (std::size_t i = 0; i < curve.values.size(); i += value.size()) {
    if (!is_same(curve.channel, &curve.values[i], value.data())) return false;
  }
  return true;
}

bool is_still(const LinearCurve& curve) {
  const auto width = static_cast<std::ptrdiff_t>(value_width(curve.channel));
  return stays_at(curve, Value(curve.values.begin(), curve.values.begin() + width));
}

Value rest_value(const Transform& rest, Channel channel) {
  const Quat& q = rest.rotation;
  const Vec3& v = rest.translation;
  return channel == Channel::rotation ? Value{q.x, q.y, q.z, q.w} : Value{v.x, v.y, v.z};
}

/// How the bank's curve was stored, as `extras` of its node say; empty where it had none.
std::string_view stored_kind(const SourceNode& node, Channel channel) {
  const Json* const kind = extra(node, channel == Channel::rotation ? "rotation" : "translation");
  if (kind == nullptr || !kind->is_string()) return {};
  return kind->get_ref<const std::string&>();
}

/// Whether every key of an animation lies on a frame, or where a step before one ends.
bool lies_on_frames(const SourceAnimation& animation, double rate) {
  const auto is_off = [rate](float time) {
    const double frame = time * rate;
    return std::abs(frame - std::round(frame)) > 2.0 * step_lead * rate;
  };
  const auto has_keys_off = [&](const std::optional<LinearCurve>& curve) {
    return curve && std::any_of(curve->times.begin(), curve->times.end(), is_off);
  };
  return std::none_of(animation.nodes.begin(), animation.nodes.end(), [&](const auto& driven) {
    return has_keys_off(driven.second.rotation) || has_keys_off(driven.second.translation);
  });
}

/// Whether one of two rates has all frames of the other.
bool share_frames(double a, double b) {
  constexpr double rounding = 1e-3;
  const double ratio = std::max(a, b) / std::min(a, b);
  return std::abs(ratio - std::round(ratio)) < rounding;
}

class RecordReader {
 public:
  RecordReader(const MotionSource& source, BankRecord record, ImportedMotion& out)
      : source_(source), record_(std::move(record)), out_(out) {}

  Result<void> read() && {
    out_.bank.format = record_.format;
    out_.bank.game = record_.game;
    out_.bank.participants = record_.participants;
    match_animations();
    for (std::size_t i = 0; i < record_.clips.size(); ++i) {
      if (auto done = read_clip(i); !done) return done;
    }
    renumber();
    return {};
  }

 private:
  void notice(std::string path, std::string message) {
    out_.notices.push_back({std::nullopt, std::move(path), std::move(message)});
  }

  // Which animation a clip has: by its number, by its name, by a name that goes on, as Blender's
  // actions have it.
  void match_animations() {
    animation_of_clip_.assign(record_.clips.size(), std::nullopt);
    std::vector<bool> is_taken(source_.animations.size(), false);
    const auto match = [&](const auto& fits) {
      for (std::size_t i = 0; i < record_.clips.size(); ++i) {
        for (std::size_t j = 0; j < is_taken.size() && !animation_of_clip_[i]; ++j) {
          if (is_taken[j] || !fits(record_.clips[i], source_.animations[j])) continue;
          animation_of_clip_[i] = j;
          is_taken[j] = true;
        }
      }
    };
    match([](const RecordedClip& clip, const SourceAnimation& animation) {
      return animation.clip == clip.position;
    });
    match([](const RecordedClip& clip, const SourceAnimation& animation) {
      return clip.animation_name && animation.name == *clip.animation_name;
    });
    match([](const RecordedClip& clip, const SourceAnimation& animation) {
      return clip.animation_name && without_number(animation.name) == *clip.animation_name;
    });
    match([](const RecordedClip& clip, const SourceAnimation& animation) {
      return clip.animation_name && animation.name.starts_with(*clip.animation_name + "_");
    });
    const auto free = std::find(is_taken.begin(), is_taken.end(), false);
    if (!animation_of_clip_.front() && record_.clips.front().animation_name &&
        free != is_taken.end()) {
      animation_of_clip_.front() = static_cast<std::size_t>(free - is_taken.begin());
      *free = true;
      notice(fmt::format("animations[{}]", *animation_of_clip_.front()),
             "is taken for the main clip, whose own animation is gone");
    }
    for (std::size_t j = 0; j < is_taken.size(); ++j) {
      if (is_taken[j]) continue;
      notice(fmt::format("animations[{}]", j),
             fmt::format("\"{}\" is left out: it is none of the clips that the file was made of",
                         source_.animations[j].name));
    }
  }

  Result<void> read_clip(std::size_t position) {
    RecordedClip& recorded = record_.clips[position];
    Clip& clip = out_.bank.clips.emplace_back(std::move(recorded.clip));
    const std::string path = fmt::format("clip[{}]", position);
    claim_nodes(position, clip, path);
    if (recorded.root_motion_target == "joint" || recorded.root_motion_target == "ignore") {
      notice(path + ".root_motion",
             recorded.root_motion_target == "joint"
                 ? "was composed into the root joints when the file was made, and stays there"
                 : "was left out when the file was made");
    }
    if (!animation_of_clip_[position]) {
      if (recorded.animation_name) notice(path, "has no animation any more, so nothing moves");
      return {};
    }
    const SourceAnimation& animation = source_.animations[*animation_of_clip_[position]];
    say_rate(clip, animation, path);
    JointCurves curves(source_.rig, animation, source_.limits);
    for (const std::uint32_t node : nodes_) {
      const auto driven = curves.of(node);
      if (!driven) return tl::unexpected(driven.error());
      if (carries_root_motion(source_.rig.nodes[node].name)) {
        add_root_motion(clip, node, *driven);
      } else {
        add_tracks(clip, node, *driven, path);
      }
    }
    sort_tracks(clip);
    set_duration(clip, recorded, animation, path);
    return {};
  }

  /// Programs that write a key a frame have moved all keys where their rate is another one.
  void say_rate(const Clip& clip, const SourceAnimation& animation, const std::string& path) {
    const double own = clip.frame_rate;
    if (!(own > 0.0) || !std::isfinite(own) || !animation.has_grid) return;
    if (share_frames(own, animation.frames_per_second) || lies_on_frames(animation, own)) return;
    notice(
        path + ".frame_rate",
        fmt::format("its keys lie on {:.6g} frames a second, and the clip has {:.6g}: every joint "
                    "changes a little. Set the program that made the file to {:.6g} before the "
                    "clip is imported",
                    animation.frames_per_second, own, own));
  }

  /// Finds the nodes of a clip's entity and their joints.
  void claim_nodes(std::size_t position, const Clip& clip, const std::string& path) {
    const std::uint32_t clip_number = record_.clips[position].position;
    nodes_.clear();
    joint_of_node_.assign(source_.rig.nodes.size(), no_node);
    node_of_joint_.assign(clip.joints.size(), no_node);
    for (std::uint32_t node = 0; node < source_.rig.nodes.size(); ++node) {
      if (!source_.rig.frames.of_node[node]) continue;
      const SourceNode& in = source_.rig.nodes[node];
      const auto participant = extra_number(in, "participant");
      const bool is_own = position == 0 ? !participant : participant == clip_number;
      if (!is_own || (is_root_motion(in.name) && !carries_root_motion(in.name))) continue;
      nodes_.push_back(node);
      const auto joint = extra_number(in, "joint");
      if (joint && *joint < clip.joints.size() && node_of_joint_[*joint] == no_node) {
        claim(node, *joint);
      }
    }
    say_missing(clip, path);
  }

  void claim(std::uint32_t node, std::uint32_t joint) {
    joint_of_node_[node] = joint;
    node_of_joint_[joint] = node;
  }

  void say_missing(const Clip& clip, const std::string& path) {
    std::string names;
    std::size_t count = 0;
    for (std::size_t joint = 0; joint < clip.joints.size(); ++joint) {
      if (node_of_joint_[joint] != no_node) continue;
      if (++count > most_names) continue;
      const Joint& missing = clip.joints[joint];
      names += fmt::format("{}{}", count == 1 ? "" : ", ",
                           missing.name        ? *missing.name
                           : missing.name_hash ? hash_text(*missing.name_hash)
                                               : fmt::format("bone {}", missing.id));
    }
    if (count == 0) return;
    notice(path + ".joints", fmt::format("{} joints have no node any more: {}{}", count, names,
                                         count > most_names ? ", …" : ""));
  }

  void add_tracks(Clip& clip, std::uint32_t node, const NodeCurves& driven,
                  const std::string& path) {
    const Transform rest = rest_of(source_.rig, node);
    for (const auto* const curve : {&driven.rotation, &driven.translation}) {
      if (!*curve) continue;
      const std::string_view kind = stored_kind(source_.rig.nodes[node], (*curve)->channel);
      // Some programs write every channel of every bone.
      if (kind.empty() && stays_at(**curve, rest_value(rest, (*curve)->channel))) continue;
      if (joint_of_node_[node] == no_node) add_joint(clip, node, path);
      const bool is_still_constant = kind == "constant" && is_still(**curve);
      Track track;
      track.joint = joint_of_node_[node];
      track.channel = (*curve)->channel;
      track.kind = is_still_constant ? TrackKind::constant : TrackKind::animated;
      track.keys = add_keys(clip, **curve, kind);
      clip.tracks.push_back(track);
    }
  }

  /// The curve's keys, or its first where the bank had one key and it still stands for all.
  static Keys add_keys(Clip& clip, const LinearCurve& curve, std::string_view kind) {
    const bool had_one_key = kind == "constant" || kind == "one_key";
    if (!had_one_key || !is_still(curve)) return append_keys(clip, curve);
    LinearCurve first = curve;
    first.times.resize(1);
    first.values.resize(value_width(curve.channel));
    if (kind == "constant") first.times.front() = 0.0F;
    return append_keys(clip, first);
  }

  /// A joint that the bank did not have.
  void add_joint(Clip& clip, std::uint32_t node, const std::string& path) {
    const auto position = static_cast<std::uint32_t>(clip.joints.size());
    Joint joint = identify_joints(source_.rig, {node}).front();
    if (extra(source_.rig.nodes[node], "id") == nullptr) joint.id = position;
    joint.parent.reset();
    for (auto above = source_.rig.frames.of_node[node]->parent; above && !joint.parent;
         above = source_.rig.frames.of_node[*above]->parent) {
      if (joint_of_node_[*above] != no_node) joint.parent = joint_of_node_[*above];
    }
    notice(path + ".joints", fmt::format("joint \"{}\" is new", source_.rig.nodes[node].name));
    clip.joints.push_back(std::move(joint));
    joint_of_node_[node] = position;
  }

  void add_root_motion(Clip& clip, std::uint32_t node, const NodeCurves& driven) {
    const Transform rest = rest_of(source_.rig, node);
    const auto add = [&](const std::optional<LinearCurve>& curve, std::optional<Keys>& out) {
      if (!curve) return;
      const std::string_view kind = stored_kind(source_.rig.nodes[node], curve->channel);
      if (kind.empty() && stays_at(*curve, rest_value(rest, curve->channel))) return;
      out = add_keys(clip, *curve, kind);
    };
    std::optional<Keys> translation;
    std::optional<Keys> rotation;
    add(driven.translation, translation);
    add(driven.rotation, rotation);
    if (!translation && !rotation) return;
    if (!clip.root_motion) clip.root_motion.emplace();
    clip.root_motion->translation = translation;
    clip.root_motion->rotation = rotation;
  }

  static void sort_tracks(Clip& clip) {
    std::stable_sort(clip.tracks.begin(), clip.tracks.end(), [](const Track& a, const Track& b) {
      return a.joint != b.joint ? a.joint < b.joint : a.channel < b.channel;
    });
  }

  /// The bank's duration stands unless the animation has become longer or shorter.
  void set_duration(Clip& clip, const RecordedClip& recorded, const SourceAnimation& animation,
                    const std::string& path) {
    const float last = recorded.last_key.value_or(animation.last_time);
    if (std::abs(animation.last_time - last) <= scene::frame_time(clip)) return;
    notice(path + ".duration", fmt::format("becomes {} s, the last key's time, from {} s",
                                           animation.last_time, clip.duration));
    clip.duration = animation.last_time;
  }

  /// Where the file has only some of the bank's clips, records name them by their new positions.
  void renumber() {
    bool is_whole = true;
    for (std::uint32_t i = 0; i < record_.clips.size(); ++i) {
      is_whole = is_whole && record_.clips[i].position == i;
    }
    if (is_whole) return;
    for (Participant& participant : out_.bank.participants) {
      if (!participant.clip) continue;
      const std::uint32_t old = *participant.clip;
      participant.clip.reset();
      for (std::uint32_t i = 0; i < record_.clips.size(); ++i) {
        if (record_.clips[i].position == old) participant.clip = i;
      }
    }
    notice("clips", "the file has only some clips of the bank that it was made of");
  }

  const MotionSource& source_;
  BankRecord record_;
  ImportedMotion& out_;
  std::vector<std::optional<std::size_t>> animation_of_clip_;
  // Of the clip that is read:
  std::vector<std::uint32_t> nodes_;          ///< of its joints and root motion
  std::vector<std::uint32_t> joint_of_node_;  ///< by node
  std::vector<std::uint32_t> node_of_joint_;
};

}  // namespace

Result<void> read_recorded_bank(const MotionSource& source, BankRecord record,
                                ImportedMotion& out) {
  out.are_takes = false;
  out.skeleton = rest_skeleton(source, identify_joints(source.rig, source.joints));
  return RecordReader(source, std::move(record), out).read();
}

}  // namespace mabkit::gltf
