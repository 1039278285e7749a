#include "mab/chunked_layout.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace mabkit::mab {
namespace {

/// Index order of WD1, FC5, FC6, WDL (spec mab-chunked, 1.3).
constexpr SectionMap common_sections{
    Section::key_times,
    Section::translation_table,
    Section::displacement_orientations,
    Section::displacement_translations,
    Section::constant_rotations,
    Section::constant_translations,
    Section::joint_rotations,
    Section::joint_translations,
    Section::parts,
    Section::markup,
    Section::end_mark,
    Section::end_mark,
};

/// Index order of FC4 and Primal (1.5). Slots 1 and 3 are likely, not proven.
constexpr SectionMap far_cry_4_sections{
    Section::constant_rotations,
    Section::constant_translations,
    Section::key_times,
    Section::translation_table,
    Section::joint_rotations,
    Section::joint_translations,
    Section::unknown,
    Section::unknown,
    Section::unknown,
    Section::unknown,
    Section::unknown,
    Section::unknown,
};

constexpr ChunkedLayout legion{
    .game = Game::wdl,
    .magic = 0x46B4,
    .skeleton_crc = 0x00,
    .skeleton_crc_size = 8,
    .skeleton_path = 0x08,
    .signature = 0x10,
    .data_size = 0x14,
    .duration = 0x18,
    .frame_rate = 0x1C,
    .joint_count = 0x20,
    .counts = 0x22,
    .count_slots = 10,
    .offsets = 0x38,
    .offset_slots = 12,
    .last_frame = 0x6C,
    .hashes_offset = absent,
    .flags_offset = absent,
    .header_size = 0x70,
    .sections = common_sections,
    .first_end_mark = 10,
    .end_mark = EndMark::data_size,
    .part_record_size = 32,
    .tail_size = 3,
};

constexpr ChunkedLayout far_cry_5{
    .game = Game::fc5,
    .magic = 0xB0,
    .skeleton_crc = 0x00,
    .skeleton_crc_size = 8,
    .skeleton_path = 0x08,
    .signature = 0x10,
    .data_size = 0x14,
    .duration = 0x18,
    .frame_rate = 0x1C,
    .joint_count = 0x20,
    .counts = 0x22,
    .count_slots = 9,
    .offsets = 0x34,
    .offset_slots = 11,
    .last_frame = 0x64,
    .hashes_offset = absent,
    .flags_offset = absent,
    .header_size = 0x68,
    .sections = common_sections,
    .first_end_mark = 10,
    .end_mark = EndMark::zero,
    .part_record_size = 32,
};

constexpr ChunkedLayout far_cry_6 = [] {
  ChunkedLayout layout = far_cry_5;
  layout.game = Game::fc6;
  layout.magic = 0xB6;
  layout.last_frame = 0x60;
  layout.part_record_size = 28;
  return layout;
}();

constexpr ChunkedLayout watch_dogs_1{
    .game = Game::wd1,
    .magic = 0x329B,
    .skeleton_crc = 0x00,
    .skeleton_crc_size = 4,
    .skeleton_path = absent,
    .signature = 0x04,
    .data_size = 0x08,
    .duration = 0x0C,
    .frame_rate = absent,
    .joint_count = 0x10,
    .counts = 0x12,
    .count_slots = 7,
    .offsets = 0x20,
    .offset_slots = 11,
    .last_frame = 0x4C,
    .hashes_offset = absent,
    .flags_offset = absent,
    .header_size = 0x50,
    .sections = common_sections,
    .first_end_mark = 10,
    .end_mark = EndMark::data_size,
    .part_record_size = 32,
    .ticks_per_second = 120.0F,
};

/// Layout, rate field and tail as Legion's: a guess of the spec (1.2, 6.4).
constexpr ChunkedLayout watch_dogs_2 = [] {
  ChunkedLayout layout = legion;
  layout.game = Game::wd2;
  layout.magic = 0x46AF;
  layout.is_guess = true;
  return layout;
}();

constexpr ChunkedLayout far_cry_4{
    .game = Game::fc4,
    .magic = 0x81,
    .skeleton_crc = absent,
    .skeleton_path = absent,
    .signature = 0x08,
    .data_size = absent,
    .duration = 0x10,
    .frame_rate = absent,
    .joint_count = 0x0C,
    .counts = absent,
    .offsets = 0x30,
    .offset_slots = 10,
    .offset_width = 2,
    .offset_origin = 0x08,
    .last_frame = absent,
    .hashes_offset = 0x1C,
    .flags_offset = 0x18,
    .header_size = 0x44,
    .sections = far_cry_4_sections,
    .first_end_mark = 10,
    .ticks_per_second = 30.0F,
    .constant_mask = 0x20,
    .constant_bits = 0x20,
    .has_markup_records = true,
    .aligns_empty_sections = false,
    .has_guessed_translations = true,
    .needs_template = true,
};

/// Assumed equal to Far Cry 4 (1.5).
constexpr ChunkedLayout primal = [] {
  ChunkedLayout layout = far_cry_4;
  layout.game = Game::fcp;
  layout.magic = 0x82;
  layout.is_guess = true;
  return layout;
}();

constexpr std::array layouts{legion,       far_cry_5, far_cry_6, watch_dogs_1,
                             watch_dogs_2, far_cry_4, primal};

/// Fills the bytes from `from` to `to` that no field names, in the largest aligned words.
void add_unknown(std::vector<HeaderField>& fields, std::uint32_t from, std::uint32_t to) {
  while (from < to) {
    std::uint32_t size = 4;
    while (from % size != 0 || from + size > to) size /= 2;
    fields.push_back({fmt::format("unknown_0x{:02X}", from), from, size, false});
    from += size;
  }
}

}  // namespace

std::string_view section_name(Section section) {
  constexpr std::array<std::string_view, 12> names{
      "KeyTimes",
      "TranslationTable",
      "DisplacementOrientations",
      "DisplacementTranslations",
      "JointConstantRotations",
      "JointConstantTranslations",
      "JointRotations",
      "JointTranslations",
      "PartAnimations",
      "Markup",
      "End",
      "Unknown",
  };
  return names[static_cast<std::size_t>(section)];
}

std::span<const ChunkedLayout> chunked_layouts() {
  return layouts;
}

const ChunkedLayout* layout_of_magic(std::uint32_t magic) {
  const auto* const found =
      std::find_if(layouts.begin(), layouts.end(),
                   [magic](const ChunkedLayout& candidate) { return candidate.magic == magic; });
  return found == layouts.end() ? nullptr : found;
}

std::vector<HeaderField> header_fields(const ChunkedLayout& layout) {
  std::vector<HeaderField> named{
      {"signature", layout.signature, 3, false},
      {"flags", layout.signature + 3, 1, false},
      {"duration", layout.duration, 4, true},
      {"nbBonesInAnim", layout.joint_count, 2, false},
  };
  const auto add = [&named](std::string name, FieldPosition position, std::uint32_t size,
                            bool is_float = false) {
    if (position) named.push_back({std::move(name), *position, size, is_float});
  };
  add("skeletonBoneCRC", layout.skeleton_crc, layout.skeleton_crc_size);
  add("skeletonPathId", layout.skeleton_path, 8);
  add("animationDataSize", layout.data_size, 4);
  add("animFrameRate", layout.frame_rate, 4, true);
  add("lastFrame", layout.last_frame, 2);
  add("hashesOffset", layout.hashes_offset, 4);
  add("flagsOffset", layout.flags_offset, 4);
  for (std::uint32_t slot = 0; slot < layout.count_slots; ++slot) {
    add(fmt::format("dataCounts[{}]", slot), *layout.counts + 2 * slot, 2);
  }
  for (std::uint32_t slot = 0; slot < layout.offset_slots; ++slot) {
    add(fmt::format("offsets[{}]", slot), layout.offsets + layout.offset_width * slot,
        layout.offset_width);
  }
  std::sort(named.begin(), named.end(),
            [](const HeaderField& a, const HeaderField& b) { return a.offset < b.offset; });

  std::vector<HeaderField> fields;
  std::uint32_t position = 0;
  for (HeaderField& field : named) {
    add_unknown(fields, position, field.offset);
    position = field.offset + field.size;
    fields.push_back(std::move(field));
  }
  add_unknown(fields, position, layout.header_size);
  return fields;
}

}  // namespace mabkit::mab
