/// Any bytes as a rig; a `.skeleton` that parses is written back as it was.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <mabkit/gltf.hpp>
#include <mabkit/rig.hpp>
#include <span>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto input = std::as_bytes(std::span(data, size));
  static_cast<void>(mabkit::parse_rig(input));
  static_cast<void>(mabkit::read_gltf_skeleton(input));
  if (const auto skeleton = mabkit::parse_lks(input, {})) {
    const auto written = mabkit::write_lks(*skeleton);
    if (!written || !std::equal(written->begin(), written->end(), input.begin(), input.end())) {
      std::abort();
    }
  }
  return 0;
}
