#pragma once

#include <mabkit/bank.hpp>
#include <span>
#include <vector>

namespace mabkit::gltf {

/// Values of a rotation curve as glTF wants them: its axes, unit length, each within half a turn of
/// the one before, so that importers interpolate the short way. A single value
/// comes twice. Every value is a rotation.
[[nodiscard]] std::vector<float> gltf_rotations(std::span<const float> values);

/// Values of a translation curve in glTF's axes; a single value comes twice.
[[nodiscard]] std::vector<float> gltf_translations(std::span<const float> values);

/// Either, by channel.
[[nodiscard]] inline std::vector<float> gltf_values(Channel channel,
                                                    std::span<const float> values) {
  return channel == Channel::rotation ? gltf_rotations(values) : gltf_translations(values);
}

}  // namespace mabkit::gltf
