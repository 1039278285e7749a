#include "fbx/rest_pose.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "fbx/chain_motion.hpp"

namespace mabkit::fbx {
namespace {

/// Both ways to the same place differ by the rounding of float32 matrices; less than this, of the
/// largest number of either, is none.
constexpr double rounding = 1e-5;

scene::Affine chain_of(const ImportedScene& scene, const ImportedJoint& joint) {
  scene::Affine local;
  for (const std::uint32_t node : joint.chain) local = local * scene.nodes[node].local;
  return local;
}

template <std::size_t Count>
bool are_close(const std::array<double, Count>& a, const std::array<double, Count>& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < Count; ++i) {
    largest = std::max({largest, std::abs(a[i]), std::abs(b[i])});
  }
  for (std::size_t i = 0; i < Count; ++i) {
    if (std::abs(a[i] - b[i]) > rounding * largest) return false;
  }
  return true;
}

bool are_close(const scene::Affine& a, const scene::Affine& b) {
  return are_close(a.linear, b.linear) && are_close(a.offset, b.offset);
}

}  // namespace

RestPose rest_pose(const ImportedScene& scene, const ImportedJoints& joints) {
  RestPose rest;
  std::vector<scene::Affine> places;
  for (const ImportedJoint& joint : joints.joints) {
    const scene::Affine above = joint.parent ? places[*joint.parent] : scene::Affine();
    scene::Affine local = chain_of(scene, joint);
    const auto& bind = scene.nodes[joint.node].bind;
    const auto to_parent =
        bind && !are_close(*bind, above * local) ? above.inverse() : std::nullopt;
    // A mesh that was bound askew says nothing about joints.
    if (to_parent && take_apart(*to_parent * *bind).part) {
      local = *to_parent * *bind;
      ++rest.bound_elsewhere;
    }
    places.push_back(above * local);
    rest.locals.push_back(local);
  }
  return rest;
}

}  // namespace mabkit::fbx
