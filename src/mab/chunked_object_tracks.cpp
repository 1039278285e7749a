#include "mab/chunked_object_tracks.hpp"

#include <algorithm>
#include <mabkit/pose.hpp>
#include <optional>

#include "codec/object_space_encode.hpp"
#include "motion/rig_pose.hpp"

namespace mabkit::mab {
namespace {

using codec::ObjectJoint;
using codec::ObjectMotion;

/// The rig as a tree that errors add up along, parents first.
class ObjectMotionBuilder {
 public:
  explicit ObjectMotionBuilder(const TrackSet& set) : set_(set), rig_(*set.skeleton) {
    add_joints();
    motion_.keys = static_cast<std::uint32_t>(set.kept.size());
    motion_.vertex_distance = set.vertex_distance;
  }

  ObjectMotion build() && {
    for (std::size_t track = 0; track < set_.tracks.size(); ++track) add_track(track);
    for (const DecodedConstant& constant : set_.constants) add_constant(constant);
    return std::move(motion_);
  }

  /// Position in the set's tracks of each of the motion's; absent: it is stored as a constant.
  [[nodiscard]] const std::vector<std::optional<std::size_t>>& origins() const { return origins_; }

 private:
  void add_joints() {
    joint_of_bone_.resize(set_.skeleton->bones.size());
    for (const std::uint32_t bone : rig_.order) {
      joint_of_bone_[bone] = static_cast<std::uint32_t>(motion_.joints.size());
      const Bone& of = set_.skeleton->bones[bone];
      ObjectJoint joint;
      if (rig_.parents[bone]) joint.parent = joint_of_bone_[*rig_.parents[bone]];
      joint.expected = {of.rotation, of.translation};
      joint.actual = joint.expected;
      motion_.joints.push_back(joint);
    }
  }

  [[nodiscard]] ObjectJoint* joint_of(std::uint32_t clip_joint) {
    const auto bone = set_.binding->bone_of_joint[clip_joint];
    if (!bone || !joint_of_bone_[*bone]) return nullptr;
    return &motion_.joints[*joint_of_bone_[*bone]];
  }

  void put(codec::TrackToEncode track, ObjectJoint& joint, bool is_kept,
           std::optional<std::size_t> origin) {
    (track.channel == Channel::rotation ? joint.rotation : joint.translation) =
        static_cast<std::uint32_t>(motion_.tracks.size());
    motion_.tracks.push_back(std::move(track));
    motion_.is_kept.push_back(is_kept);
    origins_.push_back(origin);
  }

  void add_track(std::size_t track) {
    ObjectJoint* const joint = joint_of(set_.tracks[track].joint);
    if (joint != nullptr) put(set_.tracks[track], *joint, false, track);
  }

  /// What is stored as one value may move in the source: by as little as the bounds allow.
  void add_constant(const DecodedConstant& constant) {
    ObjectJoint* const joint = joint_of(constant.joint);
    if (joint == nullptr) return;
    const bool is_rotation = constant.channel == Channel::rotation;
    if (is_rotation) {
      joint->actual.rotation = constant.rotation;
    } else {
      joint->actual.translation = constant.translation;
    }
    const auto source = std::find_if(
        set_.source->tracks.begin(), set_.source->tracks.end(), [&](const auto& track) {
          return track.joint == constant.joint && track.channel == constant.channel;
        });
    if (source == set_.source->tracks.end()) return;
    if (source->kind == TrackKind::constant) {
      if (is_rotation) {
        joint->expected.rotation = source->rotations.front();
      } else {
        joint->expected.translation = source->translations.front();
      }
      return;
    }
    codec::TrackToEncode moving;
    moving.channel = constant.channel;
    for (const std::uint32_t sample : set_.kept) {
      if (is_rotation) {
        moving.rotations.push_back(source->rotations[sample]);
      } else {
        moving.translations.push_back(source->translations[sample]);
      }
    }
    (is_rotation ? joint->stores_constant_rotation : joint->stores_constant_translation) = true;
    put(std::move(moving), *joint, true, std::nullopt);
  }

  const TrackSet& set_;
  motion::RigPose rig_;
  ObjectMotion motion_;
  std::vector<std::optional<std::uint32_t>> joint_of_bone_;
  std::vector<std::optional<std::size_t>> origins_;
};

}  // namespace

Result<std::vector<codec::EncodedTrack>> encode_object_tracks(const TrackSet& set) {
  ObjectMotionBuilder builder(set);
  const ObjectMotion motion = std::move(builder).build();
  auto encoded = codec::encode_in_object_space(motion, set.object_aim);
  if (!encoded) return encoded;
  std::vector<codec::EncodedTrack> out(set.tracks.size());
  for (std::size_t i = 0; i < encoded->size(); ++i) {
    if (builder.origins()[i]) out[*builder.origins()[i]] = std::move((*encoded)[i]);
  }
  return out;
}

}  // namespace mabkit::mab
