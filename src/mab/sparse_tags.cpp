#include "mab/sparse_tags.hpp"

#include <algorithm>
#include <cmath>

#include "base/crc32.hpp"

namespace mabkit::mab {
namespace {

struct NamedField {
  TagField field;
  std::string_view name;
};
constexpr std::array named_fields{NamedField{tag_name, "name"}, NamedField{tag_parent, "parent"},
                                  NamedField{tag_target, "target"},
                                  NamedField{tag_reference, "reference"}};

template <class T>
T field_of(std::span<const std::byte> bytes, std::uint64_t record, TagField field) {
  return base::load<T>(bytes, static_cast<std::size_t>(record + field));
}

std::span<const std::byte> text_bytes(std::span<const std::byte> bytes, std::uint64_t record,
                                      TagField field) {
  const std::span text = bytes.subspan(
      static_cast<std::size_t>(record + field + sizeof(std::uint32_t)), tag_text_size);
  const auto end = std::find(text.begin(), text.end(), std::byte{0});
  return text.first(static_cast<std::size_t>(end - text.begin()));
}

std::string record_path(std::size_t number) {
  return fmt::format("{}.record[{}]", section_path(0, tag_table), number);
}

/// Findings about all records, told once a kind.
struct TagFindings {
  Tally wrong_hashes;
  Tally wrong_offsets;
  Tally wrong_times;
  Tally without_clip;

  void report(std::vector<Diagnostic>& diagnostics) && {
    std::move(wrong_hashes).report(diagnostics);
    std::move(wrong_offsets).report(diagnostics);
    std::move(wrong_times).report(diagnostics);
    std::move(without_clip).report(diagnostics);
  }
};

void check_fields(const SparseSource& source, std::size_t number, std::uint64_t record,
                  TagFindings& findings) {
  const std::span bytes = source.in.bytes();
  for (const auto& [field, name] : named_fields) {
    const auto stored = field_of<std::uint32_t>(bytes, record, field);
    const std::uint32_t computed = base::crc32(text_bytes(bytes, record, field));
    if (stored == computed) continue;
    findings.wrong_hashes.add(
        record + field, fmt::format("{}.{}_hash", record_path(number), name),
        fmt::format("the hash 0x{:08X} is not that of the text, 0x{:08X}", stored, computed));
  }
  if (!std::isfinite(field_of<float>(bytes, record, tag_start)) ||
      !std::isfinite(field_of<float>(bytes, record, tag_end))) {
    findings.wrong_times.add(record + tag_start, record_path(number) + ".start",
                             "start or end is no number");
  }
}

/// Where a record says that its clip is: a file offset, possibly outside the file.
std::int64_t target_of(const SparseSource& source, std::uint64_t record) {
  return static_cast<std::int64_t>(record) +
         field_of<std::int32_t>(source.in.bytes(), record, tag_clip_offset);
}

Result<void> check_target(const SparseSource& source, const SparseIndex& index, std::size_t number,
                          std::uint64_t record, TagFindings& findings) {
  const std::int64_t target = target_of(source, record);
  std::string path = record_path(number) + ".clip_offset";
  if (number + 1 < index.clips.size()) {
    const std::uint64_t expected = index.clips[number + 1].base;
    if (target != static_cast<std::int64_t>(expected)) {
      findings.wrong_offsets.add(
          record + tag_clip_offset, std::move(path),
          fmt::format("the record leads to offset {}, its clip is at {}", target, expected));
    }
    return {};
  }
  const auto chain_end = static_cast<std::int64_t>(index.clips.back().end);
  const auto file_size = static_cast<std::int64_t>(source.in.size());
  if (target >= chain_end && target + source.layout.header_size > file_size) {
    return fail(ErrorCode::truncated, record + tag_clip_offset, std::move(path),
                fmt::format("the record's clip starts at 0x{:X}, but the file ends at 0x{:X}",
                            target, file_size));
  }
  findings.without_clip.add(
      record + tag_clip_offset, std::move(path),
      fmt::format("the record belongs to no clip of the chain of {}", index.clips.size()));
  return {};
}

}  // namespace

Result<void> check_tags(const SparseSource& source, SparseIndex& index) {
  TagFindings findings;
  const std::vector<std::uint64_t>& records = index.clips.front().tags;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (auto checked = check_target(source, index, i, records[i], findings); !checked) {
      return checked;
    }
    check_fields(source, i, records[i], findings);
  }
  std::move(findings).report(index.diagnostics);
  if (index.clips.size() > records.size() + 1) {
    source.warn(index.clips[records.size() + 1].base, clip_path(records.size() + 1),
                fmt::format("{} chained clips, but {} tag records name them",
                            index.clips.size() - 1, records.size()));
  }
  return {};
}

std::optional<std::string> tag_text(std::span<const std::byte> bytes, std::uint64_t record,
                                    TagField field) {
  std::string text;
  for (const std::byte character : text_bytes(bytes, record, field)) {
    text.push_back(std::to_integer<char>(character));
  }
  if (text.empty()) return std::nullopt;
  return text;
}

Participant read_participant(std::span<const std::byte> bytes, const SparseIndex& index,
                             std::size_t number) {
  const std::uint64_t record = index.clips.front().tags[number];
  Participant participant;
  participant.kind = field_of<std::uint8_t>(bytes, record, tag_kind);
  participant.start = field_of<float>(bytes, record, tag_start);
  participant.end = field_of<float>(bytes, record, tag_end);
  participant.name = tag_text(bytes, record, tag_name);
  participant.child = field_of<std::uint32_t>(bytes, record, tag_name);
  participant.parent = field_of<std::uint32_t>(bytes, record, tag_parent);
  participant.target = field_of<std::uint32_t>(bytes, record, tag_target);
  participant.reference = tag_text(bytes, record, tag_reference);
  if (number + 1 < index.clips.size()) {
    participant.clip = static_cast<std::uint32_t>(number + 1);
  }
  return participant;
}

}  // namespace mabkit::mab
