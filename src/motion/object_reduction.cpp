#include "motion/object_reduction.hpp"

#include <cmath>

#include "motion/difference.hpp"

namespace mabkit::motion {
namespace {

Turn rotation_at(const SampledTrack& track, std::uint32_t sample) {
  return precise(track.rotations[track.kind == TrackKind::constant ? 0 : sample]);
}

Point translation_at(const SampledTrack& track, std::uint32_t sample) {
  return precise(track.translations[track.kind == TrackKind::constant ? 0 : sample]);
}

Turn interpolate(const SampledTrack& track, std::uint32_t first, std::uint32_t last,
                 double fraction) {
  if (track.kind == TrackKind::constant) return rotation_at(track, 0);
  return precise(slerp(track.rotations[first], track.rotations[last], fraction));
}

Point interpolate_translation(const SampledTrack& track, std::uint32_t first, std::uint32_t last,
                              double fraction) {
  const Point from = translation_at(track, first);
  return from + fraction * (translation_at(track, last) - from);
}

}  // namespace

InterpolationError::InterpolationError(const SampledClip& clip,
                                       const std::vector<bool>& is_interpolated,
                                       const Skeleton& skeleton, const Binding& binding,
                                       double vertex_distance)
    : clip_(clip),
      vertex_distance_(vertex_distance),
      rig_(skeleton),
      places_(skeleton.bones.size()),
      strayed_(skeleton.bones.size()) {
  std::vector<Joint> by_bone(skeleton.bones.size());
  for (std::size_t i = 0; i < clip.tracks.size(); ++i) {
    const SampledTrack& track = clip.tracks[i];
    const auto bone = binding.bone_of_joint[track.joint];
    if (!bone) continue;
    Joint& joint = by_bone[*bone];
    const bool interpolates = is_interpolated[i] && track.kind == TrackKind::animated;
    if (track.channel == Channel::rotation) {
      joint.rotation = &track;
      joint.interpolates_rotation = interpolates;
    } else {
      joint.translation = &track;
      joint.interpolates_translation = interpolates;
    }
  }
  std::vector<bool> is_measured(skeleton.bones.size());
  for (const std::uint32_t bone : rig_.order) {
    Joint joint = by_bone[bone];
    joint.bone = bone;
    joint.is_measured = joint.interpolates_rotation || joint.interpolates_translation ||
                        (rig_.parents[bone] && is_measured[*rig_.parents[bone]]);
    is_measured[bone] = joint.is_measured;
    joints_.push_back(joint);
  }
}

bool InterpolationError::is_within(std::uint32_t first, std::uint32_t last, double bound) const {
  const std::uint32_t middle = first + (last - first) / 2;
  if (middle == first) return true;
  // The middle is mostly the worst.
  if (!(error_at(first, last, middle, bound) <= bound)) return false;
  for (std::uint32_t sample = first + 1; sample < last; ++sample) {
    if (sample != middle && !(error_at(first, last, sample, bound) <= bound)) return false;
  }
  return true;
}

double InterpolationError::worst(std::span<const std::uint32_t> kept) const {
  double worst = 0.0;
  for (std::size_t i = 0; i + 1 < kept.size(); ++i) {
    for (std::uint32_t sample = kept[i] + 1; sample < kept[i + 1]; ++sample) {
      worst = larger_error(worst, error_at(kept[i], kept[i + 1], sample, HUGE_VAL));
    }
  }
  return worst;
}

/// The largest error at a sample, or the first that is more than `enough`.
double InterpolationError::error_at(std::uint32_t first, std::uint32_t last, std::uint32_t sample,
                                    double enough) const {
  const double begin = clip_.ticks[first];
  const double fraction = (clip_.ticks[sample] - begin) / (clip_.ticks[last] - begin);
  double worst = 0.0;
  for (const Joint& joint : joints_) {
    Placement place = rig_.local[joint.bone];
    if (joint.rotation != nullptr) place.turn = rotation_at(*joint.rotation, sample);
    if (joint.translation != nullptr) place.origin = translation_at(*joint.translation, sample);
    Placement strayed = place;
    if (joint.interpolates_rotation) {
      strayed.turn = interpolate(*joint.rotation, first, last, fraction);
    }
    if (joint.interpolates_translation) {
      strayed.origin = interpolate_translation(*joint.translation, first, last, fraction);
    }
    if (const auto parent = rig_.parents[joint.bone]) {
      place = places_[*parent] * place;
      strayed = strayed_[*parent] * strayed;
    }
    places_[joint.bone] = place;
    strayed_[joint.bone] = strayed;
    if (!joint.is_measured) continue;
    worst = larger_error(worst, vertex_distance_between(place, strayed, vertex_distance_));
    if (!(worst <= enough)) return worst;
  }
  return worst;
}

}  // namespace mabkit::motion
