/// Any bytes as a glTF with animations: what is read has keys inside its buffers and rising times.
#include <cstdint>
#include <cstdlib>
#include <mabkit/gltf.hpp>
#include <span>

namespace {

void check(const mabkit::Clip& clip, const mabkit::Keys& keys, mabkit::Channel channel) {
  if (keys.count == 0 || keys.first_time + keys.count > clip.times.size()) std::abort();
  if (keys.first_value + keys.count * mabkit::value_width(channel) > clip.values.size()) {
    std::abort();
  }
  const auto times = clip.times_of(keys);
  for (std::size_t i = 1; i < times.size(); ++i) {
    if (!(times[i] > times[i - 1])) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto motion = mabkit::read_gltf_motion(std::as_bytes(std::span(data, size)));
  if (!motion) return 0;
  for (const mabkit::Clip& clip : motion->bank.clips) {
    for (const mabkit::Track& track : clip.tracks) {
      if (track.joint >= clip.joints.size()) std::abort();
      check(clip, track.keys, track.channel);
    }
  }
  return 0;
}
