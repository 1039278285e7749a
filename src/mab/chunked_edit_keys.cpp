#include "mab/chunked_edit_keys.hpp"

#include <algorithm>
#include <set>

#include "motion/difference.hpp"
#include "motion/key_reduction.hpp"

namespace mabkit::mab {
namespace {

/// The curve's values at ticks, as a track of a sampled clip.
motion::SampledTrack sampled(const TickCurve& curve, std::span<const std::uint32_t> ticks) {
  motion::SampledTrack track{0, curve.channel, TrackKind::animated, {}, {}};
  for (const std::uint32_t tick : ticks) {
    if (curve.channel == Channel::rotation) track.rotations.push_back(curve.rotation_at(tick));
    if (curve.channel == Channel::translation) {
      track.translations.push_back(curve.translation_at(tick));
    }
  }
  return track;
}

/// Ticks from `first` to `last`, both of which are among them.
std::span<const std::uint32_t> between(std::span<const std::uint32_t> ticks, std::uint32_t first,
                                       std::uint32_t last) {
  const auto begin = std::lower_bound(ticks.begin(), ticks.end(), first);
  const auto end = std::upper_bound(begin, ticks.end(), last);
  return {begin, end};
}

/// Keys that a span between two keys needs, without its last.
void add_span(std::span<const CurveToHold> curves, std::span<const std::uint32_t> ticks,
              std::vector<std::uint16_t>& keys) {
  motion::SampledClip clip;
  clip.ticks.assign(ticks.begin(), ticks.end());
  motion::ReductionBounds bounds;
  for (const CurveToHold& held : curves) {
    clip.tracks.push_back(sampled(*held.curve, ticks));
    bounds.tracks.push_back(held.tolerance);
  }
  // A long span that nothing bends needs no key, however long it is.
  const std::vector<std::uint32_t> ends{0, static_cast<std::uint32_t>(ticks.size() - 1)};
  bool is_straight = true;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    is_straight &= motion::reduction_error(clip, clip.tracks[i], ends) <= bounds.tracks[i];
  }
  const auto kept = is_straight ? ends : motion::reduce_keys(clip, bounds);
  for (std::size_t i = 0; i + 1 < kept.size(); ++i) {
    keys.push_back(static_cast<std::uint16_t>(ticks[kept[i]]));
  }
}

/// Whether something moves before a tick, the first of a template that does not begin at 0.
bool moves_before(std::span<const CurveToHold> curves, std::span<const std::uint32_t> ticks,
                  std::uint32_t first) {
  return std::any_of(curves.begin(), curves.end(), [&](const CurveToHold& held) {
    const TickCurve still = held_at(*held.curve, first);
    return std::any_of(ticks.begin(), ticks.end(), [&](std::uint32_t tick) {
      return tick < first && !(difference_at(*held.curve, still, tick) <= held.tolerance);
    });
  });
}

}  // namespace

std::vector<std::uint32_t> ticks_of_edit(std::span<const CurveToHold> curves,
                                         std::span<const std::uint16_t> stored,
                                         std::uint32_t ticks_per_frame, std::uint32_t last) {
  std::set<std::uint32_t> ticks{0, last};
  for (const std::uint16_t tick : stored) {
    if (tick <= last) ticks.insert(tick);
  }
  bool needs_frames = false;
  for (const CurveToHold& held : curves) {
    if (!held.curve->is_on_grid()) {
      needs_frames = true;
      continue;
    }
    for (const double tick : held.curve->ticks) {
      if (tick >= 0.0 && tick <= last) ticks.insert(static_cast<std::uint32_t>(tick));
    }
  }
  if (needs_frames) {
    for (std::uint32_t tick = 0; tick <= last; tick += ticks_per_frame) ticks.insert(tick);
  }
  return {ticks.begin(), ticks.end()};
}

std::vector<std::uint16_t> choose_keys(std::span<const CurveToHold> curves,
                                       std::span<const std::uint16_t> stored,
                                       std::span<const std::uint32_t> ticks, std::uint32_t last) {
  std::vector<std::uint32_t> fixed;
  for (const std::uint16_t tick : stored) {
    if (tick < last && (fixed.empty() || fixed.back() != tick)) fixed.push_back(tick);
  }
  if (fixed.empty() || moves_before(curves, ticks, fixed.front())) fixed.insert(fixed.begin(), 0);
  if (fixed.back() != last) fixed.push_back(last);
  std::vector<std::uint16_t> keys;
  for (std::size_t i = 0; i + 1 < fixed.size(); ++i) {
    add_span(curves, between(ticks, fixed[i], fixed[i + 1]), keys);
  }
  keys.push_back(static_cast<std::uint16_t>(last));
  return keys;
}

double interpolation_error(const TickCurve& curve, std::span<const std::uint16_t> keys,
                           std::span<const std::uint32_t> ticks) {
  TickCurve held;
  held.channel = curve.channel;
  for (const std::uint16_t key : keys) {
    if (!held.ticks.empty() && held.ticks.back() == key) continue;
    held.ticks.push_back(key);
    if (curve.channel == Channel::rotation) held.rotations.push_back(curve.rotation_at(key));
    if (curve.channel == Channel::translation) {
      held.translations.push_back(curve.translation_at(key));
    }
  }
  double worst = 0.0;
  for (const std::uint32_t tick : ticks) {
    worst = motion::larger_error(worst, difference_at(curve, held, tick));
  }
  return worst;
}

}  // namespace mabkit::mab
