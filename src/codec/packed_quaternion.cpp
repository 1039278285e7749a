#include "codec/packed_quaternion.hpp"

#include <cmath>

namespace mabkit::codec {
namespace {

constexpr std::uint16_t selector_bit = 0x8000;
constexpr std::uint16_t level_mask = 0x7FFF;

}  // namespace

UnpackedQuaternion unpack(PackedQuaternion packed, float half) {
  float a = static_cast<float>(packed.w0 & level_mask) * packed_step - half;
  float b = static_cast<float>(packed.w1 & level_mask) * packed_step - half;
  // The third word is sign-extended: all 16 bits count (spec mab-sparse, section 2).
  float c = static_cast<float>(static_cast<std::int16_t>(packed.w2)) * packed_step - half;

  const float radicand = 1.0F - a * a - b * b - c * c;
  float d = 0.0F;
  if (radicand >= 0.0F) {
    d = std::sqrt(radicand);
  } else {
    const float length = std::sqrt(a * a + b * b + c * c);
    a /= length;
    b /= length;
    c /= length;
  }

  const bool first = (packed.w0 & selector_bit) != 0;
  const bool second = (packed.w1 & selector_bit) != 0;
  if (first && second) return {{a, b, c, d}, radicand};
  if (first) return {{a, d, b, c}, radicand};
  if (second) return {{a, b, d, c}, radicand};
  return {{d, a, b, c}, radicand};
}

}  // namespace mabkit::codec
