#include <mabkit/convert.hpp>
#include <mabkit/file.hpp>
#include <mabkit/gltf.hpp>
#include <mabkit/rig.hpp>

#include "base/allocation.hpp"
#include "base/bytes.hpp"

namespace mabkit {
namespace {

constexpr std::uint32_t glb_magic = 0x46546C67;  // `glTF` (glTF 2.0, 4.4.2)

/// Whether bytes are glTF, binary or text: no other rig begins like this.
bool is_gltf(std::span<const std::byte> bytes) {
  if (bytes.size() >= sizeof(glb_magic) && base::load<std::uint32_t>(bytes, 0) == glb_magic) {
    return true;
  }
  for (const std::byte byte : bytes) {
    const auto c = std::to_integer<unsigned char>(byte);
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') continue;
    return c == '{';
  }
  return false;
}

}  // namespace

Result<Rig> load_rig(const std::filesystem::path& file, const ReadLimits& limits) {
  return base::with_allocation_errors([&]() -> Result<Rig> {
    const auto bytes = read_file(file, limits.max_file_size);
    if (!bytes) return tl::unexpected(bytes.error());
    auto skeleton =
        is_gltf(*bytes) ? read_gltf_skeleton(*bytes, limits) : parse_rig(*bytes, limits);
    if (!skeleton) return tl::unexpected(std::move(skeleton.error()));
    return Rig{file, std::move(*skeleton)};
  });
}

}  // namespace mabkit
