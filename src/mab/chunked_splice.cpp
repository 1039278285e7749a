#include "mab/chunked_splice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "mab/chunked_claims.hpp"
#include "mab/part_record.hpp"

namespace mabkit::mab {
namespace {

/// A stretch of the old file and what stands in its place.
struct Piece {
  std::uint64_t old_begin = 0;
  std::uint64_t old_end = 0;
  std::uint32_t block = 0;
  std::uint64_t alignment = 1;                    ///< relative to the main block's base
  std::optional<std::uint32_t> slot;              ///< of a section
  std::optional<std::vector<std::byte>> content;  ///< absent: the old bytes
  std::uint64_t new_begin = 0;
  std::uint64_t new_end = 0;
};

/// A block and a slot of its offsets.
using SectionPlace = std::pair<std::uint32_t, std::uint32_t>;

/// The largest power of two, up to `most`, that an offset from the main base is a multiple of.
std::uint64_t alignment_of(std::uint64_t offset, std::uint64_t most) {
  while (most > 1 && (offset - main_base) % most != 0) most /= 2;
  return most;
}

/// Alignments that sections need (spec mab-chunked, 1.3 and section 7).
std::uint64_t needed_alignment(Section section) {
  switch (section) {
    case Section::displacement_orientations:
    case Section::displacement_translations:
    case Section::joint_rotations:
    case Section::joint_translations:
    case Section::key_times:
      return 4;
    case Section::constant_rotations:
    case Section::constant_translations:
      return 2;
    case Section::parts:
      return 8;
    case Section::translation_table:
    case Section::markup:
    case Section::end_mark:
    case Section::unknown:
      break;
  }
  return 1;
}

template <class T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

std::vector<std::byte> bytes_of(const std::optional<StreamFields>& stream) {
  return stream ? stream_bytes(*stream) : std::vector<std::byte>{};
}

/// The bytes of displacement as fields; it is only replaced where a decoder understands it.
std::optional<std::vector<std::byte>> bytes_of(const DisplacementFields& fields) {
  if (const auto* const stream = std::get_if<StreamFields>(&fields)) return stream_bytes(*stream);
  return std::nullopt;
}

/// What an edited block puts into a section; absent where a section is not edited.
std::optional<std::vector<std::byte>> section_content(const BlockFields& block, Section section) {
  switch (section) {
    case Section::key_times:
      return bytes_of(block.ticks);
    case Section::translation_table:
      return bytes_of(block.translation_table);
    case Section::displacement_orientations:
      return bytes_of(block.displacement_orientations);
    case Section::displacement_translations:
      return bytes_of(block.displacement_translations);
    case Section::constant_rotations:
      return bytes_of(block.constant_rotations);
    case Section::constant_translations:
      return bytes_of(block.constant_translations);
    case Section::joint_rotations:
      return bytes_of(block.joint_rotations);
    case Section::joint_translations:
      return bytes_of(block.joint_translations);
    case Section::parts:
    case Section::markup:
    case Section::end_mark:
    case Section::unknown:
      break;
  }
  return std::nullopt;
}

class Splicer {
 public:
  Splicer(std::span<const std::byte> file, const ChunkedIndex& index,
          const std::vector<std::optional<BlockFields>>& edited)
      : file_(file), index_(index), layout_(*index.layout), edited_(edited) {}

  Result<std::vector<std::byte>> run() {
    collect_pieces();
    add_new_sections();
    write_pieces();
    find_sections();
    for (std::uint32_t block = 0; block < index_.blocks.size(); ++block) {
      if (auto patched = patch_block(block); !patched) {
        return tl::unexpected(std::move(patched.error()));
      }
    }
    for (const PartRecord& record : index_.records) {
      if (auto patched = patch_record(record); !patched) {
        return tl::unexpected(std::move(patched.error()));
      }
    }
    return std::move(out_).take();
  }

 private:
  [[nodiscard]] bool is_section(const Claim& claim) const {
    return claim.kind == ClaimKind::array_section || claim.kind == ClaimKind::stream_section ||
           claim.kind == ClaimKind::markup || claim.kind == ClaimKind::part_count;
  }

  [[nodiscard]] const BlockFields* edited(std::uint32_t block) const {
    return edited_[block] ? &*edited_[block] : nullptr;
  }

  /// What an edited block puts into a section that is not what it held.
  [[nodiscard]] std::optional<std::vector<std::byte>> changed_content(std::uint32_t block,
                                                                      Section section) const {
    if (edited(block) == nullptr) return std::nullopt;
    auto content = section_content(*edited(block), section);
    // The same values may stand there in bytes that are not ours, with slack between chunks.
    if (content == section_content(*before_[block], section)) return std::nullopt;
    return content;
  }

  void collect_pieces() {
    for (std::uint32_t block = 0; block < index_.blocks.size(); ++block) {
      before_.emplace_back();
      if (edited(block) != nullptr) before_.back() = collect_block(file_, index_, block);
    }
    std::uint64_t position = 0;
    for (const Claim& claim : collect_claims(index_)) {
      const std::uint64_t end = claim.offset + claim.size;
      // Names may overlap: only what is new is a piece.
      if (end <= position) continue;
      Piece piece;
      piece.old_begin = std::max(position, claim.offset);
      piece.old_end = end;
      piece.block = claim.block;
      piece.alignment = 1;
      if (claim.kind == ClaimKind::header) piece.alignment = alignment_of(claim.offset, 8);
      if (is_section(claim)) {
        piece.slot = claim.detail;
        const Section section = layout_.sections[claim.detail];
        piece.alignment = alignment_of(claim.offset, needed_alignment(section));
        piece.content = changed_content(claim.block, section);
      }
      if (claim.kind == ClaimKind::hashes) piece.alignment = alignment_of(claim.offset, 4);
      if (claim.kind == ClaimKind::flags && edited(claim.block) != nullptr) {
        piece.content = bytes_of(edited(claim.block)->flags);
      }
      position = end;
      pieces_.push_back(std::move(piece));
    }
    // Where each block's data ends, so that the gap before it stays with what precedes.
    for (std::uint32_t block = 0; block < index_.blocks.size(); ++block) {
      const std::uint64_t end = index_.blocks[block].end;
      pieces_.push_back({end, end, block, alignment_of(end, 8), {}, {}, 0, 0});
    }
    std::stable_sort(pieces_.begin(), pieces_.end(), comes_before);
  }

  static bool comes_before(const Piece& a, const Piece& b) {
    return a.old_begin != b.old_begin ? a.old_begin < b.old_begin : a.old_end < b.old_end;
  }

  /// Sections that held nothing and do now go where their offset points, or behind the section of
  /// the slot before.
  void add_new_sections() {
    std::map<SectionPlace, std::uint64_t> ends;
    for (const Piece& piece : pieces_) {
      if (piece.slot) ends.emplace(SectionPlace{piece.block, *piece.slot}, piece.old_end);
    }
    for (std::uint32_t block = 0; block < index_.blocks.size(); ++block) {
      if (edited(block) == nullptr) continue;
      std::uint64_t place = layout_.flags_offset
                                ? index_.blocks[block].base + layout_.header_size
                                : index_.blocks[block].flags + index_.blocks[block].joints;
      for (std::uint32_t slot = 0; slot < layout_.first_end_mark && slot < layout_.offset_slots;
           ++slot) {
        const auto known = ends.find({block, slot});
        if (known != ends.end()) {
          place = known->second;
          continue;
        }
        const Section section = layout_.sections[slot];
        auto content = section_content(*edited(block), section);
        if (!content || content->empty()) continue;
        Piece piece{place, place, block, needed_alignment(section), slot, std::move(content), 0, 0};
        const auto after = std::find_if(pieces_.begin(), pieces_.end(), [&](const Piece& p) {
          return p.old_begin >= place && p.old_end > place;
        });
        // Several new sections at one place stay in the order of their slots.
        const auto end = std::find_if(pieces_.begin(), pieces_.end(), [&](const Piece& p) {
          return p.old_begin == place && p.old_end == place && !p.slot;
        });
        pieces_.insert(std::min(after, end), std::move(piece));
      }
    }
  }

  [[nodiscard]] std::span<const std::byte> old_bytes(std::uint64_t from, std::uint64_t to) const {
    return file_.subspan(static_cast<std::size_t>(from), static_cast<std::size_t>(to - from));
  }

  void write_pieces() {
    std::uint64_t position = 0;
    for (Piece& piece : pieces_) {
      const auto gap = old_bytes(position, piece.old_begin);
      constexpr std::size_t longest_padding = 7;  // spec mab-chunked, section 7
      const bool has_moved = out_.size() != position;
      const bool is_padding = gap.size() <= longest_padding && base::all_zero(gap);
      // Nobody knows what unknown bytes are aligned to, so they keep what they had.
      if (!is_padding && has_moved) {
        out_.align(static_cast<std::size_t>(alignment_of(position, 8)), main_base);
      }
      if (!is_padding || !has_moved) out_.put_bytes(gap);
      out_.align(static_cast<std::size_t>(piece.alignment), main_base);
      piece.new_begin = out_.size();
      out_.put_bytes(piece.content ? std::span<const std::byte>(*piece.content)
                                   : old_bytes(piece.old_begin, piece.old_end));
      piece.new_end = out_.size();
      position = piece.old_end;
    }
    out_.put_bytes(old_bytes(position, file_.size()));
  }

  /// Where a place of the old file is in the new one: inside what stayed, or in the gap behind.
  [[nodiscard]] std::uint64_t moved(std::uint64_t old) const {
    const auto after = std::upper_bound(
        pieces_.begin(), pieces_.end(), old,
        [](std::uint64_t place, const Piece& piece) { return place < piece.old_begin; });
    if (after == pieces_.begin()) return old;
    // The piece that holds the place, if there is one: empty pieces may stand between.
    const Piece* piece = &*(after - 1);
    for (auto p = after; p != pieces_.begin();) {
      --p;
      if (p->old_begin == p->old_end) continue;
      if (old < p->old_end) piece = &*p;
      break;
    }
    if (old < piece->old_end || piece->old_begin == old) {
      return piece->new_begin + (old - piece->old_begin);
    }
    const std::uint64_t next = after == pieces_.end() ? out_.size() : after->new_begin;
    return std::min(piece->new_end + (old - piece->old_end), next);
  }

  void find_sections() {
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      const Piece& piece = pieces_[i];
      if (piece.slot) sections_.emplace(SectionPlace{piece.block, *piece.slot}, i);
    }
  }

  [[nodiscard]] const Piece* section_piece(std::uint32_t block, std::uint32_t slot) const {
    const auto found = sections_.find({block, slot});
    return found == sections_.end() ? nullptr : &pieces_[found->second];
  }

  [[nodiscard]] std::uint64_t new_end(std::uint32_t block) const {
    const std::uint64_t end = index_.blocks[block].end;
    for (const Piece& piece : pieces_) {
      const bool is_end = piece.old_begin == end && piece.old_end == end && !piece.slot;
      if (is_end && piece.block == block) return piece.new_begin;
    }
    return moved(end);
  }

  template <class T>
  void patch(std::uint64_t at, std::uint64_t value) {
    out_.patch(static_cast<std::size_t>(at), static_cast<T>(value));
  }

  Result<void> patch_block(std::uint32_t position) {
    const ChunkedBlock& block = index_.blocks[position];
    const std::uint64_t base = moved(block.base);
    const std::uint64_t end = new_end(position);
    const auto relative = [&](std::uint64_t old) {
      return moved(old) - base - layout_.offset_origin;
    };
    if (layout_.data_size) patch<std::uint32_t>(base + *layout_.data_size, end - base);
    if (layout_.hashes_offset) {
      patch<std::uint32_t>(base + *layout_.hashes_offset, relative(block.hashes));
    }
    if (layout_.flags_offset) {
      patch<std::uint32_t>(base + *layout_.flags_offset, relative(block.flags));
    }
    if (const BlockFields* const fields = edited(position)) patch_values(*fields, block, base);
    for (std::uint32_t slot = 0; slot < layout_.offset_slots; ++slot) {
      const std::uint64_t offset = new_offset(position, slot, base, end);
      const std::uint64_t at = base + layout_.offsets + std::uint64_t{layout_.offset_width} * slot;
      const std::uint64_t largest = layout_.offset_width == 2 ? 0xFFFF : 0xFFFFFFFF;
      if (offset > largest) {
        return tl::unexpected(
            Error{ErrorCode::limit, at, fmt::format("clip[{}].offsets[{}]", position, slot),
                  fmt::format("the edited clip needs the offset 0x{:X}, past the 64 KiB that the "
                              "game's 16-bit offsets reach; allow a larger error or shorten it",
                              offset)});
      }
      if (layout_.offset_width == 2) patch<std::uint16_t>(at, offset);
      if (layout_.offset_width == 4) patch<std::uint32_t>(at, offset);
    }
    return {};
  }

  /// A slot's offset in the new file. What points nowhere in the block stays as it is.
  [[nodiscard]] std::uint64_t new_offset(std::uint32_t position, std::uint32_t slot,
                                         std::uint64_t base, std::uint64_t end) const {
    const ChunkedBlock& block = index_.blocks[position];
    const std::uint64_t stored = block.offsets[slot];
    const std::uint64_t old = block.base + layout_.offset_origin + stored;
    const Piece* const piece = section_piece(position, slot);
    if (piece != nullptr && (stored != 0 || piece->old_begin == piece->old_end)) {
      return piece->new_begin - base - layout_.offset_origin;
    }
    if (stored == 0 || old > block.end) return stored;
    if (old == block.end) return end - base - layout_.offset_origin;
    return moved(old) - base - layout_.offset_origin;
  }

  /// Counts, the last key and the duration of an edited block.
  void patch_values(const BlockFields& fields, const ChunkedBlock& block, std::uint64_t base) {
    const std::vector<HeaderField> words = header_fields(layout_);
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i].offset == layout_.duration) {
        patch<std::uint32_t>(base + layout_.duration, fields.header[i]);
      }
    }
    if (layout_.last_frame) {
      patch<std::uint16_t>(base + *layout_.last_frame, fields.ticks.size() - 1);
    }
    if (!layout_.counts) return;
    const auto joints = [](const std::optional<StreamFields>& stream) {
      return stream ? stream->bits.size() : 0;
    };
    const auto count = [&](CountSlot slot, std::uint64_t value) {
      patch<std::uint16_t>(base + *layout_.counts + 2ULL * slot, value);
    };
    const FlagCensus census = take_census(layout_, std::as_bytes(std::span(fields.flags)));
    count(constant_rotation_count, fields.constant_rotations.size());
    count(constant_translation_count, fields.constant_translations.size());
    count(table_entry_count, fields.translation_table.size());
    // A count that contradicted the flags before goes on to.
    if (block.counts[joint_rotation_count] == block.census.animated_rotations) {
      count(joint_rotation_count, joints(fields.joint_rotations));
    }
    if (block.counts[joint_translation_count] == block.census.animated_translations) {
      count(joint_translation_count, census.animated_translations);
    }
  }

  Result<void> patch_record(const PartRecord& record) {
    const std::uint64_t at = moved(record.offset);
    const std::uint64_t fields = part_fields(at, index_.part_record_size);
    if (record.child) {
      const std::uint64_t child = moved(index_.blocks[*record.child].base);
      patch<std::uint32_t>(fields + part_child, child - at);
    }
    if (record.name_offset) {
      const std::uint64_t name = moved(*record.name_offset) - at;
      if (name > 0xFFFF) {
        return tl::unexpected(
            Error{ErrorCode::limit, fields + part_name,
                  fmt::format("clip[{}].record[{}].name", record.block, record.index),
                  fmt::format("its name would stand 0x{:X} bytes after it, more "
                              "than 16 bits hold",
                              name)});
      }
      patch<std::uint16_t>(fields + part_name, name);
    }
    return {};
  }

  std::span<const std::byte> file_;
  const ChunkedIndex& index_;
  const ChunkedLayout& layout_;
  const std::vector<std::optional<BlockFields>>& edited_;
  std::vector<std::optional<BlockFields>> before_;  ///< of edited blocks
  std::vector<Piece> pieces_;
  std::map<SectionPlace, std::size_t> sections_;  ///< positions in `pieces_`
  base::ByteWriter out_;
};

}  // namespace

Result<std::vector<std::byte>> splice_blocks(
    std::span<const std::byte> file, const ChunkedIndex& index,
    const std::vector<std::optional<BlockFields>>& edited) {
  return Splicer(file, index, edited).run();
}

}  // namespace mabkit::mab
