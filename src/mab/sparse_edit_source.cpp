#include "mab/sparse_edit_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "mab/sparse_edit_compare.hpp"
#include "mab/sparse_edit_root.hpp"

namespace mabkit::mab {
namespace {

/// Whether a curve has values that differ.
bool moves(const Clip& clip, const Keys& keys, Channel channel, double tolerance) {
  const Keys first{keys.first_time, keys.first_value, 1};
  return !is_unchanged(clip, first, clip, keys, {channel, tolerance});
}

std::uint32_t stored_last_frame(const SparseClip& clip) {
  if (const auto last = clip.last_frame()) return *last;
  // Empty sections may say the clip's length (spec mab-sparse, 3.5, rule 9).
  std::uint32_t last = 0;
  for (const std::uint32_t slot : {keyed_rotations, animated_translations}) {
    if (clip.sections[slot]) last = std::max<std::uint32_t>(last, clip.sections[slot]->last_frame);
  }
  return last;
}

/// Appends a clip's curve to another clip.
Keys copy_curve(const Clip& from, const Keys& curve, Channel channel, Clip& to) {
  const Keys keys{to.times.size(), to.values.size(), curve.count};
  const auto times = from.times_of(curve);
  const auto values = from.values_of(curve, channel);
  to.times.insert(to.times.end(), times.begin(), times.end());
  to.values.insert(to.values.end(), values.begin(), values.end());
  return keys;
}

void copy_root(const Clip& edited, const Clip& stored, Clip& to) {
  RootMotion out;
  for (const RootChannel& root : root_channels) {
    for (const Clip* clip : {&edited, &stored}) {
      const Keys* const keys = root_curve(*clip, root.curve);
      if (keys == nullptr) continue;
      out.*root.curve = copy_curve(*clip, *keys, root.channel, to);
      break;
    }
  }
  if (out.translation || out.rotation) to.root_motion = out;
}

/// Times past the last frame of a shortened clip are left out. A curve that only starts there is
/// held from the clip's start.
void cut(Clip& clip, Keys& keys, double end, double tolerance) {
  const auto times = clip.times_of(keys);
  const auto after =
      std::upper_bound(times.begin(), times.end(), static_cast<float>(end + tolerance));
  keys.count = static_cast<std::uint32_t>(after - times.begin());
  if (keys.count != 0) return;
  keys.count = 1;
  clip.times[keys.first_time] = 0.0F;
}

/// Holds the last value where sampling ended early: a clip of one frame and nothing that moves.
void extend(motion::SampledClip& sampled, std::uint32_t frames) {
  const auto had = static_cast<std::uint32_t>(sampled.ticks.size());
  for (std::uint32_t frame = had; frame < frames; ++frame) sampled.ticks.push_back(frame);
  const auto hold = [&](motion::SampledTrack& track) {
    if (track.kind == TrackKind::constant) return;
    if (!track.rotations.empty()) track.rotations.resize(frames, track.rotations.back());
    if (!track.translations.empty()) track.translations.resize(frames, track.translations.back());
  };
  for (motion::SampledTrack& track : sampled.tracks) hold(track);
  if (sampled.root_rotation) hold(*sampled.root_rotation);
  if (sampled.root_translation) hold(*sampled.root_translation);
}

}  // namespace

Result<EditLength> length_of_edit(const ClipEditJob& job, const EditMatch& match) {
  const SparseClip& clip = job.index->clips[job.number];
  const Clip& edited = *job.edited;
  if (!std::isfinite(edited.duration) || edited.duration < 0.0F) {
    return tl::unexpected(Error{ErrorCode::bad_value, std::nullopt,
                                clip_path(job.number) + ".duration",
                                fmt::format("{} is no number of seconds", edited.duration)});
  }
  const double rate = clip.frame_rate;
  const std::uint32_t last = stored_last_frame(clip);
  double needed = 0.0;
  const auto need = [&](const Keys& keys, Channel channel) {
    if (!moves(edited, keys, channel, job.options->keep_tolerance)) return;
    needed = std::max(needed, static_cast<double>(edited.times_of(keys).back()) * rate);
  };
  for (const auto& track : match.tracks) {
    if (track) need(edited.tracks[*track].keys, edited.tracks[*track].channel);
  }
  for (const RootChannel& root : root_channels) {
    // One that was left as it is follows the clip.
    if (!can_hold_root(*job.index, job.number, root.slot)) continue;
    if (!root_curve_changed(*job.stored, edited, root, job.options->keep_tolerance)) continue;
    need(*root_curve(edited, root.curve), root.channel);
  }
  needed = std::ceil(needed - frame_tolerance(rate) * rate);
  constexpr double half_a_frame = 0.5;
  const double duration = static_cast<double>(edited.duration) * rate;
  const bool is_as_long =
      std::abs(duration - static_cast<double>(job.stored->duration) * rate) <= half_a_frame ||
      std::abs(duration - last) <= half_a_frame;
  if (needed <= last && is_as_long) return EditLength{last, last, false};
  const double wanted = std::max(needed, is_as_long ? 0.0 : std::round(duration));
  if (!(wanted <= most_last_frame)) {
    return tl::unexpected(
        Error{ErrorCode::limit, std::nullopt, clip_path(job.number) + ".duration",
              fmt::format("{:.0f} frames at {} a second are past the limit of {}: use a shorter "
                          "clip",
                          wanted + 1.0, rate, most_last_frame + 1U)});
  }
  const auto resized = static_cast<std::uint32_t>(wanted);
  return EditLength{last, resized, resized != last};
}

Result<EditedSource> sample_edit(const EditParts& parts, std::size_t number,
                                 std::vector<Diagnostic>& notices) {
  EditedSource out;
  Clip& merged = out.source.clip;
  merged.name = parts.stored.name;
  merged.frame_rate = parts.rate;
  merged.joints = parts.stored.joints;
  const double end = parts.last_frame / static_cast<double>(parts.rate);
  const double tolerance = frame_tolerance(static_cast<double>(parts.rate));
  merged.duration = static_cast<float>(end);
  for (std::size_t i = 0; i < parts.stored.tracks.size(); ++i) {
    Track track = parts.stored.tracks[i];
    const auto edited = parts.match.tracks[i];
    if (!edited && !motion::all_finite(parts.stored.values_of(track.keys, track.channel))) continue;
    if (edited) {
      const Track& from = parts.edited.tracks[*edited];
      const bool is_constant = track.kind == TrackKind::constant && from.keys.count == 1;
      track.kind = is_constant ? TrackKind::constant : TrackKind::animated;
      track.keys = copy_curve(parts.edited, from.keys, track.channel, merged);
    } else {
      track.keys = copy_curve(parts.stored, track.keys, track.channel, merged);
    }
    cut(merged, track.keys, end, tolerance);
    merged.tracks.push_back(track);
    out.origin.push_back(i);
  }
  copy_root(parts.edited, parts.stored, merged);
  for (const RootChannel& root : root_channels) {
    if (!root_curve(merged, root.curve)) continue;
    cut(merged, *((*merged.root_motion).*root.curve), end, tolerance);
  }
  auto sampled = motion::sample_on_grid(
      merged, {.ticks_per_second = static_cast<double>(parts.rate), .is_dense = true},
      most_last_frame + 1U);
  if (!sampled) {
    Error error = std::move(sampled.error());
    error.path = clip_path(number) + (error.path.empty() ? "" : "." + error.path);
    return tl::unexpected(std::move(error));
  }
  if (sampled->was_resampled) {
    notices.push_back({std::nullopt, clip_path(number),
                       fmt::format("resampled to {} frames per second: keys did not lie on the "
                                   "template's grid",
                                   parts.rate)});
  }
  const std::uint32_t frames = parts.last_frame + 1;
  if (sampled->ticks.size() > frames) {
    return tl::unexpected(Error{ErrorCode::inconsistent, std::nullopt, clip_path(number),
                                fmt::format("the edit has {} frames where the clip has room for "
                                            "{}: use a longer duration",
                                            sampled->ticks.size(), frames)});
  }
  extend(*sampled, frames);
  out.source.sampled = std::move(*sampled);
  out.source.rate = static_cast<std::uint16_t>(std::lround(parts.rate));
  out.source.bones.bones = parts.match.bones;
  for (const Joint& joint : merged.joints) out.source.bones.ids.emplace_back(joint.id);
  return out;
}

}  // namespace mabkit::mab
