#include "convert/missed_motion.hpp"

#include <fmt/format.h>

#include <mabkit/document.hpp>
#include <mabkit/names.hpp>
#include <mabkit/pose.hpp>
#include <numbers>
#include <vector>

#include "motion/difference.hpp"

namespace mabkit::conversion {
namespace {

/// Below these, in radians and metres, what lies between frames is not worth a word: half a degree
/// and a millimetre.
constexpr double least_angle = 0.0087;
constexpr double least_distance = 1e-3;

/// The largest difference, and where it is.
struct Worst {
  double amount = 0.0;
  std::uint32_t joint = 0;
  float time = 0.0F;
};

/// The joint of `decoded` that each joint of `source` became.
std::vector<std::optional<std::uint32_t>> joints_in(const Clip& decoded, const Clip& source,
                                                    const Skeleton* skeleton,
                                                    const BindOptions& options) {
  std::vector<std::optional<std::uint32_t>> out(source.joints.size());
  Binding of_source;
  Binding of_decoded;
  if (skeleton != nullptr) {
    of_source = bind(source, *skeleton, options);
    of_decoded = bind(decoded, *skeleton, options);
  }
  for (std::uint32_t i = 0; i < source.joints.size(); ++i) {
    for (std::uint32_t j = 0; j < decoded.joints.size() && !out[i]; ++j) {
      const Joint& a = source.joints[i];
      const Joint& b = decoded.joints[j];
      const bool is_same_bone = skeleton != nullptr && of_source.bone_of_joint[i] &&
                                of_source.bone_of_joint[i] == of_decoded.bone_of_joint[j];
      const bool is_same_name = b.name_hash ? a.name_hash == b.name_hash : a.id == b.id;
      if (is_same_bone || (skeleton == nullptr && is_same_name)) out[i] = j;
    }
  }
  return out;
}

const Track* find_track(const Clip& clip, std::uint32_t joint, Channel channel) {
  for (const Track& track : clip.tracks) {
    if (track.joint == joint && track.channel == channel) return &track;
  }
  return nullptr;
}

/// Compares at the source's own keys.
void compare(const Clip& source, const Track& track, const Clip& decoded, const Track& written,
             Worst& worst) {
  const auto times = source.times_of(track.keys);
  for (std::uint32_t key = 0; key < track.keys.count; ++key) {
    const double amount =
        track.channel == Channel::rotation
            ? motion::angle_between(source.rotation(track.keys, key),
                                    sample_rotation(decoded, written.keys, times[key]))
            : motion::distance(source.translation(track.keys, key),
                               sample_translation(decoded, written.keys, times[key]));
    if (amount > worst.amount) worst = {amount, track.joint, times[key]};
  }
}

}  // namespace

std::optional<Diagnostic> missed_motion(const Clip& source, const EncodedFile& file,
                                        const Skeleton* skeleton, const ConvertOptions& options) {
  const auto document = Document::parse(file.bytes);
  if (!document) return std::nullopt;
  const auto bank = document->bank();
  if (!bank || bank->clips.empty()) return std::nullopt;
  const Clip& decoded = bank->clips.front();
  BindOptions bind_options = options.scene.bind;
  bind_options.near_names = false;
  const auto joints = joints_in(decoded, source, skeleton, bind_options);
  Worst angle;
  Worst distance;
  for (const Track& track : source.tracks) {
    const auto joint = joints[track.joint];
    const Track* const written = joint ? find_track(decoded, *joint, track.channel) : nullptr;
    if (written == nullptr || written->keys.count == 0) continue;
    compare(source, track, decoded, *written,
            track.channel == Channel::rotation ? angle : distance);
  }
  const ClipReport& on_grid = file.report.clips.front();
  if (angle.amount <= on_grid.rotation.worst + least_angle &&
      distance.amount <= on_grid.translation.worst + least_distance) {
    return std::nullopt;
  }
  constexpr double degrees = 180.0 / std::numbers::pi;
  return Diagnostic{
      std::nullopt, "clip[0]",
      fmt::format(
          "between the frames of the file its motion is lost: at its own keys the source is "
          "up to {:.3g} degrees ({}, {:.4g} s) and {:.3g} mm ({}, {:.4g} s) away; more frames "
          "a second (--fps) come nearer",
          angle.amount * degrees, joint_label(source.joints[angle.joint]), angle.time,
          distance.amount * 1e3, joint_label(source.joints[distance.joint]), distance.time)};
}

}  // namespace mabkit::conversion
