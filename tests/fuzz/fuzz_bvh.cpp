/// Any bytes as a BVH file: what is read has finite values and keys inside its buffers.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <mabkit/bvh.hpp>
#include <span>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto motion = mabkit::read_bvh(std::as_bytes(std::span(data, size)));
  if (!motion) return 0;
  for (const mabkit::Clip& clip : motion->bank.clips) {
    for (const float value : clip.values) {
      if (!std::isfinite(value)) std::abort();
    }
    for (const mabkit::Track& track : clip.tracks) {
      if (track.joint >= clip.joints.size()) std::abort();
      if (track.keys.first_time + track.keys.count > clip.times.size()) std::abort();
      const std::size_t floats = track.keys.count * mabkit::value_width(track.channel);
      if (track.keys.first_value + floats > clip.values.size()) std::abort();
    }
  }
  return 0;
}
