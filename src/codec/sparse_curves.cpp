#include "codec/sparse_curves.hpp"

#include <algorithm>
#include <cstring>

#include "codec/sparse_groups.hpp"

namespace mabkit::codec {

void decode_dense_translations(std::span<const std::byte> stored, std::uint32_t tracks,
                               std::uint32_t frames, std::span<float> out) {
  // Frames by the handful, so that the stretch that all tracks read stays in the cache and each
  // track's writes fill whole lines.
  constexpr std::uint32_t block = 16;
  constexpr std::size_t floats = packed_translation_size / sizeof(float);
  for (std::uint32_t first = 0; first < frames; first += block) {
    const std::uint32_t last = std::min(first + block, frames);
    for (std::size_t track = 0; track < tracks; ++track) {
      for (std::size_t frame = first; frame < last; ++frame) {
        std::memcpy(out.data() + floats * (track * frames + frame),
                    stored.data() + packed_translation_size * (frame * tracks + track),
                    packed_translation_size);
      }
    }
  }
}

std::optional<Quat> decode_rotation(std::span<const std::byte> stored, std::size_t index) {
  const auto [rotation, radicand] = unpack(packed_at(stored, index), sparse_packed_half);
  if (!(radicand >= least_radicand)) return std::nullopt;
  return rotation;
}

}  // namespace mabkit::codec
