#include "mab/chunked_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace mabkit::mab {
namespace {

constexpr float longest_rate_gap = 0.5F;  // spec mab-chunked, 6.4 rule 4

std::uint32_t tick(const ChunkedParse& parse, std::uint64_t key_times, std::uint32_t key) {
  return base::load<std::uint16_t>(parse.file.bytes(),
                                   static_cast<std::size_t>(key_times + 2ULL * key));
}

bool consumes_last_chunk(const ChunkedParse& parse, const ChunkedBlock& block, std::uint32_t keys) {
  const StreamSpan& stream = *block.joint_rotations;
  const std::uint32_t last = stream.table.chunks() - 1;
  const std::uint32_t start = stream.table.starts[last];
  const std::uint32_t size = stream.table.starts[last + 1] - start;
  const auto bytes = parse.file.bytes();
  base::BitReader in(bytes.subspan(static_cast<std::size_t>(stream.span.offset + start), size));
  const unsigned frames = codec::keys_of_chunk(keys, last);
  for (std::uint32_t joint = 0; joint < block.joints && !in.overran(); ++joint) {
    const auto flags =
        base::load<std::uint8_t>(bytes, static_cast<std::size_t>(block.flags + joint));
    if (!has_animated_rotation(*parse.index.layout, flags)) continue;
    codec::skip_block(in, codec::BlockKind::rotation, rotation_bits(flags), frames);
  }
  return !in.overran() && (in.position() + 7) / 8 == size;
}

/// The table's rate, or the stored one; the measured one only where neither makes sense.
void settle_tick_rate(const ChunkedParse& parse, ChunkedBlock& block, std::uint32_t last_tick,
                      const std::string& path) {
  const ChunkedLayout& layout = *parse.index.layout;
  const float rate = layout.ticks_per_second > 0.0F ? layout.ticks_per_second : block.frame_rate;
  const float measured = static_cast<float>(last_tick) / block.duration;
  const bool is_measurable = last_tick > 0 && std::isfinite(measured) && measured > 0.0F;
  // A rate may be positive and still so small that times are beyond every float.
  const bool is_sane =
      std::isfinite(rate) && rate > 0.0F && std::isfinite(static_cast<float>(last_tick) / rate);
  block.ticks_per_second = is_sane ? rate : layout.frames_per_second;
  const std::uint64_t at = block.base + layout.frame_rate.value_or(layout.duration);
  if (!is_sane) {
    if (is_measurable) block.ticks_per_second = measured;
    block.frame_rate = block.ticks_per_second;
    parse.warn(at, path + ".animFrameRate",
               fmt::format("{} frames per second makes no sense, {} is used", rate,
                           block.ticks_per_second));
  } else if (is_measurable && std::abs(measured - rate) > longest_rate_gap) {
    parse.warn(at, path + ".duration",
               fmt::format("the last key is at tick {}, {} ticks per second for {} seconds, where "
                           "{} are usual",
                           last_tick, measured, block.duration, rate));
  }
}

}  // namespace

std::uint32_t infer_key_count(const ChunkedParse& parse, const ChunkedBlock& block,
                              const SectionSpan& times) {
  const auto capacity = static_cast<std::uint32_t>(
      std::min<std::uint64_t>((times.limit - times.offset) / 2, parse.limits.max_keys));
  std::uint32_t least = 1;
  std::uint32_t most = capacity;
  if (block.joint_rotations) {
    const std::uint32_t chunks = block.joint_rotations->table.chunks();
    least = codec::keys_in_chunk * (chunks - 1) + 1;
    most = std::min(capacity, codec::keys_in_chunk * chunks);
  } else if (capacity > 1) {
    least = capacity - 1;  // the section may end in padding of one word
  }
  const auto last_tick = std::round(parse.index.layout->ticks_per_second * block.duration);
  std::uint32_t best = 0;
  for (std::uint32_t keys = least; keys <= most; ++keys) {
    if (block.joint_rotations && !consumes_last_chunk(parse, block, keys)) continue;
    if (static_cast<float>(tick(parse, times.offset, keys - 1)) == last_tick) return keys;
    best = keys;
  }
  return best != 0 ? best : most;
}

Result<void> check_key_times(const ChunkedParse& parse, ChunkedBlock& block,
                             const std::string& path) {
  const SectionSpan& times = *block.key_times;
  for (std::uint32_t key = 1; key < block.keys; ++key) {
    const std::uint32_t before = tick(parse, times.offset, key - 1);
    const std::uint32_t now = tick(parse, times.offset, key);
    if (now < before) {
      return tl::unexpected(Error{ErrorCode::inconsistent, times.offset + 2ULL * key,
                                  fmt::format("{}.section[{}].key[{}]", path, times.slot, key),
                                  fmt::format("KeyTimes fall from {} to {}", before, now)});
    }
  }
  if (const std::uint32_t first = tick(parse, times.offset, 0); first != 0) {
    parse.warn(times.offset, path + ".keyTimes",
               fmt::format("the first key is at tick {}, not 0", first));
  }
  settle_tick_rate(parse, block, tick(parse, times.offset, block.keys - 1), path);
  return {};
}

}  // namespace mabkit::mab
