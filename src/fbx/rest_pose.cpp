#include "fbx/rest_pose.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "fbx/chain_motion.hpp"

namespace mabkit::fbx {
namespace {

/// Two ways to the same place differ by the rounding of float32 matrices; less than this, of the
/// largest number of either, is none.
constexpr double rounding = 1e-5;

template <std::size_t Count>
double largest_of(const std::array<double, Count>& values) {
  double largest = 0.0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

template <std::size_t Count>
bool are_close(const std::array<double, Count>& a, const std::array<double, Count>& b,
               double size) {
  for (std::size_t i = 0; i < Count; ++i) {
    if (std::abs(a[i] - b[i]) > rounding * size) return false;
  }
  return true;
}

scene::Affine chain_of(const ImportedScene& scene, const ImportedJoint& joint) {
  scene::Affine local;
  for (const std::uint32_t node : joint.chain) local = local * scene.nodes[node].local;
  return local;
}

/// Where every node stood when the meshes were bound.
class BindPlaces {
 public:
  explicit BindPlaces(const ImportedScene& scene) {
    for (const ImportedNode& node : scene.nodes) {
      // The scene's own node has no part in any bind.
      if (!node.parent) {
        whole_.emplace_back();
        bare_.emplace_back();
        continue;
      }
      add(node, whole_[*node.parent], bare_[*node.parent]);
    }
  }

  /// Without what carries root motion, which is no part of the rig.
  [[nodiscard]] const scene::Affine& of(std::uint32_t node) const { return bare_[node]; }

  /// Whether two places are one, among those of this scene.
  [[nodiscard]] bool are_one(const scene::Affine& a, const scene::Affine& b) const {
    const double size = std::max(largest_of(a.linear), largest_of(b.linear));
    return are_close(a.linear, b.linear, size) && are_close(a.offset, b.offset, extent_);
  }

 private:
  void add(const ImportedNode& node, const scene::Affine& above, const scene::Affine& bare_above) {
    scene::Affine local = node.local;
    const auto to_parent = node.bind ? above.inverse() : std::nullopt;
    // A mesh that was bound askew says nothing about joints.
    if (to_parent && take_apart(*to_parent * *node.bind).part) local = *to_parent * *node.bind;
    whole_.push_back(above * local);
    bare_.push_back(is_of_root_motion(node.name) ? bare_above : bare_above * local);
    extent_ = std::max(extent_, largest_of(whole_.back().offset));
  }

  std::vector<scene::Affine> whole_;
  std::vector<scene::Affine> bare_;
  double extent_ = 0.0;  ///< how far anything stands from the origin
};

}  // namespace

RestPose rest_pose(const ImportedScene& scene, const ImportedJoints& joints) {
  const BindPlaces binds(scene);
  RestPose rest;
  for (const ImportedJoint& joint : joints.joints) {
    const scene::Affine above =
        joint.parent ? binds.of(joints.joints[*joint.parent].node) : scene::Affine();
    scene::Affine local = chain_of(scene, joint);
    const scene::Affine& bound = binds.of(joint.node);
    const auto to_parent = binds.are_one(bound, above * local) ? std::nullopt : above.inverse();
    if (to_parent) {
      local = *to_parent * bound;
      ++rest.bound_elsewhere;
    }
    rest.locals.push_back(local);
  }
  return rest;
}

}  // namespace mabkit::fbx
