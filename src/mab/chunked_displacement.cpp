#include <fmt/format.h>

#include <algorithm>

#include "mab/chunked_parse.hpp"

namespace mabkit::mab {
namespace {

using codec::BlockKind;

constexpr unsigned most_bits = 16;
constexpr std::uint32_t all_constant = 0b111;
constexpr std::uint32_t signs_flag = 0b1000;

/// A displacement stream holds one track, so its chunks can be measured under every depth.
struct DisplacementStream {
  std::span<const std::byte> section;
  const codec::ChunkTable& table;
  BlockKind kind;

  [[nodiscard]] std::span<const std::byte> chunk(std::uint32_t index) const {
    return section.subspan(table.starts[index], table.starts[index + 1] - table.starts[index]);
  }
  [[nodiscard]] std::uint32_t control_bits(std::uint32_t index) const {
    return base::BitReader(chunk(index)).take(6);
  }
  [[nodiscard]] bool is_constant(std::uint32_t index) const {
    return (control_bits(index) & all_constant) == all_constant;
  }
  [[nodiscard]] bool is_all_constant() const {
    for (std::uint32_t index = 0; index < table.chunks(); ++index) {
      if (!is_constant(index)) return false;
    }
    return true;
  }
};

/// Whether a block of `bits` and `keys` fills the chunk to its last byte, with zeros after it.
bool fills_chunk(std::span<const std::byte> chunk, BlockKind kind, unsigned bits, unsigned keys) {
  base::BitReader in(chunk);
  const std::uint64_t used = codec::skip_block(in, kind, bits, keys);
  if (in.overran() || (used + 7) / 8 != chunk.size()) return false;
  return in.take(static_cast<unsigned>(8 * chunk.size() - used)) == 0;
}

/// Keys that a constant chunk stores signs for (spec mab-chunked, 6.4 rule 1): a count that fits
/// the bytes and whose sign bits are equal. The clip's own count is preferred, then the smallest.
std::optional<unsigned> signed_key_count(std::span<const std::byte> chunk, std::uint32_t keys) {
  const auto fits = [chunk](unsigned count) {
    base::BitReader in(chunk);
    in.skip(6);
    const std::uint32_t signs = in.take(count);
    return (signs == 0 || signs == (1U << count) - 1U) &&
           fills_chunk(chunk, BlockKind::rotation, 1, count);
  };
  const unsigned preferred = std::min<std::uint32_t>(keys, codec::keys_in_chunk);
  if (fits(preferred)) return preferred;
  for (unsigned count = 1; count <= codec::keys_in_chunk; ++count) {
    if (fits(count)) return count;
  }
  return std::nullopt;
}

bool fits_depth(const DisplacementStream& stream, unsigned bits, std::uint32_t keys) {
  for (std::uint32_t chunk = 0; chunk < stream.table.chunks(); ++chunk) {
    const unsigned count = codec::keys_of_chunk(keys, chunk);
    if (!fills_chunk(stream.chunk(chunk), stream.kind, bits, count)) return false;
  }
  return true;
}

/// The depth under which every chunk is consumed to its byte: `stored`, where the table has one
/// that fits; else the only one that does, and 0 where none or several do.
unsigned solve_bits(const DisplacementStream& stream, unsigned stored, std::uint32_t keys) {
  if (stored >= 1 && stored <= most_bits && fits_depth(stream, stored, keys)) return stored;
  unsigned solution = 0;
  for (unsigned bits = 1; bits <= most_bits; ++bits) {
    if (!fits_depth(stream, bits, keys)) continue;
    if (solution != 0) return stream.is_all_constant() ? 1 : 0;
    solution = bits;
  }
  return solution;
}

/// Decides how a displacement stream is decoded (spec mab-chunked, 3.4), or says why it is not.
Result<StreamSpan> understand(const SectionSpan& span, std::span<const std::byte> section,
                              BlockKind kind, unsigned stored_bits, std::uint32_t keys,
                              const std::string& path) {
  auto table = codec::read_chunk_table(section, span.offset, path);
  if (!table) return tl::unexpected(std::move(table.error()));
  StreamSpan out{span, std::move(*table)};
  out.span.size = out.table.size();
  out.span.entries = 1;
  const DisplacementStream stream{section, out.table, kind};
  const auto refuse = [&](std::string message) {
    return tl::unexpected(Error{ErrorCode::unsupported, span.offset, path, std::move(message)});
  };

  if (out.table.chunks() == 1 && stream.is_constant(0)) {
    const bool has_signs =
        kind == BlockKind::rotation && (stream.control_bits(0) & signs_flag) != 0;
    if (!has_signs) {
      if (!fills_chunk(stream.chunk(0), kind, 1, 1)) return refuse("does not fill its chunk");
      return out;
    }
    const auto count = signed_key_count(stream.chunk(0), keys);
    if (!count) return refuse("no number of sign bits fits its chunk");
    out.constant_keys = *count;
    return out;
  }
  if (out.table.chunks() != codec::chunk_count(keys)) {
    return refuse(fmt::format("has {} chunks, {} keys would fill {}", out.table.chunks(), keys,
                              codec::chunk_count(keys)));
  }
  out.bits = solve_bits(stream, stored_bits, keys);
  if (out.bits == 0) return refuse("no single bit depth consumes its chunks to the byte");
  return out;
}

}  // namespace

unsigned solve_displacement_bits(std::span<const std::byte> section, codec::BlockKind kind,
                                 unsigned stored_bits, std::uint32_t keys) {
  const auto table = codec::read_chunk_table(section, 0, {});
  if (!table || table->chunks() != codec::chunk_count(keys)) return 0;
  return solve_bits({section, *table, kind}, stored_bits, keys);
}

void read_displacement(const ChunkedParse& parse, ChunkedBlock& block,
                       const std::vector<SectionSpan>& spans, const std::string& path) {
  const auto read = [&](Section section, std::uint32_t count, BlockKind kind, unsigned bits,
                        std::optional<StreamSpan>& out) {
    if (count == 0) return;
    const auto found = std::find_if(spans.begin(), spans.end(), [section](const SectionSpan& s) {
      return s.section == section;
    });
    if (found == spans.end()) {
      parse.warn(block.base, path + ".offsets",
                 fmt::format("{} is counted, but its offset is 0", section_name(section)));
      return;
    }
    const std::string section_path = fmt::format("{}.section[{}]", path, found->slot);
    const auto bytes =
        parse.file.bytes().subspan(static_cast<std::size_t>(found->offset),
                                   static_cast<std::size_t>(found->limit - found->offset));
    auto stream = understand(*found, bytes, kind, bits, block.keys, section_path);
    if (stream) {
      out = std::move(*stream);
    } else {
      parse.warn(stream.error().offset.value_or(found->offset), stream.error().path,
                 fmt::format("{} is kept, but not decoded: {}", section_name(section),
                             stream.error().message));
    }
  };
  if (block.counts.empty()) return;
  // Orientations have no stored depth; translations have the table's first entry.
  const unsigned stored_bits =
      block.translation_table
          ? translation_entry(
                base::load<std::uint32_t>(
                    parse.file.bytes(), static_cast<std::size_t>(block.translation_table->offset)))
                .bits
          : 0;
  read(Section::displacement_orientations, block.counts[displacement_orientation_count],
       BlockKind::rotation, 0, block.displacement_orientations);
  read(Section::displacement_translations, block.counts[displacement_translation_count],
       BlockKind::translation, stored_bits, block.displacement_translations);
}

}  // namespace mabkit::mab
