#include <fmt/format.h>

#include <algorithm>

#include "mab/chunked_parse.hpp"
#include "mab/part_record.hpp"

namespace mabkit::mab {
namespace {

/// Whether every child of `records` records of `size` bytes is where a block's signature stands.
bool lands_on_signatures(base::ByteReader file, const ChunkedLayout& layout,
                         const SectionSpan& section, std::uint32_t records, std::uint32_t size) {
  if (std::uint64_t{records} * size > section.limit - section.offset - part_count_size)
    return false;
  for (std::uint32_t record = 0; record < records; ++record) {
    const std::uint64_t at = section.offset + part_count_size + std::uint64_t{record} * size;
    const auto child = base::load<std::uint32_t>(
        file.bytes(), static_cast<std::size_t>(part_fields(at, size) + part_child));
    if (child != 0 && !has_signature(file, layout, at + child)) return false;
  }
  return true;
}

/// Reads the parts of one block.
class PartsReader {
 public:
  PartsReader(const ChunkedParse& parse, std::uint32_t block, std::uint32_t depth)
      : parse_(parse), block_(block), depth_(depth) {}

  Result<void> run() {
    if (!block().parts) return {};
    const SectionSpan section = *block().parts;
    if (section.limit - section.offset < part_count_size) {
      return fail(ErrorCode::truncated, section.offset, "", "has no room for its record count");
    }
    const auto records = load<std::uint32_t>(section.offset);
    if (records > (section.limit - section.offset - part_count_size) / short_part_record) {
      return fail(ErrorCode::out_of_range, section.offset, "",
                  fmt::format("{} records do not fit into the {} bytes of PartAnimations", records,
                              section.limit - section.offset));
    }
    index().blocks[block_].parts->entries = records;
    if (auto size = settle_record_size(*block().parts); !size) return size;
    index().blocks[block_].parts->size =
        part_count_size + std::uint64_t{records} * index().part_record_size;
    for (std::uint32_t record = 0; record < records; ++record) {
      if (auto read = read_record(record); !read) return read;
    }
    return {};
  }

 private:
  [[nodiscard]] ChunkedIndex& index() const { return parse_.index; }
  [[nodiscard]] const ChunkedBlock& block() const { return index().blocks[block_]; }
  template <class T>
  [[nodiscard]] T load(std::uint64_t offset) const {
    return base::load<T>(parse_.file.bytes(), static_cast<std::size_t>(offset));
  }
  [[nodiscard]] std::string path(const std::string& member) const {
    return fmt::format("clip[{}].section[{}]{}", block_, block().parts->slot, member);
  }
  [[nodiscard]] tl::unexpected<Error> fail(ErrorCode code, std::uint64_t offset,
                                           const std::string& member, std::string message) const {
    return tl::unexpected(Error{code, offset, path(member), std::move(message)});
  }
  [[nodiscard]] std::uint64_t record_offset(std::uint32_t record, std::uint32_t size) const {
    return block().parts->offset + part_count_size + std::uint64_t{record} * size;
  }
  /// The row's size, or the other one where only that lands on signatures (spec mab-chunked, 6.1).
  Result<void> settle_record_size(const SectionSpan& section) {
    const std::uint32_t usual = index().part_record_size;
    const std::uint32_t other = usual == long_part_record ? short_part_record : long_part_record;
    const auto lands = [&](std::uint32_t size) {
      return lands_on_signatures(parse_.file, *index().layout, section, section.entries, size);
    };
    if (!lands(usual) && block_ == 0 && lands(other)) {
      index().part_record_size = other;
      parse_.warn(section.offset, path(""),
                  fmt::format("PartAnimations has records of {} bytes, {} are usual (inferred)",
                              other, usual));
    }
    const std::uint64_t needed = std::uint64_t{section.entries} * index().part_record_size;
    if (needed > section.limit - section.offset - part_count_size) {
      return fail(
          ErrorCode::truncated, section.offset, "",
          fmt::format("{} records of {} bytes do not fit into the {} bytes of "
                      "PartAnimations",
                      section.entries, index().part_record_size, section.limit - section.offset));
    }
    return {};
  }

  Result<void> read_record(std::uint32_t number) {
    const std::uint32_t size = index().part_record_size;
    PartRecord record;
    record.block = block_;
    record.index = number;
    record.offset = record_offset(number, size);
    const std::uint64_t fields = part_fields(record.offset, size);
    record.start = load<float>(fields + part_start);
    record.end = load<float>(fields + part_end);
    record.child_bone = load<std::uint32_t>(fields + part_child_bone);
    record.parent_bone = load<std::uint32_t>(fields + part_parent_bone);
    record.target_bone = load<std::uint32_t>(fields + part_target_bone);
    record.kind = load<std::uint8_t>(fields + part_kind);
    if (auto named = read_name(record, load<std::uint16_t>(fields + part_name)); !named) {
      return named;
    }
    const auto child = load<std::uint32_t>(fields + part_child);
    const std::size_t position = index().records.size();
    index().records.push_back(record);
    if (child == 0) return {};
    auto found = read_child(number, fields + part_child, record.offset + child);
    if (!found) return tl::unexpected(std::move(found.error()));
    index().records[position].child = *found;
    return {};
  }

  Result<void> read_name(PartRecord& record, std::uint16_t offset) const {
    if (offset == 0) return {};
    const std::uint64_t at = record.offset + offset;
    const std::string member = fmt::format(".record[{}].name", record.index);
    if (at < block().parts->offset + block().parts->size || at >= block().parts->limit) {
      return fail(ErrorCode::out_of_range, record.offset, member,
                  fmt::format("the name at 0x{:X} is not between the records and 0x{:X}", at,
                              block().parts->limit));
    }
    const auto room = parse_.file.bytes().subspan(
        static_cast<std::size_t>(at), static_cast<std::size_t>(block().parts->limit - at));
    const auto reach = std::min<std::size_t>(room.size(), longest_part_name + 2);
    const auto nul =
        std::find(room.begin(), room.begin() + static_cast<std::ptrdiff_t>(reach), std::byte{0});
    if (nul == room.end()) {
      return fail(ErrorCode::truncated, at, member, "the name has no end");
    }
    if (nul - room.begin() > std::ptrdiff_t{longest_part_name}) {
      return fail(ErrorCode::limit, at, member,
                  fmt::format("the name is longer than {} bytes", longest_part_name));
    }
    record.name_offset = at;
    record.name_size = static_cast<std::uint64_t>(nul - room.begin());
    return {};
  }

  /// The block at `base`, read now or met before: two records may share a child.
  Result<std::uint32_t> read_child(std::uint32_t number, std::uint64_t reason, std::uint64_t base) {
    const std::string member = fmt::format(".record[{}].child", number);
    const auto known =
        std::find_if(index().blocks.begin(), index().blocks.end(),
                     [base](const ChunkedBlock& candidate) { return candidate.base == base; });
    if (known != index().blocks.end()) {
      if (known->base <= block().base) {
        return fail(ErrorCode::inconsistent, reason, member,
                    fmt::format("the child at 0x{:X} contains its own record", base));
      }
      return static_cast<std::uint32_t>(known - index().blocks.begin());
    }
    if (base < block().parts->offset + block().parts->size || base >= block().parts->limit ||
        !has_signature(parse_.file, *index().layout, base)) {
      return fail(
          ErrorCode::out_of_range, reason, member,
          fmt::format("no block stands at 0x{:X}, where the record says its child is", base));
    }
    if (depth_ >= parse_.limits.max_depth) {
      return fail(ErrorCode::limit, reason, member,
                  fmt::format("children nest deeper than {} levels", parse_.limits.max_depth));
    }
    if (index().blocks.size() >= parse_.limits.max_clips) {
      return fail(ErrorCode::limit, reason, member,
                  fmt::format("the file has more than {} clips", parse_.limits.max_clips));
    }
    const auto position = static_cast<std::uint32_t>(index().blocks.size());
    auto child =
        read_block_structure(parse_, base, block().parts->limit, fmt::format("clip[{}]", position));
    if (!child) return tl::unexpected(std::move(child.error()));
    child->owner = block_;
    index().blocks.push_back(std::move(*child));
    if (auto parts = read_parts(parse_, position, depth_ + 1); !parts) {
      return tl::unexpected(std::move(parts.error()));
    }
    return position;
  }

  const ChunkedParse& parse_;
  std::uint32_t block_;
  std::uint32_t depth_;
};

}  // namespace

Result<void> read_parts(const ChunkedParse& parse, std::uint32_t block, std::uint32_t depth) {
  return PartsReader(parse, block, depth).run();
}

bool parts_fit(base::ByteReader file, const ChunkedLayout& layout, const ChunkedBlock& block) {
  if (!block.parts) return true;
  const SectionSpan& section = *block.parts;
  if (section.limit - section.offset < part_count_size) return false;
  const auto records =
      base::load<std::uint32_t>(file.bytes(), static_cast<std::size_t>(section.offset));
  return lands_on_signatures(file, layout, section, records, layout.part_record_size);
}

void scan_for_children(const ChunkedParse& parse) {
  const ChunkedLayout& layout = *parse.index.layout;
  const ChunkedBlock& main = parse.index.blocks.front();
  if (!main.parts || !layout.data_size) return;
  std::uint64_t base = main.parts->offset + part_count_size;
  const std::uint64_t end = main.parts->limit;
  // A hostile file can be full of signatures whose blocks claim all that follows.
  std::uint64_t bytes_to_try = 4 * parse.file.size();
  for (; base < end && parse.index.blocks.size() < parse.limits.max_clips; ++base) {
    if (!has_signature(parse.file, layout, base)) continue;
    const auto claimed = base::load<std::uint32_t>(
        parse.file.bytes(), static_cast<std::size_t>(base + *layout.data_size));
    if (claimed > end - base) continue;
    if (claimed > bytes_to_try) return;
    bytes_to_try -= claimed;
    if (!fits_layout(parse.file, layout, base)) continue;
    auto child =
        read_block_structure(parse, base, end, fmt::format("clip[{}]", parse.index.blocks.size()));
    if (!child) continue;
    child->parts.reset();  // nobody says what they belong to
    base = child->end - 1;
    parse.index.blocks.push_back(std::move(*child));
  }
}

}  // namespace mabkit::mab
