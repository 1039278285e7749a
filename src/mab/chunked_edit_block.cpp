#include "mab/chunked_edit_block.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <mabkit/names.hpp>
#include <numbers>

#include "codec/chunked_encode.hpp"
#include "mab/chunked_edit_keys.hpp"
#include "mab/chunked_edit_match.hpp"
#include "mab/chunked_edit_root.hpp"
#include "mab/chunked_grid.hpp"
#include "mab/chunked_stored_tracks.hpp"
#include "motion/key_reduction.hpp"

namespace mabkit::mab {
namespace {

/// The part of a bound that interpolation between keys may use up before keys are inserted.
constexpr double interpolation_share = 0.5;

class BlockEditor {
 public:
  BlockEditor(const BlockToEdit& target, const Clip& edited)
      : target_(target),
        layout_(*target.layout),
        options_(*target.options),
        edited_(edited),
        fields_(target.fields),
        tracks_(stored_tracks(layout_, fields_)),
        ticks_per_second_(target.block->ticks_per_second) {}

  Result<EditedBlock> run() {
    if (edited_.tracks.empty() && !edited_.root_motion) {
      note_empty_clip();
      return std::move(out_);
    }
    return match()
        .and_then([this] { return settle_end(); })
        .and_then([this] { return settle_keys(); })
        .and_then([this] { return encode_tracks(); })
        .and_then([this] { return edit_root(); })
        .map([this] {
          finish();
          return std::move(out_);
        });
  }

 private:
  [[nodiscard]] tl::unexpected<Error> fail(ErrorCode code, const std::string& member,
                                           std::string message) const {
    return tl::unexpected(Error{code, std::nullopt, target_.path + member, std::move(message)});
  }
  void note(const std::string& member, std::string message) {
    out_.notices.push_back({std::nullopt, target_.path + member, std::move(message)});
  }
  Result<void> match() {
    auto matched = match_clip(target_, edited_, tracks_);
    if (!matched) return tl::unexpected(std::move(matched.error()));
    edits_ = std::move(matched->edits);
    tracks_.insert(tracks_.end(), matched->added.begin(), matched->added.end());
    out_.source = std::move(matched->source);
    out_.joint_in_block = std::move(matched->joint_in_block);
    out_.notices = std::move(matched->notices);
    return {};
  }

  /// Whether the edited clip lasts as long as the template's, or does not say.
  [[nodiscard]] bool has_same_duration() const {
    const double half_tick = 0.5 / ticks_per_second_;
    const double stored_end = fields_.ticks.back() / ticks_per_second_;
    const double tolerance = std::max(half_tick, motion::grid_tolerance);
    return std::abs(edited_.duration - target_.block->duration) <= tolerance ||
           std::abs(edited_.duration - stored_end) <= tolerance || !(edited_.duration > 0.0F);
  }

  /// A clip that nothing is said of stays.
  void note_empty_clip() {
    if (has_same_duration()) return;
    note(".duration",
         fmt::format("the edited clip has neither tracks nor root motion, so that the template's "
                     "stays as it is and goes on to last {:.7g} seconds",
                     target_.block->duration));
  }

  /// The last tick, where the clip was made longer or shorter.
  Result<void> settle_end() {
    last_ = fields_.ticks.back();
    // A new duration is what was asked for. Where it is the old one, keys past the end say more.
    const double end = has_same_duration() ? std::max<double>(last_, std::ceil(last_motion(last_)))
                                           : std::round(edited_.duration * ticks_per_second_);
    if (end == last_) return {};
    if (end < 1.0 || end > last_possible_tick) {
      return fail(ErrorCode::limit, ".duration",
                  fmt::format("{:.7g} seconds are {:.0f} ticks, where 1 to {} are possible",
                              end / ticks_per_second_, end, last_possible_tick));
    }
    last_ = static_cast<std::uint32_t>(end);
    has_new_end_ = true;
    cut_source();
    return {};
  }

  /// Nothing is measured past the end of a clip that was made shorter.
  void cut_source() {
    std::vector<std::uint32_t> kept;
    for (std::uint32_t sample = 0; sample < out_.source.ticks.size(); ++sample) {
      if (out_.source.ticks[sample] <= last_) kept.push_back(sample);
    }
    if (kept.size() != out_.source.ticks.size()) {
      out_.source = motion::keep_samples(out_.source, kept);
    }
  }

  /// The last tick at which a curve is not what it is at `end`; 0 where all are still after it. A
  /// clip of one key ends at its only tick, whatever its duration says.
  [[nodiscard]] double last_motion(double end) const {
    double last = 0.0;
    const auto look_at = [&](const TickCurve& curve) {
      const TickCurve held = held_at(curve, end);
      for (const double tick : curve.ticks) {
        if (tick > end && difference_at(curve, held, tick) > options_.keep_tolerance) {
          last = std::max(last, tick);
        }
      }
    };
    for (const EditedTrack& edit : edits_) look_at(edit.curve);
    for (const RootCurves& root : root_curves(*target_.stored, edited_, ticks_per_second_)) {
      look_at(root.edited);
    }
    return last;
  }

  /// Marks what changed, and finds the keys that hold it.
  Result<void> settle_keys() {
    keys_ = fields_.ticks;
    std::vector<double> compared;
    for (const std::uint16_t tick : fields_.ticks) {
      if (tick <= last_ && (compared.empty() || tick > compared.back())) compared.push_back(tick);
    }
    if (has_new_end_ && (compared.empty() || compared.back() < last_)) compared.push_back(last_);
    std::vector<CurveToHold> curves;
    for (EditedTrack& edit : edits_) {
      if (!edit.is_changed && !edit.is_untouched) {
        const TickCurve stored = decoded_curve(tracks_[edit.stored], fields_.ticks);
        edit.is_changed = !stays_within(stored, edit.curve, compared, options_.keep_tolerance) &&
                          !is_within_unsnapped(stored, edit, compared);
      }
      if (edit.is_changed) curves.push_back({&edit.curve, edit.tolerance * interpolation_share});
    }
    note_resampled();
    const auto roots = root_curves(*target_.stored, edited_, ticks_per_second_);
    for (const RootCurves& root : roots) {
      if (stays_within(root.stored, root.edited, compared, options_.keep_tolerance)) continue;
      curves.push_back({&root.edited, bound_of(root.edited.channel) * interpolation_share});
    }
    ticks_ = ticks_of_edit(curves, fields_.ticks, grid_of(*target_.block).ticks_per_frame, last_);
    if (curves.empty() && !has_new_end_) return {};
    if (options_.keep_grid) {
      keys_ = choose_keys({}, fields_.ticks, ticks_, last_);
    } else {
      keys_ = choose_keys(curves, fields_.ticks, ticks_, last_);
    }
    std::vector<std::uint16_t> stored = fields_.ticks;
    stored.erase(std::unique(stored.begin(), stored.end()), stored.end());
    has_new_keys_ = keys_ != stored;
    if (!has_new_keys_) keys_ = fields_.ticks;
    return note_keys(stored.size());
  }

  /// The same with the keys where the edited clip has them, not moved onto ticks.
  [[nodiscard]] bool is_within_unsnapped(const TickCurve& stored, const EditedTrack& edit,
                                         const std::vector<double>& compared) const {
    TickCurve curve = edit.curve;
    for (const Track& track : edited_.tracks) {
      if (track.joint != edit.joint || track.channel != curve.channel) continue;
      const auto times = edited_.times_of(track.keys);
      for (std::size_t i = 0; i < times.size(); ++i) {
        curve.ticks[i] = static_cast<double>(times[i]) * ticks_per_second_;
      }
    }
    return stays_within(stored, curve, compared, options_.keep_tolerance);
  }

  [[nodiscard]] double bound_of(Channel channel) const {
    return channel == Channel::rotation ? options_.max_rotation_error
                                        : options_.max_translation_error;
  }

  /// What of the changed tracks does not stand where the edited clip has it.
  void note_resampled() {
    std::size_t between = 0;
    std::size_t before = 0;
    for (const EditedTrack& edit : edits_) {
      if (!edit.is_changed) continue;
      between += edit.curve.is_on_grid() ? 0U : 1U;
      before += edit.curve.ticks.front() < 0.0 ? 1U : 0U;
    }
    if (between > 0) {
      note(".keys", fmt::format("{} edited tracks have keys off the {:.7g} ticks per second of the "
                                "template, and were resampled at its frames",
                                between, ticks_per_second_));
    }
    if (before > 0) {
      note(".keys",
           fmt::format("{} edited tracks have keys before 0 s, which are left out", before));
    }
  }

  Result<void> note_keys(std::size_t stored) {
    if (keys_.size() > most_keys) {
      return fail(ErrorCode::limit, ".keys",
                  fmt::format("{} keys are more than the {} that the format holds", keys_.size(),
                              most_keys));
    }
    if (has_new_end_) {
      note(".duration", fmt::format("the clip lasts {:.7g} seconds now, {:.7g} before{}",
                                    last_ / ticks_per_second_, target_.block->duration,
                                    target_.block->base == main_base
                                        ? ""
                                        : "; the times of the record that names it stay"));
    } else if (has_new_keys_) {
      note(".keys", fmt::format("{} keys were inserted for what changed between stored ones; every "
                                "track has them, the others at what they had there",
                                keys_.size() - stored));
    }
    return {};
  }

  Result<void> encode_tracks() {
    new_tracks_ = tracks_;
    for (std::size_t i = 0; i < tracks_.size(); ++i) {
      const auto edit = std::find_if(edits_.begin(), edits_.end(), [i](const EditedTrack& e) {
        return e.stored == i && e.is_changed;
      });
      if (edit != edits_.end()) {
        if (auto encoded = encode_changed(*edit, new_tracks_[i]); !encoded) return encoded;
      } else if (has_new_keys_ && tracks_[i].kind == TrackKind::animated) {
        if (auto carried = carry(tracks_[i], new_tracks_[i]); !carried) return carried;
      }
    }
    return {};
  }

  /// A request that starts from how the track was stored.
  [[nodiscard]] codec::TrackToEncode request_for(const StoredTrack& stored,
                                                 std::uint32_t joint) const {
    codec::TrackToEncode request;
    request.joint = joint;
    request.channel = stored.channel;
    if (stored.animated.chunks.empty()) return request;
    request.start_bits = stored.animated.bits;
    request.start_shape = {stored.animated.scale_units, stored.animated.chunks};
    return request;
  }

  static void add_value(codec::TrackToEncode& request, const TickCurve& curve, double tick) {
    if (curve.channel == Channel::rotation) request.rotations.push_back(curve.rotation_at(tick));
    if (curve.channel == Channel::translation) {
      request.translations.push_back(curve.translation_at(tick));
    }
  }

  Result<void> encode(const codec::TrackToEncode& request, double tolerance, StoredTrack& out) {
    auto encoded = codec::encode_track(request, tolerance);
    if (!encoded) {
      encoded.error().path = fmt::format("{}.{}", target_.path, encoded.error().path);
      return tl::unexpected(std::move(encoded.error()));
    }
    out.kind = TrackKind::animated;
    out.animated = std::move(*encoded);
    return {};
  }

  Result<void> encode_changed(const EditedTrack& edit, StoredTrack& out) {
    if (tracks_[edit.stored].kind == TrackKind::constant) {
      motion::SampledTrack values{out.joint, out.channel, TrackKind::animated, {}, {}};
      for (const std::uint32_t tick : ticks_) {
        if (out.channel == Channel::rotation) {
          values.rotations.push_back(edit.curve.rotation_at(tick));
        } else {
          values.translations.push_back(edit.curve.translation_at(tick));
        }
      }
      out = pack_where_still(values, edit.tolerance);
      out.joint = tracks_[edit.stored].joint;
      if (out.kind == TrackKind::constant) return {};
    }
    const double tolerance =
        tolerance_at_keys(edit.curve, edit.tolerance, joint_label(edited_.joints[edit.joint]));
    return encode(values_at_keys(edit), tolerance, out);
  }

  /// What interpolation between the keys leaves of a tolerance.
  double tolerance_at_keys(const TickCurve& curve, double tolerance, const std::string& what) {
    const double interpolation = interpolation_error(curve, keys_, ticks_);
    if (!options_.keep_grid || interpolation <= tolerance * interpolation_share) {
      return tolerance - interpolation;
    }
    constexpr double degrees = 180.0 / std::numbers::pi;
    const bool is_rotation = curve.channel == Channel::rotation;
    note(".keys",
         fmt::format("the stored keys can't follow {}: it is off by {:.3g} {} between them", what,
                     is_rotation ? interpolation * degrees : interpolation * 1e3,
                     is_rotation ? "degrees" : "mm"));
    return tolerance * (1.0 - interpolation_share);
  }

  /// The edited values at the keys; where they are what was stored, exactly that, so that whole
  /// chunks keep their bits.
  [[nodiscard]] codec::TrackToEncode values_at_keys(const EditedTrack& edit) const {
    const StoredTrack& stored = tracks_[edit.stored];
    codec::TrackToEncode request = request_for(stored, edit.joint);
    const bool was_animated = !stored.animated.chunks.empty();
    const TickCurve before = was_animated ? decoded_curve(stored, fields_.ticks) : edit.curve;
    for (const std::uint16_t tick : keys_) {
      const bool is_same =
          was_animated && difference_at(before, edit.curve, tick) <= options_.keep_tolerance;
      add_value(request, is_same ? before : edit.curve, tick);
    }
    return request;
  }

  /// A track that did not change, at keys that did.
  Result<void> carry(const StoredTrack& stored, StoredTrack& out) {
    const TickCurve curve = decoded_curve(stored, fields_.ticks);
    codec::TrackToEncode request = request_for(stored, stored.joint);
    for (const std::uint16_t tick : keys_) add_value(request, curve, tick);
    return encode(request, bound_of(stored.channel) * target_.share_of_bounds, out);
  }

  Result<void> edit_root() {
    const std::function<double(const TickCurve&)> tolerance_of = [this](const TickCurve& curve) {
      return tolerance_at_keys(curve, bound_of(curve.channel), "the root motion");
    };
    auto edited = mab::edit_root({fields_, *target_.stored, edited_, options_, keys_, tolerance_of,
                                  ticks_per_second_, target_.path, has_new_keys_});
    if (!edited) return tl::unexpected(std::move(edited.error()));
    root_ = std::move(*edited);
    out_.notices.insert(out_.notices.end(), root_.notices.begin(), root_.notices.end());
    return {};
  }

  void finish() {
    const bool has_changed = has_new_keys_ || root_.has_changed ||
                             std::any_of(edits_.begin(), edits_.end(),
                                         [](const EditedTrack& e) { return e.is_changed; });
    report_tracks();
    if (!has_changed) return;
    BlockFields fields = fields_;
    if (root_.has_changed) {
      fields.displacement_orientations = root_.orientations;
      fields.displacement_translations = root_.translations;
      if (root_.table_entry) fields.translation_table.front() = *root_.table_entry;
    }
    std::vector<StoredTrack> ordered = new_tracks_;
    std::stable_sort(ordered.begin(), ordered.end(),
                     [](const StoredTrack& a, const StoredTrack& b) {
                       return a.joint != b.joint ? a.joint < b.joint : a.channel < b.channel;
                     });
    fields.ticks = keys_;
    replace_tracks(fields, layout_, ordered);
    if (has_new_end_) set_duration(fields);
    out_.fields = std::move(fields);
  }

  void set_duration(BlockFields& fields) const {
    const std::vector<HeaderField> words = header_fields(layout_);
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i].offset != layout_.duration) continue;
      const float duration = stored_duration({last_, ticks_per_second_, target_.block->frame_rate});
      fields.header[i] = base::cast_bits<std::uint32_t>(duration);
    }
  }

  void report_tracks() {
    for (const EditedTrack& edit : edits_) {
      const StoredTrack& stored = new_tracks_[edit.stored];
      const bool is_carried = has_new_keys_ && stored.kind == TrackKind::animated;
      TrackReport report{edit.joint, stored.channel, stored.kind, !edit.is_changed && !is_carried};
      report.keys = 1;
      report.bytes = sizeof(codec::PackedQuaternion);
      if (stored.kind == TrackKind::animated) {
        report.bits = stored.animated.bits;
        report.keys = static_cast<std::uint32_t>(keys_.size());
        report.bytes = track_bytes(stored, report.keys);
      }
      out_.tracks.push_back(report);
      out_.is_changed.push_back(edit.is_changed);
    }
  }

  const BlockToEdit& target_;
  const ChunkedLayout& layout_;
  const EncodeOptions& options_;
  const Clip& edited_;
  const BlockFields& fields_;
  std::vector<StoredTrack> tracks_;  ///< the block's, then those that are added
  double ticks_per_second_;
  std::vector<EditedTrack> edits_;
  std::uint32_t last_ = 0;  ///< tick
  bool has_new_end_ = false;
  bool has_new_keys_ = false;
  std::vector<std::uint32_t> ticks_;  ///< at which edited curves say something
  std::vector<std::uint16_t> keys_;
  std::vector<StoredTrack> new_tracks_;
  EditedRoot root_;
  EditedBlock out_;
};

}  // namespace

Result<EditedBlock> edit_block(const BlockToEdit& target, const Clip& edited) {
  return BlockEditor(target, edited).run();
}

}  // namespace mabkit::mab
