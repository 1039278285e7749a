#include "mab/chunked_edit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <mabkit/mab.hpp>
#include <mabkit/names.hpp>
#include <numbers>
#include <set>

#include "mab/chunked_bank.hpp"
#include "mab/chunked_edit_block.hpp"
#include "mab/chunked_grid.hpp"
#include "mab/chunked_report.hpp"
#include "mab/chunked_splice.hpp"
#include "mab/encode_options.hpp"

namespace mabkit::mab {
namespace {

/// What is aimed at, as parts of the bounds, until the file is within them.
constexpr std::array shares_of_bounds{1.0, 0.7, 0.45, 0.3, 0.2, 0.1};

bool is_same(const std::optional<Keys>& a, const std::optional<Keys>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  return a->first_time == b->first_time && a->first_value == b->first_value && a->count == b->count;
}

/// Whether a clip is the decoded one, to the bit.
bool says_the_same(const Clip& a, const Clip& b) {
  const auto same_bits = [](const std::vector<float>& u, const std::vector<float>& v) {
    return std::equal(u.begin(), u.end(), v.begin(), v.end(), [](float x, float y) {
      return base::cast_bits<std::uint32_t>(x) == base::cast_bits<std::uint32_t>(y);
    });
  };
  const auto same_track = [](const Track& u, const Track& v) {
    return u.joint == v.joint && u.channel == v.channel && u.kind == v.kind &&
           is_same(u.keys, v.keys);
  };
  const auto same_joint = [](const Joint& u, const Joint& v) { return u.name_hash == v.name_hash; };
  if (a.root_motion.has_value() != b.root_motion.has_value()) return false;
  if (a.root_motion && !(is_same(a.root_motion->rotation, b.root_motion->rotation) &&
                         is_same(a.root_motion->translation, b.root_motion->translation))) {
    return false;
  }
  return base::cast_bits<std::uint32_t>(a.duration) == base::cast_bits<std::uint32_t>(b.duration) &&
         same_bits(a.times, b.times) && same_bits(a.values, b.values) &&
         std::equal(a.tracks.begin(), a.tracks.end(), b.tracks.begin(), b.tracks.end(),
                    same_track) &&
         std::equal(a.joints.begin(), a.joints.end(), b.joints.begin(), b.joints.end(), same_joint);
}

bool are_near(float a, float b) {
  return std::abs(static_cast<double>(a) - b) <= motion::grid_tolerance;
}

bool says_the_same(const Event& a, const Event& b) {
  return are_near(a.time, b.time) && a.type == b.type && a.class_name == b.class_name &&
         a.payload == b.payload;
}

bool says_the_same(const Participant& a, const Participant& b) {
  return a.kind == b.kind && are_near(a.start, b.start) && are_near(a.end, b.end) &&
         a.name == b.name && a.child == b.child && a.parent == b.parent && a.target == b.target &&
         a.reference == b.reference;
}

class FileEditor {
 public:
  FileEditor(std::span<const std::byte> file, const ChunkedIndex& index, const Bank& edited,
             const EncodeOptions& options)
      : file_(file), index_(index), edited_(edited), options_(options) {}

  Result<EncodedFile> run() {
    auto stored = decode_chunked(file_, index_);
    if (!stored) return tl::unexpected(std::move(stored.error()));
    stored_ = std::move(*stored);
    if (edited_.clips.empty()) {
      return tl::unexpected(
          Error{ErrorCode::bad_argument, std::nullopt, "", "the edited bank has no clip"});
    }
    if (options_.skeleton != nullptr) {
      BindOptions bind_options = options_.bind;
      bind_options.near_names = false;
      binding_ = bind(edited_.clips.front(), *options_.skeleton, bind_options);
    }
    note_what_stays();
    for (std::size_t attempt = 0;; ++attempt) {
      auto file = edit_within(shares_of_bounds[attempt]);
      if (!file || is_within_ || attempt + 1 == shares_of_bounds.size()) {
        if (file && !is_within_) return tl::unexpected(unreachable(file->report));
        return file;
      }
    }
  }

 private:
  [[nodiscard]] bool has_rig(std::uint32_t clip) const {
    return clip == 0 && options_.skeleton != nullptr;
  }

  void note(std::string path, std::string message) {
    notices_.push_back({std::nullopt, std::move(path), std::move(message)});
  }

  /// What was asked for, and an edit of a template does not do.
  void note_what_stays() {
    if (options_.key_reduction.value_or(false)) {
      note("",
           "key reduction is for new files: a clip written into a template keeps the keys that "
           "it has there");
    }
    if (options_.frames_per_second) {
      note("", fmt::format("the template's rate stays, rather than {} frames per second: its keys "
                           "can't be moved without changing every track",
                           *options_.frames_per_second));
    }
    const auto are_equal = [](const auto& edited, const auto& stored) {
      return edited.empty() ||
             std::equal(edited.begin(), edited.end(), stored.begin(), stored.end(),
                        [](const auto& a, const auto& b) { return says_the_same(a, b); });
    };
    if (!are_equal(edited_.participants, stored_.participants)) {
      note("participants", "edited participants are left out: the template's records stay");
    }
    for (std::size_t i = 0; i < std::min(edited_.clips.size(), stored_.clips.size()); ++i) {
      if (are_equal(edited_.clips[i].events, stored_.clips[i].events)) continue;
      note(fmt::format("clip[{}].events", i),
           "edited events are left out: what the template has stays");
    }
    if (edited_.clips.size() > index_.blocks.size()) {
      note("clips", fmt::format("{} clips are left out: the template has {}",
                                edited_.clips.size() - index_.blocks.size(), index_.blocks.size()));
    }
  }

  Result<EncodedFile> edit_within(double share) {
    blocks_.clear();
    std::uint64_t bytes_left = std::min(most_encoded_bytes, index_.limits.max_decoded_bytes);
    std::vector<std::optional<BlockFields>> changed(index_.blocks.size());
    for (std::uint32_t block = 0; block < index_.blocks.size(); ++block) {
      if (block >= edited_.clips.size()) {
        blocks_.emplace_back();
        continue;
      }
      const BlockToEdit target{index_.layout,
                               &index_.blocks[block],
                               collect_block(file_, index_, block),
                               &stored_.clips[block],
                               &options_,
                               has_rig(block) ? options_.skeleton : nullptr,
                               has_rig(block) ? &binding_ : nullptr,
                               share,
                               bytes_left,
                               fmt::format("clip[{}]", block)};
      auto edited = edit_block(target, edited_.clips[block]);
      if (!edited && says_the_same(edited_.clips[block], stored_.clips[block])) {
        // What a damaged template holds need not be fit to be written, only to stay.
        edited = EditedBlock{};
      }
      if (!edited) return tl::unexpected(std::move(edited.error()));
      bytes_left -= motion::sampled_bytes(edited->source);
      changed[block] = std::move(edited->fields);
      blocks_.push_back(std::move(*edited));
    }
    return write(changed).and_then(
        [this](std::vector<std::byte> bytes) { return report(std::move(bytes)); });
  }

  /// Lays the file out anew where that gives back the template as it was; else what changed is
  /// put into its place.
  Result<std::vector<std::byte>> write(
      const std::vector<std::optional<BlockFields>>& changed) const {
    const bool is_changed = std::any_of(changed.begin(), changed.end(),
                                        [](const auto& fields) { return fields.has_value(); });
    if (!is_changed) return std::vector<std::byte>(file_.begin(), file_.end());
    ChunkedFields fields = collect_fields(file_, index_);
    const auto rebuilt = lay_out(fields);
    const bool is_canonical =
        rebuilt && std::equal(rebuilt->begin(), rebuilt->end(), file_.begin(), file_.end());
    if (!is_canonical) return splice_blocks(file_, index_, changed);
    std::uint32_t position = 0;
    replace_blocks(fields.main, changed, position);
    return lay_out(fields);
  }

  /// Blocks stand in the index as a walk over parents, then children, meets them.
  static void replace_blocks(BlockFields& block,
                             const std::vector<std::optional<BlockFields>>& changed,
                             std::uint32_t& position) {
    const std::optional<BlockFields>& edited = changed[position++];
    if (edited) {
      std::vector<BlockFields> children = std::move(block.children);
      std::optional<std::vector<PartFields>> parts = std::move(block.parts);
      block = *edited;
      block.children = std::move(children);
      block.parts = std::move(parts);
    }
    for (BlockFields& child : block.children) replace_blocks(child, changed, position);
  }

  /// Reads the file back and measures what came of it.
  Result<EncodedFile> report(std::vector<std::byte> bytes) {
    ReadOptions read;
    read.limits = index_.limits;
    auto parsed = ChunkedMab::parse(bytes, read);
    if (!parsed) return tl::unexpected(std::move(parsed.error()));
    auto decoded = parsed->bank();
    if (!decoded) return tl::unexpected(std::move(decoded.error()));
    if (decoded->clips.size() != index_.blocks.size()) {
      return tl::unexpected(Error{ErrorCode::unsupported, std::nullopt, "",
                                  "the edited file does not read back as the same clips"});
    }
    EncodedFile file;
    for (std::uint32_t clip = 0; clip < blocks_.size(); ++clip) {
      auto found = check_read_back(clip, blocks_[clip], decoded->clips[clip]);
      if (!found) return tl::unexpected(std::move(found.error()));
    }
    file.report.bytes = bytes.size();
    file.report.notices = notices_;
    is_within_ = true;
    for (std::uint32_t clip = 0; clip < blocks_.size(); ++clip) {
      EditedBlock& block = blocks_[clip];
      file.report.notices.insert(file.report.notices.end(), block.notices.begin(),
                                 block.notices.end());
      if (block.tracks.empty()) continue;
      file.report.clips.push_back(report_clip(clip, block, decoded->clips[clip]));
      check_bounds(block, file.report.clips.back());
      note_strays(block, file.report);
    }
    file.bytes = std::move(bytes);
    return file;
  }

  /// What a reader does not find can't be measured.
  [[nodiscard]] static Result<void> check_read_back(std::uint32_t clip, const EditedBlock& block,
                                                    const Clip& decoded) {
    std::set<std::pair<std::uint32_t, Channel>> found;
    for (const Track& track : decoded.tracks) found.emplace(track.joint, track.channel);
    for (std::size_t i = 0; i < block.tracks.size(); ++i) {
      const auto joint = block.joint_in_block[block.tracks[i].joint];
      const bool is_found = joint && found.count({*joint, block.tracks[i].channel}) != 0;
      if (is_found || !block.is_changed[i]) continue;
      return tl::unexpected(
          Error{ErrorCode::unsupported, std::nullopt, fmt::format("clip[{}].tracks", clip),
                "the edited file does not read back with all of its tracks: the template's "
                "flags contradict what it holds"});
    }
    return {};
  }

  [[nodiscard]] ClipReport report_clip(std::uint32_t clip, const EditedBlock& block,
                                       const Clip& decoded) const {
    ClipReport report =
        mab::report_clip(clip, block.source, block.tracks, decoded, block.joint_in_block,
                         {has_rig(clip) ? options_.skeleton : nullptr,
                          has_rig(clip) ? &binding_ : nullptr, options_.vertex_distance});
    report.joint_names = joint_labels(edited_.clips[clip]);
    return report;
  }

  [[nodiscard]] bool is_within(const TrackReport& track) const {
    return track.worst_error <= (track.channel == Channel::rotation
                                     ? options_.max_rotation_error
                                     : options_.max_translation_error);
  }

  void check_bounds(const EditedBlock& block, const ClipReport& report) {
    if (options_.keep_grid) return;
    if (report.object) is_within_ &= report.object->worst <= options_.max_object_error;
    for (std::size_t i = 0; i < report.tracks.size(); ++i) {
      // In object space, what the rig moves is seen, and nothing else.
      const bool is_posed = report.object && binding_.bone_of_joint[report.tracks[i].joint];
      if (block.is_changed[i] && !is_posed) is_within_ &= is_within(report.tracks[i]);
    }
  }

  /// What counts as unchanged is compared at the stored keys and midway; elsewhere it may differ.
  void note_strays(const EditedBlock& block, EncodeReport& report) const {
    const ClipReport& clip = report.clips.back();
    const TrackReport* worst = nullptr;
    std::size_t strays = 0;
    for (std::size_t i = 0; i < clip.tracks.size(); ++i) {
      const TrackReport& track = clip.tracks[i];
      if (block.is_changed[i] || is_within(track)) continue;
      ++strays;
      if (worst == nullptr || track.worst_error > worst->worst_error) worst = &track;
    }
    if (worst == nullptr) return;
    constexpr double degrees = 180.0 / std::numbers::pi;
    const bool is_rotation = worst->channel == Channel::rotation;
    report.notices.push_back(
        {std::nullopt, fmt::format("clip[{}].tracks", clip.clip),
         fmt::format("{} tracks are kept although the edited ones differ elsewhere than at the "
                     "stored keys and midway between them, most that of {}, by {:.3g} {}",
                     strays, clip.joint_names[worst->joint],
                     worst->worst_error * (is_rotation ? degrees : 1e3),
                     is_rotation ? "degrees" : "mm")});
  }

  [[nodiscard]] Error unreachable(const EncodeReport& report) const {
    double object = 0.0;
    double rotation = 0.0;
    double translation = 0.0;
    for (const ClipReport& clip : report.clips) {
      if (clip.object) object = std::max(object, clip.object->worst);
      rotation = std::max(rotation, clip.rotation.worst);
      translation = std::max(translation, clip.translation.worst);
    }
    constexpr double degrees = 180.0 / std::numbers::pi;
    return {ErrorCode::bad_argument, std::nullopt, "",
            !(object <= options_.max_object_error)
                ? fmt::format("the bound of {:.3g} mm can't be met, the best that is reachable is "
                              "{:.3g} mm; allow a larger error",
                              options_.max_object_error * 1e3, object * 1e3)
                : fmt::format("the bounds of {:.3g} degrees and {:.3g} mm can't be met, the best "
                              "that is reachable is {:.3g} degrees and {:.3g} mm; allow a larger "
                              "error",
                              options_.max_rotation_error * degrees,
                              options_.max_translation_error * 1e3, rotation * degrees,
                              translation * 1e3)};
  }

  std::span<const std::byte> file_;
  const ChunkedIndex& index_;
  const Bank& edited_;
  const EncodeOptions& options_;
  Bank stored_;
  Binding binding_;                  ///< of the main clip, with a rig
  std::vector<Diagnostic> notices_;  ///< of the file as a whole
  std::vector<EditedBlock> blocks_;  ///< one a block of the template
  bool is_within_ = false;
};

}  // namespace

Result<EncodedFile> edit_chunked(std::span<const std::byte> file, const ChunkedIndex& index,
                                 const Bank& edited, const EncodeOptions& options) {
  if (auto checked = check_options(options); !checked) {
    return tl::unexpected(std::move(checked.error()));
  }
  return FileEditor(file, index, edited, options).run();
}

}  // namespace mabkit::mab
