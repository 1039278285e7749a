#pragma once

#include <mabkit/error.hpp>
#include <mabkit/limits.hpp>

#include "base/bytes.hpp"
#include "mab/chunked_index.hpp"

namespace mabkit::mab {

/// What reading a file of the chunked family needs at every step.
struct ChunkedParse {
  base::ByteReader file;
  const ReadLimits& limits;
  ChunkedIndex& index;
  /// Leaves displacement out, whose content says nothing of the layout.
  bool is_trial = false;

  void warn(std::uint64_t offset, std::string path, std::string message) const {
    index.diagnostics.push_back({offset, std::move(path), std::move(message)});
  }
};

/// Reads the header and the sections of the block at `base`, whose data may reach to `end`, and
/// validates all that can be without decoding. `path` is `clip[i]`. Parts are read by `read_parts`.
[[nodiscard]] Result<ChunkedBlock> read_block_structure(const ChunkedParse& parse,
                                                        std::uint64_t base, std::uint64_t end,
                                                        const std::string& path);

/// Reads the parts of block `block` and, depth first, every block below it.
[[nodiscard]] Result<void> read_parts(const ChunkedParse& parse, std::uint32_t block,
                                      std::uint32_t depth);

/// Finds blocks by their signature where the main block's parts can't be read (spec
/// mab-chunked, 1.4). What it finds has passed every check of 1.7; no record names it.
void scan_for_children(const ChunkedParse& parse);

/// Finds the displacement streams of a block that a decoder understands (spec mab-chunked, 3.4);
/// what it does not is left to the preserved bytes, with a warning.
void read_displacement(const ChunkedParse& parse, ChunkedBlock& block,
                       const std::vector<SectionSpan>& spans, const std::string& path);

/// The depth that a reader finds for a displacement stream of `keys` keys in chunks of 8: the
/// table's `stored_bits` (0: it has none) where they fit, else the only depth under which every
/// chunk is consumed to its byte; 0 where none or several are.
[[nodiscard]] unsigned solve_displacement_bits(std::span<const std::byte> section,
                                               codec::BlockKind kind, unsigned stored_bits,
                                               std::uint32_t keys);

/// Whether the block at `base` passes every check of spec mab-chunked, 1.7, under `layout`.
[[nodiscard]] bool fits_layout(base::ByteReader file, const ChunkedLayout& layout,
                               std::uint64_t base);

/// Whether every child that the parts of `block` name stands where a block's signature is, with the
/// row's record size (spec mab-chunked, 6.1). True where there are no parts.
[[nodiscard]] bool parts_fit(base::ByteReader file, const ChunkedLayout& layout,
                             const ChunkedBlock& block);

/// Whether `base` may be the base of a block: its signature is 'aNi' or 'aNp'.
[[nodiscard]] bool has_signature(base::ByteReader file, const ChunkedLayout& layout,
                                 std::uint64_t base);

}  // namespace mabkit::mab
