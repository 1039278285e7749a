#include <fmt/format.h>

#include <algorithm>

#include "mab/chunked_fields.hpp"
#include "mab/part_record.hpp"

namespace mabkit::mab {
namespace {

constexpr std::uint64_t header_alignment = 4;  // of the first section (spec mab-chunked, 1.2)
constexpr std::uint64_t stream_alignment = 4;
constexpr std::uint64_t constant_alignment = 2;
constexpr std::uint64_t block_alignment = 8;  // spec mab-chunked, section 7 and 6.4 rule 8

/// Lays one block out into a writer that already holds what stands before it.
class BlockWriter {
 public:
  BlockWriter(base::ByteWriter& out, const ChunkedFields& file, const BlockFields& fields)
      : out_(out), file_(file), layout_(*file.layout), fields_(fields), base_(out.size()) {}

  Result<void> run() {
    offsets_.assign(layout_.offset_slots, 0);
    write_header();
    if (!layout_.flags_offset) write_bone_arrays();
    if (layout_.flags_offset) {
      write_trailing_arrays_layout();
    } else {
      write_sections();
    }
    return patch_header();
  }

 private:
  /// Offset of the writer's position as the section table counts.
  [[nodiscard]] std::uint64_t position() const {
    return out_.size() - base_ - layout_.offset_origin;
  }
  void align(std::uint64_t alignment) { out_.align(static_cast<std::size_t>(alignment), base_); }
  template <class T>
  void put_all(const std::vector<T>& values) {
    for (const T& value : values) out_.put(value);
  }

  void write_header() {
    const std::vector<HeaderField> fields = header_fields(layout_);
    for (std::size_t i = 0; i < fields.size(); ++i) {
      for (std::uint32_t byte = 0; byte < fields[i].size; ++byte) {
        out_.put(static_cast<std::uint8_t>(fields_.header[i] >> (8 * byte)));
      }
    }
  }

  void write_bone_arrays() {
    put_all(fields_.hashes);
    put_all(fields_.flags);
    align(header_alignment);
  }

  void begin(Section section, std::uint64_t alignment, bool is_empty) {
    if (!is_empty || fields_.aligns_empty_sections) align(alignment);
    for (std::uint32_t slot = 0; slot < layout_.offset_slots; ++slot) {
      if (layout_.sections[slot] == section) offsets_[slot] = position();
    }
  }

  void write_key_times() {
    begin(Section::key_times, 1, false);
    if (!fields_.stores_key_times_offset) offsets_[0] = 0;
    put_all(fields_.ticks);
  }

  void write_table() {
    begin(Section::translation_table, 1, fields_.translation_table.empty());
    put_all(fields_.translation_table);
  }

  void write_constants() {
    begin(Section::constant_rotations, constant_alignment, fields_.constant_rotations.empty());
    put_all(fields_.constant_rotations);
    begin(Section::constant_translations, constant_alignment,
          fields_.constant_translations.empty());
    put_all(fields_.constant_translations);
  }

  void write_stream(Section section, const StreamFields* stream) {
    begin(section, stream_alignment, stream == nullptr);
    if (stream == nullptr) return;
    out_.put_bytes(stream_bytes(*stream));
  }

  void write_stream(Section section, const std::optional<StreamFields>& stream) {
    write_stream(section, stream ? &*stream : nullptr);
  }

  void write_displacement(Section section, const DisplacementFields& fields) {
    if (const auto* const raw = std::get_if<std::vector<std::byte>>(&fields)) {
      begin(section, stream_alignment, false);
      out_.put_bytes(*raw);
    } else {
      write_stream(section, std::get_if<StreamFields>(&fields));
    }
  }

  /// Index order is disk order (spec mab-chunked, 1.3 and section 7).
  void write_sections() {
    write_key_times();
    write_table();
    write_displacement(Section::displacement_orientations, fields_.displacement_orientations);
    write_displacement(Section::displacement_translations, fields_.displacement_translations);
    write_constants();
    write_stream(Section::joint_rotations, fields_.joint_rotations);
    write_stream(Section::joint_translations, fields_.joint_translations);
    if (fields_.parts) write_parts();
    align(block_alignment);
    begin(Section::markup, 1, false);
    out_.put_bytes(fields_.markup);
    align(block_alignment);
    write_end_marks();
  }

  void write_end_marks() {
    for (std::uint32_t slot = layout_.first_end_mark; slot < layout_.offset_slots; ++slot) {
      offsets_[slot] = layout_.end_mark == EndMark::data_size ? position() : 0;
    }
  }

  /// Far Cry 4 and Primal: sections in the order of their slots, then the bone arrays (spec
  /// mab-chunked, 1.5).
  void write_trailing_arrays_layout() {
    write_constants();
    write_key_times();
    write_table();
    write_stream(Section::joint_rotations, fields_.joint_rotations);
    write_stream(Section::joint_translations, fields_.joint_translations);
    begin(Section::unknown, 1, true);
    align(header_alignment);
    hashes_ = position();
    put_all(fields_.hashes);
    flags_ = position();
    put_all(fields_.flags);
    for (const MarkupFields& record : fields_.markup_records) write_markup(record);
  }

  void write_markup(const MarkupFields& record) {
    out_.put(record.crc);
    out_.put(record.time);
    out_.put(record.unknown);
    out_.put(static_cast<std::uint16_t>(record.object.size()));
    out_.put(record.second_size);
    out_.put_bytes(record.object);
  }

  /// Records, then names, then children, the section and each child aligned to 8 (spec mab-chunked,
  /// 6.4 rule 8).
  void write_parts() {
    const std::vector<PartFields>& parts = *fields_.parts;
    begin(Section::parts, block_alignment, false);
    out_.put(static_cast<std::uint32_t>(parts.size()));
    const std::size_t first = out_.size();
    const auto fields_at = [&](std::size_t record) {
      return static_cast<std::size_t>(
          part_fields(first + record * file_.part_record_size, file_.part_record_size));
    };
    for (const PartFields& part : parts) write_record(part);
    for (std::size_t record = 0; record < parts.size(); ++record) {
      if (!parts[record].name) continue;
      const std::uint64_t offset = out_.size() - first - record * file_.part_record_size;
      if (offset > 0xFFFF) {
        error_ = {ErrorCode::limit, base_, fmt::format("record[{}].name", record),
                  fmt::format("{} participants put the name 0x{:X} bytes after its record, more "
                              "than 16 bits hold; leave some out",
                              parts.size(), offset)};
        return;
      }
      out_.patch(fields_at(record) + part_name, static_cast<std::uint16_t>(offset));
      out_.put_bytes(std::as_bytes(std::span(*parts[record].name)));
      out_.put_zeros(1);
    }
    for (std::size_t child = 0; child < fields_.children.size(); ++child) {
      align(block_alignment);
      for (std::size_t record = 0; record < parts.size(); ++record) {
        if (parts[record].child != child) continue;
        out_.patch(
            fields_at(record) + part_child,
            static_cast<std::uint32_t>(out_.size() - first - record * file_.part_record_size));
      }
      if (auto written = BlockWriter(out_, file_, fields_.children[child]).run(); !written) {
        error_ = std::move(written.error());
      }
    }
  }

  void write_record(const PartFields& part) {
    if (file_.part_record_size > short_part_record) out_.put(part.unknown_0x00);
    out_.put(std::uint32_t{0});  // the child's offset
    out_.put(part.start);
    out_.put(part.end);
    out_.put(part.child_bone);
    out_.put(part.parent_bone);
    out_.put(part.target_bone);
    out_.put(part.kind);
    out_.put(part.unknown_0x1D);
    out_.put(std::uint16_t{0});  // the name's offset
  }

  Result<void> patch_header() {
    if (error_) return tl::unexpected(std::move(*error_));
    if (layout_.data_size) patch<std::uint32_t>(*layout_.data_size, out_.size() - base_);
    if (layout_.last_frame) patch<std::uint16_t>(*layout_.last_frame, fields_.ticks.size() - 1);
    if (layout_.hashes_offset) patch<std::uint32_t>(*layout_.hashes_offset, hashes_);
    if (layout_.flags_offset) patch<std::uint32_t>(*layout_.flags_offset, flags_);
    patch_counts();
    for (std::uint32_t slot = 0; slot < layout_.offset_slots; ++slot) {
      const std::uint32_t at = layout_.offsets + layout_.offset_width * slot;
      const std::uint64_t largest = layout_.offset_width == 2 ? 0xFFFF : 0xFFFFFFFF;
      if (offsets_[slot] > largest) {
        return tl::unexpected(Error{ErrorCode::limit, base_ + at, fmt::format("offsets[{}]", slot),
                                    fmt::format("the offset 0x{:X} does not fit into {} bits",
                                                offsets_[slot], 8 * layout_.offset_width)});
      }
      if (layout_.offset_width == 2) {
        patch<std::uint16_t>(at, offsets_[slot]);
      } else {
        patch<std::uint32_t>(at, offsets_[slot]);
      }
    }
    return {};
  }

  template <class T>
  void patch(std::uint32_t field, std::uint64_t value) {
    out_.patch(base_ + field, static_cast<T>(value));
  }

  void patch_counts() {
    if (!layout_.counts) return;
    const auto tracks = [](const std::optional<StreamFields>& stream) {
      return stream ? stream->bits.size() : 0;
    };
    const auto displacement = [](const DisplacementFields& fields) {
      return std::holds_alternative<std::monostate>(fields) ? std::size_t{0} : std::size_t{1};
    };
    const std::array counts{
        displacement(fields_.displacement_orientations),
        displacement(fields_.displacement_translations),
        fields_.constant_rotations.size(),
        fields_.constant_translations.size(),
        tracks(fields_.joint_rotations),
        tracks(fields_.joint_translations),
        fields_.translation_table.size(),
    };
    for (std::uint32_t slot = 0; slot < counts.size(); ++slot) {
      patch<std::uint16_t>(*layout_.counts + 2 * slot, counts[slot]);
    }
  }

  base::ByteWriter& out_;
  const ChunkedFields& file_;
  const ChunkedLayout& layout_;
  const BlockFields& fields_;
  std::size_t base_;
  std::vector<std::uint64_t> offsets_;
  std::uint64_t hashes_ = 0;
  std::uint64_t flags_ = 0;
  std::optional<Error> error_;
};

}  // namespace

std::vector<std::byte> stream_bytes(const StreamFields& stream) {
  base::ByteWriter out;
  const auto chunks = static_cast<std::uint32_t>(stream.chunks.size());
  out.put_zeros(4 * (std::size_t{chunks} + 1));
  for (std::uint32_t chunk = 0; chunk < chunks; ++chunk) {
    out.patch(4 * std::size_t{chunk}, static_cast<std::uint32_t>(out.size()));
    base::BitWriter bits;
    for (std::size_t joint = 0; joint < stream.chunks[chunk].size(); ++joint) {
      codec::write_block(bits, stream.chunks[chunk][joint], stream.kind, stream.bits[joint],
                         codec::keys_of_chunk(stream.keys, chunk));
    }
    out.put_bytes(std::move(bits).take());
  }
  out.patch(4 * std::size_t{chunks}, static_cast<std::uint32_t>(out.size()));
  return std::move(out).take();
}

Result<std::vector<std::byte>> lay_out(const ChunkedFields& fields) {
  base::ByteWriter out;
  for (const std::uint32_t word : fields.wrapper) out.put(word);
  if (auto written = BlockWriter(out, fields, fields.main).run(); !written) {
    return tl::unexpected(std::move(written.error()));
  }
  out.put_bytes(fields.tail);
  return std::move(out).take();
}

}  // namespace mabkit::mab
