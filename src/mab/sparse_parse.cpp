#include <algorithm>
#include <cmath>
#include <mabkit/mab.hpp>

#include "mab/sparse_index.hpp"
#include "mab/sparse_masks.hpp"
#include "mab/sparse_order.hpp"
#include "mab/sparse_quaternion.hpp"
#include "mab/sparse_sections.hpp"
#include "mab/sparse_source.hpp"
#include "mab/sparse_tags.hpp"

namespace mabkit::mab {
namespace {

/// Clips of a bank without a stored rate run at this one (spec mab-sparse, 4.1, rule 2).
constexpr float default_frame_rate = 30.0F;

/// Slots whose array headers say how long and how fast the clip is, in the order of spec
/// mab-sparse, 4.1, rule 2.
constexpr std::array timed_slots{keyed_rotations, animated_translations, trajectory_translation,
                                 trajectory_rotation};

/// The clip tag's place from `base`, or nothing. Where the row is a guess it is searched for in the
/// header (spec mab-sparse, 5.2).
std::optional<std::uint32_t> find_tag(const SparseSource& source, std::uint64_t base) {
  const auto stands_at = [&](std::uint64_t position) {
    return source.in.has(base + position, sizeof(clip_tag)) &&
           base::load<std::uint32_t>(source.in.bytes(),
                                     static_cast<std::size_t>(base + position)) == clip_tag;
  };
  if (stands_at(source.layout.tag)) return source.layout.tag;
  if (!source.layout.infers_masks()) return std::nullopt;
  for (std::uint32_t at = 0; at + sizeof(clip_tag) <= source.layout.header_size; ++at) {
    if (stands_at(at)) return at;
  }
  return std::nullopt;
}

/// Where the clip ends by slot 8 of its table (spec mab-sparse, 1.6 and 1.8).
Result<std::uint64_t> find_end(const SparseSource& source, std::size_t number,
                               const SparseClip& clip) {
  const std::uint64_t entry =
      clip.base + source.layout.section_table + sizeof(std::int32_t) * std::size_t{next_clip};
  const std::string path = section_offset_path(number, next_clip);
  const std::int32_t size = clip.table[next_clip];
  const std::uint64_t left = source.in.size() - clip.base;
  if (size == 0) {
    source.warn(entry, path, "the clip doesn't say where it ends; read as the last one");
    return source.in.size();
  }
  if (size < 0 || static_cast<std::uint32_t>(size) < source.layout.header_size) {
    return fail(ErrorCode::bad_value, entry, path,
                fmt::format("the clip's size {} is less than that of its header, {}", size,
                            source.layout.header_size));
  }
  if (static_cast<std::uint32_t>(size) > left) {
    return fail(
        ErrorCode::truncated, entry, path,
        fmt::format("the clip has 0x{:X} bytes, but the file ends after 0x{:X}", size, left));
  }
  return clip.base + static_cast<std::uint32_t>(size);
}

/// The frame rate of spec mab-sparse, 4.1, rule 2; `fallback` where no section has one.
void read_frame_rate(const SparseSource& source, std::size_t number, float fallback,
                     SparseClip& clip) {
  clip.frame_rate = 0.0F;
  for (const std::uint32_t slot : timed_slots) {
    const auto& section = clip.sections[slot];
    if (!section || section->rate == 0.0F) continue;
    if (clip.frame_rate == 0.0F) {
      clip.frame_rate = section->rate;
    } else if (clip.frame_rate != section->rate) {
      source.warn(section->offset, section_path(number, slot) + ".rate",
                  fmt::format("the section runs at {} frames a second, the clip at {}",
                              section->rate, clip.frame_rate));
    }
  }
  if (clip.frame_rate == 0.0F) clip.frame_rate = fallback;
}

void check_duration(const SparseSource& source, std::size_t number, const SparseClip& clip) {
  constexpr float rounding = 1e-3F;  // of a frame
  const auto last = clip.last_frame();
  const std::uint64_t offset = clip.base + source.layout.duration;
  const std::string path = clip_path(number) + ".duration";
  if (!std::isfinite(clip.duration) || clip.duration < 0.0F) {
    source.warn(offset, path,
                fmt::format("the duration {} makes no sense; the last frame's time is used",
                            clip.duration));
  } else if (last &&
             clip.duration * clip.frame_rate > static_cast<float>(*last) + 1.0F + rounding) {
    source.warn(offset, path,
                fmt::format("the duration {} is longer than {} frames at {} a second",
                            clip.duration, *last + 1, clip.frame_rate));
  }
}

void check_rotations(const SparseSource& source, std::size_t number, const SparseClip& clip) {
  if (!clip.has_masks()) return;
  const auto check = [&](std::uint32_t position, std::string_view name) {
    const std::uint64_t offset = clip.base + position;
    const Quat q = base::load<Quat>(source.in.bytes(), static_cast<std::size_t>(offset));
    if (is_unit_or_zero(q)) return;
    source.warn(offset, fmt::format("{}.{}", clip_path(number), name),
                is_finite(q) ? "the rotation is no unit quaternion"
                             : "the rotation is no number; read as the identity");
  };
  check(source.layout.reference, "reference");
  check(source.layout.loop, "loop");
}

/// Reads the header at `clip.base` and the sections that it leads to.
Result<void> read_clip(const SparseSource& source, std::size_t number, SparseClip& clip) {
  const auto header =
      source.in.slice(clip.base, source.layout.header_size, clip_path(number) + ".header");
  if (!header) return tl::unexpected(header.error());

  const auto tag_at = find_tag(source, clip.base);
  if (!tag_at) {
    return fail(ErrorCode::unknown_format, clip.base + source.layout.tag,
                clip_path(number) + ".tag", "the clip tag `AnD\\x1A` is not in its place");
  }
  clip.tag_at = *tag_at;
  if (clip.tag_at != source.layout.tag) {
    source.warn(clip.base + clip.tag_at, clip_path(number) + ".tag",
                fmt::format("the clip tag stands at 0x{:X} of the header instead of 0x{:X}; that "
                            "the other fields keep their places is a guess",
                            clip.tag_at, source.layout.tag));
  }
  clip.duration = base::load<float>(*header, source.layout.duration);
  clip.table = base::load<decltype(clip.table)>(*header, source.layout.section_table);
  if (base::load<std::uint32_t>(*header, source.layout.runtime_pointer) != 0) {
    source.warn(clip.base + source.layout.runtime_pointer, clip_path(number) + ".runtime_pointer",
                "the runtime pointer is not 0, as it is in every shipped file; it is kept");
  }
  const auto end = find_end(source, number, clip);
  if (!end) return tl::unexpected(end.error());
  clip.end = *end;
  if (auto read = read_sections(source, number, clip); !read) return read;
  find_gaps(source, number, clip);
  return {};
}

/// Reads the clips, each of which starts where the one before ends (spec mab-sparse, 1.8).
Result<void> read_chain(const SparseSource& source, SparseIndex& index) {
  std::uint64_t base = file_header_size;
  do {
    const std::size_t number = index.clips.size();
    if (number >= source.limits.max_clips) {
      return fail(ErrorCode::limit, base, clip_path(number),
                  fmt::format("the file has more than {} clips", source.limits.max_clips));
    }
    SparseClip clip;
    clip.base = base;
    if (auto read = read_clip(source, number, clip); !read) return read;
    base = clip.end;
    index.clips.push_back(std::move(clip));
  } while (find_tag(source, base));

  if (base < source.in.size()) {
    source.warn(base, "trailing",
                fmt::format("{} bytes after the last clip are no clip; they are kept",
                            source.in.size() - base));
  }
  return {};
}

Result<const SparseLayout*> read_file_header(const base::ByteReader& in, const ReadLimits& limits) {
  if (in.size() > limits.max_file_size) {
    return fail(
        ErrorCode::limit, 0, "file",
        fmt::format("{} bytes are more than the limit of {}", in.size(), limits.max_file_size));
  }
  const auto version = in.read<std::uint16_t>(0, "version");
  if (!version) return tl::unexpected(version.error());
  const SparseLayout* layout = find_sparse_layout(*version);
  if (layout == nullptr) {
    return fail(ErrorCode::unknown_format, 0, "version",
                fmt::format("version 0x{:04X} is no version of the sparse family", *version));
  }
  const auto header = in.slice(0, file_header_size, "header");
  if (!header) return tl::unexpected(header.error());
  return layout;
}

}  // namespace

Result<SparseIndex> index_sparse(std::span<const std::byte> bytes, const ReadOptions& options) {
  const base::ByteReader in(bytes);
  const auto layout = read_file_header(in, options.limits);
  if (!layout) return tl::unexpected(layout.error());

  SparseIndex index;
  index.layout = *layout;
  index.limits = options.limits;
  index.inferred = index.layout->guess;
  const SparseSource source{in, *index.layout, index.limits, index.diagnostics};
  if (auto read = read_chain(source, index); !read) return tl::unexpected(read.error());
  if (auto resolved = resolve_masks(source, index); !resolved) {
    return tl::unexpected(resolved.error());
  }
  if (auto checked = check_tags(source, index); !checked) return tl::unexpected(checked.error());
  float frame_rate = default_frame_rate;
  for (std::size_t i = 0; i < index.clips.size(); ++i) {
    SparseClip& clip = index.clips[i];
    read_frame_rate(source, i, frame_rate, clip);
    if (i == 0) frame_rate = clip.frame_rate;
    check_duration(source, i, clip);
    check_rotations(source, i, clip);
  }
  decide_order(bytes, options.presence_order, index);
  return index;
}

std::optional<std::uint32_t> SparseClip::last_frame() const {
  std::optional<std::uint32_t> last;
  for (const std::uint32_t slot : timed_slots) {
    const auto& section = sections[slot];
    if (section && section->count != 0) {
      last = std::max<std::uint32_t>(last.value_or(0), section->last_frame);
    }
  }
  return last;
}

codec::SparseGroups groups_of(const SparseClip& clip, std::span<const std::byte> bytes) {
  const auto& section = clip.sections[keyed_rotations];
  if (!section) return {};
  return codec::SparseGroups::reopen(bytes.subspan(static_cast<std::size_t>(section->offset),
                                                   static_cast<std::size_t>(section->size)),
                                     section->count, section->last_frame);
}

std::string clip_path(std::size_t clip) {
  return fmt::format("clip[{}]", clip);
}

std::string section_path(std::size_t clip, std::uint32_t slot) {
  return fmt::format("clip[{}].section[{}]", clip, slot);
}

std::string section_offset_path(std::size_t clip, std::uint32_t slot) {
  return fmt::format("clip[{}].section_offset[{}]", clip, slot);
}

}  // namespace mabkit::mab
