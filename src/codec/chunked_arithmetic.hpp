#pragma once

#include <cmath>
#include <cstdint>

namespace mabkit::codec {

// The engine's constants (spec mab-chunked, 2.2 and 3.1): 1/32767.5, 1/127, 1/127.5 and
// 5000 / (2^24 - 1) metres.
inline constexpr float constant_scale = 0.000030518044F;
inline constexpr float base_scale = 0.0078740157F;
inline constexpr float slope_scale = 0.0078431377F;
inline constexpr float translation_unit = 0.00029802325F;

// What a writer multiplies by to invert the first three, and how far their words and bytes reach
// (spec mab-chunked, section 7).
inline constexpr double words_per_unit = 32767.5;
inline constexpr double bases_per_unit = 127.0;
inline constexpr double slopes_per_unit = 127.5;
inline constexpr unsigned largest_word = 65535;
inline constexpr int largest_byte = 255;

/// Value of a component that is constant over a chunk.
[[nodiscard]] inline float constant_value(std::uint32_t word) {
  return static_cast<float>(word) * constant_scale - 1.0F;
}

/// 1 / (2^bits - 1); a depth of one bit carries nothing (spec mab-chunked, 2.2).
[[nodiscard]] inline float depth_scale(unsigned bits) {
  return bits < 2 ? 0.0F : 1.0F / static_cast<float>((1U << bits) - 1U);
}

/// Value of a varying component's raw 0.
[[nodiscard]] inline float base_value(std::uint32_t byte) {
  return static_cast<float>(byte) * base_scale - 1.0F;
}

/// What one step of a varying component's raw adds.
[[nodiscard]] inline float slope_value(std::uint32_t byte, unsigned bits) {
  return static_cast<float>(byte) * slope_scale * depth_scale(bits);
}

/// Value of a varying component at one key.
[[nodiscard]] inline float varying_value(std::uint32_t raw, float slope, float base) {
  return static_cast<float>(raw) * slope + base;
}

/// Recovers the component that is not stored (spec mab-chunked, 2.2). `q` holds the stored three
/// at the positions other than `implicit`.
inline void recover_implicit(float* q, unsigned implicit, bool is_negative) {
  const unsigned a = implicit == 0 ? 1 : 0;
  const unsigned b = implicit <= 1 ? 2 : 1;
  const unsigned c = implicit <= 2 ? 3 : 2;
  const float sum = q[a] * q[a] + q[b] * q[b] + q[c] * q[c];
  if (sum > 1.0F) {
    const float length = std::sqrt(sum);
    q[a] /= length;
    q[b] /= length;
    q[c] /= length;
    q[implicit] = 0.0F;
    return;
  }
  const float recovered = std::sqrt(1.0F - sum);
  q[implicit] = is_negative ? -recovered : recovered;
}

/// Metres of a translation component that decodes to 1 (spec mab-chunked, 3.1).
[[nodiscard]] inline float translation_scale(std::uint32_t units) {
  return static_cast<float>(units) * translation_unit;
}

}  // namespace mabkit::codec
