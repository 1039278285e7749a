#include "mab/sparse_runs.hpp"

#include <fmt/format.h>

#include <mabkit/math.hpp>
#include <string_view>
#include <utility>

#include "base/bytes.hpp"
#include "mab/sparse_source.hpp"
#include "mab/sparse_tags.hpp"

namespace mabkit::mab {
namespace {

/// `0-3, 7`, or `none`.
std::string bone_list(const BoneMask& mask) {
  std::string text;
  const std::vector<std::uint32_t> bones = mask.bones();
  for (std::size_t i = 0; i < bones.size();) {
    std::size_t last = i;
    while (last + 1 < bones.size() && bones[last + 1] == bones[last] + 1) ++last;
    if (!text.empty()) text += ", ";
    text += last == i ? fmt::format("{}", bones[i]) : fmt::format("{}-{}", bones[i], bones[last]);
    i = last + 1;
  }
  return text.empty() ? "none" : text;
}

/// Runs in the order in which they are added, each starting where the one before ends.
class RunList {
 public:
  explicit RunList(std::span<const std::byte> bytes) : bytes_(bytes) {}

  void add(RunKind kind, std::uint64_t size, std::string path, std::string value = {}) {
    if (size == 0) return;
    runs_.push_back({kind, position_, size, std::move(path), std::move(value)});
    position_ += size;
  }

  /// The next bytes as a number.
  template <class T>
  void number(const std::string& path) {
    const auto value = next<T>();
    add(RunKind::field, sizeof(T), path, fmt::format("{}", value));
  }
  /// The next bytes as hexadecimal digits.
  template <class T>
  void word(const std::string& path) {
    const auto value = next<T>();
    add(RunKind::field, sizeof(T), path, fmt::format("0x{:0{}X}", value, 2 * sizeof(T)));
  }
  void quaternion(const std::string& path) {
    const auto q = next<Quat>();
    add(RunKind::field, sizeof(Quat), path, fmt::format("{} {} {} {}", q.x, q.y, q.z, q.w));
  }

  [[nodiscard]] std::uint64_t position() const { return position_; }
  [[nodiscard]] bool is_zero(std::uint64_t size) const {
    return base::all_zero(
        bytes_.subspan(static_cast<std::size_t>(position_), static_cast<std::size_t>(size)));
  }
  template <class T>
  [[nodiscard]] T next() const {
    return base::load<T>(bytes_, static_cast<std::size_t>(position_));
  }
  [[nodiscard]] std::vector<ByteRun> take() && { return std::move(runs_); }

 private:
  std::span<const std::byte> bytes_;
  std::vector<ByteRun> runs_;
  std::uint64_t position_ = 0;
};

/// Adds the runs of one clip.
class ClipRuns {
 public:
  ClipRuns(RunList& runs, std::span<const std::byte> bytes, const SparseIndex& index,
           std::size_t number)
      : runs_(runs),
        bytes_(bytes),
        layout_(*index.layout),
        clip_(index.clips[number]),
        number_(number),
        path_(clip_path(number)) {}

  void add() {
    add_masks();
    add_header();
    auto gap = clip_.gaps.begin();
    const auto add_gap_here = [&] {
      if (gap != clip_.gaps.end() && gap->offset == runs_.position()) add_gap(*gap++);
    };
    add_gap_here();
    for (const std::uint32_t slot : clip_.disk_slots) {
      add_section(slot, *clip_.sections[slot]);
      add_gap_here();
    }
  }

 private:
  void add_masks() {
    constexpr std::array<std::string_view, mask_kind_count> names{
        "constant_rotation_mask", "keyed_rotation_mask", "constant_translation_mask",
        "animated_translation_mask"};
    if (!clip_.has_masks()) {
      runs_.add(RunKind::preserved, layout_.tag, path_ + ".masks");
      return;
    }
    const std::uint64_t mask_size = std::uint64_t{4} * clip_.mask_words;
    for (const MaskKind kind : all_mask_kinds) {
      runs_.add(RunKind::field, mask_size,
                fmt::format("{}.{}", path_, names[static_cast<std::size_t>(kind)]),
                bone_list(clip_.mask(kind)));
    }
    const std::uint64_t used = mask_size * mask_kind_count;
    runs_.add(RunKind::field, layout_.reference - used,
              fmt::format("{}.unknown_0x{:02X}", path_, used), "0");
    runs_.quaternion(path_ + ".reference");
    runs_.quaternion(path_ + ".loop");
  }

  void add_header() {
    if (runs_.next<std::uint32_t>() == clip_tag) {
      runs_.add(RunKind::field, sizeof(clip_tag), path_ + ".tag", "AnD\\x1A");
    } else {
      runs_.word<std::uint32_t>(path_ + ".tag");
    }
    runs_.number<float>(path_ + ".duration");
    for (std::uint32_t slot = 0; slot < slot_count; ++slot) {
      runs_.add(RunKind::field, sizeof(std::int32_t), section_offset_path(number_, slot),
                fmt::format("0x{:X}", clip_.table[slot]));
    }
    runs_.word<std::uint32_t>(path_ + ".runtime_pointer");
  }

  void add_gap(const SparseGap& gap) {
    const std::string after = gap.after == next_clip ? path_ : section_path(number_, gap.after);
    runs_.add(RunKind::padding, gap.alignment, after + ".padding");
    runs_.add(RunKind::padding, gap.empty_tag_table, path_ + ".empty_tag_table");
    runs_.add(RunKind::preserved, gap.unknown, after + ".unexplained");
  }

  void add_section(std::uint32_t slot, const SparseSection& section) {
    const std::string path = section_path(number_, slot);
    if (slot == event_chain) {
      add_events(path);
    } else if (slot == tag_table) {
      add_tags(path, section);
    } else {
      add_array(path, slot, section);
    }
  }

  void add_array(const std::string& path, std::uint32_t slot, const SparseSection& section) {
    runs_.number<std::uint16_t>(path + ".count");
    runs_.number<std::uint16_t>(path + ".last_frame");
    if (section.has_f32_rate) {
      runs_.number<float>(path + ".rate");
    } else {
      runs_.number<std::uint16_t>(path + ".rate");
      runs_.word<std::uint16_t>(path + ".unknown_0x06");
    }
    if (slot == keyed_rotations) {
      add_groups(path);
    } else {
      runs_.add(RunKind::section, section.size - array_header_size, path + ".values");
    }
  }

  void add_groups(const std::string& path) {
    const codec::SparseGroups groups = groups_of(clip_, bytes_);
    if (groups.count() == 0) return;
    runs_.add(RunKind::section, sizeof(std::int32_t) * (std::uint64_t{groups.count()} + 1),
              path + ".group_table");
    for (std::uint32_t g = 0; g < groups.count(); ++g) {
      const codec::SparseGroup group = groups.group(g);
      const std::string at = fmt::format("{}.group[{}]", path, g);
      runs_.add(RunKind::section, group.first_keys.size(), at + ".first_keys");
      add_presence(group, at);
      runs_.add(RunKind::section, group.further_keys.size(), at + ".further_keys");
    }
  }

  /// The byte that makes the number of presence bytes even belongs to them where it is zero.
  void add_presence(const codec::SparseGroup& group, const std::string& path) {
    const bool is_padded = base::all_zero(group.padding);
    runs_.add(RunKind::section, group.presence.size() + (is_padded ? group.padding.size() : 0),
              path + ".presence");
    if (!is_padded) runs_.add(RunKind::preserved, group.padding.size(), path + ".unexplained");
  }

  void add_tags(const std::string& path, const SparseSection& section) {
    if (number_ != 0) {
      runs_.add(RunKind::preserved, section.size, path);
      return;
    }
    runs_.number<std::uint32_t>(path + ".count");
    for (std::size_t i = 0; i < clip_.tags.size(); ++i) {
      add_record(fmt::format("{}.record[{}]", path, i), clip_.tags[i]);
    }
  }

  void add_record(const std::string& path, std::uint64_t record) {
    runs_.number<std::uint8_t>(path + ".kind");
    runs_.word<std::uint8_t>(path + ".unknown_0x01");
    runs_.number<std::int16_t>(path + ".id");
    runs_.word<std::uint32_t>(path + ".unknown_0x04");
    runs_.word<std::uint32_t>(path + ".unknown_0x08");
    runs_.number<std::int32_t>(path + ".clip_offset");
    runs_.number<float>(path + ".start");
    runs_.number<float>(path + ".end");
    const auto add_text = [&](std::string_view name, TagField field) {
      runs_.word<std::uint32_t>(fmt::format("{}.{}_hash", path, name));
      runs_.add(RunKind::field, tag_text_size, fmt::format("{}.{}", path, name),
                fmt::format("\"{}\"", tag_text(bytes_, record, field).value_or("")));
    };
    add_text("name", tag_name);
    add_text("parent", tag_parent);
    add_text("target", tag_target);
    add_text("reference", tag_reference);
    runs_.word<std::uint32_t>(path + ".runtime_pointer");
  }

  void add_events(const std::string& path) {
    for (std::size_t i = 0; i < clip_.events.size(); ++i) {
      const std::string at = fmt::format("{}.event[{}]", path, i);
      runs_.number<float>(at + ".time");
      runs_.number<std::uint32_t>(at + ".type");
      runs_.number<std::uint16_t>(at + ".payload_size");
      runs_.number<std::uint16_t>(at + ".next");
      runs_.add(RunKind::section, clip_.events[i].payload_size, at + ".payload");
      if (i + 1 == clip_.events.size()) break;
      const std::uint64_t between = clip_.events[i + 1].offset - clip_.events[i].end();
      if (between == event_terminator_size && runs_.is_zero(between)) {
        runs_.number<std::uint8_t>(at + ".terminator");
      } else {
        runs_.add(RunKind::preserved, between, at + ".unexplained");
      }
    }
  }

  RunList& runs_;
  std::span<const std::byte> bytes_;
  const SparseLayout& layout_;
  const SparseClip& clip_;
  std::size_t number_;
  std::string path_;
};

}  // namespace

std::vector<ByteRun> list_runs(std::span<const std::byte> bytes, const SparseIndex& index) {
  RunList runs(bytes);
  runs.word<std::uint16_t>("version");
  runs.number<std::uint16_t>("unknown_0x02");
  runs.word<std::uint32_t>("unknown_0x04");
  runs.word<std::uint64_t>("unknown_0x08");
  for (std::size_t i = 0; i < index.clips.size(); ++i) ClipRuns(runs, bytes, index, i).add();
  runs.add(RunKind::preserved, bytes.size() - runs.position(), "trailing");
  return std::move(runs).take();
}

}  // namespace mabkit::mab
