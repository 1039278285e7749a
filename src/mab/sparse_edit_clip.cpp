#include "mab/sparse_edit_clip.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/bytes.hpp"
#include "mab/sparse_clip.hpp"
#include "mab/sparse_edit_compare.hpp"
#include "mab/sparse_edit_match.hpp"
#include "mab/sparse_edit_root.hpp"
#include "mab/sparse_edit_source.hpp"
#include "mab/sparse_edit_write.hpp"
#include "mab/sparse_encode.hpp"
#include "mab/sparse_keyed_tracks.hpp"
#include "motion/precise.hpp"

namespace mabkit::mab {
namespace {

class ClipEditor {
 public:
  ClipEditor(const ClipEditJob& job, ClipFields& fields, std::vector<Diagnostic>& notices)
      : job_(job),
        options_(*job.options),
        clip_(job.index->clips[job.number]),
        stored_(*job.stored),
        edited_(snapped(*job.edited, static_cast<double>(clip_.frame_rate))),
        fields_(fields),
        notices_(notices),
        places_(places_of(clip_, stored_)) {
    job_.edited = &edited_;
    out_.written.number = job.number;
    out_.written.skeleton = job.skeleton;
  }

  Result<ClipEdit> run() {
    return match().and_then([this] { return measure_length(); }).and_then([this] {
      compare_tracks();
      const bool turns = root_changed(stored_, edited_, options_.keep_tolerance);
      out_.has_changed = length_.is_resized || turns || !changed_.empty();
      return out_.has_changed ? apply() : describe_kept();
    });
  }

 private:
  Result<void> match() {
    auto matched = match_edit(job_, notices_);
    if (!matched) return tl::unexpected(std::move(matched.error()));
    match_ = std::move(*matched);
    return {};
  }

  Result<void> measure_length() {
    auto measured = length_of_edit(job_, match_);
    if (!measured) return tl::unexpected(std::move(measured.error()));
    length_ = *measured;
    return {};
  }

  [[nodiscard]] const Track* edited_track(std::size_t stored_track) const {
    const auto track = match_.tracks[stored_track];
    return track ? &edited_.tracks[*track] : nullptr;
  }

  void compare_tracks() {
    for (std::size_t i = 0; i < stored_.tracks.size(); ++i) {
      const Track& stored = stored_.tracks[i];
      const Track* const edited = edited_track(i);
      const bool has_time = stored.kind == TrackKind::animated;
      const bool is_same =
          edited == nullptr ||
          is_unchanged(stored_, stored.keys, edited_, edited->keys,
                       {.channel = stored.channel, .amount = options_.keep_tolerance});
      if (!is_same || (length_.is_resized && has_time)) changed_.push_back(i);
    }
  }

  [[nodiscard]] bool is_changed(std::size_t track) const {
    return std::binary_search(changed_.begin(), changed_.end(), track);
  }

  [[nodiscard]] tl::unexpected<Error> refuse(ErrorCode code, std::string message) const {
    return tl::unexpected(Error{code, clip_.base, clip_path(job_.number), std::move(message)});
  }

  Result<void> check_template() const {
    if (job_.layout_error != nullptr) return tl::unexpected(*job_.layout_error);
    if (!clip_.has_masks()) {
      return refuse(ErrorCode::unsupported,
                    "the clip can't be edited: which bones its tracks belong to is unknown, since "
                    "no reading of its bone masks fits");
    }
    for (const std::uint32_t slot :
         {keyed_rotations, animated_translations, trajectory_translation, trajectory_rotation}) {
      const auto& section = clip_.sections[slot];
      if (!section || section->count == 0) continue;
      if (section->last_frame == length_.stored_last_frame &&
          rate_of(clip_, *section) == clip_.frame_rate) {
        continue;
      }
      return refuse(ErrorCode::unsupported,
                    fmt::format("the clip can't be edited: its sections have frames 0 to {} at {} "
                                "a second, but section {} has 0 to {} at {}",
                                length_.stored_last_frame, clip_.frame_rate, slot,
                                section->last_frame, rate_of(clip_, *section)));
    }
    return {};
  }

  /// A few keys, stored or edited, can stand for very many frames.
  Result<void> check_memory() {
    const std::uint64_t frames = length_.last_frame + std::uint64_t{1};
    const std::size_t curves = stored_.tracks.size() + root_channels.size();
    out_.memory = frames * (curves * sizeof(Quat));
    if (out_.memory <= job_.memory_left) return {};
    return refuse(ErrorCode::limit,
                  fmt::format("{} curves at {} frames take {} bytes of memory, past the {} that "
                              "are left to the file: use a shorter clip",
                              curves, frames, out_.memory, job_.memory_left));
  }

  Result<ClipEdit> apply() {
    if (auto checked = check_template(); !checked) return tl::unexpected(checked.error());
    if (auto checked = check_memory(); !checked) return tl::unexpected(checked.error());
    auto source = sample_edit({stored_, edited_, match_, length_.last_frame, clip_.frame_rate},
                              job_.number, notices_);
    if (!source) return tl::unexpected(std::move(source.error()));
    out_.written.source = std::move(source->source);
    origin_ = std::move(source->origin);
    out_.written.fit = fit_of(out_.written.source, still_tolerance(job_.skeleton, options_));
    prepare_fit();
    auto fitted =
        fit_clip(out_.written.fit, out_.written.source, job_.number, job_.skeleton, options_);
    if (!fitted) return tl::unexpected(std::move(fitted.error()));
    const ClipChange change = change_of_fit();
    if (moves_tracks(change) && !job_.index->layout->needs_template.empty()) {
      return refuse(ErrorCode::unsupported,
                    "a joint that the template holds still moves now, which changes how many "
                    "tracks of each kind there are; that can't be written for this game, since " +
                        std::string(job_.index->layout->needs_template) +
                        ": choose a template in which the joint moves");
    }
    write_root({job_.number, *job_.index, stored_, edited_, out_.written.source,
                options_.keep_tolerance, length_.is_resized},
               fields_, notices_);
    // Last: it aligns what stands behind the sections of root motion too.
    write_change(change, *job_.index, job_.number, fields_);
    if (length_.is_resized) set_duration();
    return std::move(out_);
  }

  /// Says of every track of the fit whether it is kept and what of the template it keeps.
  void prepare_fit() {
    ClipFit& fit = out_.written.fit;
    if (fields_.keyed_rotations) keyed_tracks_ = split_tracks(*fields_.keyed_rotations);
    std::size_t rotation = 0;
    std::size_t translation = 0;
    for (const std::size_t track : origin_) {
      if (stored_.tracks[track].channel == Channel::rotation) {
        prepare_rotation(track, fit.rotations[rotation]);
        origin_of_rotation_.push_back(track);
        ++rotation;
      } else {
        prepare_translation(track, fit.translations[translation]);
        origin_of_translation_.push_back(track);
        ++translation;
      }
    }
  }

  [[nodiscard]] codec::SparseKeys stored_keys(const TrackPlace& place) const {
    if (place.kind == MaskKind::constant_rotation) {
      return {{0}, {fields_.constant_rotations->rotations[place.index]}};
    }
    return keys_of(keyed_tracks_[place.index], length_.stored_last_frame,
                   job_.index->presence_order);
  }

  void prepare_rotation(std::size_t number, RotationTrack& track) const {
    const TrackPlace& place = places_[number];
    const codec::SparseKeys keys = stored_keys(place);
    const bool is_keyed = place.kind == MaskKind::keyed_rotation;
    track.is_kept = !is_changed(number);
    if (track.is_kept) {
      track.kind = is_keyed ? TrackKind::animated : TrackKind::constant;
      track.keys = keys;
      return;
    }
    track.must_be_keyed = is_keyed;
    if (!is_keyed) return;
    const bool keeps_keys = !options_.key_reduction.value_or(false);
    track.stored.assign(out_.written.fit.frames, std::nullopt);
    for (std::size_t i = 0; i < keys.frames.size(); ++i) {
      const std::uint32_t frame = keys.frames[i];
      if (frame >= out_.written.fit.frames) break;
      if (keeps_keys) track.required[frame] = true;
      const Quat decoded = codec::unpack(keys.words[i], codec::sparse_packed_half).rotation;
      const double angle =
          motion::angle_between(motion::precise(decoded), motion::precise(track.source_at(frame)));
      if (angle <= options_.keep_tolerance) track.stored[frame] = keys.words[i];
    }
  }

  /// Values that are near enough stay as stored.
  void prepare_translation(std::size_t number, TranslationTrack& track) const {
    const Track& stored = stored_.tracks[number];
    const bool is_animated = stored.kind == TrackKind::animated;
    track.is_kept = !is_changed(number);
    const auto values = [&](std::uint32_t frame) {
      return stored_.translation(stored.keys, std::min(frame, stored.keys.count - 1));
    };
    if (is_animated) {
      track.stored.clear();
      for (std::uint32_t frame = 0; frame < out_.written.fit.frames; ++frame) {
        track.stored.push_back(track.source_at(frame));
      }
    }
    for (std::uint32_t frame = 0; frame < track.stored.size(); ++frame) {
      const double away =
          motion::length(motion::precise(values(frame)) - motion::precise(track.stored[frame]));
      const bool may_stay = is_animated || track.stored.size() == 1;
      if (may_stay && (track.is_kept || away <= options_.keep_tolerance)) {
        track.stored[frame] = values(frame);
      }
    }
  }

  [[nodiscard]] ClipChange change_of_fit() const {
    ClipChange change;
    change.last_frame = static_cast<std::uint16_t>(length_.last_frame);
    change.rate = static_cast<std::uint16_t>(std::lround(clip_.frame_rate));
    change.is_resized = length_.is_resized;
    const ClipFit& fit = out_.written.fit;
    for (std::size_t i = 0; i < fit.rotations.size(); ++i) {
      if (fit.rotations[i].is_kept) continue;
      change.rotations.push_back({places_[origin_of_rotation_[i]], &fit.rotations[i]});
    }
    for (std::size_t i = 0; i < fit.translations.size(); ++i) {
      if (fit.translations[i].is_kept) continue;
      change.translations.push_back({places_[origin_of_translation_[i]], &fit.translations[i]});
    }
    return change;
  }

  void set_duration() {
    const double frames = std::max(length_.last_frame, 1U);
    fields_.duration = base::cast_bits<FloatBits>(
        static_cast<float>(frames / static_cast<double>(clip_.frame_rate)));
  }

  /// A clip of which nothing changed: every track is kept.
  Result<ClipEdit> describe_kept() {
    out_.written.source.clip = stored_;
    return std::move(out_);
  }

  ClipEditJob job_;  ///< with `edited_`
  const EncodeOptions& options_;
  const SparseClip& clip_;
  const Clip& stored_;
  Clip edited_;
  ClipFields& fields_;
  std::vector<Diagnostic>& notices_;
  std::vector<TrackPlace> places_;
  std::vector<KeyedTrackFields> keyed_tracks_;  ///< of the template
  EditMatch match_;
  EditLength length_;
  std::vector<std::size_t> changed_;  ///< tracks of the template, ascending
  std::vector<std::size_t> origin_;   ///< template's track of each that is fitted
  std::vector<std::size_t> origin_of_rotation_;
  std::vector<std::size_t> origin_of_translation_;
  ClipEdit out_;
};

}  // namespace

Result<ClipEdit> edit_clip(const ClipEditJob& job, ClipFields& fields,
                           std::vector<Diagnostic>& notices) {
  return ClipEditor(job, fields, notices).run();
}

}  // namespace mabkit::mab
