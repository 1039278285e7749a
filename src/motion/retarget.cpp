#include <algorithm>
#include <cmath>
#include <mabkit/names.hpp>
#include <mabkit/pose.hpp>
#include <mabkit/retarget.hpp>
#include <map>
#include <unordered_map>

#include "motion/rig_pose.hpp"

namespace mabkit {
namespace {

using motion::Placement;
using motion::Point;
using motion::RigPose;
using motion::Turn;

/// Rotations and lengths that differ by less are the same: float32 rigs, read twice.
constexpr double same_angle = 1e-6;
constexpr double same_length = 1e-6;
/// A translation track that stays this close to the bind pose says nothing, in metres.
constexpr double says_nothing = 1e-4;
/// Legs shorter than this tell no ratio, in metres.
constexpr double shortest_leg = 0.05;

using BonePosition = std::optional<std::uint32_t>;

double angle(const Turn& q) {
  return 2.0 * std::atan2(motion::length({q.x, q.y, q.z}), std::abs(q.w));
}

Vec3 to_vec3(const Point& v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

/// A translation track of the target whose values are still to come.
struct CarriedTranslation {
  std::uint32_t bone = 0;    ///< of the target
  std::uint32_t source = 0;  ///< its counterpart
  Keys keys;                 ///< of the new clip
};

/// The tracks that move the bones of the source rig.
struct SourceTracks {
  std::vector<const Track*> rotation;     ///< one a bone
  std::vector<const Track*> translation;  ///< one a bone
};

SourceTracks tracks_by_bone(const Clip& clip, const Skeleton& source, const Binding& binding) {
  SourceTracks out{std::vector<const Track*>(source.bones.size()),
                   std::vector<const Track*>(source.bones.size())};
  for (const Track& track : clip.tracks) {
    const BonePosition bone = binding.bone_of_joint[track.joint];
    if (!bone || track.keys.count == 0) continue;
    (track.channel == Channel::rotation ? out.rotation : out.translation)[*bone] = &track;
  }
  return out;
}

class Retargeter {
 public:
  Retargeter(const Clip& clip, const Skeleton& source, const Binding& binding,
             const Skeleton& target)
      : clip_(clip),
        source_(source),
        binding_(binding),
        target_(target),
        source_pose_(source),
        target_pose_(target),
        tracks_(tracks_by_bone(clip, source, binding)) {
    find_counterparts();
    find_pelvis();
  }

  Retargeted run() {
    out_.clip.name = clip_.name;
    out_.clip.parent = clip_.parent;
    out_.clip.duration = clip_.duration;
    out_.clip.frame_rate = clip_.frame_rate;
    out_.clip.events = clip_.events;
    out_.clip.participant = clip_.participant;
    out_.scale = scale_;
    list_left_out();
    for (std::uint32_t bone = 0; bone < target_.bones.size(); ++bone) {
      if (!counterpart_[bone]) continue;
      carry_rotation(bone);
      carry_translation(bone);
    }
    fill_translations();
    link_parents();
    carry_root_motion();
    return std::move(out_);
  }

 private:
  void find_counterparts() {
    std::unordered_map<std::uint32_t, std::uint32_t> by_hash;
    for (std::uint32_t i = 0; i < source_.bones.size(); ++i) {
      by_hash.emplace(source_.bones[i].name_hash, i);
    }
    for (const Bone& bone : target_.bones) {
      const auto found = by_hash.find(bone.name_hash);
      counterpart_.push_back(found == by_hash.end() ? std::nullopt : BonePosition(found->second));
    }
  }

  /// The topmost bone that the clip moves about; else the topmost that it turns.
  void find_pelvis() {
    for (const auto* tracks : {&tracks_.translation, &tracks_.rotation}) {
      for (const std::uint32_t bone : target_pose_.order) {
        if (counterpart_[bone] && (*tracks)[*counterpart_[bone]] != nullptr) {
          pelvis_ = bone;
          compare_legs(bone);
          return;
        }
      }
    }
  }

  /// Over the lowest of the bones that both rigs have: one of them may end in toes, or in leaves
  /// that an exporter added.
  void compare_legs(std::uint32_t pelvis) {
    std::vector<std::uint32_t> in_target;
    std::vector<std::uint32_t> in_source;
    for (std::uint32_t bone = 0; bone < counterpart_.size(); ++bone) {
      if (!counterpart_[bone]) continue;
      in_target.push_back(bone);
      in_source.push_back(*counterpart_[bone]);
    }
    const double to = height_over(target_pose_, pelvis, in_target);
    const double from = height_over(source_pose_, *counterpart_[pelvis], in_source);
    if (to > shortest_leg && from > shortest_leg) scale_ = to / from;
  }

  void list_left_out() {
    std::vector<bool> is_used(source_.bones.size());
    for (const BonePosition& source : counterpart_) {
      if (source) is_used[*source] = true;
    }
    for (std::uint32_t joint = 0; joint < clip_.joints.size(); ++joint) {
      const BonePosition bone = binding_.bone_of_joint[joint];
      if (bone && is_used[*bone]) {
        ++out_.matched;
        continue;
      }
      out_.left_out.push_back(joint_label(clip_.joints[joint]));
    }
  }

  /// Nearest bone of the target above `bone` whose counterpart is above `bone`'s.
  [[nodiscard]] BonePosition anchor_of(std::uint32_t bone) const {
    for (BonePosition above = target_pose_.parents[bone]; above;
         above = target_pose_.parents[*above]) {
      if (counterpart_[*above] &&
          source_pose_.is_above(*counterpart_[*above], *counterpart_[bone])) {
        return above;
      }
    }
    return std::nullopt;
  }

  /// Bones of the source from below `ancestor` (absent: from the root) to `bone`, top first.
  [[nodiscard]] std::vector<std::uint32_t> path(const BonePosition& ancestor,
                                                std::uint32_t bone) const {
    std::vector<std::uint32_t> bones{bone};
    for (BonePosition above = source_pose_.parents[bone]; above && above != ancestor;
         above = source_pose_.parents[*above]) {
      bones.push_back(*above);
    }
    std::reverse(bones.begin(), bones.end());
    return bones;
  }

  /// Times at which something on the path has a key; none where nothing moves.
  [[nodiscard]] std::vector<float> key_times(const std::vector<const Track*>& tracks) const {
    std::vector<float> times;
    for (const Track* track : tracks) {
      if (track == nullptr || track->kind == TrackKind::constant) continue;
      const auto of_track = clip_.times_of(track->keys);
      times.insert(times.end(), of_track.begin(), of_track.end());
    }
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    return times;
  }

  [[nodiscard]] Turn source_rotation(std::uint32_t bone, float time) const {
    const Track* const track = tracks_.rotation[bone];
    if (track == nullptr) return source_pose_.local[bone].turn;
    return motion::precise(sample_rotation(clip_, track->keys, time));
  }
  [[nodiscard]] Point source_translation(std::uint32_t bone, float time) const {
    const Track* const track = tracks_.translation[bone];
    if (track == nullptr) return source_pose_.local[bone].origin;
    return motion::precise(sample_translation(clip_, track->keys, time));
  }

  /// The target's local rotation is before · (rotation along the source's path) · after.
  struct Frame {
    Turn before;
    Turn after;
    [[nodiscard]] bool is_identity() const {
      return angle(before) < same_angle && angle(after) < same_angle;
    }
  };

  [[nodiscard]] Frame frame_of(std::uint32_t bone, const BonePosition& anchor) const {
    const std::uint32_t source = *counterpart_[bone];
    // Bones of the target between the anchor and this one keep their bind pose.
    Turn between;
    for (BonePosition above = target_pose_.parents[bone]; above && above != anchor;
         above = target_pose_.parents[*above]) {
      between = target_pose_.local[*above].turn * between;
    }
    Frame frame;
    frame.before = inverse(between);
    if (anchor) {
      frame.before = frame.before * inverse(target_pose_.object[*anchor].turn) *
                     source_pose_.object[*counterpart_[*anchor]].turn;
    }
    frame.after = inverse(source_pose_.object[source].turn) * target_pose_.object[bone].turn;
    return frame;
  }

  void carry_rotation(std::uint32_t bone) {
    const BonePosition anchor = anchor_of(bone);
    const std::vector<std::uint32_t> bones =
        path(anchor ? counterpart_[*anchor] : std::nullopt, *counterpart_[bone]);
    std::vector<const Track*> tracks;
    for (const std::uint32_t source : bones) tracks.push_back(tracks_.rotation[source]);
    if (std::all_of(tracks.begin(), tracks.end(), [](const Track* t) { return t == nullptr; })) {
      return;
    }
    const Frame frame = frame_of(bone, anchor);
    const std::vector<float> times = key_times(tracks);
    if (bones.size() == 1 && frame.is_identity()) {
      copy_track(bone, *tracks.front());
      return;
    }
    begin_track(bone, Channel::rotation, times);
    for (const float time : times.empty() ? std::vector<float>{0.0F} : times) {
      Turn turn = frame.before;
      for (const std::uint32_t source : bones) {
        turn = turn * source_rotation(source, time);
      }
      const Quat q = motion::rounded(turn * frame.after);
      out_.clip.values.insert(out_.clip.values.end(), {q.x, q.y, q.z, q.w});
    }
  }

  void carry_translation(std::uint32_t bone) {
    const std::uint32_t source = *counterpart_[bone];
    const Track* const track = tracks_.translation[source];
    if (track == nullptr) return;
    const bool is_pelvis = bone == pelvis_;
    if (has_same_parent_frame(bone, source) && (!is_pelvis || scale_ == 1.0)) {
      copy_track(bone, *track);
      return;
    }
    if (!is_pelvis && stays_at_bind_pose(*track, source)) return;
    begin_track(bone, Channel::translation, key_times({track}));
    const Keys& keys = out_.clip.tracks.back().keys;
    out_.clip.values.resize(out_.clip.values.size() + 3 * std::size_t{keys.count});
    carried_.push_back({bone, source, keys});
  }

  /// Values of the carried translations, pose by pose, so that each pose is made once.
  void fill_translations() {
    std::map<float, std::vector<std::pair<std::size_t, std::size_t>>> places;
    for (std::size_t i = 0; i < carried_.size(); ++i) {
      const auto times = out_.clip.times_of(carried_[i].keys);
      for (std::size_t key = 0; key < times.size(); ++key) places[times[key]].emplace_back(i, key);
    }
    for (const auto& [time, keys] : places) {
      const std::vector<Placement> from = source_placements(time);
      const std::vector<Placement> to = target_placements(from);
      for (const auto& [i, key] : keys) {
        const auto& [bone, source, track_keys] = carried_[i];
        const Vec3 v = to_vec3(bone == pelvis_ ? pelvis_translation(bone, from[source], to)
                                               : moved_translation(bone, source, time, from, to));
        float* const out = out_.clip.values.data() + track_keys.first_value + 3 * key;
        out[0] = v.x;
        out[1] = v.y;
        out[2] = v.z;
      }
    }
  }

  /// Whether the bone hangs from the same place under the same axes in both rigs.
  [[nodiscard]] bool has_same_parent_frame(std::uint32_t bone, std::uint32_t source) const {
    const BonePosition target_parent = target_pose_.parents[bone];
    const BonePosition source_parent = source_pose_.parents[source];
    if (target_parent.has_value() != source_parent.has_value()) return false;
    if (length(target_pose_.local[bone].origin - source_pose_.local[source].origin) > same_length) {
      return false;
    }
    if (!target_parent) return true;
    return counterpart_[*target_parent] == source_parent &&
           angle(inverse(target_pose_.object[*target_parent].turn) *
                 source_pose_.object[*source_parent].turn) < same_angle;
  }

  [[nodiscard]] bool stays_at_bind_pose(const Track& track, std::uint32_t source) const {
    for (std::uint32_t key = 0; key < track.keys.count; ++key) {
      const Point value = motion::precise(clip_.translation(track.keys, key));
      if (length(value - source_pose_.local[source].origin) > says_nothing) return false;
    }
    return true;
  }

  /// The source in object space at a time.
  [[nodiscard]] std::vector<Placement> source_placements(float time) const {
    std::vector<Placement> out(source_.bones.size());
    for (const std::uint32_t bone : source_pose_.order) {
      const Placement local{source_rotation(bone, time), source_translation(bone, time)};
      const BonePosition parent = source_pose_.parents[bone];
      out[bone] = parent ? out[*parent] * local : local;
    }
    return out;
  }

  /// The target in object space, as far as rotations make it.
  [[nodiscard]] std::vector<Placement> target_placements(const std::vector<Placement>& from) const {
    std::vector<Placement> out(target_.bones.size());
    for (const std::uint32_t bone : target_pose_.order) {
      const BonePosition parent = target_pose_.parents[bone];
      const Placement& local = target_pose_.local[bone];
      out[bone] = parent ? out[*parent] * local : local;
      if (const BonePosition& source = counterpart_[bone]) {
        const Turn turn = from[*source].turn * inverse(source_pose_.object[*source].turn);
        out[bone].turn = turn * target_pose_.object[bone].turn;
      }
    }
    return out;
  }

  static Placement placement_of(const BonePosition& bone, const std::vector<Placement>& all) {
    return bone ? all[*bone] : Placement{};
  }

  [[nodiscard]] Point pelvis_translation(std::uint32_t bone, const Placement& from,
                                         const std::vector<Placement>& to) const {
    const Placement parent = placement_of(target_pose_.parents[bone], to);
    return inverse(parent.turn) * (scale_ * from.origin - parent.origin);
  }

  /// The bind pose's translation and what the source moves away from its own.
  [[nodiscard]] Point moved_translation(std::uint32_t bone, std::uint32_t source, float time,
                                        const std::vector<Placement>& from,
                                        const std::vector<Placement>& to) const {
    const Point& source_bind = source_pose_.local[source].origin;
    const Point& target_bind = target_pose_.local[bone].origin;
    const double from_length = length(source_bind);
    const double ratio = from_length > same_length ? length(target_bind) / from_length : scale_;
    const Point moved = ratio * (source_translation(source, time) - source_bind);
    const Turn source_parent = placement_of(source_pose_.parents[source], from).turn;
    const Turn target_parent = placement_of(target_pose_.parents[bone], to).turn;
    return target_bind + inverse(target_parent) * (source_parent * moved);
  }

  std::uint32_t joint_of(std::uint32_t bone) {
    if (joints_.empty()) joints_.resize(target_.bones.size());
    if (!joints_[bone]) {
      joints_[bone] = static_cast<std::uint32_t>(out_.clip.joints.size());
      const Bone& of = target_.bones[bone];
      out_.clip.joints.push_back({of.id.value_or(bone), of.name_hash, of.name, std::nullopt});
    }
    return *joints_[bone];
  }

  void copy_track(std::uint32_t bone, const Track& track) {
    const auto times = clip_.times_of(track.keys);
    const auto values = clip_.values_of(track.keys, track.channel);
    Clip& clip = out_.clip;
    clip.tracks.push_back({joint_of(bone),
                           track.channel,
                           track.kind,
                           {clip.times.size(), clip.values.size(), track.keys.count}});
    clip.times.insert(clip.times.end(), times.begin(), times.end());
    clip.values.insert(clip.values.end(), values.begin(), values.end());
  }

  /// No times: a constant.
  void begin_track(std::uint32_t bone, Channel channel, const std::vector<float>& times) {
    Clip& clip = out_.clip;
    const TrackKind kind = times.empty() ? TrackKind::constant : TrackKind::animated;
    const auto count = static_cast<std::uint32_t>(std::max<std::size_t>(times.size(), 1));
    clip.tracks.push_back(
        {joint_of(bone), channel, kind, {clip.times.size(), clip.values.size(), count}});
    clip.times.insert(clip.times.end(), times.begin(), times.end());
    if (times.empty()) clip.times.push_back(0.0F);
  }

  void link_parents() {
    if (joints_.empty()) return;
    for (std::uint32_t bone = 0; bone < joints_.size(); ++bone) {
      if (!joints_[bone]) continue;
      BonePosition above = target_pose_.parents[bone];
      while (above && !joints_[*above]) above = target_pose_.parents[*above];
      if (above) out_.clip.joints[*joints_[bone]].parent = joints_[*above];
    }
  }

  void carry_root_motion() {
    if (!clip_.root_motion) return;
    RootMotion motion = *clip_.root_motion;
    const auto carry = [this](std::optional<Keys>& keys, Channel channel, double scale) {
      if (!keys) return;
      const auto times = clip_.times_of(*keys);
      const auto values = clip_.values_of(*keys, channel);
      Clip& clip = out_.clip;
      keys = Keys{clip.times.size(), clip.values.size(), keys->count};
      clip.times.insert(clip.times.end(), times.begin(), times.end());
      for (const float value : values) {
        clip.values.push_back(scale == 1.0 ? value : static_cast<float>(value * scale));
      }
    };
    carry(motion.translation, Channel::translation, scale_);
    carry(motion.rotation, Channel::rotation, 1.0);
    out_.clip.root_motion = motion;
  }

  const Clip& clip_;
  const Skeleton& source_;
  const Binding& binding_;
  const Skeleton& target_;
  RigPose source_pose_;
  RigPose target_pose_;
  SourceTracks tracks_;
  std::vector<BonePosition> counterpart_;  ///< bone of the source, one a bone of the target
  std::vector<BonePosition> joints_;       ///< joint of the new clip, one a bone of the target
  BonePosition pelvis_;                    ///< of the target
  double scale_ = 1.0;
  std::vector<CarriedTranslation> carried_;
  Retargeted out_;
};

}  // namespace

Retargeted retarget(const Clip& clip, const Skeleton& source, const Binding& binding,
                    const Skeleton& target) {
  return Retargeter(clip, source, binding, target).run();
}

}  // namespace mabkit
