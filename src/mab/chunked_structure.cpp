#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "mab/chunked_keys.hpp"
#include "mab/chunked_parse.hpp"

namespace mabkit::mab {
namespace {

constexpr std::uint32_t packed_size = 6;       // of a constant rotation or translation
constexpr std::uint32_t table_entry_size = 4;  // spec mab-chunked, 3.1

/// Reads one block; members fill in the order of the steps of `run`.
class BlockReader {
 public:
  BlockReader(const ChunkedParse& parse, std::uint64_t base, std::uint64_t end, std::string path)
      : parse_(parse), layout_(*parse.index.layout), path_(std::move(path)) {
    block_.base = base;
    block_.end = end;
  }

  Result<ChunkedBlock> run() {
    return read_header()
        .and_then([this] { return read_bone_arrays(); })
        .and_then([this] { return read_offsets(); })
        .and_then([this] { return read_rotation_stream(); })
        .and_then([this] { return read_keys(); })
        .and_then([this] { return check_rotation_stream(); })
        .and_then([this] { return read_constants(); })
        .and_then([this] { return read_translations(); })
        .and_then([this]() -> Result<ChunkedBlock> {
          if (!parse_.is_trial) read_displacement(parse_, block_, spans_, path_);
          read_opaque();
          return std::move(block_);
        });
  }

 private:
  using Step = Result<void>;

  [[nodiscard]] std::span<const std::byte> bytes() const { return parse_.file.bytes(); }
  template <class T>
  [[nodiscard]] T field(std::uint32_t position) const {
    return base::load<T>(bytes(), static_cast<std::size_t>(block_.base + position));
  }
  [[nodiscard]] tl::unexpected<Error> fail(ErrorCode code, std::uint64_t offset,
                                           const std::string& member, std::string message) const {
    return tl::unexpected(Error{code, offset, path_ + member, std::move(message)});
  }
  void warn(std::uint64_t offset, const std::string& member, std::string message) const {
    parse_.warn(offset, path_ + member, std::move(message));
  }
  [[nodiscard]] std::string section_path(const SectionSpan& span) const {
    return fmt::format("{}.section[{}]", path_, span.slot);
  }
  [[nodiscard]] std::span<const std::byte> section_bytes(const SectionSpan& span) const {
    return bytes().subspan(static_cast<std::size_t>(span.offset),
                           static_cast<std::size_t>(span.limit - span.offset));
  }
  [[nodiscard]] std::uint32_t count(CountSlot slot) const { return block_.counts[slot]; }

  Step read_header() {
    const auto header = parse_.file.slice(block_.base, layout_.header_size, path_ + ".header");
    if (!header) return tl::unexpected(header.error());
    if (!has_signature(parse_.file, layout_, block_.base)) {
      return fail(ErrorCode::bad_value, block_.base + layout_.signature, ".signature",
                  "is neither 'aNi' nor 'aNp'");
    }
    block_.joints = field<std::uint16_t>(layout_.joint_count) & joint_count_mask;
    if (block_.joints > parse_.limits.max_joints) {
      return fail(ErrorCode::limit, block_.base + layout_.joint_count, ".nbBonesInAnim",
                  fmt::format("has {} joints, more than the limit of {}", block_.joints,
                              parse_.limits.max_joints));
    }
    if (block_.joints == 0) {
      warn(block_.base + layout_.joint_count, ".nbBonesInAnim", "the clip names no joints");
    }
    if (auto step = read_data_size(); !step) return step;
    read_rates();
    for (std::uint32_t slot = 0; slot < layout_.count_slots; ++slot) {
      block_.counts.push_back(field<std::uint16_t>(*layout_.counts + 2 * slot));
    }
    for (std::uint32_t slot = 0; slot < layout_.offset_slots; ++slot) {
      const std::uint32_t position = layout_.offsets + layout_.offset_width * slot;
      block_.offsets.push_back(layout_.offset_width == 2 ? field<std::uint16_t>(position)
                                                         : field<std::uint32_t>(position));
    }
    return {};
  }

  Step read_data_size() {
    if (!layout_.data_size) return {};
    const auto size = field<std::uint32_t>(*layout_.data_size);
    const std::uint64_t at = block_.base + *layout_.data_size;
    if (size > block_.end - block_.base) {
      return fail(ErrorCode::truncated, at, ".animationDataSize",
                  fmt::format("the data should reach to 0x{:X}, but the {} ends at 0x{:X}",
                              block_.base + size,
                              block_.base == main_base ? "file" : "parent's data", block_.end));
    }
    if (size < layout_.header_size) {
      return fail(
          ErrorCode::bad_value, at, ".animationDataSize",
          fmt::format("0x{:X} bytes do not hold the header of 0x{:X}", size, layout_.header_size));
    }
    block_.end = block_.base + size;
    return {};
  }

  void read_rates() {
    block_.duration = field<float>(layout_.duration);
    if (!std::isfinite(block_.duration) || block_.duration <= 0.0F) {
      warn(block_.base + layout_.duration, ".duration",
           fmt::format("{} seconds is no length for a clip", block_.duration));
    }
    block_.frame_rate =
        layout_.frame_rate ? field<float>(*layout_.frame_rate) : layout_.frames_per_second;
  }

  /// Bone CRCs and flags: behind the header, or where two offsets say (spec mab-chunked, 1.5).
  Step read_bone_arrays() {
    const auto place = [this](FieldPosition position, std::uint64_t fallback) {
      return position ? block_.base + layout_.offset_origin + field<std::uint32_t>(*position)
                      : fallback;
    };
    const std::uint64_t joints = block_.joints;
    block_.hashes = place(layout_.hashes_offset, block_.base + layout_.header_size);
    block_.flags = place(layout_.flags_offset, block_.hashes + 4 * joints);
    const auto check = [this](std::uint64_t at, std::uint64_t size, FieldPosition position,
                              const char* member, const char* what) -> Step {
      const std::uint64_t reason = position ? block_.base + *position : at;
      if (at < block_.base + layout_.header_size) {
        return fail(ErrorCode::out_of_range, reason, member,
                    fmt::format("{} at 0x{:X} stand in the header", what, at));
      }
      if (!base::fits(at, size, block_.end)) {
        return fail(ErrorCode::truncated, reason, member,
                    fmt::format("{} of {} joints at 0x{:X} reach past the data's end 0x{:X}", what,
                                block_.joints, at, block_.end));
      }
      return {};
    };
    return check(block_.hashes, 4 * joints, layout_.hashes_offset, ".boneCRCs", "the bone CRCs")
        .and_then([&] {
          return check(block_.flags, joints, layout_.flags_offset, ".boneFlags", "the bone flags");
        })
        .map([&] {
          block_.census = take_census(
              layout_, bytes().subspan(static_cast<std::size_t>(block_.flags), block_.joints));
        });
  }

  /// File offset where key times are expected: behind the flags (spec mab-chunked, 1.2 and 1.7).
  [[nodiscard]] std::uint64_t expected_first_section() const {
    return block_.base + base::align_up(block_.flags + block_.joints - block_.base, 4);
  }

  /// Spans of every section with a stored offset, each up to the next larger one.
  Step read_offsets() {
    std::vector<std::uint64_t> bounds{block_.end};
    if (layout_.flags_offset) bounds.insert(bounds.end(), {block_.hashes, block_.flags});
    const std::uint64_t first =
        layout_.flags_offset ? block_.base + layout_.header_size : block_.flags + block_.joints;
    for (std::uint32_t slot = 0; slot < layout_.first_end_mark && slot < layout_.offset_slots;
         ++slot) {
      const Section section = layout_.sections[slot];
      std::uint64_t offset = block_.base + layout_.offset_origin + block_.offsets[slot];
      const std::uint64_t reason = block_.base + layout_.offsets + layout_.offset_width * slot;
      const std::string member = fmt::format(".offsets[{}]", slot);
      if (block_.offsets[slot] == 0) {
        // Key times stand right behind the flags where their offset is 0 (spec mab-chunked, 1.2).
        if (section != Section::key_times || layout_.flags_offset) continue;
        offset = expected_first_section();
      }
      if (section == Section::unknown) {
        if (offset >= first && offset <= block_.end) bounds.push_back(offset);
        continue;
      }
      if (offset < first) {
        return fail(ErrorCode::out_of_range, reason, member,
                    fmt::format("{} at 0x{:X} would stand in the header, which ends at 0x{:X}",
                                section_name(section), offset, first));
      }
      if (offset > block_.end) {
        return fail(ErrorCode::out_of_range, reason, member,
                    fmt::format("{} at 0x{:X} would stand past the data's end 0x{:X}",
                                section_name(section), offset, block_.end));
      }
      bounds.push_back(offset);
      spans_.push_back({section, slot, offset, 0, 0, 0});
    }
    std::sort(bounds.begin(), bounds.end());
    for (SectionSpan& span : spans_) {
      const auto next = std::upper_bound(bounds.begin(), bounds.end(), span.offset);
      span.limit = next == bounds.end() ? span.offset : *next;
    }
    return {};
  }

  [[nodiscard]] const SectionSpan* find(Section section) const {
    const auto found = std::find_if(spans_.begin(), spans_.end(), [section](const SectionSpan& s) {
      return s.section == section;
    });
    return found == spans_.end() ? nullptr : &*found;
  }

  /// A section of `entries` elements of `width` bytes; absent where there are none.
  Result<std::optional<SectionSpan>> read_array(Section section, std::uint32_t entries,
                                                std::uint32_t width) const {
    if (entries == 0) return std::nullopt;
    const SectionSpan* const found = find(section);
    if (found == nullptr) {
      return fail(ErrorCode::inconsistent, block_.base + layout_.offsets, ".offsets",
                  fmt::format("{} should hold {} entries, but its offset is 0",
                              section_name(section), entries));
    }
    SectionSpan span = *found;
    span.entries = entries;
    span.size = std::uint64_t{entries} * width;
    if (span.size > span.limit - span.offset) {
      return tl::unexpected(
          Error{ErrorCode::truncated, span.offset, section_path(span),
                fmt::format("{} needs {} bytes for {} entries, but what follows begins at 0x{:X}",
                            section_name(section), span.size, entries, span.limit)});
    }
    return span;
  }

  /// A stream that `joints` joints share; absent where there are none.
  Result<std::optional<StreamSpan>> read_stream(Section section, std::uint32_t joints,
                                                unsigned least_bits) const {
    if (joints == 0) return std::nullopt;
    const SectionSpan* const found = find(section);
    if (found == nullptr) {
      return fail(ErrorCode::inconsistent, block_.base + layout_.offsets, ".offsets",
                  fmt::format("{} joints have animated values, but the offset of {} is 0", joints,
                              section_name(section)));
    }
    auto table =
        codec::read_chunk_table(section_bytes(*found), found->offset, section_path(*found));
    if (!table) {
      table.error().message = fmt::format("{}: {}", section_name(section), table.error().message);
      return tl::unexpected(std::move(table.error()));
    }
    for (std::uint32_t chunk = 0; chunk < table->chunks(); ++chunk) {
      const std::uint64_t size = table->starts[chunk + 1] - table->starts[chunk];
      // Before anything is allocated for the values.
      if (8 * size < std::uint64_t{joints} * least_bits) {
        return tl::unexpected(Error{
            ErrorCode::truncated, found->offset + table->starts[chunk],
            fmt::format("{}.chunk[{}]", section_path(*found), chunk),
            fmt::format("{}: {} bytes can't hold {} joints", section_name(section), size, joints)});
      }
    }
    StreamSpan stream{*found, std::move(*table)};
    stream.span.size = stream.table.size();
    stream.span.entries = joints;
    return stream;
  }

  Step read_rotation_stream() {
    return read_stream(Section::joint_rotations, block_.census.animated_rotations,
                       codec::least_rotation_bits)
        .map([this](std::optional<StreamSpan> stream) {
          block_.joint_rotations = std::move(stream);
        });
  }

  Step read_keys() {
    if (find(Section::key_times) == nullptr) {
      return fail(ErrorCode::inconsistent, block_.base + layout_.offsets, ".offsets",
                  "the clip has no key times");
    }
    block_.keys = layout_.last_frame ? field<std::uint16_t>(*layout_.last_frame) + 1U
                                     : infer_key_count(parse_, block_, *find(Section::key_times));
    if (block_.keys > parse_.limits.max_keys) {
      return fail(ErrorCode::limit, block_.base, ".lastFrame",
                  fmt::format("has {} keys, more than the limit of {}", block_.keys,
                              parse_.limits.max_keys));
    }
    return read_array(Section::key_times, block_.keys, 2)
        .and_then([this](const std::optional<SectionSpan>& span) -> Step {
          if (!span) {
            return fail(ErrorCode::inconsistent, find(Section::key_times)->offset, ".keyTimes",
                        "the clip has no keys");
          }
          block_.key_times = span;
          if (!layout_.flags_offset && expected_first_section() != span->offset) {
            warn(span->offset, ".keyTimes",
                 fmt::format("KeyTimes stand at 0x{:X}, 0x{:X} is usual", span->offset,
                             expected_first_section()));
          }
          return check_key_times(parse_, block_, path_);
        });
  }

  Step check_chunk_count(const StreamSpan& stream) const {
    if (stream.table.chunks() == codec::chunk_count(block_.keys)) return {};
    return tl::unexpected(Error{
        ErrorCode::inconsistent, stream.span.offset, section_path(stream.span),
        fmt::format("{} has {} chunks, but {} keys fill {}", section_name(stream.span.section),
                    stream.table.chunks(), block_.keys, codec::chunk_count(block_.keys))});
  }

  Step check_rotation_stream() {
    check_census(joint_rotation_count, block_.census.animated_rotations, "animated rotations");
    return block_.joint_rotations ? check_chunk_count(*block_.joint_rotations) : Step{};
  }

  void check_census(CountSlot slot, std::uint32_t found, const char* what) const {
    if (!layout_.counts || count(slot) == found) return;
    warn(block_.base + *layout_.counts + 2ULL * slot, fmt::format(".dataCounts[{}]", int{slot}),
         fmt::format("says {} {}, the joints' flags say {}", count(slot), what, found));
  }

  Step read_constants() {
    check_census(constant_rotation_count, block_.census.constant_rotations, "constant rotations");
    check_census(constant_translation_count, block_.census.constant_translations,
                 "constant translations");
    const FlagCensus& census = block_.census;
    const bool counted = layout_.counts.has_value();
    return read_array(Section::constant_rotations,
                      counted ? count(constant_rotation_count) : census.constant_rotations,
                      packed_size)
        .and_then([&](std::optional<SectionSpan> span) -> Step {
          block_.constant_rotations = span;
          auto translations =
              read_array(Section::constant_translations,
                         counted ? count(constant_translation_count) : census.constant_translations,
                         packed_size);
          if (!translations) return tolerate_guess(std::move(translations.error()));
          block_.constant_translations = *translations;
          return {};
        });
  }

  /// Where the row itself is a guess, what contradicts it is no fault of the file.
  Step tolerate_guess(Error error) const {
    if (!layout_.has_guessed_translations) return tl::unexpected(std::move(error));
    parse_.index.diagnostics.push_back(
        {error.offset, std::move(error.path),
         "translations are left out, their place is a guess: " + error.message});
    return {};
  }

  Step read_translations() {
    check_census(joint_translation_count, block_.census.animated_translations,
                 "animated translations");
    Step step = read_table();
    if (step) step = read_translation_stream();
    if (step) return step;
    block_.translation_table.reset();
    block_.joint_translations.reset();
    return tolerate_guess(std::move(step.error()));
  }

  Step read_table() {
    const std::uint32_t entries =
        layout_.counts ? count(table_entry_count) : block_.census.animated_translations;
    auto span = read_array(Section::translation_table, entries, table_entry_size);
    if (!span) return tl::unexpected(std::move(span.error()));
    block_.translation_table = *span;
    if (entries < block_.census.animated_translations) {
      return fail(ErrorCode::inconsistent, block_.base + layout_.counts.value_or(0), ".dataCounts",
                  fmt::format("TranslationTable has {} entries for {} animated translations",
                              entries, block_.census.animated_translations));
    }
    for (std::uint32_t entry = first_joint_entry(block_); entry < entries; ++entry) {
      const std::uint64_t at = (*span)->offset + std::uint64_t{table_entry_size} * entry;
      const unsigned bits =
          translation_entry(base::load<std::uint32_t>(bytes(), static_cast<std::size_t>(at))).bits;
      if (bits < 1 || bits > 16) {
        return tl::unexpected(Error{
            ErrorCode::bad_value, at, fmt::format("{}.entry[{}]", section_path(**span), entry),
            fmt::format("TranslationTable: {} bits are not 1 to 16", bits)});
      }
    }
    return {};
  }

  Step read_translation_stream() {
    return read_stream(Section::joint_translations, block_.census.animated_translations,
                       codec::least_translation_bits)
        .and_then([this](std::optional<StreamSpan> stream) -> Step {
          if (stream) {
            if (auto step = check_chunk_count(*stream); !step) return step;
          }
          block_.joint_translations = std::move(stream);
          return {};
        });
  }

  /// Markup keeps whatever it holds; parts are walked later, record by record.
  void read_opaque() {
    if (const SectionSpan* const markup = find(Section::markup);
        markup != nullptr && markup->limit > markup->offset) {
      block_.markup = *markup;
      block_.markup->size = markup->limit - markup->offset;
    }
    if (const SectionSpan* const parts = find(Section::parts)) block_.parts = *parts;
  }

  const ChunkedParse& parse_;
  const ChunkedLayout& layout_;
  std::string path_;
  ChunkedBlock block_;
  std::vector<SectionSpan> spans_;
};

}  // namespace

bool has_signature(base::ByteReader file, const ChunkedLayout& layout, std::uint64_t base) {
  if (!base::fits(base, layout.header_size, file.size())) return false;
  const auto at = static_cast<std::size_t>(base + layout.signature);
  const auto third = std::to_integer<char>(file.bytes()[at + 2]);
  return file.bytes()[at] == std::byte{'a'} && file.bytes()[at + 1] == std::byte{'N'} &&
         (third == 'i' || third == 'p');
}

Result<ChunkedBlock> read_block_structure(const ChunkedParse& parse, std::uint64_t base,
                                          std::uint64_t end, const std::string& path) {
  return BlockReader(parse, base, end, path).run();
}

bool fits_layout(base::ByteReader file, const ChunkedLayout& layout, std::uint64_t base) {
  if (!has_signature(file, layout, base)) return false;
  ChunkedIndex scratch;
  scratch.layout = &layout;
  const ReadLimits limits;
  const auto block =
      read_block_structure({file, limits, scratch, true}, base, file.size(), "clip[0]");
  // The reader warns of every departure from spec mab-chunked, 1.7, that it survives.
  constexpr std::uint32_t most_plausible_joints = 1024;
  constexpr float longest_plausible_clip = 1e6F;
  if (!block || block->joints > most_plausible_joints) return false;
  if (!(block->duration > 0.0F && block->duration < longest_plausible_clip)) return false;
  const bool is_tight = layout.flags_offset.has_value() || block->offsets[1] == 0 ||
                        block->offsets[0] == 0 ||
                        block->offsets[1] - block->offsets[0] == 2 * block->keys;
  return is_tight && scratch.diagnostics.empty() && parts_fit(file, layout, *block);
}

}  // namespace mabkit::mab
