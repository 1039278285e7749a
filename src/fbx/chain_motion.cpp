#include "fbx/chain_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "fbx/euler.hpp"

namespace mabkit::fbx {
namespace {

/// Where a time lies among keys: after `before`, `fraction` of the way to the next key.
struct Place {
  std::size_t before = 0;
  double fraction = 0.0;
};

/// `times` is not empty.
Place find_place(const std::vector<double>& times, double time) {
  const auto after = std::upper_bound(times.begin(), times.end(), time);
  if (after == times.begin()) return {0, 0.0};
  const auto before = static_cast<std::size_t>(after - times.begin()) - 1;
  if (after == times.end()) return {before, 0.0};
  return {before, (time - times[before]) / (*after - times[before])};
}

Vec3 vector_at(const ImportedKeys& keys, double time) {
  const Place place = find_place(keys.times, time);
  const float* a = &keys.values[3 * place.before];
  if (place.fraction == 0.0) return {a[0], a[1], a[2]};
  const float* b = a + 3;
  const auto mix = [&](std::size_t i) {
    return static_cast<float>(a[i] + place.fraction * (double{b[i]} - double{a[i]}));
  };
  return {mix(0), mix(1), mix(2)};
}

Quat quat_of(const Rotation& q) {
  return {static_cast<float>(q[0]), static_cast<float>(q[1]), static_cast<float>(q[2]),
          static_cast<float>(q[3])};
}

Quat rotation_at(const ImportedKeys& keys, double time) {
  const Place place = find_place(keys.times, time);
  const float* a = &keys.values[4 * place.before];
  const Rotation from = to_rotation({a[0], a[1], a[2], a[3]});
  if (place.fraction == 0.0) return quat_of(from);
  const float* b = a + 4;
  return quat_of(between(from, to_rotation({b[0], b[1], b[2], b[3]}), place.fraction));
}

double length(const std::array<double, 9>& m, std::size_t column) {
  return std::hypot(m[column], m[3 + column], m[6 + column]);
}

}  // namespace

ChainMotion::ChainMotion(const ImportedScene& scene, std::span<const std::uint32_t> chain,
                         std::span<const ImportedChannel* const> channel_of_node) {
  for (const std::uint32_t node : chain) {
    const ImportedNode& source = scene.nodes[node];
    links_.push_back({&source, channel_of_node[node], source.local.decompose()});
  }
}

bool ChainMotion::is_driven() const {
  return std::any_of(links_.begin(), links_.end(),
                     [](const Link& link) { return link.channel != nullptr; });
}

std::vector<double> ChainMotion::times() const {
  std::vector<double> times;
  for (const Link& link : links_) {
    if (link.channel == nullptr) continue;
    for (const ImportedKeys* keys :
         {&link.channel->translation, &link.channel->rotation, &link.channel->scale}) {
      times.insert(times.end(), keys->times.begin(), keys->times.end());
    }
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

scene::Affine ChainMotion::at(double time) const {
  scene::Affine product;
  for (const Link& link : links_) {
    if (link.channel == nullptr) {
      product = product * link.node->local;
      continue;
    }
    scene::Trs trs = link.rest;
    const ImportedChannel& channel = *link.channel;
    if (!channel.translation.times.empty()) trs.translation = vector_at(channel.translation, time);
    if (!channel.rotation.times.empty()) trs.rotation = rotation_at(channel.rotation, time);
    if (!channel.scale.times.empty()) trs.scale = vector_at(channel.scale, time);
    product = product * scene::Affine::from(trs);
  }
  return product;
}

Rigid take_apart(const scene::Affine& transform) {
  constexpr double smallest = 1e-9;
  const auto& m = transform.linear;
  const std::array<double, 3> scale{length(m, 0), length(m, 1), length(m, 2)};
  const auto [least, most] = std::minmax_element(scale.begin(), scale.end());
  if (!transform.is_finite() || !(*least > smallest)) {
    return {std::nullopt, "is scaled to nothing, or holds numbers without end"};
  }
  if (*most > *least * (1.0 + scale_tolerance)) {
    return {std::nullopt, fmt::format("is scaled by {:.4g}, {:.4g} and {:.4g} along its axes",
                                      scale[0], scale[1], scale[2])};
  }
  if (transform.shear() > scale_tolerance) return {std::nullopt, "is sheared"};
  if (transform.determinant() < 0.0) return {std::nullopt, "is mirrored"};
  const scene::Trs trs = transform.decompose();
  return {RigidPart{trs.translation, trs.rotation, (scale[0] + scale[1] + scale[2]) / 3.0}, {}};
}

}  // namespace mabkit::fbx
