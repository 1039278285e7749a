#include "mab/chunked_constants.hpp"

#include <algorithm>
#include <cmath>

#include "mab/chunked_index.hpp"
#include "motion/difference.hpp"

namespace mabkit::mab {
namespace {

/// The middle of the least and the greatest value of a component.
template <class Value>
float middle(std::span<const Value> values, float Value::*component) {
  float least = values.front().*component;
  float most = least;
  for (const Value& value : values) {
    least = std::min(least, value.*component);
    most = std::max(most, value.*component);
  }
  return least + (most - least) / 2.0F;
}

std::int16_t quantise(float metres) {
  const float steps = std::round(metres / constant_translation_unit);
  return static_cast<std::int16_t>(std::clamp(steps, -32768.0F, 32767.0F));
}

}  // namespace

PackedRotation pack_constant(std::span<const Quat> values) {
  const Quat centre{middle(values, &Quat::x), middle(values, &Quat::y), middle(values, &Quat::z),
                    middle(values, &Quat::w)};
  const Quat wanted = codec::is_rotation(centre) ? centre : values.front();
  PackedRotation packed;
  const auto exact = codec::find_packed(wanted, codec::chunked_packed_half);
  packed.words = exact ? *exact : codec::pack_nearest(wanted, codec::chunked_packed_half);
  packed.decoded = codec::unpack(packed.words, codec::chunked_packed_half).rotation;
  for (const Quat& value : values) {
    packed.error = motion::larger_error(packed.error, motion::angle_between(packed.decoded, value));
  }
  return packed;
}

PackedTranslation pack_constant(std::span<const Vec3> values) {
  PackedTranslation packed;
  packed.words = {quantise(middle(values, &Vec3::x)), quantise(middle(values, &Vec3::y)),
                  quantise(middle(values, &Vec3::z))};
  packed.decoded = unpack_translation(packed.words);
  for (const Vec3& value : values) {
    packed.error = motion::larger_error(packed.error, motion::distance(packed.decoded, value));
  }
  return packed;
}

Vec3 unpack_translation(const std::array<std::int16_t, 3>& words) {
  return {static_cast<float>(words[0]) * constant_translation_unit,
          static_cast<float>(words[1]) * constant_translation_unit,
          static_cast<float>(words[2]) * constant_translation_unit};
}

}  // namespace mabkit::mab
