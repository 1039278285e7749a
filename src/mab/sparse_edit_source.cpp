#include "mab/sparse_edit_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "mab/sparse_edit_compare.hpp"

namespace mabkit::mab {
namespace {

/// The last frame's index is a u16 (spec mab-sparse, 3.5, rule 8).
constexpr std::uint32_t most_last_frame = 65535;

bool all_finite(std::span<const float> values) {
  return std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v); });
}

/// Whether a curve has values that differ.
bool moves(const Clip& clip, const Track& track, double tolerance) {
  const Keys first{track.keys.first_time, track.keys.first_value, 1};
  return !is_unchanged(clip, first, clip, track.keys, {track.channel, tolerance});
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
  const auto take = [&](Channel channel, std::optional<Keys> RootMotion::*curve) {
    for (const Clip* clip : {&edited, &stored}) {
      if (!clip->root_motion || !((*clip->root_motion).*curve)) continue;
      out.*curve = copy_curve(*clip, *((*clip->root_motion).*curve), channel, to);
      return;
    }
  };
  take(Channel::translation, &RootMotion::translation);
  take(Channel::rotation, &RootMotion::rotation);
  if (out.translation || out.rotation) to.root_motion = out;
}

/// Times past the last frame of a shortened clip are left out.
void cut(Clip& clip, Keys& keys, double end) {
  const auto times = clip.times_of(keys);
  const auto after = std::upper_bound(times.begin(), times.end(),
                                      static_cast<float>(end + motion::grid_tolerance));
  keys.count = std::max(static_cast<std::uint32_t>(after - times.begin()), 1U);
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

Result<EditLength> length_of_edit(std::size_t number, const SparseClip& clip, const Clip& stored,
                                  const Clip& edited, const EditMatch& match,
                                  const EncodeOptions& options) {
  const double rate = clip.frame_rate;
  const std::uint32_t last = stored_last_frame(clip);
  double needed = 0.0;
  for (const auto& track : match.tracks) {
    if (!track || !moves(edited, edited.tracks[*track], options.keep_tolerance)) continue;
    const auto times = edited.times_of(edited.tracks[*track].keys);
    needed = std::max(needed, static_cast<double>(times.back()) * rate);
  }
  needed = std::ceil(needed - motion::grid_tolerance * rate);
  constexpr double half_a_frame = 0.5;
  const double duration = static_cast<double>(edited.duration) * rate;
  const bool is_as_long =
      std::abs(duration - static_cast<double>(stored.duration) * rate) <= half_a_frame ||
      std::abs(duration - last) <= half_a_frame;
  if (needed <= last && is_as_long) return EditLength{last, last, false};
  const double wanted = std::max(needed, is_as_long ? 0.0 : std::round(duration));
  if (!(wanted <= most_last_frame)) {
    return tl::unexpected(
        Error{ErrorCode::limit, std::nullopt, clip_path(number) + ".duration",
              fmt::format("{:.0f} frames at {} a second are past the limit of {}: use a shorter "
                          "clip",
                          wanted + 1.0, rate, most_last_frame + 1)});
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
  merged.duration = static_cast<float>(end);
  for (std::size_t i = 0; i < parts.stored.tracks.size(); ++i) {
    Track track = parts.stored.tracks[i];
    const auto edited = parts.match.tracks[i];
    if (!edited && !all_finite(parts.stored.values_of(track.keys, track.channel))) continue;
    if (edited) {
      const Track& from = parts.edited.tracks[*edited];
      const bool is_constant = track.kind == TrackKind::constant && from.keys.count == 1;
      track.kind = is_constant ? TrackKind::constant : TrackKind::animated;
      track.keys = copy_curve(parts.edited, from.keys, track.channel, merged);
    } else {
      track.keys = copy_curve(parts.stored, track.keys, track.channel, merged);
    }
    cut(merged, track.keys, end);
    merged.tracks.push_back(track);
    out.origin.push_back(i);
  }
  copy_root(parts.edited, parts.stored, merged);
  if (merged.root_motion && merged.root_motion->translation) {
    cut(merged, *merged.root_motion->translation, end);
  }
  if (merged.root_motion && merged.root_motion->rotation) {
    cut(merged, *merged.root_motion->rotation, end);
  }
  auto sampled = motion::sample_on_grid(
      merged, {.ticks_per_second = static_cast<double>(parts.rate), .is_dense = true},
      most_last_frame + 1);
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
  extend(*sampled, parts.last_frame + 1);
  out.source.sampled = std::move(*sampled);
  out.source.rate = static_cast<std::uint16_t>(std::lround(parts.rate));
  out.source.bones.bones = parts.match.bones;
  for (const Joint& joint : merged.joints) out.source.bones.ids.emplace_back(joint.id);
  return out;
}

}  // namespace mabkit::mab
