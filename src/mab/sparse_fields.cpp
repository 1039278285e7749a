#include "mab/sparse_fields.hpp"

#include <algorithm>
#include <cstring>

#include "base/bytes.hpp"
#include "mab/sparse_source.hpp"

namespace mabkit::mab {
namespace {

/// Takes the values of one clip out of the file.
class ClipFieldReader {
 public:
  ClipFieldReader(std::span<const std::byte> bytes, const SparseIndex& index, std::size_t number)
      : bytes_(bytes), index_(index), clip_(index.clips[number]), number_(number) {}

  [[nodiscard]] ClipFields read() const {
    ClipFields out;
    read_header(out);
    out.trajectory_translation = translations(trajectory_translation);
    out.trajectory_rotation = rotations(trajectory_rotation);
    out.constant_rotations = rotations(constant_rotations);
    out.keyed_rotations = keyed();
    out.constant_translations = translations(constant_translations);
    out.animated_translations = translations(animated_translations);
    read_tags(out);
    out.events = events();
    for (const SparseGap& gap : clip_.gaps) {
      if (!gap.is_canonical) out.unexplained[gap.after] = copy(gap.offset, gap.size);
    }
    return out;
  }

 private:
  template <class T>
  [[nodiscard]] T at(std::uint64_t offset) const {
    return base::load<T>(bytes_, static_cast<std::size_t>(offset));
  }

  [[nodiscard]] std::vector<std::byte> copy(std::uint64_t offset, std::uint64_t size) const {
    const auto part =
        bytes_.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
    return {part.begin(), part.end()};
  }

  /// `size` bytes from `offset` as a list of values.
  template <class T>
  [[nodiscard]] std::vector<T> list(std::uint64_t offset, std::uint64_t size) const {
    return list_of<T>(
        bytes_.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size)));
  }
  template <class T>
  [[nodiscard]] static std::vector<T> list_of(std::span<const std::byte> part) {
    std::vector<T> values(part.size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), part.data(), values.size() * sizeof(T));
    return values;
  }

  void read_header(ClipFields& out) const {
    const SparseLayout& layout = *index_.layout;
    out.mask_words = clip_.mask_words;
    const std::uint64_t mask_size = sizeof(std::uint32_t) * std::uint64_t{clip_.mask_words};
    std::uint64_t used = 0;
    for (auto& mask : out.masks) {
      mask = list<std::uint32_t>(clip_.base + used, mask_size);
      used += mask_size;
    }
    out.unknown_before_reference = list<std::uint32_t>(clip_.base + used, layout.reference - used);
    out.reference = at<decltype(out.reference)>(clip_.base + layout.reference);
    out.loop = at<decltype(out.loop)>(clip_.base + layout.loop);
    out.tag = at<std::uint32_t>(clip_.base + layout.tag);
    out.duration = at<FloatBits>(clip_.base + layout.duration);
    out.runtime_pointer = at<std::uint32_t>(clip_.base + layout.runtime_pointer);
  }

  [[nodiscard]] ArrayHeaderFields array_header(const SparseSection& section) const {
    return {.count = at<std::uint16_t>(section.offset),
            .last_frame = at<std::uint16_t>(section.offset + array_last_frame),
            .rate = at<std::uint16_t>(section.offset + array_rate),
            .unknown_0x06 = at<std::uint16_t>(section.offset + array_unknown)};
  }

  [[nodiscard]] std::optional<TranslationFields> translations(std::uint32_t slot) const {
    const auto& section = clip_.sections[slot];
    if (!section) return std::nullopt;
    return TranslationFields{
        array_header(*section),
        list<FloatBits>(section->offset + array_header_size, section->size - array_header_size)};
  }

  [[nodiscard]] std::optional<RotationFields> rotations(std::uint32_t slot) const {
    const auto& section = clip_.sections[slot];
    if (!section) return std::nullopt;
    return RotationFields{array_header(*section),
                          list<codec::PackedQuaternion>(section->offset + array_header_size,
                                                        section->size - array_header_size)};
  }

  [[nodiscard]] std::optional<KeyedRotationFields> keyed() const {
    const auto& section = clip_.sections[keyed_rotations];
    if (!section) return std::nullopt;
    KeyedRotationFields out{array_header(*section), {}};
    const codec::SparseGroups groups = groups_of(clip_, bytes_);
    for (std::uint32_t g = 0; g < groups.count(); ++g) {
      const codec::SparseGroup group = groups.group(g);
      GroupFields fields{list_of<codec::PackedQuaternion>(group.first_keys),
                         list_of<std::uint8_t>(group.presence), 0,
                         list_of<codec::PackedQuaternion>(group.further_keys)};
      if (!group.padding.empty()) fields.padding = std::to_integer<std::uint8_t>(group.padding[0]);
      out.groups.push_back(std::move(fields));
    }
    return out;
  }

  void read_tags(ClipFields& out) const {
    const auto& section = clip_.sections[tag_table];
    if (!section) return;
    if (number_ != 0) {
      out.unknown_tags = copy(section->offset, section->size);
      return;
    }
    out.tags.emplace();
    for (std::size_t i = 0; i < clip_.tags.size(); ++i) {
      out.tags->push_back(tag(clip_.tags[i], i + 1 < index_.clips.size()));
    }
  }

  [[nodiscard]] TagTextFields tag_text_fields(std::uint64_t at_text) const {
    return {at<std::uint32_t>(at_text),
            at<decltype(TagTextFields::text)>(at_text + sizeof(std::uint32_t))};
  }

  [[nodiscard]] TagFields tag(std::uint64_t record, bool has_clip) const {
    TagFields out;
    out.kind = at<std::uint8_t>(record + tag_kind);
    out.unknown_0x01 = at<std::uint8_t>(record + tag_unknown_01);
    out.id = at<std::int16_t>(record + tag_id);
    out.unknown_0x04 = at<std::uint32_t>(record + tag_unknown_04);
    out.unknown_0x08 = at<std::uint32_t>(record + tag_unknown_08);
    if (!has_clip) out.clip_offset = at<std::int32_t>(record + tag_clip_offset);
    out.start = at<FloatBits>(record + tag_start);
    out.end = at<FloatBits>(record + tag_end);
    out.name = tag_text_fields(record + tag_name);
    out.parent = tag_text_fields(record + tag_parent);
    out.target = tag_text_fields(record + tag_target);
    out.reference = tag_text_fields(record + tag_reference);
    out.runtime_pointer = at<std::uint32_t>(record + tag_runtime_pointer);
    return out;
  }

  [[nodiscard]] std::optional<std::vector<EventFields>> events() const {
    if (!clip_.sections[event_chain]) return std::nullopt;
    std::vector<EventFields> out;
    for (std::size_t i = 0; i < clip_.events.size(); ++i) {
      const SparseEvent& node = clip_.events[i];
      EventFields fields{at<FloatBits>(node.offset + event_time),
                         at<std::uint32_t>(node.offset + event_type),
                         copy(node.payload(), node.payload_size), std::nullopt};
      if (i + 1 < clip_.events.size()) {
        auto between = copy(node.end(), clip_.events[i + 1].offset - node.end());
        if (between.size() != event_terminator_size || !base::all_zero(between)) {
          fields.unexplained = std::move(between);
        }
      }
      out.push_back(std::move(fields));
    }
    return out;
  }

  std::span<const std::byte> bytes_;
  const SparseIndex& index_;
  const SparseClip& clip_;
  std::size_t number_;
};

/// Whether the sections stand in the order of spec mab-sparse, 1.5.
bool is_in_disk_order(const SparseClip& clip) {
  const auto place = [](std::uint32_t slot) {
    return std::find(disk_order.begin(), disk_order.end(), slot);
  };
  return std::is_sorted(clip.disk_slots.begin(), clip.disk_slots.end(),
                        [&](std::uint32_t a, std::uint32_t b) { return place(a) < place(b); });
}

}  // namespace

Result<SparseFields> fields(std::span<const std::byte> bytes, const SparseIndex& index) {
  SparseFields out;
  out.version = base::load<std::uint16_t>(bytes, file_version);
  out.unknown_0x02 = base::load<std::uint16_t>(bytes, file_unknown_02);
  out.unknown_0x04 = base::load<std::uint32_t>(bytes, file_unknown_04);
  out.unknown_0x08 = base::load<std::uint64_t>(bytes, file_unknown_08);
  for (std::size_t i = 0; i < index.clips.size(); ++i) {
    if (!is_in_disk_order(index.clips[i])) {
      return fail(ErrorCode::unsupported, index.clips[i].base, clip_path(i) + ".section_offset",
                  "the sections stand in an unusual order, which can't be laid out again");
    }
    out.clips.push_back(ClipFieldReader(bytes, index, i).read());
  }
  const auto trailing = bytes.subspan(static_cast<std::size_t>(index.clips.back().end));
  out.trailing.assign(trailing.begin(), trailing.end());
  return out;
}

}  // namespace mabkit::mab
