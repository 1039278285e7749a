#include "gltf/curve.hpp"

#include <cstddef>

#include "scene/axes.hpp"
#include "scene/values.hpp"

namespace mabkit::gltf {
namespace {

float dot(const Quat& a, const Quat& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

}  // namespace

std::vector<float> gltf_rotations(std::span<const float> values) {
  const std::size_t count = values.size() / 4;
  std::vector<float> out;
  out.reserve(4 * count + 4);
  Quat previous;
  for (std::size_t i = 0; i < count; ++i) {
    const float* v = &values[4 * i];
    const Quat stored{v[0], v[1], v[2], v[3]};
    Quat q = scene::to_y_up(scene::normalised(stored));
    if (i != 0 && dot(previous, q) < 0.0F) q = {-q.x, -q.y, -q.z, -q.w};
    out.insert(out.end(), {q.x, q.y, q.z, q.w});
    previous = q;
  }
  if (count == 1) out.insert(out.end(), {previous.x, previous.y, previous.z, previous.w});
  return out;
}

std::vector<float> gltf_translations(std::span<const float> values) {
  const std::size_t count = values.size() / 3;
  std::vector<float> out;
  out.reserve(3 * count + 3);
  Vec3 last;
  for (std::size_t i = 0; i < count; ++i) {
    const float* v = &values[3 * i];
    last = scene::to_y_up(Vec3{v[0], v[1], v[2]});
    out.insert(out.end(), {last.x, last.y, last.z});
  }
  if (count == 1) out.insert(out.end(), {last.x, last.y, last.z});
  return out;
}

}  // namespace mabkit::gltf
