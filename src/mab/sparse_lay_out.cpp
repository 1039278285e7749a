#include <limits>

#include "base/bytes.hpp"
#include "mab/sparse_fields.hpp"
#include "mab/sparse_source.hpp"

namespace mabkit::mab {
namespace {

/// Where a tag record's offset to its clip is to be written once that clip has a place.
struct ClipReference {
  std::size_t record = 0;
  std::size_t clip = 0;  ///< position in the chain
};

template <class T>
void put_list(base::ByteWriter& out, const std::vector<T>& values) {
  out.put_bytes(std::as_bytes(std::span(values)));
}

class Layouter {
 public:
  Layouter(const SparseFields& fields, const SparseLayout& layout)
      : fields_(fields), layout_(layout) {}

  Result<std::vector<std::byte>> lay_out() {
    out_.put(fields_.version);
    out_.put(fields_.unknown_0x02);
    out_.put(fields_.unknown_0x04);
    out_.put(fields_.unknown_0x08);
    for (std::size_t i = 0; i < fields_.clips.size(); ++i) {
      if (auto put = put_clip(i); !put) return tl::unexpected(put.error());
    }
    for (const ClipReference& reference : references_) {
      const auto target = static_cast<std::int64_t>(bases_[reference.clip]);
      out_.patch(reference.record + tag_clip_offset,
                 static_cast<std::int32_t>(target - static_cast<std::int64_t>(reference.record)));
    }
    out_.put_bytes(fields_.trailing);
    return std::move(out_).take();
  }

 private:
  Result<void> put_clip(std::size_t number) {
    const ClipFields& clip = fields_.clips[number];
    base_ = out_.size();
    bases_.push_back(base_);
    table_ = {};
    put_header(clip);
    put_padding(clip, next_clip, false);

    const std::uint32_t last_array = last_array_of(clip);
    for (const std::uint32_t slot : disk_order) {
      if (!has_section(clip, slot)) continue;
      table_[slot] = out_.size() - base_;
      if (auto put = put_section(clip, number, slot); !put) return put;
      put_padding(clip, slot, slot == last_array && !clip.tags && !clip.unknown_tags);
    }
    table_[next_clip] = out_.size() - base_;
    return patch_table(number);
  }

  static bool has_section(const ClipFields& clip, std::uint32_t slot) {
    switch (slot) {
      case trajectory_translation:
        return clip.trajectory_translation.has_value();
      case trajectory_rotation:
        return clip.trajectory_rotation.has_value();
      case constant_rotations:
        return clip.constant_rotations.has_value();
      case keyed_rotations:
        return clip.keyed_rotations.has_value();
      case constant_translations:
        return clip.constant_translations.has_value();
      case animated_translations:
        return clip.animated_translations.has_value();
      case tag_table:
        return clip.tags.has_value() || clip.unknown_tags.has_value();
      default:
        return clip.events.has_value();
    }
  }

  static std::uint32_t last_array_of(const ClipFields& clip) {
    std::uint32_t last = next_clip;
    for (const std::uint32_t slot : disk_order) {
      if (slot < tag_table && has_section(clip, slot)) last = slot;
    }
    return last;
  }

  void put_header(const ClipFields& clip) {
    for (const auto& mask : clip.masks) put_list(out_, mask);
    put_list(out_, clip.unknown_before_reference);
    out_.put(clip.reference);
    out_.put(clip.loop);
    out_.put(clip.tag);
    out_.put(clip.duration);
    out_.put_zeros(sizeof(std::int32_t) * slot_count);
    out_.put(clip.runtime_pointer);
  }

  Result<void> put_section(const ClipFields& clip, std::size_t number, std::uint32_t slot) {
    switch (slot) {
      case trajectory_translation:
        put_array(*clip.trajectory_translation);
        return {};
      case trajectory_rotation:
        put_array(*clip.trajectory_rotation);
        return {};
      case constant_rotations:
        put_array(*clip.constant_rotations);
        return {};
      case keyed_rotations:
        return put_groups(*clip.keyed_rotations, number);
      case constant_translations:
        put_array(*clip.constant_translations);
        return {};
      case animated_translations:
        put_array(*clip.animated_translations);
        return {};
      case tag_table:
        put_tags(clip);
        return {};
      default:
        return put_events(*clip.events, number);
    }
  }

  /// Zeros up to the alignment, and those that stand for an absent tag table; or what stood there
  /// instead.
  void put_padding(const ClipFields& clip, std::uint32_t after, bool is_tag_place) {
    if (clip.unexplained[after]) {
      out_.put_bytes(*clip.unexplained[after]);
      return;
    }
    out_.align(section_alignment, base_);
    if (is_tag_place) out_.put_zeros(empty_tag_table_size);
  }

  Result<void> patch_table(std::size_t number) {
    for (std::uint32_t slot = 0; slot < slot_count; ++slot) {
      if (table_[slot] > std::numeric_limits<std::int32_t>::max()) {
        return fail(ErrorCode::limit, base_, section_offset_path(number, slot),
                    fmt::format("the offset 0x{:X} doesn't fit its field", table_[slot]));
      }
      out_.patch(base_ + layout_.section_table + sizeof(std::int32_t) * slot,
                 static_cast<std::int32_t>(table_[slot]));
    }
    return {};
  }

  void put_array_header(const ArrayHeaderFields& header) {
    out_.put(header.count);
    out_.put(header.last_frame);
    out_.put(header.rate);
    out_.put(header.unknown_0x06);
  }
  void put_array(const TranslationFields& section) {
    put_array_header(section.header);
    put_list(out_, section.components);
  }
  void put_array(const RotationFields& section) {
    put_array_header(section.header);
    put_list(out_, section.rotations);
  }

  Result<void> put_groups(const KeyedRotationFields& section, std::size_t number) {
    const std::size_t start = out_.size();
    put_array_header(section.header);
    if (section.groups.empty()) return {};
    std::size_t entry = out_.size();
    out_.put_zeros(sizeof(std::int32_t) * (section.groups.size() + 1));
    const auto close_entry = [&] {
      out_.patch(entry, static_cast<std::uint32_t>(out_.size() - start));
      entry += sizeof(std::uint32_t);
    };
    for (const GroupFields& group : section.groups) {
      close_entry();
      put_list(out_, group.first_keys);
      put_list(out_, group.presence);
      if (group.presence.size() % 2 != 0) out_.put(group.padding);
      put_list(out_, group.further_keys);
    }
    close_entry();
    if (out_.size() - start > std::numeric_limits<std::int32_t>::max()) {
      return fail(ErrorCode::limit, start, section_path(number, keyed_rotations),
                  "the section is too large for its group table");
    }
    return {};
  }

  void put_text(const TagTextFields& text) {
    out_.put(text.hash);
    out_.put(text.text);
  }

  void put_tags(const ClipFields& clip) {
    if (clip.unknown_tags) {
      out_.put_bytes(*clip.unknown_tags);
      return;
    }
    out_.put(static_cast<std::uint32_t>(clip.tags->size()));
    for (std::size_t i = 0; i < clip.tags->size(); ++i) {
      const TagFields& tag = (*clip.tags)[i];
      if (!tag.clip_offset) references_.push_back({out_.size(), i + 1});
      out_.put(tag.kind);
      out_.put(tag.unknown_0x01);
      out_.put(tag.id);
      out_.put(tag.unknown_0x04);
      out_.put(tag.unknown_0x08);
      out_.put(tag.clip_offset.value_or(0));
      out_.put(tag.start);
      out_.put(tag.end);
      put_text(tag.name);
      put_text(tag.parent);
      put_text(tag.target);
      put_text(tag.reference);
      out_.put(tag.runtime_pointer);
    }
  }

  Result<void> put_events(const std::vector<EventFields>& events, std::size_t number) {
    for (std::size_t i = 0; i < events.size(); ++i) {
      const EventFields& event = events[i];
      const bool is_last = i + 1 == events.size();
      const std::size_t between =
          event.unexplained ? event.unexplained->size() : std::size_t{event_terminator_size};
      const std::size_t next = is_last ? 0 : event_header_size + event.payload.size() + between;
      if (event.payload.size() > std::numeric_limits<std::uint16_t>::max() ||
          next > std::numeric_limits<std::uint16_t>::max()) {
        return fail(ErrorCode::limit, out_.size(),
                    fmt::format("{}.event[{}]", section_path(number, event_chain), i),
                    fmt::format("a payload of {} bytes is too large", event.payload.size()));
      }
      out_.put(event.time);
      out_.put(event.type);
      out_.put(static_cast<std::uint16_t>(event.payload.size()));
      out_.put(static_cast<std::uint16_t>(next));
      out_.put_bytes(event.payload);
      if (is_last) break;
      if (event.unexplained) {
        out_.put_bytes(*event.unexplained);
      } else {
        out_.put_zeros(event_terminator_size);
      }
    }
    return {};
  }

  const SparseFields& fields_;
  const SparseLayout& layout_;
  base::ByteWriter out_;
  std::size_t base_ = 0;            ///< of the clip that is being written
  std::vector<std::size_t> bases_;  ///< of every clip
  std::array<std::uint64_t, slot_count> table_{};
  std::vector<ClipReference> references_;
};

}  // namespace

Result<std::vector<std::byte>> lay_out(const SparseFields& fields) {
  const SparseLayout* layout = find_sparse_layout(fields.version);
  if (layout == nullptr) {
    return fail(ErrorCode::unknown_format, 0, "version",
                fmt::format("version 0x{:04X} is no version of the sparse family", fields.version));
  }
  return Layouter(fields, *layout).lay_out();
}

}  // namespace mabkit::mab
