#include "mab/chunked_clip_encode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mabkit/mab.hpp>
#include <mabkit/names.hpp>
#include <numbers>

#include "mab/chunked_block_build.hpp"
#include "mab/chunked_constants.hpp"
#include "mab/chunked_displacement_encode.hpp"
#include "mab/chunked_grid.hpp"
#include "mab/chunked_report.hpp"
#include "mab/chunked_tolerances.hpp"
#include "mab/chunked_track_set.hpp"
#include "motion/clip_error.hpp"
#include "motion/difference.hpp"
#include "motion/key_reduction.hpp"
#include "motion/object_reduction.hpp"

namespace mabkit::mab {
namespace {

/// Parts of the tolerance that dropping keys may use up; the set that gives the smallest file wins.
constexpr std::array reduction_shares{0.35, 0.65};
/// How often the bounds are tightened before the encoder gives up.
constexpr int most_attempts = 8;
/// What is aimed at, as a part of the bound, after a miss.
constexpr double tightening = 0.95;

/// What packing a rotation may cost, in radians (spec mab-sparse, section 2), and a margin.
constexpr double packing_error = 1.6e-4;
/// Motion below what float32 and a trip through another tool leave, in radians and metres.
constexpr double still_angle = 2e-6;
constexpr double still_distance = 2e-6;

/// A block made from one set of keys.
struct Candidate {
  BlockFields fields;
  std::vector<TrackReport> tracks;
  std::size_t size = 0;  ///< bytes
  bool displacement_moves = false;
};

/// The order of tracks in a file: by joint, rotation first.
bool comes_before(const motion::SampledTrack& a, const motion::SampledTrack& b) {
  return a.joint != b.joint ? a.joint < b.joint : a.channel < b.channel;
}

class ClipEncoder {
 public:
  ClipEncoder(const Clip& clip, const ClipTarget& target)
      : clip_(clip), target_(target), layout_(*target.layout), options_(*target.options) {}

  Result<EncodedClip> run() {
    if (auto checked = check_joints(); !checked) return tl::unexpected(std::move(checked.error()));
    auto grid = key_grid(layout_, target_.frames_per_second);
    if (!grid) return tl::unexpected(std::move(grid.error()));
    // A rate that was asked for is one of keys, not of the finer ticks that some games have.
    grid->frames_only = options_.frames_per_second.has_value();
    grid->max_bytes = target_.max_bytes;
    auto sampled = sample_keys(clip_, *grid, target_.path);
    if (!sampled) return tl::unexpected(std::move(sampled.error()));
    source_ = std::move(*sampled);
    std::sort(source_.tracks.begin(), source_.tracks.end(), comes_before);
    tolerances_ = track_tolerances(source_, options_, target_.skeleton, target_.binding);
    auto best = encode_within_bounds();
    if (!best) return tl::unexpected(std::move(best.error()));
    add_notices(*best);
    return EncodedClip{std::move(best->fields), std::move(source_), std::move(best->tracks),
                       std::move(notices_)};
  }

 private:
  [[nodiscard]] tl::unexpected<Error> fail(ErrorCode code, const std::string& member,
                                           std::string message) const {
    return tl::unexpected(Error{code, std::nullopt, target_.path + member, std::move(message)});
  }

  Result<void> check_joints() {
    if (clip_.joints.size() > joint_count_mask) {
      return fail(
          ErrorCode::limit, ".joints",
          fmt::format("{} joints are more than the {} that the format holds; leave some out",
                      clip_.joints.size(), joint_count_mask));
    }
    for (std::uint32_t joint = 0; joint < clip_.joints.size(); ++joint) {
      auto hash = joint_hash(clip_.joints[joint], joint, target_.path);
      if (!hash) return tl::unexpected(std::move(hash.error()));
      const auto same = std::find(hashes_.begin(), hashes_.end(), *hash);
      if (same != hashes_.end()) {
        const auto other = static_cast<std::size_t>(same - hashes_.begin());
        return fail(
            ErrorCode::inconsistent, fmt::format(".joint[{}]", joint),
            fmt::format("{} and {} (joint {}) have the same hash, by which the game finds "
                        "joints: rename one of them, or leave it out",
                        joint_label(clip_.joints[joint]), joint_label(clip_.joints[other]), other));
      }
      hashes_.push_back(*hash);
    }
    return check_tracks(clip_, target_.path);
  }

  /// Encodes, decodes, measures, and tightens what is not within the bounds.
  Result<Candidate> encode_within_bounds() {
    for (int attempt = 0;; ++attempt) {
      auto best = smallest_candidate();
      if (!best) return best;
      auto errors = measure(best->fields);
      if (!errors) return tl::unexpected(std::move(errors.error()));
      if (is_within(*errors)) return best;
      if (attempt == most_attempts) return fail(ErrorCode::bad_argument, "", unreachable(*errors));
      tighten(*errors);
    }
  }

  [[nodiscard]] bool is_within(const motion::ClipErrors& errors) const {
    if (errors.object && !(errors.object->worst <= options_.max_object_error)) return false;
    for (std::size_t i = 0; i < source_.tracks.size(); ++i) {
      const motion::SampledTrack& track = source_.tracks[i];
      if (!is_posed(track) && !(errors.worst_of_track[i] <= bound_of(track.channel))) return false;
    }
    return true;
  }

  /// Whether what is seen of the track is bounded in object space.
  [[nodiscard]] bool is_posed(const motion::SampledTrack& track) const {
    return target_.skeleton != nullptr && target_.binding->bone_of_joint[track.joint];
  }

  [[nodiscard]] double bound_of(Channel channel) const {
    return channel == Channel::rotation ? options_.max_rotation_error
                                        : options_.max_translation_error;
  }

  void tighten(const motion::ClipErrors& errors) {
    const auto factor = [](double error, double bound) {
      return error <= bound ? 1.0 : tightening * bound / error;
    };
    const double in_object_space =
        errors.object ? factor(errors.object->worst, options_.max_object_error) : 1.0;
    object_share_ *= in_object_space;
    for (std::size_t i = 0; i < tolerances_.size(); ++i) {
      const motion::SampledTrack& track = source_.tracks[i];
      tolerances_[i] *= is_posed(track) ? in_object_space
                                        : factor(errors.worst_of_track[i], bound_of(track.channel));
    }
  }

  [[nodiscard]] std::string unreachable(const motion::ClipErrors& errors) const {
    if (errors.object && !(errors.object->worst <= options_.max_object_error)) {
      return fmt::format(
          "the bound of {:.3g} mm can't be met, the best that is reachable is {:.3g} mm; allow a "
          "larger error",
          options_.max_object_error * 1e3, errors.object->worst * 1e3);
    }
    constexpr double degrees = 180.0 / std::numbers::pi;
    return fmt::format(
        "the bounds of {:.3g} degrees and {:.3g} mm can't be met, the best that is reachable is "
        "{:.3g} degrees and {:.3g} mm; allow a larger error",
        options_.max_rotation_error * degrees, options_.max_translation_error * 1e3,
        errors.rotation.worst * degrees, errors.translation.worst * 1e3);
  }

  /// Decodes the block as a file of its own and compares it with the source.
  Result<motion::ClipErrors> measure(const BlockFields& fields) const {
    return lay_out(file_around(layout_, fields))
        .and_then(
            [](std::vector<std::byte> bytes) { return ChunkedMab::parse(std::move(bytes), {}); })
        .and_then([](const ChunkedMab& file) { return file.bank(); })
        .map([this](const Bank& bank) {
          return motion::measure_errors(source_, bank.clips.front(), same_joints(clip_),
                                        target_.skeleton, target_.binding,
                                        options_.vertex_distance);
        });
  }

  Result<Candidate> smallest_candidate() {
    pack_constants();
    std::vector<std::uint32_t> all(source_.ticks.size());
    for (std::uint32_t sample = 0; sample < all.size(); ++sample) all[sample] = sample;
    Result<Candidate> best = build(all);
    if (!options_.key_reduction.value_or(true)) return best;
    std::size_t fewest = all.size();
    for (const double share : reduction_shares) {
      const double bound = share * object_share_ * options_.max_object_error;
      const auto test = [&](std::uint32_t first, std::uint32_t last) {
        return interpolation_->is_within(first, last, bound);
      };
      const auto kept =
          motion::reduce_keys(source_, reduction_bounds(share),
                              interpolation_ ? motion::SpanTest(test) : motion::SpanTest());
      if (kept.size() >= fewest) continue;
      fewest = kept.size();
      auto candidate = build(kept);
      if (candidate && (!best || candidate->size < best->size)) best = std::move(candidate);
    }
    return best;
  }

  [[nodiscard]] motion::ReductionBounds reduction_bounds(double share) const {
    motion::ReductionBounds bounds;
    for (std::size_t i = 0; i < tolerances_.size(); ++i) {
      // What is stored as one value is not interpolated.
      const bool is_free = constants_[i].kind == TrackKind::constant;
      // What the rig moves is bounded in object space.
      bounds.tracks.push_back(is_free || is_posed(source_.tracks[i]) ? HUGE_VAL
                                                                     : share * tolerances_[i]);
    }
    bounds.root_rotation = share * options_.max_rotation_error;
    bounds.root_translation = share * options_.max_translation_error;
    return bounds;
  }

  /// A rotation that stands still is stored as one value even where packing it costs more than the
  /// track's share: with a rig, the joints below make up for it. Unless that turned out too much.
  [[nodiscard]] double constant_tolerance(std::size_t track) const {
    const bool is_still = source_.tracks[track].kind == TrackKind::constant ||
                          is_without_motion(source_.tracks[track]);
    if (!is_posed(source_.tracks[track]) || !is_still || object_share_ < 1.0)
      return tolerances_[track];
    return std::max(tolerances_[track], packing_error);
  }

  static bool is_without_motion(const motion::SampledTrack& track) {
    return std::all_of(track.rotations.begin(), track.rotations.end(),
                       [&](const Quat& q) {
                         return motion::angle_between(q, track.rotations.front()) < still_angle;
                       }) &&
           std::all_of(track.translations.begin(), track.translations.end(), [&](const Vec3& v) {
             return motion::distance(v, track.translations.front()) < still_distance;
           });
  }

  /// Tracks that one value reproduces at every sample (spec mab-chunked, section 7, step 2).
  void pack_constants() {
    constants_.clear();
    for (std::size_t i = 0; i < source_.tracks.size(); ++i) {
      constants_.push_back(pack_where_still(source_.tracks[i], constant_tolerance(i)));
    }
    if (target_.skeleton == nullptr) return;
    is_interpolated_.clear();
    for (const StoredTrack& track : constants_) {
      is_interpolated_.push_back(track.kind == TrackKind::animated);
    }
    interpolation_.emplace(source_, is_interpolated_, *target_.skeleton, *target_.binding,
                           options_.vertex_distance);
  }

  Result<Candidate> build(std::span<const std::uint32_t> kept) const {
    const motion::SampledClip stored = motion::keep_samples(source_, kept);
    const TrackSet set = collect(stored, kept);
    auto encoded = encode_tracks(set);
    if (!encoded) {
      std::string& path = encoded.error().path;
      path = path.empty() ? target_.path : fmt::format("{}.{}", target_.path, path);
      return tl::unexpected(std::move(encoded.error()));
    }
    Candidate candidate;
    candidate.fields.hashes = hashes_;
    candidate.fields.flags.assign(clip_.joints.size(), 0);
    for (const std::uint32_t tick : stored.ticks) {
      candidate.fields.ticks.push_back(static_cast<std::uint16_t>(tick));
    }
    if (auto added = add_displacement(candidate, stored, kept); !added) {
      return tl::unexpected(std::move(added.error()));
    }
    add_tracks(candidate, *encoded, static_cast<std::uint32_t>(kept.size()));
    candidate.fields.header = new_header(layout_, {stored.ticks.back(), source_.ticks_per_second,
                                                   target_.frames_per_second, clip_.joints.size()});
    auto bytes = lay_out(file_around(layout_, candidate.fields));
    if (!bytes) return tl::unexpected(std::move(bytes.error()));
    candidate.size = bytes->size();
    return candidate;
  }

  [[nodiscard]] TrackSet collect(const motion::SampledClip& stored,
                                 std::span<const std::uint32_t> kept) const {
    TrackSet set;
    set.source = &source_;
    set.kept = kept;
    set.skeleton = target_.skeleton;
    set.binding = target_.binding;
    set.max_object_error = options_.max_object_error;
    if (interpolation_) {
      set.object_aim = object_share_ * options_.max_object_error - interpolation_->worst(kept);
    }
    set.vertex_distance = options_.vertex_distance;
    for (std::size_t i = 0; i < stored.tracks.size(); ++i) {
      const motion::SampledTrack& track = stored.tracks[i];
      if (constants_[i].kind == TrackKind::constant) {
        set.constants.push_back(decoded_constant(constants_[i]));
        continue;
      }
      codec::TrackToEncode& request = set.tracks.emplace_back();
      request.joint = track.joint;
      request.channel = track.channel;
      request.rotations = track.rotations;
      request.translations = track.translations;
      if (track.kind == TrackKind::constant) {
        // One value that the format's constants can't hold.
        if (!track.rotations.empty()) request.rotations.assign(kept.size(), track.rotations[0]);
        if (!track.translations.empty()) {
          request.translations.assign(kept.size(), track.translations[0]);
        }
      }
      set.tolerances.push_back(tolerances_[i] -
                               motion::reduction_error(source_, source_.tracks[i], kept));
    }
    return set;
  }

  void add_tracks(Candidate& candidate, const std::vector<codec::EncodedTrack>& encoded,
                  std::uint32_t keys) const {
    std::size_t next = 0;
    for (std::size_t i = 0; i < source_.tracks.size(); ++i) {
      StoredTrack stored = constants_[i];
      if (stored.kind == TrackKind::animated) stored.animated = encoded[next++];
      TrackReport report{stored.joint, stored.channel, stored.kind};
      report.bytes = add_track(candidate.fields, stored, keys);
      report.bits = stored.animated.bits;
      report.keys = stored.kind == TrackKind::constant ? 1 : keys;
      candidate.tracks.push_back(report);
    }
  }

  /// Displacement; its table entry comes before the joints' (spec mab-chunked, 3.1).
  Result<void> add_displacement(Candidate& candidate, const motion::SampledClip& stored,
                                std::span<const std::uint32_t> kept) const {
    const auto add = [&](const std::optional<motion::SampledTrack>& track,
                         const std::optional<motion::SampledTrack>& source, double bound,
                         DisplacementFields& out) -> Result<void> {
      if (!track) return {};
      const double tolerance = bound - motion::reduction_error(source_, *source, kept);
      auto encoded =
          encode_displacement(*track, static_cast<std::uint32_t>(kept.size()), tolerance);
      if (!encoded) {
        encoded.error().path = fmt::format("{}.{}", target_.path, encoded.error().path);
        return tl::unexpected(std::move(encoded.error()));
      }
      if (!(encoded->error <= tolerance)) {
        return fail(ErrorCode::bad_argument, ".root_motion",
                    fmt::format("can't be stored within {:.3g}, the best that is reachable is "
                                "{:.3g}; allow a larger error",
                                tolerance, encoded->error));
      }
      if (encoded->table_entry != 0) {
        candidate.fields.translation_table.push_back(encoded->table_entry);
      }
      candidate.displacement_moves |= encoded->moves;
      out = std::move(encoded->stream);
      return {};
    };
    return add(stored.root_rotation, source_.root_rotation, options_.max_rotation_error,
               candidate.fields.displacement_orientations)
        .and_then([&] {
          return add(stored.root_translation, source_.root_translation,
                     options_.max_translation_error, candidate.fields.displacement_translations);
        });
  }

  void note(const std::string& member, std::string message) {
    notices_.push_back({std::nullopt, target_.path + member, std::move(message)});
  }

  void add_notices(const Candidate& candidate) {
    if (source_.was_resampled) {
      note("", fmt::format("keys lie off the grid of {} frames per second and were resampled",
                           target_.frames_per_second));
    }
    if (candidate.displacement_moves) {
      note(".root_motion",
           "moving root motion is stored in chunks of 8 keys: a guess, since no known file of the "
           "game has any; check it in the game, or move a joint instead");
    }
    if (clip_.root_motion && (clip_.root_motion->reference || clip_.root_motion->loop)) {
      note(".root_motion", "its reference and loop rotations are left out: the format has none");
    }
    if (!clip_.events.empty()) {
      note(".events", fmt::format("{} events are left out: the game keeps them in a .markup.bin of "
                                  "its own",
                                  clip_.events.size()));
    }
  }

  const Clip& clip_;
  const ClipTarget& target_;
  const ChunkedLayout& layout_;
  const EncodeOptions& options_;
  motion::SampledClip source_;
  std::vector<std::uint32_t> hashes_;
  std::vector<double> tolerances_;
  std::vector<StoredTrack> constants_;  ///< one a track; animated where one value won't do
  std::vector<bool> is_interpolated_;   ///< one a track, with a rig
  std::optional<motion::InterpolationError> interpolation_;  ///< with a rig
  double object_share_ = 1.0;  ///< of the bound in object space, that is aimed at
  std::vector<Diagnostic> notices_;
};

}  // namespace

Result<EncodedClip> encode_clip(const Clip& clip, const ClipTarget& target) {
  return ClipEncoder(clip, target).run();
}

}  // namespace mabkit::mab
