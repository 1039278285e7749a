#include "mab/chunked_runs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "mab/chunked_claims.hpp"
#include "mab/part_record.hpp"

namespace mabkit::mab {
namespace {

/// Sections are padded to 8 bytes at most (spec mab-chunked, section 7), so more zeros mean
/// something.
constexpr std::uint64_t longest_padding = 7;

std::uint64_t load_word(std::span<const std::byte> file, std::uint64_t offset, std::uint64_t size) {
  std::uint64_t word = 0;
  for (std::uint64_t i = 0; i < size; ++i) {
    word |= std::to_integer<std::uint64_t>(file[static_cast<std::size_t>(offset + i)]) << (8 * i);
  }
  return word;
}

/// Turns claims into runs, with the text that people read.
class RunWriter {
 public:
  RunWriter(std::span<const std::byte> file, const ChunkedIndex& index)
      : file_(file), index_(index), fields_(header_fields(*index.layout)) {}

  std::vector<ByteRun> all() && {
    std::uint64_t position = 0;
    for (const Claim& claim : collect_claims(index_)) {
      add_gap(position, claim.offset);
      // Names may overlap: only what is new is a run.
      const std::uint64_t end = claim.offset + claim.size;
      if (end <= position) continue;
      add_claim(claim, std::max(position, claim.offset));
      position = end;
    }
    add_gap(position, file_.size());
    return std::move(runs_);
  }

  std::vector<ByteRun> unclaimed() && {
    std::uint64_t position = 0;
    for (const Claim& claim : collect_claims(index_)) {
      add_gap(position, claim.offset);
      position = std::max(position, claim.offset + claim.size);
    }
    add_gap(position, file_.size());
    return std::move(runs_);
  }

 private:
  void add(RunKind kind, std::uint64_t offset, std::uint64_t size, std::string path,
           std::string value = {}) {
    if (size > 0) runs_.push_back({kind, offset, size, std::move(path), std::move(value)});
  }
  void add_hex(std::uint64_t offset, std::uint64_t size, std::string path) {
    add(RunKind::field, offset, size, std::move(path),
        fmt::format("0x{:X}", load_word(file_, offset, size)));
  }
  void add_float(std::uint64_t offset, std::string path) {
    add(RunKind::field, offset, sizeof(float), std::move(path),
        fmt::format("{}", base::load<float>(file_, static_cast<std::size_t>(offset))));
  }

  /// What nothing claims, from `from` to `to`; split where the data ends.
  void add_gap(std::uint64_t from, std::uint64_t to) {
    if (from >= to) return;
    const std::uint64_t data_end = index_.blocks.front().end;
    if (from < data_end && data_end < to) {
      add_gap(from, data_end);
      return add_gap(data_end, to);
    }
    const bool is_padding = to - from <= longest_padding &&
                            base::all_zero(file_.subspan(static_cast<std::size_t>(from),
                                                         static_cast<std::size_t>(to - from)));
    if (from >= data_end) {
      const bool is_slack = is_padding && to - from == index_.layout->tail_size;
      return add(is_slack ? RunKind::padding : RunKind::preserved, from, to - from, "tail");
    }
    add(is_padding ? RunKind::padding : RunKind::preserved, from, to - from,
        is_padding ? "padding" : fmt::format("unknown_at_0x{:X}", from));
  }

  void add_claim(const Claim& claim, std::uint64_t from) {
    const std::string clip = fmt::format("clip[{}]", claim.block);
    switch (claim.kind) {
      case ClaimKind::wrapper:
        return add_wrapper();
      case ClaimKind::header:
        return add_header(claim, clip);
      case ClaimKind::hashes:
        return add(RunKind::field, claim.offset, claim.size, clip + ".boneCRCs");
      case ClaimKind::flags:
        return add(RunKind::field, claim.offset, claim.size, clip + ".boneFlags");
      case ClaimKind::array_section:
        return add(RunKind::section, claim.offset, claim.size,
                   section_path(index_, claim.block, claim.detail));
      case ClaimKind::stream_section:
        return add_stream(claim);
      case ClaimKind::part_count:
        return add_hex(claim.offset, claim.size,
                       section_path(index_, claim.block, claim.detail) + ".count");
      case ClaimKind::part_record:
        return add_record(index_.records[claim.detail]);
      case ClaimKind::part_name:
        return add_name(index_.records[claim.detail], from);
      case ClaimKind::markup:
        return add(RunKind::preserved, claim.offset, claim.size,
                   section_path(index_, claim.block, claim.detail));
      case ClaimKind::markup_record:
        return add_markup_record(claim, clip);
    }
  }

  void add_wrapper() {
    add_hex(0, 4, "magic");
    for (std::uint32_t word = 1; word < wrapper_words; ++word) {
      add_hex(4ULL * word, 4, fmt::format("unknown_0x{:02X}", 4 * word));
    }
  }

  void add_header(const Claim& claim, const std::string& clip) {
    for (const HeaderField& field : fields_) {
      const std::uint64_t at = claim.offset + field.offset;
      std::string path = fmt::format("{}.{}", clip, field.name);
      if (field.is_float) {
        add_float(at, std::move(path));
      } else {
        add_hex(at, field.size, std::move(path));
      }
    }
  }

  void add_stream(const Claim& claim) {
    const std::string path = section_path(index_, claim.block, claim.detail);
    const auto section =
        file_.subspan(static_cast<std::size_t>(claim.offset), static_cast<std::size_t>(claim.size));
    const auto table_size = base::load<std::uint32_t>(section, 0);
    add(RunKind::section, claim.offset, table_size, path + ".chunkTable");
    for (std::uint32_t chunk = 0; chunk + 1 < table_size / 4; ++chunk) {
      const auto start = base::load<std::uint32_t>(section, 4ULL * chunk);
      const auto end = base::load<std::uint32_t>(section, 4ULL * chunk + 4);
      add(RunKind::section, claim.offset + start, end - start,
          fmt::format("{}.chunk[{}]", path, chunk));
    }
  }

  void add_record(const PartRecord& record) {
    const std::string path = fmt::format(
        "{}.record[{}].",
        section_path(index_, record.block, index_.blocks[record.block].parts->slot), record.index);
    const std::uint64_t fields = part_fields(record.offset, index_.part_record_size);
    if (fields > record.offset) add_hex(record.offset, 4, path + "unknown_0x00");
    add_hex(fields + part_child, 4, path + "relOff");
    add_float(fields + part_start, path + "start");
    add_float(fields + part_end, path + "end");
    add_hex(fields + part_child_bone, 4, path + "childBone");
    add_hex(fields + part_parent_bone, 4, path + "parentBone");
    add_hex(fields + part_target_bone, 4, path + "targetBone");
    add_hex(fields + part_kind, 1, path + "type");
    add_hex(fields + part_byte, 1,
            path + fmt::format("unknown_0x{:02X}", fields - record.offset + part_byte));
    add_hex(fields + part_name, 2, path + "nameOffset");
  }

  void add_name(const PartRecord& record, std::uint64_t from) {
    const std::uint64_t end = *record.name_offset + record.name_size + 1;
    const auto text = file_.subspan(static_cast<std::size_t>(*record.name_offset),
                                    static_cast<std::size_t>(record.name_size));
    add(RunKind::field, from, end - from,
        fmt::format("{}.record[{}].name",
                    section_path(index_, record.block, index_.blocks[record.block].parts->slot),
                    record.index),
        std::string(reinterpret_cast<const char*>(text.data()), text.size()));
  }

  void add_markup_record(const Claim& claim, const std::string& clip) {
    const std::string path = fmt::format("{}.markup[{}].", clip, claim.detail);
    add_hex(claim.offset, 4, path + "crc");
    add_float(claim.offset + 4, path + "time");
    add_hex(claim.offset + 8, 4, path + "unknown_0x08");
    add_hex(claim.offset + 12, 2, path + "size");
    add_hex(claim.offset + 14, 2, path + "secondSize");
    add(RunKind::section, claim.offset + markup_header_size, claim.size - markup_header_size,
        path + "object");
  }

  std::span<const std::byte> file_;
  const ChunkedIndex& index_;
  std::vector<HeaderField> fields_;
  std::vector<ByteRun> runs_;
};

}  // namespace

std::vector<ByteRun> chunked_runs(std::span<const std::byte> file, const ChunkedIndex& index) {
  return RunWriter(file, index).all();
}

std::vector<ByteRun> unclaimed_runs(std::span<const std::byte> file, const ChunkedIndex& index) {
  return RunWriter(file, index).unclaimed();
}

}  // namespace mabkit::mab
