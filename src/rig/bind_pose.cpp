#include "rig/bind_pose.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace mabkit::rig {
namespace {

/// How far a squared length may be from 1. Exporters of rigs stay within 1e-6.
constexpr double unit_tolerance = 1e-3;

double squared_length(const Quat& q) {
  const double x = q.x;
  const double y = q.y;
  const double z = q.z;
  const double w = q.w;
  return x * x + y * y + z * z + w * w;
}

bool is_unit(const Quat& q) {
  return std::abs(squared_length(q) - 1.0) <= unit_tolerance;
}

/// Bytes of the UTF-8 sequence at the front of `text`; 0 where there is none.
std::size_t sequence_size(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < size) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
  }
  // Longer than needed, surrogates, past the last code point.
  if ((lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xED && byte(1) > 0x9F) ||
      (lead == 0xF0 && byte(1) < 0x90) || (lead == 0xF4 && byte(1) > 0x8F)) {
    return 0;
  }
  return size;
}

}  // namespace

std::string rotation_fault(const Quat& rotation) {
  if (is_unit(rotation)) return {};
  const double squared = squared_length(rotation);
  if (!std::isfinite(squared)) return "is not finite; the identity is used";
  if (squared == 0.0) return "is zero; the identity is used";
  return fmt::format("has length {:.4g}, not 1; it is normalised", std::sqrt(squared));
}

Quat usable_rotation(const Quat& rotation) {
  if (is_unit(rotation)) return rotation;
  const double squared = squared_length(rotation);
  if (!std::isfinite(squared) || squared == 0.0) return {};
  const double length = std::sqrt(squared);
  return {static_cast<float>(rotation.x / length), static_cast<float>(rotation.y / length),
          static_cast<float>(rotation.z / length), static_cast<float>(rotation.w / length)};
}

bool is_finite(const Vec3& vector) {
  return std::isfinite(vector.x) && std::isfinite(vector.y) && std::isfinite(vector.z);
}

std::string readable_name(std::string_view name) {
  std::string out;
  out.reserve(name.size());
  while (!name.empty()) {
    const std::size_t size = sequence_size(name);
    const auto lead = static_cast<std::uint8_t>(name.front());
    if (size == 0 || lead < 0x20 || lead == 0x7F) {
      out += fmt::format("\\x{:02X}", lead);
      name.remove_prefix(1);
    } else {
      out += name.substr(0, size);
      name.remove_prefix(size);
    }
  }
  return out;
}

}  // namespace mabkit::rig
