#include "mab/sparse_edit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/allocation.hpp"
#include "mab/sparse_bank.hpp"
#include "mab/sparse_bone_ids.hpp"
#include "mab/sparse_edit_clip.hpp"
#include "mab/sparse_edit_root.hpp"
#include "mab/sparse_encode.hpp"
#include "mab/sparse_fields.hpp"
#include "mab/sparse_report.hpp"

namespace mabkit::mab {
namespace {

/// Whether two lists have the same events, where times that are no numbers are the same.
bool are_same(const std::vector<Event>& a, const std::vector<Event>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Event& x, const Event& y) {
    const bool same_time = x.time == y.time || (std::isnan(x.time) && std::isnan(y.time));
    return same_time && x.type == y.type && x.payload == y.payload;
  });
}

class FileEdit {
 public:
  FileEdit(std::span<const std::byte> bytes, const SparseIndex& index, const Bank& edited,
           const EncodeOptions& options)
      : bytes_(bytes), index_(index), edited_(edited), options_(options) {}

  Result<EncodedFile> run() {
    if (edited_.clips.empty()) {
      return tl::unexpected(Error{ErrorCode::bad_argument,
                                  std::nullopt,
                                  {},
                                  "the edited bank has no clip: nothing says what to change"});
    }
    auto stored = decode_bank(bytes_, index_);
    if (!stored) return tl::unexpected(std::move(stored.error()));
    stored_ = std::move(*stored);
    fields_ = fields(bytes_, index_);
    for (std::size_t i = 0; i < stored_.clips.size(); ++i) {
      if (auto edited = edit(i); !edited) return tl::unexpected(std::move(edited.error()));
    }
    report_extra_clips();
    if (auto written = write(); !written) return tl::unexpected(std::move(written.error()));
    if (auto measured = measure(); !measured) return tl::unexpected(std::move(measured.error()));
    out_.report.bytes = out_.bytes.size();
    return std::move(out_);
  }

 private:
  /// Where the file can't be laid out again, only a change is an error.
  Result<void> edit(std::size_t number) {
    if (number >= edited_.clips.size() || !says_something(number)) {
      edits_.push_back(untouched(number));
      return {};
    }
    const ClipEditJob job{.number = number,
                          .index = &index_,
                          .stored = &stored_.clips[number],
                          .edited = &edited_.clips[number],
                          .has_ids = has_bone_ids(edited_, edited_.clips[number]),
                          .skeleton = number == 0 ? options_.skeleton : nullptr,
                          .options = &options_,
                          .memory_left = memory_left_,
                          .layout_error = fields_ ? nullptr : &fields_.error()};
    ClipFields unused;
    ClipFields& clip_fields = fields_ ? fields_->clips[number] : unused;
    auto edited = edit_clip(job, clip_fields, out_.report.notices);
    if (!edited) return tl::unexpected(std::move(edited.error()));
    memory_left_ -= edited->memory;
    has_changed_ = has_changed_ || edited->has_changed;
    edits_.push_back(std::move(*edited));
    return {};
  }

  /// Whether an edited clip has anything to write. Says where it only seems to.
  bool says_something(std::size_t number) {
    const Clip& stored = stored_.clips[number];
    const Clip& edited = edited_.clips[number];
    if (!edited.events.empty() && !are_same(stored.events, edited.events)) {
      out_.report.notices.push_back(
          {std::nullopt, section_path(number, event_chain),
           "the template's events stay as they are: edited ones are not written"});
    }
    if (!edited.tracks.empty()) return true;
    if (root_changed(stored, edited, options_.keep_tolerance)) return true;
    if (!stored.tracks.empty()) {
      out_.report.notices.push_back({std::nullopt, clip_path(number),
                                     "kept as the template has it: the edited clip has no tracks"});
    }
    return false;
  }

  [[nodiscard]] ClipEdit untouched(std::size_t number) const {
    ClipEdit edit;
    edit.written.number = number;
    edit.written.source.clip = stored_.clips[number];
    return edit;
  }

  void report_extra_clips() {
    if (edited_.clips.size() <= stored_.clips.size()) return;
    out_.report.notices.push_back({std::nullopt, clip_path(stored_.clips.size()),
                                   fmt::format("left out {} of {} clips: the template has {}",
                                               edited_.clips.size() - stored_.clips.size(),
                                               edited_.clips.size(), stored_.clips.size())});
  }

  Result<void> write() {
    if (!has_changed_) {
      out_.bytes.assign(bytes_.begin(), bytes_.end());
      return {};
    }
    auto bytes = lay_out(*fields_);
    if (!bytes) return tl::unexpected(std::move(bytes.error()));
    out_.bytes = std::move(*bytes);
    return {};
  }

  Result<void> measure() {
    std::optional<Bank> decoded;
    if (has_changed_) {
      auto bank = read_back(out_.bytes, index_.presence_order, index_.limits, out_.report.notices);
      if (!bank) return tl::unexpected(std::move(bank.error()));
      decoded = std::move(*bank);
    }
    for (const ClipEdit& edit : edits_) {
      const std::size_t number = edit.written.number;
      if (!edit.has_changed) {
        out_.report.clips.push_back(report_kept_clip(number, stored_.clips[number]));
        continue;
      }
      out_.report.clips.push_back(report_clip(edit.written, decoded->clips[number], options_));
      notice_bounds(edit.written);
    }
    return {};
  }

  /// Kept tracks can't make up for what an edited one costs: the bound is a wish.
  void notice_bounds(const WrittenClip& clip) {
    const auto missed = find_missed_bound(clip, out_.report.clips.back(), options_);
    if (!missed) return;
    out_.report.notices.push_back(
        {std::nullopt, clip_path(clip.number),
         fmt::format("the bound is not kept, since tracks that were not edited keep their bits: {} "
                     "at {}",
                     missed->worst, missed->place)});
  }

  std::span<const std::byte> bytes_;
  const SparseIndex& index_;
  const Bank& edited_;
  const EncodeOptions& options_;
  Bank stored_;
  Result<SparseFields> fields_;
  std::vector<ClipEdit> edits_;
  bool has_changed_ = false;
  std::uint64_t memory_left_ = index_.limits.max_decoded_bytes;  ///< for values at every frame
  EncodedFile out_;
};

}  // namespace

Result<EncodedFile> edit_sparse(std::span<const std::byte> bytes, const SparseIndex& index,
                                const Bank& edited, const EncodeOptions& options) {
  if (auto checked = check_options(options); !checked) return tl::unexpected(checked.error());
  return base::with_allocation_errors(
      [&] { return FileEdit(bytes, index, edited, options).run(); });
}

}  // namespace mabkit::mab
