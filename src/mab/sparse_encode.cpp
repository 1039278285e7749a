#include "mab/sparse_encode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mabkit/limits.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "base/allocation.hpp"
#include "mab/sparse_clip_fields.hpp"
#include "mab/sparse_fields.hpp"
#include "mab/sparse_index.hpp"
#include "mab/sparse_layout.hpp"
#include "mab/sparse_new_tags.hpp"
#include "mab/sparse_report.hpp"

namespace mabkit::mab {
namespace {

/// The second word of a new file: 1 to 3 occur (spec mab-sparse, 1.2).
constexpr std::uint16_t new_unknown_02 = 1;

tl::unexpected<Error> refuse(ErrorCode code, std::string path, std::string message) {
  return tl::unexpected(Error{code, std::nullopt, std::move(path), std::move(message)});
}

Result<const SparseLayout*> layout_for_new(Game game) {
  const auto row = std::find_if(sparse_games.begin(), sparse_games.end(),
                                [game](const SparseLayout& at) { return at.game == game; });
  if (row == sparse_games.end()) {
    return refuse(ErrorCode::unsupported, {},
                  fmt::format("{} has no files of the sparse family", display_name(game)));
  }
  if (!row->needs_template.empty()) {
    return refuse(ErrorCode::unsupported, {},
                  fmt::format("a new file for {} can't be made: {}; edit a file of that game "
                              "instead (--like)",
                              display_name(game), row->needs_template));
  }
  return &*row;
}

/// What a new file may take is what a reader takes by default. A few keys can ask for very many
/// frames: this stands before anything is sampled.
Result<void> check_bank(const Bank& bank, const EncodeOptions& options) {
  constexpr ReadLimits limits;
  if (bank.clips.empty()) {
    return refuse(ErrorCode::bad_argument, {}, "the bank has no clip: a file needs one");
  }
  if (bank.clips.size() > limits.max_clips) {
    return refuse(ErrorCode::limit, {},
                  fmt::format("{} clips are more than the {} that a chain may have: split the bank",
                              bank.clips.size(), limits.max_clips));
  }
  const std::uint64_t size = sparse_size_bound(bank, options.frames_per_second);
  const std::uint64_t memory = sampled_bytes(bank, options.frames_per_second);
  if (size > limits.max_file_size || memory > limits.max_decoded_bytes) {
    return refuse(ErrorCode::limit, {},
                  fmt::format("its frames would take up to {} bytes of a file, past the limit of "
                              "{}, or {} bytes of memory, past that of {}: split the bank, or use "
                              "fewer frames per second",
                              size, limits.max_file_size, memory, limits.max_decoded_bytes));
  }
  return {};
}

std::string out_of_reach(const MissedBound& missed) {
  std::string text =
      fmt::format("an error of {} can't be kept, whatever the keys: {} is the best, at {}",
                  missed.bound, missed.worst, missed.place);
  if (!missed.is_rotation) return text + "; allow that much or more";
  return text + fmt::format(", since rotations have {} bits; allow {:.2g} or more",
                            8 * sizeof(codec::PackedQuaternion), codec::packed_error);
}

class NewFile {
 public:
  NewFile(const Bank& bank, const SparseLayout& layout, const EncodeOptions& options)
      : bank_(bank), layout_(layout), options_(options) {}

  Result<EncodedFile> write() {
    fields_.version = layout_.version;
    fields_.unknown_0x02 = new_unknown_02;
    for (std::size_t i = 0; i < bank_.clips.size(); ++i) {
      if (auto added = add_clip(i); !added) return tl::unexpected(std::move(added.error()));
    }
    if (auto added = add_tags(); !added) return tl::unexpected(std::move(added.error()));
    auto bytes = lay_out(fields_);
    if (!bytes) return tl::unexpected(std::move(bytes.error()));
    out_.bytes = std::move(*bytes);
    out_.report.bytes = out_.bytes.size();
    if (auto measured = measure(); !measured) return tl::unexpected(std::move(measured.error()));
    return std::move(out_);
  }

 private:
  Result<void> add_clip(std::size_t number) {
    // The skeleton is the rig of clip 0; participants are measured joint by joint.
    const Skeleton* const skeleton = number == 0 ? options_.skeleton : nullptr;
    const SparseClipTarget target{number, layout_.most_mask_words * bones_per_word,
                                  has_bone_ids(bank_, bank_.clips[number]), skeleton};
    auto source = prepare_clip(bank_.clips[number], target, options_, out_.report.notices);
    if (!source) return tl::unexpected(std::move(source.error()));
    const bool reduces = options_.key_reduction.value_or(true);
    ClipFit fit = fit_of(*source, reduces ? still_tolerance(skeleton, options_) : StillTolerance{});
    for (RotationTrack& track : fit.rotations) {
      track.may_drop_keys = reduces;
      track.required.assign(fit.frames, !reduces);
    }
    if (auto fitted = fit_clip(fit, *source, number, skeleton, options_); !fitted) return fitted;
    ClipFields fields = new_clip_fields(*source, fit, layout_, number == 0);
    auto events = event_fields(bank_.clips[number], number, out_.report.notices);
    if (!events.empty()) fields.events = std::move(events);
    notice_header_rotations(bank_.clips[number].root_motion, number);
    drop_trajectory_of_participants(*source, number);
    fields_.clips.push_back(std::move(fields));
    written_.push_back({number, std::move(*source), std::move(fit), skeleton});
    return {};
  }

  void notice_header_rotations(const std::optional<RootMotion>& root, std::size_t number) {
    const auto check = [&](const std::optional<Quat>& rotation, std::string_view name) {
      if (!rotation || codec::is_rotation(*rotation)) return;
      out_.report.notices.push_back({std::nullopt,
                                     fmt::format("{}.root_motion.{}", clip_path(number), name),
                                     "is no rotation: the identity is written"});
    };
    if (!root) return;
    check(root->reference, "reference");
    check(root->loop, "loop");
  }

  void drop_trajectory_of_participants(const ClipSource& source, std::size_t number) {
    if (number == 0) return;
    if (!source.sampled.root_translation && !source.sampled.root_rotation) return;
    out_.report.notices.push_back(
        {std::nullopt, clip_path(number),
         "left out the root motion: only the first clip of a file has one"});
  }

  Result<void> add_tags() {
    if (bank_.clips.size() == 1 && bank_.participants.empty()) return {};
    std::vector<FloatBits> durations;
    for (const ClipFields& clip : fields_.clips) durations.push_back(clip.duration);
    auto tags = new_tags(bank_, durations, options_.skeleton, out_.report.notices);
    if (!tags) return tl::unexpected(std::move(tags.error()));
    if (!tags->empty()) fields_.clips.front().tags = std::move(*tags);
    return {};
  }

  /// Reads the file back and compares.
  Result<void> measure() {
    auto decoded = read_back(out_.bytes, PresenceOrder::lsb, {}, out_.report.notices);
    if (!decoded) return tl::unexpected(std::move(decoded.error()));
    for (const WrittenClip& clip : written_) {
      ClipReport report = report_clip(clip, decoded->clips[clip.number], options_);
      if (const auto missed = find_missed_bound(clip, report, options_)) {
        return refuse(ErrorCode::bad_argument, clip_path(clip.number), out_of_reach(*missed));
      }
      out_.report.clips.push_back(std::move(report));
    }
    return {};
  }

  const Bank& bank_;
  const SparseLayout& layout_;
  const EncodeOptions& options_;
  SparseFields fields_;
  std::vector<WrittenClip> written_;
  EncodedFile out_;
};

}  // namespace

Result<EncodedFile> encode_sparse(const Bank& bank, Game game, const EncodeOptions& options) {
  const auto layout = layout_for_new(game);
  if (!layout) return tl::unexpected(layout.error());
  if (auto checked = check_options(options); !checked) return tl::unexpected(checked.error());
  if (auto checked = check_bank(bank, options); !checked) return tl::unexpected(checked.error());
  return base::with_allocation_errors([&] { return NewFile(bank, **layout, options).write(); });
}

StillTolerance still_tolerance(const Skeleton* skeleton, const EncodeOptions& options) {
  // In object space what a joint's origin is off by is shared with everything that hangs from it.
  constexpr double share = 0.05;
  const double local = options.max_translation_error;
  return {skeleton == nullptr ? local : share * options.max_object_error, local};
}

Result<void> fit_clip(ClipFit& fit, const ClipSource& source, std::size_t number,
                      const Skeleton* skeleton, const EncodeOptions& options) {
  const LocalBound local{options.max_rotation_error};
  if (skeleton == nullptr) {
    for (RotationTrack& track : fit.rotations) {
      if (!track.is_kept) fit_rotation(track, fit.frames, local);
    }
    return {};
  }
  const ObjectBound bound{skeleton, source.bones.bones, options.max_object_error,
                          options.vertex_distance};
  return fit_in_object_space(fit, bound, local).map_error([number](Error error) {
    error.path = clip_path(number);
    return error;
  });
}

}  // namespace mabkit::mab
