#include <algorithm>
#include <cmath>
#include <optional>

#include "base/bytes.hpp"
#include "codec/sparse_groups.hpp"
#include "mab/sparse_encode.hpp"
#include "mab/sparse_layout.hpp"

namespace mabkit::mab {
namespace {

constexpr std::uint64_t key_size = sizeof(codec::PackedQuaternion);
constexpr std::uint64_t vector_size = sizeof(Vec3);
constexpr std::uint64_t table_entry_size = 4;
std::uint64_t padded(std::uint64_t size) {
  return base::align_up(size, section_alignment);
}

/// Frames of a clip on its grid, from all its key times and its duration.
std::uint64_t most_frames_of(const Clip& clip, std::optional<double> frames_per_second) {
  auto end = static_cast<double>(clip.duration);
  for (const float time : clip.times) end = std::max(end, static_cast<double>(time));
  const double rate =
      std::max(1.0, std::round(frames_per_second.value_or(static_cast<double>(clip.frame_rate))));
  const double last = std::ceil(end * rate);
  if (!(last >= 0.0)) return 1;
  return static_cast<std::uint64_t>(std::min(last, double{most_last_frame})) + 1;
}

std::uint64_t clip_bound(const Clip& clip, std::uint64_t frames, bool is_main,
                         std::uint32_t header_size) {
  const std::uint64_t groups = (frames - 1) / codec::frames_per_group + 1;
  std::uint64_t rotations = 0;
  std::uint64_t translations = 0;
  for (const Track& track : clip.tracks) {
    ++(track.channel == Channel::rotation ? rotations : translations);
  }
  std::uint64_t size = header_size;
  if (is_main) {
    size += padded(array_header_size + key_size * frames);
    size += padded(array_header_size + vector_size * frames);
  }
  // A constant takes less than the same track keyed.
  size += 2 * padded(array_header_size);
  size += padded(array_header_size + table_entry_size * (groups + 1) +
                 rotations * (key_size * frames + groups) + groups);
  size += padded(array_header_size + vector_size * translations * frames);
  size += std::uint64_t{section_alignment} * 2;  // constants and keys are padded apart
  size += empty_tag_table_size;
  for (const Event& event : clip.events) {
    size += event_header_size + event.payload.size() + event_terminator_size;
  }
  return padded(size);
}

}  // namespace

std::uint64_t sampled_bytes(const Clip& clip, std::uint64_t frames) {
  std::uint64_t bytes = 0;
  for (const Track& track : clip.tracks) {
    const std::uint64_t values = track.kind == TrackKind::constant ? 1 : frames;
    bytes += values * (track.channel == Channel::rotation ? sizeof(Quat) : sizeof(Vec3));
  }
  if (clip.root_motion) bytes += frames * (sizeof(Quat) + sizeof(Vec3));
  return bytes;
}

std::uint64_t sampled_bytes(const Bank& bank, std::optional<double> frames_per_second) {
  std::uint64_t bytes = 0;
  for (const Clip& clip : bank.clips) {
    bytes += sampled_bytes(clip, most_frames_of(clip, frames_per_second));
  }
  return bytes;
}

std::uint64_t sparse_size_bound(const Bank& bank, std::optional<double> frames_per_second) {
  const SparseLayout& layout = sparse_games.front();
  std::uint64_t size = file_header_size;
  for (std::size_t i = 0; i < bank.clips.size(); ++i) {
    const std::uint64_t frames = most_frames_of(bank.clips[i], frames_per_second);
    size += clip_bound(bank.clips[i], frames, i == 0, layout.header_size);
  }
  if (bank.clips.size() > 1) {
    size += padded(tag_table_header_size + tag_record_size * (bank.clips.size() - 1));
  }
  return size;
}

}  // namespace mabkit::mab
