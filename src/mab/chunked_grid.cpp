#include "mab/chunked_grid.hpp"

#include <fmt/format.h>

#include <cmath>
#include <mabkit/names.hpp>
#include <set>

namespace mabkit::mab {

Result<std::uint32_t> joint_hash(const Joint& joint, std::uint32_t position,
                                 const std::string& path) {
  if (joint.name_hash) return *joint.name_hash;
  if (joint.name) return name_hash(*joint.name);
  return tl::unexpected(Error{ErrorCode::bad_value, std::nullopt,
                              fmt::format("{}.joints[{}]", path, position),
                              "has neither a name nor a hash, by which the format knows joints; "
                              "give a skeleton, so that it gets one"});
}

Result<void> check_tracks(const Clip& clip, const std::string& path) {
  std::set<std::pair<std::uint32_t, Channel>> seen;
  for (std::size_t i = 0; i < clip.tracks.size(); ++i) {
    const Track& track = clip.tracks[i];
    const auto refuse = [&](std::string message) {
      return tl::unexpected(Error{ErrorCode::bad_value, std::nullopt,
                                  fmt::format("{}.track[{}]", path, i), std::move(message)});
    };
    if (track.joint >= clip.joints.size()) {
      return refuse(fmt::format("moves joint {} of {}", track.joint, clip.joints.size()));
    }
    if (!seen.emplace(track.joint, track.channel).second) {
      return refuse(fmt::format("is the second track of one channel of joint {}", track.joint));
    }
  }
  return {};
}

Result<motion::SampleGrid> key_grid(const ChunkedLayout& layout, double frames_per_second) {
  if (!is_frame_rate(frames_per_second)) {
    return tl::unexpected(
        Error{ErrorCode::bad_argument, std::nullopt, "",
              fmt::format("{} is no number of frames per second from {} to {}", frames_per_second,
                          least_frames_per_second, most_frames_per_second)});
  }
  motion::SampleGrid grid;
  grid.ticks_per_second = static_cast<float>(frames_per_second);
  if (!(layout.ticks_per_second > 0.0F)) return grid;
  grid.ticks_per_second = layout.ticks_per_second;
  const double ticks = grid.ticks_per_second / frames_per_second;
  if (ticks < 1.0 || ticks != std::floor(ticks) || ticks > last_possible_tick) {
    return tl::unexpected(Error{
        ErrorCode::bad_argument, std::nullopt, "",
        fmt::format("{} frames per second don't fit the game's {} ticks per second; take a divisor",
                    frames_per_second, layout.ticks_per_second)});
  }
  grid.ticks_per_frame = static_cast<std::uint32_t>(ticks);
  return grid;
}

Result<motion::SampledClip> sample_keys(const Clip& clip, const motion::SampleGrid& grid,
                                        const std::string& path) {
  auto sampled = motion::sample_on_grid(clip, grid, most_keys);
  if (!sampled) {
    Error error = std::move(sampled.error());
    error.path = error.path.empty() ? path : fmt::format("{}.{}", path, error.path);
    return tl::unexpected(std::move(error));
  }
  if (sampled->ticks.back() > last_possible_tick) {
    return tl::unexpected(Error{
        ErrorCode::limit, std::nullopt, path + ".duration",
        fmt::format("the last key is at tick {}, past the {} that the format holds ({:.1f} s "
                    "at {} ticks per second); shorten the clip or use fewer frames per second",
                    sampled->ticks.back(), last_possible_tick,
                    last_possible_tick / grid.ticks_per_second, grid.ticks_per_second)});
  }
  return sampled;
}

}  // namespace mabkit::mab
