#pragma once

#include <cstddef>
#include <cstdint>
#include <mabkit/bank.hpp>
#include <mabkit/error.hpp>
#include <mabkit/pose.hpp>
#include <string>
#include <vector>

namespace mabkit::gltf {

enum class Interpolation : std::uint8_t { linear, step, cubic };

/// Values of a sampler: one a time, or in-tangent, value and out-tangent where it is cubic.
struct SourceCurve {
  Interpolation interpolation = Interpolation::linear;
  Channel channel = Channel::rotation;
  std::vector<float> times;   ///< seconds, strictly rising
  std::vector<float> values;  ///< glTF space
};

/// A curve between whose keys rotations are slerped and translations are linear.
struct LinearCurve {
  Channel channel = Channel::rotation;
  std::vector<float> times;
  std::vector<float> values;  ///< rotations have unit length

  [[nodiscard]] std::size_t count() const { return times.size(); }
  [[nodiscard]] Quat rotation(std::size_t key) const;
  [[nodiscard]] Vec3 translation(std::size_t key) const;
  /// Values between keys, held at both ends.
  [[nodiscard]] Quat rotation_at(float time) const;
  [[nodiscard]] Vec3 translation_at(float time) const;
};

/// Seconds that a STEP curve's value is held up to before the next takes over. The engines know no
/// steps: a key with the old value goes this far before each, or half way where keys are closer.
/// Just above what counts as one frame, so that resampling keeps both keys.
inline constexpr float step_lead = 2e-4F;

/// Brings a curve to linear interpolation. LINEAR keys go straight through; STEP gets keys before
/// its steps; CUBICSPLINE is sampled at its keys and at every frame of `frames_per_second` between.
/// Fails with `path` where a value is no rotation or not finite, and above `max_keys` keys.
[[nodiscard]] Result<LinearCurve> to_linear(SourceCurve curve, double frames_per_second,
                                            std::size_t max_keys, const std::string& path);

}  // namespace mabkit::gltf
