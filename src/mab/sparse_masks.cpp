#include "mab/sparse_masks.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <bit>

#include "mab/sparse_quaternion.hpp"

namespace mabkit::mab {
namespace {

constexpr std::uint32_t word_size = 4;
constexpr std::uint32_t bits_per_word = 32;

using Masks = std::array<BoneMask, mask_kind_count>;

std::size_t at(const SparseClip& clip, std::uint64_t position) {
  return static_cast<std::size_t>(clip.base + position);
}

Masks read_masks(const SparseSource& source, const SparseClip& clip, std::uint32_t words) {
  Masks masks;
  std::uint64_t position = 0;
  for (BoneMask& mask : masks) {
    for (std::uint32_t word = 0; word < words; ++word, position += word_size) {
      mask.words[word] = base::load<std::uint32_t>(source.in.bytes(), at(clip, position));
    }
  }
  return masks;
}

const BoneMask& mask_of(const Masks& masks, MaskKind kind) {
  return masks[static_cast<std::size_t>(kind)];
}

bool holds_rotation(const SparseSource& source, const SparseClip& clip, std::uint32_t position) {
  return is_unit_or_zero(base::load<Quat>(source.in.bytes(), at(clip, position)));
}

/// The checks of spec mab-sparse, 5.2, but for the rig's size: no rig is known here.
bool fits(const SparseSource& source, const SparseClip& clip, std::uint32_t words) {
  const Masks masks = read_masks(source, clip, words);
  for (const MaskKind kind : all_mask_kinds) {
    const std::uint32_t named = mask_of(masks, kind).count();
    const std::uint32_t stored = clip.stored(kind);
    const bool may_name_more = kind == MaskKind::constant_rotation;
    if (may_name_more ? stored > named : stored != named) return false;
  }
  if (mask_of(masks, MaskKind::constant_rotation).meets(mask_of(masks, MaskKind::keyed_rotation)) ||
      mask_of(masks, MaskKind::constant_translation)
          .meets(mask_of(masks, MaskKind::animated_translation))) {
    return false;
  }
  const std::uint32_t masks_end = mask_kind_count * word_size * words;
  return holds_rotation(source, clip, source.layout.reference) &&
         holds_rotation(source, clip, source.layout.loop) &&
         base::all_zero(
             source.in.bytes().subspan(at(clip, masks_end), source.layout.reference - masks_end));
}

/// What speaks for one mask width.
struct Width {
  std::uint32_t words = 0;
  std::size_t fitting_clips = 0;
  std::uint32_t highest_bone = 0;  ///< over the clips that it fits
};

Width weigh(const SparseSource& source, const SparseIndex& index, std::uint32_t words) {
  Width width{.words = words};
  for (const SparseClip& clip : index.clips) {
    if (!fits(source, clip, words)) continue;
    ++width.fitting_clips;
    for (const BoneMask& mask : read_masks(source, clip, words)) {
      width.highest_bone = std::max(width.highest_bone, mask.highest().value_or(0));
    }
  }
  return width;
}

/// Whether `a` is the better guess: it fits more clips, else keeps to lower bones, else is wider.
bool is_better(const Width& a, const Width& b) {
  if (a.fitting_clips != b.fitting_clips) return a.fitting_clips > b.fitting_clips;
  if (a.highest_bone != b.highest_bone) return a.highest_bone < b.highest_bone;
  return a.words > b.words;
}

std::string inference(const Width& best, const std::vector<Width>& widths, std::size_t clips) {
  if (best.fitting_clips == 0) return "inferred: no width of the bone masks fits, tracks are raw";
  std::string text =
      fmt::format("inferred: {} mask words ({} bones)", best.words, best.words * bits_per_word);
  if (best.fitting_clips < clips) {
    text += fmt::format(", in {} of {} clips", best.fitting_clips, clips);
  }
  std::vector<std::uint32_t> others;
  for (const Width& width : widths) {
    if (width.words != best.words && width.fitting_clips == best.fitting_clips) {
      others.push_back(width.words);
    }
  }
  if (others.empty()) return text + ", the only width that fits";
  return text + fmt::format(", also possible: {}", fmt::join(others, ", "));
}

void infer_masks(const SparseSource& source, SparseIndex& index) {
  std::vector<Width> widths;
  for (std::uint32_t words = source.layout.least_mask_words; words <= source.layout.most_mask_words;
       ++words) {
    widths.push_back(weigh(source, index, words));
  }
  const Width best = *std::min_element(widths.begin(), widths.end(), is_better);
  for (std::size_t i = 0; i < index.clips.size(); ++i) {
    SparseClip& clip = index.clips[i];
    if (fits(source, clip, best.words)) {
      clip.mask_words = best.words;
      clip.masks = read_masks(source, clip, best.words);
    } else {
      source.warn(clip.base, clip_path(i) + ".mask",
                  "raw tracks: bones unknown, since no reading of the bone masks fits");
    }
  }
  if (!index.inferred.empty()) index.inferred += "; ";
  index.inferred += inference(best, widths, index.clips.size());
}

constexpr std::array<std::string_view, mask_kind_count> kind_names{
    "constant rotations", "keyed rotations", "constant translations", "animated translations"};

/// Compares one mask with the section that it describes (spec mab-sparse, 1.4).
Result<void> check_count(const SparseSource& source, std::size_t number, const SparseClip& clip,
                         MaskKind kind) {
  const std::uint32_t named = clip.mask(kind).count();
  const std::uint32_t stored = clip.stored(kind);
  if (named == stored) return {};
  const auto& section = clip.sections[slot_of(kind)];
  const std::uint64_t offset = section ? section->offset : clip.base;
  std::string path = section_path(number, slot_of(kind)) + ".count";
  std::string message = fmt::format("the mask of {} names {} bones, but the section has {}",
                                    kind_names[static_cast<std::size_t>(kind)], named, stored);
  if (kind == MaskKind::keyed_rotation || kind == MaskKind::animated_translation) {
    return fail(ErrorCode::inconsistent, offset, std::move(path), std::move(message));
  }
  source.warn(offset, std::move(path),
              message + (named > stored ? "; the last ones stay at rest"
                                        : "; the last values belong to no bone"));
  return {};
}

void check_overlap(const SparseSource& source, std::size_t number, const SparseClip& clip,
                   MaskKind constant, MaskKind keyed) {
  if (!clip.mask(constant).meets(clip.mask(keyed))) return;
  source.warn(clip.base, clip_path(number) + ".mask",
              fmt::format("bones are in the masks of both {} and {}; the latter wins",
                          kind_names[static_cast<std::size_t>(constant)],
                          kind_names[static_cast<std::size_t>(keyed)]));
}

}  // namespace

std::uint32_t BoneMask::count() const {
  std::uint32_t bits = 0;
  for (const std::uint32_t word : words) bits += static_cast<std::uint32_t>(std::popcount(word));
  return bits;
}

std::vector<std::uint32_t> BoneMask::bones() const {
  std::vector<std::uint32_t> ids;
  ids.reserve(count());
  for (std::uint32_t i = 0; i < words.size(); ++i) {
    for (std::uint32_t word = words[i]; word != 0; word &= word - 1) {
      ids.push_back(bits_per_word * i + static_cast<std::uint32_t>(std::countr_zero(word)));
    }
  }
  return ids;
}

std::optional<std::uint32_t> BoneMask::highest() const {
  for (std::uint32_t i = most_mask_words; i-- > 0;) {
    if (words[i] != 0) {
      return bits_per_word * (i + 1) - 1 - static_cast<std::uint32_t>(std::countl_zero(words[i]));
    }
  }
  return std::nullopt;
}

bool BoneMask::meets(const BoneMask& other) const {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if ((words[i] & other.words[i]) != 0) return true;
  }
  return false;
}

Result<void> resolve_masks(const SparseSource& source, SparseIndex& index) {
  if (source.layout.infers_masks()) infer_masks(source, index);
  for (std::size_t i = 0; i < index.clips.size(); ++i) {
    SparseClip& clip = index.clips[i];
    if (!source.layout.infers_masks()) {
      clip.mask_words = source.layout.most_mask_words;
      clip.masks = read_masks(source, clip, clip.mask_words);
    }
    if (!clip.has_masks()) continue;
    for (const MaskKind kind : all_mask_kinds) {
      if (auto checked = check_count(source, i, clip, kind); !checked) return checked;
    }
    check_overlap(source, i, clip, MaskKind::constant_rotation, MaskKind::keyed_rotation);
    check_overlap(source, i, clip, MaskKind::constant_translation, MaskKind::animated_translation);
  }
  return {};
}

}  // namespace mabkit::mab
