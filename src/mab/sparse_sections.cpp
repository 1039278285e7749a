#include "mab/sparse_sections.hpp"

#include <algorithm>

namespace mabkit::mab {
namespace {

constexpr std::uint32_t quaternion_size = 6;
constexpr std::uint32_t vector_size = 12;

/// Frame rates that a file of the later games may hold (spec mab-sparse, 5.1).
constexpr float least_rate = 1.0F;
constexpr float most_rate = 1000.0F;

bool holds_keyed_rotations(std::uint32_t slot) {
  return slot == keyed_rotations;
}
bool is_constant(std::uint32_t slot) {
  return slot == constant_rotations || slot == constant_translations;
}

void read_rate(const SparseSource& source, std::uint32_t slot, SparseSection& section) {
  if (is_constant(slot)) return;
  const std::uint64_t at = section.offset + array_rate;
  const auto word = base::load<std::uint16_t>(source.in.bytes(), static_cast<std::size_t>(at));
  if (source.layout.rate == RateForm::u16) {
    section.rate = word;
    return;
  }
  const auto value = base::load<float>(source.in.bytes(), static_cast<std::size_t>(at));
  if (value >= least_rate && value <= most_rate) {
    section.rate = value;
    section.has_f32_rate = true;
  } else if (static_cast<float>(word) <= most_rate) {
    section.rate = word;
  }
}

/// Bytes of slots 0, 1, 2, 4 and 5 (spec mab-sparse, 1.6). A trajectory without a track, which no
/// shipped file has, is its header alone.
std::uint64_t array_size(std::uint32_t slot, const SparseSection& section) {
  const std::uint64_t count = section.count;
  const std::uint64_t frames = section.frames();
  switch (slot) {
    case trajectory_translation:
      return array_header_size + (count == 0 ? 0 : vector_size * frames);
    case trajectory_rotation:
      return array_header_size + (count == 0 ? 0 : quaternion_size * frames);
    case constant_rotations:
      return array_header_size + quaternion_size * count;
    case constant_translations:
      return array_header_size + vector_size * count;
    default:
      return array_header_size + vector_size * count * frames;
  }
}

/// One clip's sections, as they are found.
class SectionReader {
 public:
  SectionReader(const SparseSource& source, std::size_t number, SparseClip& clip)
      : source_(source), number_(number), clip_(clip) {}

  Result<void> read() {
    for (std::uint32_t slot = 0; slot < next_clip; ++slot) {
      if (clip_.table[slot] == 0) continue;
      if (auto checked = check_start(slot); !checked) return checked;
      clip_.disk_slots.push_back(slot);
    }
    std::stable_sort(
        clip_.disk_slots.begin(), clip_.disk_slots.end(),
        [this](std::uint32_t a, std::uint32_t b) { return clip_.table[a] < clip_.table[b]; });
    for (std::size_t i = 0; i < clip_.disk_slots.size(); ++i) {
      const std::uint32_t slot = clip_.disk_slots[i];
      const bool is_last = i + 1 == clip_.disk_slots.size();
      const std::uint64_t end = is_last ? clip_.end : start_of(clip_.disk_slots[i + 1]);
      if (!is_last && end == start_of(slot)) {
        return fail(ErrorCode::inconsistent, table_entry(slot), section_offset_path(number_, slot),
                    fmt::format("sections {} and {} both start at 0x{:X}", slot,
                                clip_.disk_slots[i + 1], clip_.table[slot]));
      }
      if (auto read = read_section(slot, end); !read) return read;
    }
    return {};
  }

 private:
  [[nodiscard]] std::uint64_t start_of(std::uint32_t slot) const {
    return clip_.base + static_cast<std::uint64_t>(clip_.table[slot]);
  }
  [[nodiscard]] std::uint64_t table_entry(std::uint32_t slot) const {
    return clip_.base + source_.layout.section_table + std::uint64_t{4} * slot;
  }

  [[nodiscard]] Result<void> check_start(std::uint32_t slot) const {
    const std::int32_t start = clip_.table[slot];
    const auto bad = [&](std::string message) {
      return fail(ErrorCode::bad_value, table_entry(slot), section_offset_path(number_, slot),
                  std::move(message));
    };
    if (start < 0) return bad(fmt::format("the section's offset is negative ({})", start));
    if (static_cast<std::uint32_t>(start) < source_.layout.header_size) {
      return bad(
          fmt::format("the section's offset 0x{:X} points into the clip header, which has "
                      "0x{:X} bytes",
                      start, source_.layout.header_size));
    }
    if (start_of(slot) >= clip_.end) {
      return bad(fmt::format("the section's offset 0x{:X} is past the end of the clip at 0x{:X}",
                             start, clip_.end - clip_.base));
    }
    if (start % static_cast<std::int32_t>(section_alignment) != 0) {
      source_.warn(table_entry(slot), section_offset_path(number_, slot),
                   fmt::format("the section's offset 0x{:X} is no multiple of {}", start,
                               section_alignment));
    }
    return {};
  }

  [[nodiscard]] Result<void> read_section(std::uint32_t slot, std::uint64_t end) {
    SparseSection section;
    section.offset = start_of(slot);
    Result<void> measured;
    if (slot == event_chain) {
      read_events(section, end);
    } else if (slot == tag_table) {
      measured = read_tags(section, end);
    } else {
      measured = read_array(slot, section, end);
    }
    if (measured) clip_.sections[slot] = section;
    return measured;
  }

  /// An error where a section needs more bytes than there are up to the next one.
  [[nodiscard]] Result<void> check_size(std::uint32_t slot, const SparseSection& section,
                                        std::uint64_t end) const {
    if (section.size <= end - section.offset) return {};
    return fail(end == source_.in.size() ? ErrorCode::truncated : ErrorCode::inconsistent,
                section.offset, section_path(number_, slot),
                fmt::format("the section ({}) needs {} bytes, but {} follow before the next one",
                            slot_name(slot), section.size, end - section.offset));
  }

  [[nodiscard]] Result<void> read_array(std::uint32_t slot, SparseSection& section,
                                        std::uint64_t end) {
    section.size = array_header_size;
    if (auto checked = check_size(slot, section, end); !checked) return checked;
    const auto at = static_cast<std::size_t>(section.offset);
    section.count = base::load<std::uint16_t>(source_.in.bytes(), at);
    section.last_frame = base::load<std::uint16_t>(source_.in.bytes(), at + array_last_frame);
    read_rate(source_, slot, section);
    if (auto checked = check_limits(slot, section); !checked) return checked;
    if (holds_keyed_rotations(slot)) return open_groups(section, end);
    if ((slot == trajectory_translation || slot == trajectory_rotation) && section.count != 1) {
      source_.warn(section.offset, section_path(number_, slot) + ".count",
                   fmt::format("a trajectory has one track, not {}; read as {}", section.count,
                               section.count == 0 ? "none" : "one"));
    }
    section.size = array_size(slot, section);
    return check_size(slot, section, end);
  }

  [[nodiscard]] Result<void> check_limits(std::uint32_t slot, const SparseSection& section) const {
    const auto over = [&](std::string message) {
      return fail(ErrorCode::limit, section.offset, section_path(number_, slot) + ".count",
                  std::move(message));
    };
    if (section.count > source_.limits.max_joints) {
      return over(fmt::format("{} tracks are more than the limit of {}", section.count,
                              source_.limits.max_joints));
    }
    if (!is_constant(slot) && section.frames() > source_.limits.max_keys) {
      return over(fmt::format("{} frames are more than the limit of {}", section.frames(),
                              source_.limits.max_keys));
    }
    return {};
  }

  [[nodiscard]] Result<void> open_groups(SparseSection& section, std::uint64_t end) const {
    const std::span span = source_.in.bytes().subspan(
        static_cast<std::size_t>(section.offset), static_cast<std::size_t>(end - section.offset));
    auto groups = codec::SparseGroups::open(span, section.count, section.last_frame);
    if (!groups) {
      Error error = std::move(groups.error());
      error.offset = section.offset + error.offset.value_or(0);
      error.path = section_path(number_, keyed_rotations) + "." + error.path;
      return tl::unexpected(std::move(error));
    }
    section.size = groups->size();
    return {};
  }

  /// Only the first clip's tag table is known; another clip's is kept as it is (spec 1.9).
  [[nodiscard]] Result<void> read_tags(SparseSection& section, std::uint64_t end) {
    if (number_ != 0) {
      section.size = end - section.offset;
      source_.warn(section.offset, section_path(number_, tag_table),
                   "a chained clip has a tag table, which is kept but not understood");
      return {};
    }
    section.size = tag_table_header_size;
    if (auto checked = check_size(tag_table, section, end); !checked) return checked;
    const std::uint64_t count =
        base::load<std::uint32_t>(source_.in.bytes(), static_cast<std::size_t>(section.offset));
    section.size += tag_record_size * count;
    if (auto checked = check_size(tag_table, section, end); !checked) return checked;
    clip_.tags.reserve(static_cast<std::size_t>(count));
    for (std::uint64_t i = 0; i < count; ++i) {
      clip_.tags.push_back(section.offset + tag_table_header_size + tag_record_size * i);
    }
    return {};
  }

  /// Walks the chain by its offsets, which only lead forward. What can't be walked is kept.
  void read_events(SparseSection& section, std::uint64_t end) {
    std::uint64_t node = section.offset;
    for (;;) {
      const std::string path =
          fmt::format("{}.event[{}]", section_path(number_, event_chain), clip_.events.size());
      if (!base::fits(node, event_header_size, end)) {
        source_.warn(node, path, "the event chain leads past its section; the rest is kept");
        break;
      }
      const auto at = static_cast<std::size_t>(node);
      SparseEvent event;
      event.offset = node;
      event.payload_size = base::load<std::uint16_t>(source_.in.bytes(), at + event_payload_size);
      const auto next = base::load<std::uint16_t>(source_.in.bytes(), at + event_next);
      if (event.end() > end) {
        source_.warn(node, path,
                     fmt::format("the event's payload of {} bytes leads past its section; the rest "
                                 "is kept",
                                 event.payload_size));
        break;
      }
      clip_.events.push_back(event);
      section.size = event.end() - section.offset;
      if (next == 0) break;
      if (node + next < event.end()) {
        source_.warn(node, path,
                     fmt::format("the next event starts {} bytes on, inside this one of {} bytes; "
                                 "the rest is kept",
                                 next, event.end() - node));
        break;
      }
      node += next;
    }
  }

  const SparseSource& source_;
  std::size_t number_;
  SparseClip& clip_;
};

/// Splits a gap into what the rules ask for and the rest. Bytes that should be zero and aren't make
/// the whole gap unknown.
SparseGap explain(const SparseSource& source, const SparseClip& clip, std::uint32_t after,
                  std::uint64_t offset, std::uint64_t end, bool holds_empty_tag_table) {
  SparseGap gap{.offset = offset, .size = end - offset, .after = after};
  const std::uint64_t used = offset - clip.base;
  const std::uint64_t alignment = base::align_up(used, section_alignment) - used;
  gap.alignment = std::min(gap.size, alignment);
  if (holds_empty_tag_table && gap.size >= gap.alignment + empty_tag_table_size) {
    gap.empty_tag_table = empty_tag_table_size;
  }
  const std::uint64_t zeros = gap.alignment + gap.empty_tag_table;
  if (!base::all_zero(source.in.bytes().subspan(static_cast<std::size_t>(offset),
                                                static_cast<std::size_t>(zeros)))) {
    gap.alignment = 0;
    gap.empty_tag_table = 0;
  }
  gap.unknown = gap.size - gap.alignment - gap.empty_tag_table;
  gap.is_canonical = gap.unknown == 0 && gap.alignment == alignment &&
                     (gap.empty_tag_table != 0) == holds_empty_tag_table;
  return gap;
}

/// The section after which the empty tag table stands: the last of the arrays. `next_clip` where
/// there is none, and where the clip has a tag table.
std::uint32_t before_tag_table(const SparseClip& clip) {
  std::uint32_t last = next_clip;
  for (const std::uint32_t slot : clip.disk_slots) {
    if (slot == tag_table) return next_clip;
    if (slot < tag_table) last = slot;
  }
  return last;
}

}  // namespace

Result<void> read_sections(const SparseSource& source, std::size_t number, SparseClip& clip) {
  return SectionReader(source, number, clip).read();
}

void find_gaps(const SparseSource& source, std::size_t number, SparseClip& clip) {
  const std::uint32_t tag_place = before_tag_table(clip);
  std::uint64_t used = clip.base + source.layout.header_size;
  std::uint32_t after = next_clip;
  const auto close = [&](std::uint64_t next) {
    const SparseGap gap =
        explain(source, clip, after, used, next, after != next_clip && after == tag_place);
    clip.gaps.push_back(gap);
    if (gap.unknown == 0) return;
    source.warn(used + gap.size - gap.unknown,
                after == next_clip ? clip_path(number) : section_path(number, after),
                fmt::format("{} bytes that no rule explains follow; they are kept", gap.unknown));
  };
  for (const std::uint32_t slot : clip.disk_slots) {
    close(clip.sections[slot]->offset);
    used = clip.sections[slot]->end();
    after = slot;
  }
  close(clip.end);
}

}  // namespace mabkit::mab
