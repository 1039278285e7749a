#include "mab/sparse_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mabkit/names.hpp>

#include "codec/sparse_groups.hpp"
#include "mab/sparse_bank.hpp"
#include "mab/sparse_clip_fields.hpp"
#include "mab/sparse_index.hpp"
#include "motion/clip_error.hpp"

namespace mabkit::mab {
namespace {

/// Bits of a component: 15 of a kept one of a packed quaternion (spec mab-sparse, section 2), 32 of
/// a float.
constexpr unsigned rotation_bits = 15;
constexpr unsigned translation_bits = 32;

std::vector<std::optional<std::uint32_t>> joints_in(const Clip& decoded, const ClipSource& source) {
  std::vector<std::optional<std::uint32_t>> found(source.clip.joints.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!source.bones.ids[i]) continue;
    for (std::uint32_t joint = 0; joint < decoded.joints.size(); ++joint) {
      if (decoded.joints[joint].id == *source.bones.ids[i]) found[i] = joint;
    }
  }
  return found;
}

TrackReport report_rotation(const RotationTrack& track, std::uint32_t frames) {
  return {.joint = track.joint,
          .channel = Channel::rotation,
          .kind = track.kind,
          .is_kept = track.is_kept,
          .bits = rotation_bits,
          .keys = static_cast<std::uint32_t>(track.keys.frames.size()),
          .bytes = rotation_bytes(track, frames)};
}

TrackReport report_translation(const TranslationTrack& track) {
  return {.joint = track.joint,
          .channel = Channel::translation,
          .kind = track.stored.size() == 1 ? TrackKind::constant : TrackKind::animated,
          .is_kept = track.is_kept,
          .bits = translation_bits,
          .keys = static_cast<std::uint32_t>(track.stored.size()),
          .bytes = translation_bytes(track)};
}

/// Reports in the order of the source's tracks.
std::vector<TrackReport> report_tracks(const WrittenClip& clip, const std::vector<double>& worst) {
  std::vector<TrackReport> reports;
  std::size_t rotation = 0;
  std::size_t translation = 0;
  const auto& tracks = clip.source.sampled.tracks;
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    reports.push_back(tracks[i].channel == Channel::rotation
                          ? report_rotation(clip.fit.rotations[rotation++], clip.fit.frames)
                          : report_translation(clip.fit.translations[translation++]));
    reports.back().worst_error = worst[i];
  }
  return reports;
}

bool exceeds(double error, double bound) {
  // What comparing in other steps than fitting may differ by.
  constexpr double rounding = 1e-7;
  return !(error <= bound + rounding);
}

std::string in_millimetres(double metres) {
  constexpr double millimetres = 1e3;
  return fmt::format("{:.3g} mm", metres * millimetres);
}

std::string describe_place(const Clip& source, const ErrorFigures& figures) {
  if (figures.joint >= source.joints.size()) return fmt::format("{:.3f} s", figures.time);
  return fmt::format("joint {} at {:.3f} s", joint_label(source.joints[figures.joint]),
                     figures.time);
}

}  // namespace

ClipReport report_clip(const WrittenClip& clip, const Clip& decoded, const EncodeOptions& options) {
  Binding binding;
  binding.bone_of_joint = clip.source.bones.bones;
  const auto errors = motion::measure_errors(
      clip.source.sampled, decoded, joints_in(decoded, clip.source), clip.skeleton,
      clip.skeleton == nullptr ? nullptr : &binding, options.vertex_distance);
  ClipReport report;
  report.clip = static_cast<std::uint32_t>(clip.number);
  report.joints = static_cast<std::uint32_t>(decoded.joints.size());
  report.joint_names = joint_labels(clip.source.clip);
  report.samples = clip.source.frames();
  report.rotation = errors.rotation;
  report.translation = errors.translation;
  report.object = errors.object;
  report.tracks = report_tracks(clip, errors.worst_of_track);
  for (const TrackReport& track : report.tracks) report.keys = std::max(report.keys, track.keys);
  return report;
}

ClipReport report_kept_clip(std::size_t number, const Clip& stored) {
  ClipReport report;
  report.clip = static_cast<std::uint32_t>(number);
  report.joints = static_cast<std::uint32_t>(stored.joints.size());
  report.joint_names = joint_labels(stored);
  for (const Track& track : stored.tracks) {
    const bool is_rotation = track.channel == Channel::rotation;
    const std::uint64_t value_size = is_rotation ? sizeof(codec::PackedQuaternion) : sizeof(Vec3);
    const bool is_keyed = is_rotation && track.kind == TrackKind::animated;
    const auto last_time = static_cast<double>(stored.times_of(track.keys).back());
    const auto last_frame =
        static_cast<std::uint64_t>(std::lround(last_time * static_cast<double>(stored.frame_rate)));
    const std::uint64_t presence = is_keyed ? last_frame / codec::frames_per_group + 1 : 0;
    report.tracks.push_back({.joint = track.joint,
                             .channel = track.channel,
                             .kind = track.kind,
                             .is_kept = true,
                             .bits = is_rotation ? rotation_bits : translation_bits,
                             .keys = track.keys.count,
                             .bytes = value_size * track.keys.count + presence});
    report.keys = std::max(report.keys, track.keys.count);
  }
  report.samples = report.keys;
  return report;
}

std::optional<MissedBound> find_missed_bound(const WrittenClip& clip, const ClipReport& report,
                                             const EncodeOptions& options) {
  const Clip& source = clip.source.clip;
  if (report.object && exceeds(report.object->worst, options.max_object_error)) {
    return MissedBound{in_millimetres(options.max_object_error),
                       in_millimetres(report.object->worst), describe_place(source, *report.object),
                       false};
  }
  for (const TrackReport& track : report.tracks) {
    if (report.object && clip.source.bones.bones[track.joint]) continue;
    const bool is_rotation = track.channel == Channel::rotation;
    const double bound = is_rotation ? options.max_rotation_error : options.max_translation_error;
    if (!exceeds(track.worst_error, bound)) continue;
    const ErrorFigures& worst = is_rotation ? report.rotation : report.translation;
    const auto text = [is_rotation](double amount) {
      return is_rotation ? fmt::format("{:.3g} radians", amount) : in_millimetres(amount);
    };
    if (!report.object) {
      return MissedBound{text(bound), text(worst.worst), describe_place(source, worst),
                         is_rotation};
    }
    return MissedBound{text(bound), text(track.worst_error),
                       "joint " + joint_label(source.joints[track.joint]), is_rotation};
  }
  return std::nullopt;
}

Result<Bank> read_back(std::span<const std::byte> bytes, PresenceOrder order,
                       const ReadLimits& limits, std::vector<Diagnostic>& notices) {
  const auto by_keys = index_sparse(bytes, {limits, std::nullopt});
  if (!by_keys) return tl::unexpected(by_keys.error());
  if (by_keys->presence_order != order) {
    notices.push_back(
        {std::nullopt, "presence_order",
         fmt::format("judged by its keys the file is read in the other order of presence bits, a "
                     "guess that is wrong here: read it with --presence-order {}",
                     order == PresenceOrder::lsb ? "lsb" : "msb")});
  }
  const auto index = index_sparse(bytes, {limits, order});
  if (!index) return tl::unexpected(index.error());
  return decode_bank(bytes, *index);
}

}  // namespace mabkit::mab
