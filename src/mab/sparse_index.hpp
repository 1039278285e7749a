#pragma once

#include <array>
#include <cstdint>
#include <mabkit/error.hpp>
#include <mabkit/limits.hpp>
#include <mabkit/mab.hpp>
#include <mabkit/math.hpp>
#include <mabkit/presence_order.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codec/sparse_groups.hpp"
#include "mab/sparse_layout.hpp"

namespace mabkit::mab {

/// A set of bone ids (spec mab-sparse, 1.4).
struct BoneMask {
  std::array<std::uint32_t, most_mask_words> words{};

  [[nodiscard]] std::uint32_t count() const;
  /// Ascending.
  [[nodiscard]] std::vector<std::uint32_t> bones() const;
  /// Absent where the set is empty.
  [[nodiscard]] std::optional<std::uint32_t> highest() const;
  [[nodiscard]] bool meets(const BoneMask& other) const;
};

/// The four masks of a clip header, in file order. Mask i goes with section slot i + 2.
enum class MaskKind : std::uint8_t {
  constant_rotation,
  keyed_rotation,
  constant_translation,
  animated_translation,
};
inline constexpr std::array all_mask_kinds{MaskKind::constant_rotation, MaskKind::keyed_rotation,
                                           MaskKind::constant_translation,
                                           MaskKind::animated_translation};
inline constexpr std::size_t mask_kind_count = all_mask_kinds.size();
[[nodiscard]] constexpr std::uint32_t slot_of(MaskKind kind) {
  return static_cast<std::uint32_t>(kind) + constant_rotations;
}

/// A section whose size was checked against its span.
struct SparseSection {
  std::uint64_t offset = 0;      ///< from the start of the file
  std::uint64_t size = 0;        ///< bytes without padding
  std::uint16_t count = 0;       ///< slots 0 to 5: the array header's
  std::uint16_t last_frame = 0;  ///< slots 0 to 5
  float rate = 0.0F;             ///< frames per second; 0 where the header has none
  bool has_f32_rate = false;

  [[nodiscard]] std::uint64_t end() const { return offset + size; }
  [[nodiscard]] std::uint32_t frames() const { return last_frame + 1U; }
};

/// A node of the event chain.
struct SparseEvent {
  std::uint64_t offset = 0;  ///< of the node, from the start of the file
  std::uint16_t payload_size = 0;

  [[nodiscard]] std::uint64_t payload() const { return offset + event_header_size; }
  [[nodiscard]] std::uint64_t end() const { return payload() + payload_size; }
};

/// Bytes between what is understood: after the header or a section, before the next section or the
/// clip's end. May be empty.
struct SparseGap {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint32_t after = next_clip;    ///< slot that it follows; `next_clip` stands for the header
  std::uint64_t alignment = 0;        ///< leading zeros that align the end of the section
  std::uint64_t empty_tag_table = 0;  ///< zeros that stand for the tag table, after those
  std::uint64_t unknown = 0;          ///< bytes that no rule explains, after those
  bool is_canonical = false;          ///< exactly what the padding rules ask for
};

/// One clip of the chain.
struct SparseClip {
  std::uint64_t base = 0;    ///< of its header, from the start of the file
  std::uint64_t end = 0;     ///< where the next clip, if there is one, starts
  std::uint32_t tag_at = 0;  ///< where the clip tag was found, from the base
  float duration = 0.0F;     ///< as stored; may be anything
  float frame_rate = 30.0F;  ///< spec mab-sparse, 4.1, rule 2
  std::array<std::int32_t, slot_count> table{};
  std::array<std::optional<SparseSection>, slot_count> sections;
  std::vector<std::uint32_t> disk_slots;  ///< slots of the sections by offset, without `next_clip`
  /// 0 where no reading of the masks fits: the tracks are raw (spec mab-sparse, 5.2).
  std::uint32_t mask_words = 0;
  std::array<BoneMask, mask_kind_count> masks;
  std::vector<SparseEvent> events;
  std::vector<std::uint64_t> tags;  ///< offsets of the tag records, from the start of the file
  std::vector<SparseGap> gaps;

  [[nodiscard]] bool has_masks() const { return mask_words != 0; }
  [[nodiscard]] const BoneMask& mask(MaskKind kind) const {
    return masks[static_cast<std::size_t>(kind)];
  }
  /// Tracks that the section of a kind holds; 0 where it is absent.
  [[nodiscard]] std::uint32_t stored(MaskKind kind) const {
    const auto& section = sections[slot_of(kind)];
    return section ? section->count : 0;
  }
  /// The last frame of the longest section that has tracks and frames; absent where none has.
  [[nodiscard]] std::optional<std::uint32_t> last_frame() const;
};

/// What stands where in a sparse `.mab`, checked against the bytes. Holds offsets and no pointers
/// into the file, so that copies of the bytes may share it.
struct SparseIndex {
  const SparseLayout* layout = nullptr;
  std::vector<SparseClip> clips;
  PresenceOrder presence_order = PresenceOrder::lsb;
  std::string presence_evidence;  ///< `FileSummary::presence_order`
  std::string inferred;           ///< `FileSummary::inferred`
  std::vector<Diagnostic> diagnostics;
  ReadLimits limits;
};

/// Reads the structure of a whole file.
[[nodiscard]] Result<SparseIndex> index_sparse(std::span<const std::byte> bytes,
                                               const ReadOptions& options);

/// The groups of a clip's keyed rotations, none where it has none. `bytes` are those of the file
/// that the clip was read from, and outlive the result.
[[nodiscard]] codec::SparseGroups groups_of(const SparseClip& clip,
                                            std::span<const std::byte> bytes);

/// `clip[2]`.
[[nodiscard]] std::string clip_path(std::size_t clip);
/// `clip[2].section[3]`.
[[nodiscard]] std::string section_path(std::size_t clip, std::uint32_t slot);
/// `clip[2].section_offset[3]`.
[[nodiscard]] std::string section_offset_path(std::size_t clip, std::uint32_t slot);

}  // namespace mabkit::mab
