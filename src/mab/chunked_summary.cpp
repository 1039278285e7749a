#include <algorithm>
#include <string>

#include "mab/chunked_claims.hpp"
#include "mab/chunked_runs.hpp"

namespace mabkit::mab {
namespace {

void add_section(ClipSummary& clip, const SectionSpan& span) {
  clip.sections.push_back(
      {std::string(section_name(span.section)), span.slot, span.offset, span.size, span.entries});
}

void add_section(ClipSummary& clip, const std::optional<SectionSpan>& span) {
  if (span) add_section(clip, *span);
}

void add_section(ClipSummary& clip, const std::optional<StreamSpan>& stream) {
  if (stream) add_section(clip, stream->span);
}

std::uint32_t undriven_joints(std::span<const std::byte> file, const ChunkedIndex& index,
                              const ChunkedBlock& block) {
  const auto flags = file.subspan(static_cast<std::size_t>(block.flags), block.joints);
  return static_cast<std::uint32_t>(std::count_if(flags.begin(), flags.end(), [&](std::byte byte) {
    const auto bits = std::to_integer<std::uint8_t>(byte);
    return !has_constant_rotation(*index.layout, bits) &&
           !has_animated_rotation(*index.layout, bits) && !has_constant_translation(bits) &&
           !has_animated_translation(bits);
  }));
}

ClipSummary summarise(std::span<const std::byte> file, const ChunkedIndex& index,
                      const ChunkedBlock& block) {
  ClipSummary clip;
  clip.offset = block.base;
  clip.size = block.end - block.base;
  clip.joints = block.joints;
  clip.keys = block.keys;
  clip.duration = block.duration;
  clip.frame_rate = block.frame_rate;
  clip.events = static_cast<std::uint32_t>(block.markup_records.size());
  clip.has_root_motion = !block.counts.empty() && (block.counts[0] > 0 || block.counts[1] > 0);
  clip.census = {block.census.constant_rotations, block.census.animated_rotations,
                 block.census.constant_translations, block.census.animated_translations,
                 undriven_joints(file, index, block)};
  add_section(clip, block.key_times);
  add_section(clip, block.translation_table);
  add_section(clip, block.displacement_orientations);
  add_section(clip, block.displacement_translations);
  add_section(clip, block.constant_rotations);
  add_section(clip, block.constant_translations);
  add_section(clip, block.joint_rotations);
  add_section(clip, block.joint_translations);
  add_section(clip, block.parts);
  add_section(clip, block.markup);
  std::sort(clip.sections.begin(), clip.sections.end(),
            [](const SectionSummary& a, const SectionSummary& b) { return a.offset < b.offset; });
  return clip;
}

}  // namespace

FileSummary chunked_summary(std::span<const std::byte> file, const ChunkedIndex& index) {
  FileSummary summary;
  summary.format = "mab";
  summary.family = "chunked";
  summary.game = index.game;
  summary.inferred = index.inferred;
  for (const ChunkedBlock& block : index.blocks) {
    summary.clips.push_back(summarise(file, index, block));
  }
  for (const PartRecord& record : index.records) {
    if (!record.child || !record.name_offset || summary.clips[*record.child].name) continue;
    const auto text = file.subspan(static_cast<std::size_t>(*record.name_offset),
                                   static_cast<std::size_t>(record.name_size));
    summary.clips[*record.child].name =
        std::string(reinterpret_cast<const char*>(text.data()), text.size());
  }
  // Children stand inside the data of the block whose record names them.
  for (std::size_t child = 1; child < index.blocks.size(); ++child) {
    std::size_t parent = 0;
    for (std::size_t block = 0; block < index.blocks.size(); ++block) {
      const bool contains = block != child && index.blocks[block].base < index.blocks[child].base &&
                            index.blocks[child].end <= index.blocks[block].end;
      if (contains && index.blocks[block].base >= index.blocks[parent].base) parent = block;
    }
    summary.clips[parent].size -=
        std::min(summary.clips[parent].size, index.blocks[child].end - index.blocks[child].base);
  }
  return summary;
}

}  // namespace mabkit::mab
