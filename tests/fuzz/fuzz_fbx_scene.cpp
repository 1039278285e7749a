#include <cstddef>
#include <cstdint>
#include <mabkit/fbx.hpp>
#include <string_view>

// What the importer of FBX prints is as untrusted as the file that it read.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto motion = mabkit::read_fbx_scene(text, {});
  if (motion) (void)mabkit::write_fbx(motion->bank, &motion->skeleton, {});
  return 0;
}
