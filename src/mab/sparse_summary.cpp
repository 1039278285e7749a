#include "mab/sparse_summary.hpp"

#include "mab/sparse_clip.hpp"
#include "mab/sparse_joints.hpp"
#include "mab/sparse_tags.hpp"

namespace mabkit::mab {
namespace {

std::uint64_t entries_of(const SparseClip& clip, std::uint32_t slot) {
  if (slot == event_chain) return clip.events.size();
  if (slot == tag_table) return clip.tags.size();
  return clip.sections[slot]->count;
}

JointCensus census_of(const SparseJoints& joints) {
  return {.constant_rotations = joints.driven(MaskKind::constant_rotation),
          .animated_rotations = joints.driven(MaskKind::keyed_rotation),
          .constant_translations = joints.driven(MaskKind::constant_translation),
          .animated_translations = joints.driven(MaskKind::animated_translation),
          .undriven = joints.undriven};
}

bool has_root_motion(std::span<const std::byte> bytes, const SparseLayout& layout,
                     const SparseClip& clip) {
  for (const std::uint32_t slot : {trajectory_translation, trajectory_rotation}) {
    if (clip.sections[slot] && clip.sections[slot]->count != 0) return true;
  }
  if (!clip.has_masks()) return false;
  return header_rotation(bytes, clip, layout.reference) != Quat{} ||
         header_rotation(bytes, clip, layout.loop) != Quat{};
}

ClipSummary summarise_clip(std::span<const std::byte> bytes, const SparseIndex& index,
                           std::size_t number) {
  const SparseClip& clip = index.clips[number];
  const SparseJoints joints = joints_of(clip);
  ClipSummary out;
  out.offset = clip.base;
  out.size = clip.end - clip.base;
  out.joints = static_cast<std::uint32_t>(joints.ids.size());
  out.keys = clip.last_frame().value_or(0) + 1;
  out.duration = duration_of(clip);
  out.frame_rate = clip.frame_rate;
  out.events = static_cast<std::uint32_t>(clip.events.size());
  out.has_root_motion = has_root_motion(bytes, *index.layout, clip);
  out.census = census_of(joints);
  for (const std::uint32_t slot : clip.disk_slots) {
    const SparseSection& section = *clip.sections[slot];
    out.sections.push_back({.name = std::string(slot_name(slot)),
                            .index = slot,
                            .offset = section.offset,
                            .size = section.size,
                            .entries = entries_of(clip, slot)});
  }
  const std::vector<std::uint64_t>& records = index.clips.front().tags;
  if (number > 0 && number - 1 < records.size()) {
    out.name = tag_text(bytes, records[number - 1], tag_name);
  }
  return out;
}

}  // namespace

FileSummary summarise(std::span<const std::byte> bytes, const SparseIndex& index) {
  FileSummary out;
  out.format = "mab";
  out.family = "sparse";
  out.game = index.layout->game;
  out.inferred = index.inferred;
  out.presence_order = index.presence_evidence;
  for (std::size_t i = 0; i < index.clips.size(); ++i) {
    out.clips.push_back(summarise_clip(bytes, index, i));
  }
  return out;
}

}  // namespace mabkit::mab
