#include "motion/clip_error.hpp"

#include <algorithm>
#include <cmath>
#include <mabkit/pose.hpp>

#include "motion/difference.hpp"
#include "motion/rig_pose.hpp"

namespace mabkit::motion {
namespace {

/// Whether an error is worse than the worst so far. Nothing is worse than what is no number.
bool is_worse(double error, double worst) {
  return !std::isnan(worst) && !(error <= worst);
}

/// Collects errors and names the worst.
class ErrorTally {
 public:
  void add(double error, std::uint32_t joint, double time) {
    errors_.push_back(static_cast<float>(error));
    if (errors_.size() > 1 && !is_worse(error, figures_.worst)) return;
    figures_.worst = error;
    figures_.joint = joint;
    figures_.time = static_cast<float>(time);
  }
  [[nodiscard]] ErrorFigures figures() && {
    if (errors_.empty()) return figures_;
    const std::size_t rank = (errors_.size() * 99 + 99) / 100 - 1;
    const auto nth = errors_.begin() + static_cast<std::ptrdiff_t>(rank);
    std::nth_element(errors_.begin(), nth, errors_.end(), [](float a, float b) {
      return is_worse(static_cast<double>(b), static_cast<double>(a));
    });
    figures_.percentile_99 = *nth;
    return figures_;
  }

 private:
  std::vector<float> errors_;
  ErrorFigures figures_;
};

/// Tracks of a clip by joint and channel.
class TrackTable {
 public:
  explicit TrackTable(const Clip& clip)
      : rotations_(clip.joints.size()), translations_(clip.joints.size()) {
    for (const Track& track : clip.tracks) {
      auto& table = track.channel == Channel::rotation ? rotations_ : translations_;
      if (track.joint < table.size() && track.keys.count > 0) table[track.joint] = &track;
    }
  }
  [[nodiscard]] const Track* find(std::uint32_t joint, Channel channel) const {
    const auto& table = channel == Channel::rotation ? rotations_ : translations_;
    return joint < table.size() ? table[joint] : nullptr;
  }

 private:
  std::vector<const Track*> rotations_;
  std::vector<const Track*> translations_;
};

const Quat& rotation_of(const SampledTrack& track, std::size_t sample) {
  return track.rotations[track.kind == TrackKind::constant ? 0 : sample];
}
const Vec3& translation_of(const SampledTrack& track, std::size_t sample) {
  return track.translations[track.kind == TrackKind::constant ? 0 : sample];
}

class Comparison {
 public:
  Comparison(const SampledClip& source, const Clip& decoded,
             const std::vector<std::optional<std::uint32_t>>& joint_in_decoded)
      : source_(source), decoded_(decoded), table_(decoded), decoded_joint_(joint_in_decoded) {}

  ClipErrors run(const Skeleton* skeleton, const Binding* binding, double vertex_distance) {
    ClipErrors out;
    ErrorTally rotations;
    ErrorTally translations;
    for (const SampledTrack& track : source_.tracks) {
      auto& tally = track.channel == Channel::rotation ? rotations : translations;
      out.worst_of_track.push_back(compare_track(track, tally));
    }
    out.rotation = std::move(rotations).figures();
    out.translation = std::move(translations).figures();
    if (skeleton != nullptr && binding != nullptr) {
      out.object = compare_poses(*skeleton, *binding, vertex_distance);
    }
    return out;
  }

 private:
  [[nodiscard]] const Track* decoded_track(const SampledTrack& track) const {
    const auto joint = decoded_joint_[track.joint];
    return joint ? table_.find(*joint, track.channel) : nullptr;
  }

  double compare_track(const SampledTrack& track, ErrorTally& tally) const {
    const Track* const decoded = decoded_track(track);
    if (decoded == nullptr) return 0.0;
    double worst = 0.0;
    for (std::size_t i = 0; i < source_.ticks.size(); ++i) {
      const double time = source_.time(i);
      const double error =
          track.channel == Channel::rotation
              ? angle_between(rotation_of(track, i),
                              sample_rotation(decoded_, decoded->keys, static_cast<float>(time)))
              : distance(translation_of(track, i),
                         sample_translation(decoded_, decoded->keys, static_cast<float>(time)));
      tally.add(error, track.joint, time);
      if (is_worse(error, worst)) worst = error;
    }
    return worst;
  }

  /// Distance of the virtual vertices of every driven bone between both poses.
  [[nodiscard]] ErrorFigures compare_poses(const Skeleton& skeleton, const Binding& binding,
                                           double vertex_distance) const {
    std::vector<std::optional<std::uint32_t>> joint_of_bone(skeleton.bones.size());
    for (std::uint32_t joint = 0; joint < binding.bone_of_joint.size(); ++joint) {
      if (const auto bone = binding.bone_of_joint[joint]) joint_of_bone[*bone] = joint;
    }
    ErrorTally tally;
    const RigPose rig(skeleton);
    for (std::size_t i = 0; i < source_.ticks.size(); ++i) {
      std::vector<Placement> expected = rig.local;
      std::vector<Placement> actual = rig.local;
      set_local(i, binding, expected, actual);
      for (const std::uint32_t bone : rig.order) {
        if (const auto parent = rig.parents[bone]) {
          expected[bone] = expected[*parent] * expected[bone];
          actual[bone] = actual[*parent] * actual[bone];
        }
        if (!joint_of_bone[bone]) continue;
        tally.add(vertex_distance_between(expected[bone], actual[bone], vertex_distance),
                  *joint_of_bone[bone], source_.time(i));
      }
    }
    return std::move(tally).figures();
  }

  void set_local(std::size_t sample, const Binding& binding, std::vector<Placement>& expected,
                 std::vector<Placement>& actual) const {
    const auto time = static_cast<float>(source_.time(sample));
    for (const SampledTrack& track : source_.tracks) {
      const auto bone = binding.bone_of_joint[track.joint];
      if (!bone) continue;
      const Track* const decoded = decoded_track(track);
      if (track.channel == Channel::rotation) {
        expected[*bone].turn = precise(rotation_of(track, sample));
        if (decoded != nullptr) {
          actual[*bone].turn = precise(sample_rotation(decoded_, decoded->keys, time));
        }
      } else {
        expected[*bone].origin = precise(translation_of(track, sample));
        if (decoded != nullptr) {
          actual[*bone].origin = precise(sample_translation(decoded_, decoded->keys, time));
        }
      }
    }
  }

  const SampledClip& source_;
  const Clip& decoded_;
  TrackTable table_;
  const std::vector<std::optional<std::uint32_t>>& decoded_joint_;
};

}  // namespace

ClipErrors measure_errors(const SampledClip& source, const Clip& decoded,
                          const std::vector<std::optional<std::uint32_t>>& joint_in_decoded,
                          const Skeleton* skeleton, const Binding* binding,
                          double vertex_distance) {
  return Comparison(source, decoded, joint_in_decoded).run(skeleton, binding, vertex_distance);
}

}  // namespace mabkit::motion
