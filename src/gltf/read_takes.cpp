#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

#include "gltf/motion_source.hpp"

namespace mabkit::gltf {
namespace {

/// Root motion that stays within this of its start, in metres and as a part of a quaternion, is
/// none.
constexpr float still = 1e-5F;

class TakeReader {
 public:
  TakeReader(const MotionSource& source, const std::vector<Joint>& joints)
      : source_(source), joints_(joints) {}

  Result<Clip> read(const SourceAnimation& animation) const {
    Clip clip;
    if (!animation.name.empty()) clip.name = animation.name;
    clip.duration = animation.last_time;
    clip.frame_rate = static_cast<float>(animation.frames_per_second);
    clip.joints = joints_;
    JointCurves curves(source_.rig, animation, source_.limits);
    for (std::uint32_t i = 0; i < joints_.size(); ++i) {
      const auto driven = curves.of(source_.joints[i]);
      if (!driven) return tl::unexpected(driven.error());
      if (driven->rotation) add_track(clip, i, *driven->rotation);
      if (driven->translation) add_track(clip, i, *driven->translation);
    }
    for (const auto& [node, own] : animation.nodes) {
      const std::string& name = source_.rig.nodes[node].name;
      if (!carries_root_motion(name) || name.find('.') != std::string::npos) continue;
      const auto driven = curves.of(node);
      if (!driven) return tl::unexpected(driven.error());
      clip.root_motion = relative(clip, *driven, rest_of(source_.rig, node));
      break;
    }
    return clip;
  }

 private:
  static void add_track(Clip& clip, std::uint32_t joint, const LinearCurve& curve) {
    clip.tracks.push_back({joint, curve.channel, TrackKind::animated, append_keys(clip, curve)});
  }

  /// Root motion from where it starts: without the record of what the bank had, its first value is
  /// not known, and the engines only use differences.
  static std::optional<RootMotion> relative(Clip& clip, const NodeCurves& curves,
                                            const Transform& rest) {
    RootMotion motion;
    if (curves.translation) {
      LinearCurve moved = *curves.translation;
      bool moves = false;
      const std::array origin{rest.translation.x, rest.translation.y, rest.translation.z};
      for (std::size_t i = 0; i < moved.values.size(); ++i) {
        moved.values[i] -= origin[i % 3];
        moves = moves || std::abs(moved.values[i]) > still;
      }
      if (moves) motion.translation = append_keys(clip, moved);
    }
    if (curves.rotation) {
      LinearCurve turned = *curves.rotation;
      bool turns = false;
      for (std::size_t key = 0; key < turned.count(); ++key) {
        const Quat q = multiply(turned.rotation(key), conjugate(rest.rotation));
        float* const v = &turned.values[4 * key];
        v[0] = q.x;
        v[1] = q.y;
        v[2] = q.z;
        v[3] = q.w;
        turns = turns || std::abs(q.x) > still || std::abs(q.y) > still || std::abs(q.z) > still;
      }
      if (turns) motion.rotation = append_keys(clip, turned);
    }
    if (!motion.translation && !motion.rotation) return std::nullopt;
    return motion;
  }

  const MotionSource& source_;
  const std::vector<Joint>& joints_;
};

}  // namespace

Result<void> read_takes(const MotionSource& source, ImportedMotion& out) {
  const std::vector<Joint> joints = identify_joints(source.rig, source.joints);
  out.are_takes = true;
  out.skeleton = rest_skeleton(source, joints);
  if (source.animations.empty()) {
    return error(ErrorCode::bad_value, "animations", "there are no animations, so nothing moves");
  }
  const TakeReader reader(source, joints);
  for (std::size_t i = 0; i < source.animations.size(); ++i) {
    auto clip = reader.read(source.animations[i]);
    if (!clip) return tl::unexpected(clip.error());
    if (clip->tracks.empty()) {
      out.notices.push_back(
          {std::nullopt, fmt::format("animations[{}]", i), "is left out: it moves no joint"});
      continue;
    }
    if (source.animations[i].first_time > 0.0F) {
      out.notices.push_back({std::nullopt, fmt::format("animations[{}]", i),
                             fmt::format("its first key is at {} s; until there the first values "
                                         "are held",
                                         source.animations[i].first_time)});
    }
    out.bank.clips.push_back(std::move(*clip));
  }
  if (out.bank.clips.empty()) {
    return error(ErrorCode::bad_value, "animations", "no animation moves a joint of the rig");
  }
  return {};
}

}  // namespace mabkit::gltf
