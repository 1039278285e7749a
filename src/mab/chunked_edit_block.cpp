#include "mab/chunked_edit_block.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "codec/chunked_encode.hpp"
#include "mab/chunked_edit_keys.hpp"
#include "mab/chunked_edit_root.hpp"
#include "mab/chunked_grid.hpp"
#include "mab/chunked_stored_tracks.hpp"
#include "mab/chunked_tolerances.hpp"
#include "motion/difference.hpp"

namespace mabkit::mab {
namespace {

/// The part of a bound that interpolation between keys may use up before keys are inserted.
constexpr double interpolation_share = 0.5;

/// A track of the edited clip that the block takes over.
struct EditedTrack {
  std::uint32_t joint = 0;  ///< of the edited clip
  std::size_t stored = 0;   ///< position in the block's tracks
  bool is_changed = false;
  TickCurve curve;
  double tolerance = 0.0;  ///< radians or metres
};

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
    if (edited_.tracks.empty() && !edited_.root_motion) return std::move(out_);
    return match_joints()
        .and_then([this] { return collect_tracks(); })
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
  [[nodiscard]] std::string joint_name(std::uint32_t joint) const {
    const Joint& named = edited_.joints[joint];
    if (named.name) return *named.name;
    return named.name_hash ? fmt::format("0x{:08x}", *named.name_hash)
                           : fmt::format("joint {}", joint);
  }

  Result<void> match_joints() {
    std::map<std::uint32_t, std::uint32_t> by_hash;
    for (std::uint32_t joint = 0; joint < fields_.hashes.size(); ++joint) {
      by_hash.emplace(fields_.hashes[joint], joint);
    }
    std::size_t matched = 0;
    for (std::uint32_t joint = 0; joint < edited_.joints.size(); ++joint) {
      std::optional<std::uint32_t>& found = out_.joint_in_block.emplace_back();
      const auto hash = joint_hash(edited_.joints[joint], joint, target_.path);
      const auto known = hash ? by_hash.find(*hash) : by_hash.end();
      if (known == by_hash.end()) continue;
      found = known->second;
      ++matched;
    }
    if (matched == 0 && !edited_.tracks.empty()) {
      return fail(ErrorCode::bad_argument, ".joints",
                  fmt::format("none of its {} joints is among the {} of the template; take the "
                              "template that the clip comes from, or map the joints' names",
                              edited_.joints.size(), fields_.hashes.size()));
    }
    return {};
  }

  /// Pairs tracks with stored ones, and says which changed.
  Result<void> collect_tracks() {
    for (const Track& track : edited_.tracks) {
      if (track.joint >= edited_.joints.size()) {
        return fail(
            ErrorCode::bad_value, ".tracks",
            fmt::format("a track moves joint {} of {}", track.joint, edited_.joints.size()));
      }
    }
    const motion::SampleGrid grid = this->grid();
    auto sampled = sample_keys(edited_, grid, target_.path);
    if (!sampled) return tl::unexpected(std::move(sampled.error()));
    out_.source = std::move(*sampled);
    const std::vector<double> tolerances =
        track_tolerances(out_.source, options_, target_.skeleton, binding());
    std::vector<motion::SampledTrack> taken;
    for (std::size_t i = 0; i < edited_.tracks.size(); ++i) {
      if (!collect_track(edited_.tracks[i], tolerances[i] * target_.share_of_bounds)) continue;
      taken.push_back(std::move(out_.source.tracks[i]));
    }
    out_.source.tracks = std::move(taken);
    note_left_out();
    return {};
  }

  [[nodiscard]] motion::SampleGrid grid() const {
    motion::SampleGrid grid;
    grid.ticks_per_second = ticks_per_second_;
    const double frame = std::round(ticks_per_second_ / target_.block->frame_rate);
    grid.ticks_per_frame = static_cast<std::uint32_t>(std::clamp(frame, 1.0, 65535.0));
    return grid;
  }
  [[nodiscard]] const Binding* binding() {
    if (target_.skeleton == nullptr) return nullptr;
    if (binding_.bone_of_joint.empty()) {
      BindOptions options = options_.bind;
      options.near_names = false;
      binding_ = bind(edited_, *target_.skeleton, options);
    }
    return &binding_;
  }

  /// Whether the block takes the track over.
  bool collect_track(const Track& track, double tolerance) {
    const auto joint = out_.joint_in_block[track.joint];
    if (!joint) {
      unmatched_.push_back(joint_name(track.joint));
      return false;
    }
    EditedTrack taken{track.joint, 0, false, {}, tolerance};
    taken.curve = curve_of(edited_, track.keys, track.channel, ticks_per_second_);
    const auto stored =
        std::find_if(tracks_.begin(), tracks_.end(), [&](const StoredTrack& candidate) {
          return candidate.joint == *joint && candidate.channel == track.channel;
        });
    taken.stored = static_cast<std::size_t>(stored - tracks_.begin());
    if (stored == tracks_.end() && !add_channel(track, *joint, taken)) return false;
    edits_.push_back(std::move(taken));
    return true;
  }

  /// A channel that the block's joint lacks is added where it moves; where it stands still it is
  /// mostly the rig's bind pose, written out by another tool.
  bool add_channel(const Track& track, std::uint32_t joint, EditedTrack& taken) {
    const TickCurve& curve = taken.curve;
    bool moves = false;
    for (const double tick : curve.ticks) {
      TickCurve first = curve;
      first.ticks.resize(1);
      moves |= difference_at(curve, first, tick) > taken.tolerance;
    }
    if (!moves || layout_.has_guessed_translations) {
      still_.push_back(
          fmt::format("{} ({})", joint_name(track.joint),
                      track.channel == Channel::rotation ? "rotation" : "translation"));
      return false;
    }
    StoredTrack added;
    added.joint = joint;
    added.channel = track.channel;
    added.kind = TrackKind::animated;
    tracks_.push_back(added);
    taken.is_changed = true;
    return true;
  }

  void note_left_out() {
    const auto list = [](std::vector<std::string>& names) {
      names.erase(std::unique(names.begin(), names.end()), names.end());
      constexpr std::size_t most = 8;
      const std::size_t shown = std::min(names.size(), most);
      return fmt::format(
          "{}{}", fmt::join(names.begin(), names.begin() + static_cast<long>(shown), ", "),
          names.size() > shown ? fmt::format(" and {} more", names.size() - shown) : std::string{});
    };
    if (!unmatched_.empty()) {
      note(".joints", "joints that the template's clip lacks are left out: " + list(unmatched_));
    }
    if (!still_.empty()) {
      note(".tracks",
           "channels that the template's joints lack and that do not move are left out: " +
               list(still_));
    }
  }

  /// The last tick, where the clip was made longer or shorter.
  Result<void> settle_end() {
    last_ = fields_.ticks.back();
    const double half_tick = 0.5 / ticks_per_second_;
    const double stored_end = last_ / ticks_per_second_;
    const double tolerance = std::max(half_tick, motion::grid_tolerance);
    const bool is_same = std::abs(edited_.duration - target_.block->duration) <= tolerance ||
                         std::abs(edited_.duration - stored_end) <= tolerance;
    if (is_same || !(edited_.duration > 0.0F)) return {};
    const double end = std::round(edited_.duration * ticks_per_second_);
    if (end < 1.0 || end > last_possible_tick) {
      return fail(ErrorCode::limit, ".duration",
                  fmt::format("{} seconds are {} ticks, where 1 to {} are possible",
                              edited_.duration, end, last_possible_tick));
    }
    last_ = static_cast<std::uint32_t>(end);
    has_new_end_ = true;
    return {};
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
      if (!edit.is_changed) {
        const TickCurve stored = decoded_curve(tracks_[edit.stored], fields_.ticks);
        edit.is_changed = !stays_within(stored, edit.curve, compared, options_.keep_tolerance) &&
                          !is_within_unsnapped(stored, edit, compared);
      }
      if (edit.is_changed) curves.push_back({&edit.curve, edit.tolerance * interpolation_share});
    }
    ticks_ = ticks_of_edit(curves, fields_.ticks, grid().ticks_per_frame, last_);
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

  Result<void> note_keys(std::size_t stored) {
    if (keys_.size() > most_keys) {
      return fail(ErrorCode::limit, ".keys",
                  fmt::format("{} keys are more than the {} that the format holds", keys_.size(),
                              most_keys));
    }
    if (has_new_end_) {
      note(".duration", fmt::format("the clip lasts {} seconds now, {} before",
                                    last_ / ticks_per_second_, target_.block->duration));
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
    const double interpolation = interpolation_error(edit.curve, keys_, ticks_);
    double tolerance = edit.tolerance - interpolation;
    if (options_.keep_grid && interpolation > edit.tolerance * interpolation_share) {
      tolerance = edit.tolerance * (1.0 - interpolation_share);
      note_grid_error(edit, interpolation);
    }
    return encode(values_at_keys(edit), tolerance, out);
  }

  void note_grid_error(const EditedTrack& edit, double error) {
    constexpr double degrees = 180.0 / std::numbers::pi;
    const bool is_rotation = edit.curve.channel == Channel::rotation;
    note(".keys",
         fmt::format("the stored keys can't follow {}: it is off by {:.3g} {} between them",
                     joint_name(edit.joint), is_rotation ? error * degrees : error * 1e3,
                     is_rotation ? "degrees" : "mm"));
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
    const double bound = stored.channel == Channel::rotation ? options_.max_rotation_error
                                                             : options_.max_translation_error;
    return encode(request, bound * target_.share_of_bounds, out);
  }

  Result<void> edit_root() {
    const bool root_has_to_change = has_new_keys_;
    auto edited = mab::edit_root({fields_, *target_.stored, edited_, options_, keys_,
                                  ticks_per_second_, target_.path, root_has_to_change});
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
      TrackReport report{edit.joint, stored.channel, stored.kind, !edit.is_changed};
      report.keys = 1;
      report.bytes = sizeof(codec::PackedQuaternion);
      if (stored.kind == TrackKind::animated) {
        report.bits = stored.animated.bits;
        report.keys = static_cast<std::uint32_t>(keys_.size());
        report.bytes = track_bytes(stored, report.keys);
      }
      out_.tracks.push_back(report);
    }
  }

  const BlockToEdit& target_;
  const ChunkedLayout& layout_;
  const EncodeOptions& options_;
  const Clip& edited_;
  const BlockFields& fields_;
  std::vector<StoredTrack> tracks_;  ///< the block's, then those that are added
  double ticks_per_second_;
  Binding binding_;
  std::vector<EditedTrack> edits_;
  std::vector<std::string> unmatched_;
  std::vector<std::string> still_;
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
