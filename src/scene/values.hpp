#pragma once

#include <mabkit/bank.hpp>
#include <mabkit/math.hpp>
#include <span>

namespace mabkit::scene {

// What importers ask of values, and what files that strangers made may break.

/// Whether the curve has keys and they lie within the buffers of its clip.
[[nodiscard]] bool has_keys(const Clip& clip, const Keys& keys, Channel channel);

/// Whether times are finite, not negative and strictly rising.
[[nodiscard]] bool are_key_times(std::span<const float> times);

[[nodiscard]] bool is_finite(const Vec3& v);

/// Whether `q` is finite and long enough to be normalised.
[[nodiscard]] bool is_rotation(const Quat& q);

/// `q` itself where its length is 1 within the error of float32 decoding, else brought to length 1.
/// `q` is a rotation.
[[nodiscard]] Quat normalised(const Quat& q);

/// Seconds at which a curve of one value gets its second key: the duration, or one frame where the
/// file has none that is finite and positive.
[[nodiscard]] float end_time(const Clip& clip);

/// Seconds of one frame.
[[nodiscard]] float frame_time(const Clip& clip);

}  // namespace mabkit::scene
