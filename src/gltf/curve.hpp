#pragma once

#include <mabkit/bank.hpp>
#include <span>
#include <vector>

namespace mabkit::gltf {

/// Values of a rotation curve as glTF wants them: its axes, unit length, each within half a turn of
/// the one before, so that importers interpolate the short way. The one value of a one-key curve
/// comes twice. Empty where a value is no rotation.
[[nodiscard]] std::vector<float> gltf_rotations(std::span<const float> values);

/// Values of a translation curve in glTF's axes; the one value of a one-key curve comes twice.
/// Empty where a value is not finite.
[[nodiscard]] std::vector<float> gltf_translations(std::span<const float> values);

/// Either, by channel.
[[nodiscard]] inline std::vector<float> gltf_values(Channel channel,
                                                    std::span<const float> values) {
  return channel == Channel::rotation ? gltf_rotations(values) : gltf_translations(values);
}

}  // namespace mabkit::gltf
