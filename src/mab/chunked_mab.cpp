#include <fmt/format.h>

#include <mabkit/encode.hpp>
#include <mabkit/mab.hpp>

#include "mab/chunked_bank.hpp"
#include "mab/chunked_claims.hpp"
#include "mab/chunked_detect.hpp"
#include "mab/chunked_edit.hpp"
#include "mab/chunked_fields.hpp"
#include "mab/chunked_parse.hpp"
#include "mab/chunked_runs.hpp"

namespace mabkit {
namespace {

using namespace mab;

/// Bytes after the data: declared slack, or something that is kept (spec mab-chunked, 1.2).
void check_tail(const ChunkedParse& parse) {
  const ChunkedLayout& layout = *parse.index.layout;
  const std::uint64_t end = parse.index.blocks.front().end;
  const auto tail = parse.file.bytes().subspan(static_cast<std::size_t>(end));
  if (tail.size() < layout.tail_size) {
    parse.warn(end, "tail",
               fmt::format("{} of the {} zero bytes after the data are missing",
                           layout.tail_size - tail.size(), layout.tail_size));
  } else if (tail.size() > layout.tail_size || !base::all_zero(tail)) {
    parse.warn(end, "tail",
               fmt::format("{} bytes after the data are kept as they are", tail.size()));
  }
}

/// Event records that stand outside every section (spec mab-chunked, 6.2), and what is left of the
/// bytes around them.
Result<void> find_markup(const ChunkedParse& parse) {
  if (!parse.index.layout->has_markup_records) return {};
  ChunkedBlock& block = parse.index.blocks.front();
  for (const ByteRun& gap : unclaimed_runs(parse.file.bytes(), parse.index)) {
    if (gap.kind == RunKind::padding) continue;
    const auto region = parse.file.bytes().subspan(static_cast<std::size_t>(gap.offset),
                                                   static_cast<std::size_t>(gap.size));
    auto scan = find_markup_records(region, gap.offset);
    if (!scan) return tl::unexpected(std::move(scan.error()));
    block.markup_records.insert(block.markup_records.end(), scan->records.begin(),
                                scan->records.end());
    for (Diagnostic& oddity : scan->oddities) {
      parse.index.diagnostics.push_back(std::move(oddity));
    }
  }
  for (const ByteRun& gap : unclaimed_runs(parse.file.bytes(), parse.index)) {
    if (gap.kind == RunKind::padding) continue;
    parse.warn(gap.offset, gap.path,
               fmt::format("{} bytes that nobody understands are kept as they are", gap.size));
  }
  return {};
}

Result<void> read_blocks(const ChunkedParse& parse) {
  auto main = read_block_structure(parse, main_base, parse.file.size(), "clip[0]");
  if (!main) return tl::unexpected(std::move(main.error()));
  parse.index.blocks.push_back(std::move(*main));
  const auto parts = read_parts(parse, 0, 0);
  if (parts) return {};
  if (parts.error().code == ErrorCode::limit) return parts;

  parse.index.records.clear();
  parse.index.blocks.resize(1);
  parse.warn(parts.error().offset.value_or(main_base), parts.error().path,
             fmt::format("participants were looked for by their signature, since {}",
                         parts.error().message));
  scan_for_children(parse);
  parse.index.blocks.front().parts.reset();
  return {};
}

}  // namespace

Result<ChunkedMab> ChunkedMab::parse(std::vector<std::byte> bytes, const ReadOptions& options) {
  const base::ByteReader file(bytes);
  const auto detected = detect_chunked(file);
  if (!detected) {
    return tl::unexpected(
        Error{ErrorCode::unknown_format, 0, "magic", "is no .mab of the chunked family"});
  }
  auto index = std::make_shared<ChunkedIndex>();
  index->layout = detected->layout;
  index->game = detected->game;
  index->limits = options.limits;
  index->inferred = detected->inferred;
  index->part_record_size = detected->layout->part_record_size;

  const ChunkedParse parse{file, options.limits, *index};
  if (!file.has(0, main_base)) {
    return tl::unexpected(
        Error{ErrorCode::truncated, file.size(), "header", "the file ends before its first block"});
  }
  if (auto read = read_blocks(parse); !read) return tl::unexpected(std::move(read.error()));
  check_tail(parse);
  if (auto overlap = check_overlap(*index); !overlap) {
    return tl::unexpected(std::move(overlap.error()));
  }
  if (auto found = find_markup(parse); !found) return tl::unexpected(std::move(found.error()));
  return ChunkedMab(std::move(bytes), std::move(index));
}

Game ChunkedMab::game() const {
  return index_->game;
}

std::span<const Diagnostic> ChunkedMab::diagnostics() const {
  return index_->diagnostics;
}

std::vector<ByteRun> ChunkedMab::runs() const {
  return chunked_runs(bytes_, *index_);
}

FileSummary ChunkedMab::summary() const {
  return chunked_summary(bytes_, *index_);
}

Result<Bank> ChunkedMab::bank() const {
  return decode_chunked(bytes_, *index_);
}

Result<std::vector<std::byte>> ChunkedMab::rebuild() const {
  return lay_out(collect_fields(bytes_, *index_));
}

Result<EncodedFile> ChunkedMab::with(const Bank& edited, const EncodeOptions& options) const {
  return edit_chunked(bytes_, *index_, edited, options);
}

}  // namespace mabkit
