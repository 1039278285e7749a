#include "mab/chunked_fields.hpp"

#include <algorithm>

#include "mab/part_record.hpp"

namespace mabkit::mab {
namespace {

/// Copies one block's fields.
class FieldCollector {
 public:
  FieldCollector(std::span<const std::byte> file, const ChunkedIndex& index, std::uint32_t block)
      : file_(file), index_(index), position_(block), block_(index.blocks[block]) {}

  BlockFields run() {
    copy_header();
    copy_array(block_.hashes, block_.joints, out_.hashes);
    copy_array(block_.flags, block_.joints, out_.flags);
    copy_section(block_.key_times, out_.ticks);
    copy_section(block_.translation_table, out_.translation_table);
    copy_section(block_.constant_rotations, out_.constant_rotations);
    copy_section(block_.constant_translations, out_.constant_translations);
    copy_joint_streams();
    out_.displacement_orientations =
        copy_displacement(block_.displacement_orientations, codec::BlockKind::rotation);
    out_.displacement_translations =
        copy_displacement(block_.displacement_translations, codec::BlockKind::translation);
    if (block_.parts) copy_parts();
    if (block_.markup) copy_array(block_.markup->offset, block_.markup->size, out_.markup);
    for (const MarkupRecord& record : block_.markup_records) copy_markup(record);
    settle_alignment();
    return std::move(out_);
  }

 private:
  template <class T>
  [[nodiscard]] T load(std::uint64_t offset) const {
    return base::load<T>(file_, static_cast<std::size_t>(offset));
  }
  template <class T>
  void copy_array(std::uint64_t offset, std::uint64_t count, std::vector<T>& out) const {
    out.reserve(static_cast<std::size_t>(count));
    for (std::uint64_t i = 0; i < count; ++i) out.push_back(load<T>(offset + i * sizeof(T)));
  }
  template <class T>
  void copy_section(const std::optional<SectionSpan>& span, std::vector<T>& out) const {
    if (span) copy_array(span->offset, span->entries, out);
  }

  void copy_header() {
    for (const HeaderField& field : header_fields(*index_.layout)) {
      std::uint64_t word = 0;
      for (std::uint32_t i = 0; i < field.size; ++i) {
        word |= std::uint64_t{load<std::uint8_t>(block_.base + field.offset + i)} << (8 * i);
      }
      out_.header.push_back(word);
    }
    // Slots count in the order of the section table, key times first in every layout that may omit
    // its offset.
    out_.stores_key_times_offset = block_.offsets.front() != 0;
  }

  [[nodiscard]] StreamFields copy_stream(const StreamSpan& stream, codec::BlockKind kind,
                                         std::uint32_t keys, std::vector<unsigned> bits) const {
    StreamFields out{kind, keys, std::move(bits), {}};
    for (std::uint32_t chunk = 0; chunk < stream.table.chunks(); ++chunk) {
      const std::uint64_t start = stream.span.offset + stream.table.starts[chunk];
      base::BitReader in(
          file_.subspan(static_cast<std::size_t>(start),
                        stream.table.starts[chunk + 1] - stream.table.starts[chunk]));
      std::vector<codec::JointBlock>& blocks = out.chunks.emplace_back();
      blocks.reserve(out.bits.size());
      for (const unsigned depth : out.bits) {
        blocks.push_back(codec::read_block(in, kind, depth, codec::keys_of_chunk(keys, chunk)));
      }
    }
    return out;
  }

  void copy_joint_streams() {
    if (block_.joint_rotations) {
      std::vector<unsigned> bits;
      for (std::uint32_t joint = 0; joint < block_.joints; ++joint) {
        const auto flags = load<std::uint8_t>(block_.flags + joint);
        if (has_animated_rotation(*index_.layout, flags)) bits.push_back(rotation_bits(flags));
      }
      out_.joint_rotations = copy_stream(*block_.joint_rotations, codec::BlockKind::rotation,
                                         block_.keys, std::move(bits));
    }
    if (block_.joint_translations) {
      std::vector<unsigned> bits;
      for (std::uint32_t i = first_joint_entry(block_); i < out_.translation_table.size(); ++i) {
        bits.push_back(translation_entry(out_.translation_table[i]).bits);
      }
      out_.joint_translations = copy_stream(
          *block_.joint_translations, codec::BlockKind::translation, block_.keys, std::move(bits));
    }
  }

  [[nodiscard]] DisplacementFields copy_displacement(const std::optional<StreamSpan>& stream,
                                                     codec::BlockKind kind) const {
    if (!stream) return std::monostate{};
    const std::uint32_t keys = stream->bits == 0 ? stream->constant_keys : block_.keys;
    return copy_stream(*stream, kind, keys, {std::max(stream->bits, 1U)});
  }

  void copy_parts() {
    std::vector<std::uint32_t> blocks;  // of `children`
    std::vector<PartFields>& parts = out_.parts.emplace();
    for (const PartRecord& record : index_.records) {
      if (record.block != position_) continue;
      const std::uint64_t fields = part_fields(record.offset, index_.part_record_size);
      PartFields& part = parts.emplace_back();
      if (fields > record.offset) part.unknown_0x00 = load<std::uint32_t>(record.offset);
      part.start = record.start;
      part.end = record.end;
      part.child_bone = record.child_bone;
      part.parent_bone = record.parent_bone;
      part.target_bone = record.target_bone;
      part.kind = record.kind;
      part.unknown_0x1D = load<std::uint8_t>(fields + part_byte);
      if (record.name_offset) {
        std::vector<char> text;
        copy_array(*record.name_offset, record.name_size, text);
        part.name.emplace(text.begin(), text.end());
      }
      if (record.child) part.child = child_position(blocks, *record.child);
    }
  }

  /// The child's position in `children`, where it is added when a record names it first. A child
  /// that another block's record named before is laid out there, and not a second time.
  std::optional<std::size_t> child_position(std::vector<std::uint32_t>& blocks,
                                            std::uint32_t child) {
    const auto known = std::find(blocks.begin(), blocks.end(), child);
    if (known != blocks.end()) return static_cast<std::size_t>(known - blocks.begin());
    if (index_.blocks[child].owner != position_) return std::nullopt;
    blocks.push_back(child);
    out_.children.push_back(FieldCollector(file_, index_, child).run());
    return blocks.size() - 1;
  }

  void copy_markup(const MarkupRecord& record) {
    MarkupFields& fields = out_.markup_records.emplace_back();
    fields.crc = record.crc;
    fields.time = record.time;
    fields.unknown = record.unknown;
    fields.second_size = record.second_size;
    copy_array(record.object_offset(), record.size, fields.object);
  }

  /// Where a section that holds nothing has an unaligned offset, the file's writer does not align
  /// such sections.
  void settle_alignment() {
    out_.aligns_empty_sections = index_.layout->aligns_empty_sections;
    constexpr std::uint32_t stream_alignment = 4;
    for (std::uint32_t slot = 0; slot < block_.offsets.size(); ++slot) {
      const Section section = index_.layout->sections[slot];
      const bool is_stream = section == Section::displacement_orientations ||
                             section == Section::displacement_translations ||
                             section == Section::joint_rotations ||
                             section == Section::joint_translations;
      if (is_stream && block_.offsets[slot] % stream_alignment != 0) {
        out_.aligns_empty_sections = false;
      }
    }
  }

  std::span<const std::byte> file_;
  const ChunkedIndex& index_;
  std::uint32_t position_;
  const ChunkedBlock& block_;
  BlockFields out_;
};

}  // namespace

ChunkedFields collect_fields(std::span<const std::byte> file, const ChunkedIndex& index) {
  ChunkedFields fields;
  fields.layout = index.layout;
  fields.part_record_size = index.part_record_size;
  for (std::uint32_t word = 0; word < wrapper_words; ++word) {
    fields.wrapper[word] = base::load<std::uint32_t>(file, 4 * word);
  }
  fields.main = FieldCollector(file, index, 0).run();
  const auto tail = file.subspan(static_cast<std::size_t>(index.blocks.front().end));
  fields.tail.assign(tail.begin(), tail.end());
  return fields;
}

}  // namespace mabkit::mab
