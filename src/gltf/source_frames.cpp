#include "gltf/source_frames.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "scene/axes.hpp"
#include "scene/tree.hpp"
#include "scene/values.hpp"

namespace mabkit::gltf {
namespace {

/// Scales this near to 1 do not count.
constexpr double scale_tolerance = 1e-3;
/// Turns between axes this near to a quarter or a third are that exactly, in radians: programs turn
/// bones by whole axes, and what is left is rounding.
constexpr double turn_tolerance = 1e-5;
/// The same for nodes of root motion, whose first turn stays where it is less than this (tree.cpp).
constexpr double root_turn_tolerance = 2.5e-4;

scene::Affine turn_of(const Quat& q) {
  scene::Trs trs;
  trs.rotation = q;
  return scene::Affine::from(trs);
}

scene::Affine transposed(const scene::Affine& turn) {
  const auto& m = turn.linear;
  scene::Affine out;
  out.linear = {m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]};
  return out;
}

/// The turn, exact where it only permutes axes.
scene::Affine snapped(const scene::Affine& turn, double tolerance) {
  scene::Affine out = turn;
  for (double& value : out.linear) {
    const double whole = std::round(value);
    if (std::abs(value - whole) > tolerance) return turn;
    value = whole;
  }
  return out;
}

/// A node without its scale.
scene::Affine rigid(const scene::Trs& trs) {
  return scene::Affine::from({trs.translation, trs.rotation, {1.0F, 1.0F, 1.0F}});
}

bool is_near(double a, double b) {
  return std::abs(a - b) <= scale_tolerance * std::abs(b);
}

bool is_one(const Vec3& s) {
  return is_near(s.x, 1.0) && is_near(s.y, 1.0) && is_near(s.z, 1.0);
}

/// The axes that the bone of the node had when build_gltf wrote it.
std::optional<Quat> stated_bind(const SourceNode& node) {
  const Json* const value = extra(node, "bind");
  if (value == nullptr || !value->is_array() || value->size() != 4) return std::nullopt;
  std::array<float, 4> q{};
  for (std::size_t i = 0; i < 4; ++i) {
    if (!(*value)[i].is_number()) return std::nullopt;
    q[i] = (*value)[i].get<float>();
  }
  const Quat bind{q[0], q[1], q[2], q[3]};
  if (!scene::is_rotation(bind)) return std::nullopt;
  return scene::to_y_up(bind);
}

class FrameBuilder {
 public:
  FrameBuilder(const std::vector<SourceNode>& nodes, const std::vector<bool>& is_frame,
               const ImportOptions& options)
      : nodes_(nodes),
        is_frame_(is_frame),
        unit_(options.metres_per_unit.value_or(1.0)),
        is_y_up_(options.up.value_or(UpAxis::y) == UpAxis::y),
        places_(nodes.size()),
        metres_below_(nodes.size(), 1.0) {
    out_.of_node.resize(nodes.size());
    out_.worlds.resize(nodes.size());
  }

  Result<SourceFrames> build(const std::vector<std::uint32_t>& order) && {
    for (const std::uint32_t node : order) {
      const SourceNode& in = nodes_[node];
      const bool is_root = in.parent == no_node;
      out_.worlds[node] = is_root ? rigid(in.trs) : out_.worlds[in.parent] * rigid(in.trs);
      if (is_root) {
        places_[node].metres = unit_;
      } else {
        places_[node] = below(in.parent);
      }
      if (!is_frame_[node]) continue;
      if (auto added = add_frame(node); !added) return tl::unexpected(added.error());
    }
    return std::move(out_);
  }

 private:
  /// Where the children's space of a node's parent lies.
  struct Place {
    std::optional<std::uint32_t> frame;  ///< the nearest frame above
    scene::Affine between;               ///< nodes between
    bool is_at_frame = true;             ///< `between` is the identity, exactly
    bool is_sheared = false;             ///< a node between is
    scene::Affine turn;                  ///< C of `frame`
    double metres = 1.0;                 ///< in a unit of `frame`
  };

  [[nodiscard]] Place below(std::uint32_t node) const {
    const Place& above = places_[node];
    if (!is_frame_[node]) {
      if (nodes_[node].trs == scene::Trs{}) return above;
      Place place = above;
      place.between = above.between * scene::Affine::from(nodes_[node].trs);
      place.is_at_frame = false;
      place.is_sheared = above.is_sheared || nodes_[node].is_sheared;
      return place;
    }
    Place place;
    place.frame = node;
    place.turn = transposed(out_.of_node[node]->unturned);
    place.metres = metres_below_[node];
    return place;
  }

  Result<void> add_frame(std::uint32_t node) {
    const Place& place = places_[node];
    const scene::Trs between = place.between.decompose();
    if (auto checked = check_scale(node, place, between); !checked) return checked;
    JointFrame frame;
    frame.parent = place.frame;
    frame.turn = place.turn;
    frame.above = place.turn * place.between;
    frame.unturned = transposed(axes_turn(node));
    frame.metres = place.metres;
    const bool is_turned = frame.turn.linear != scene::Affine{}.linear ||
                           frame.unturned.linear != scene::Affine{}.linear;
    frame.is_plain = place.is_at_frame && !is_turned && place.metres == 1.0;
    out_.of_node[node] = frame;
    const double scale = is_one(between.scale) ? 1.0 : static_cast<double>(between.scale.x);
    if (scale != 1.0 && !said_scale_) {
      said_scale_ = true;
      out_.notices.push_back(
          {std::nullopt, fmt::format("nodes[{}]", node),
           fmt::format("nodes above the rig scale it by {:.6g}, which goes into its lengths",
                       scale)});
    }
    metres_below_[node] = place.metres * scale;
    return {};
  }

  /// Scales above the rig may be uniform, those inside of it are 1; only rigs of ours may have
  /// bones with a scale, which is the games'.
  Result<void> check_scale(std::uint32_t node, const Place& place,
                           const scene::Trs& between) const {
    const Vec3& s = between.scale;
    const bool is_uniform = s.x > 0.0F && is_near(s.y, s.x) && is_near(s.z, s.x);
    if (!place.between.is_finite() || (place.frame ? !is_one(s) : !is_uniform)) {
      return refuse(node, "the nodes above it scale it", s);
    }
    const SourceNode& in = nodes_[node];
    if (in.is_sheared || place.is_sheared || place.between.shear() > shear_tolerance) {
      return error(
          ErrorCode::unsupported, fmt::format("nodes[{}].matrix", node),
          fmt::format("joint \"{}\": it or a node above it is sheared, which no game's clip "
                      "can hold; apply the transforms in the program that made the file",
                      in.name));
    }
    const bool is_ours =
        extra(in, "id") != nullptr || extra(in, "hash") != nullptr || extra(in, "bind") != nullptr;
    if (is_ours || is_one(in.trs.scale)) return {};
    return refuse(node, "has a scale", in.trs.scale);
  }

  [[nodiscard]] tl::unexpected<Error> refuse(std::uint32_t node, const char* what,
                                             const Vec3& s) const {
    return error(ErrorCode::unsupported, fmt::format("nodes[{}].scale", node),
                 fmt::format("joint \"{}\": {} of {:.6g}, {:.6g}, {:.6g}; apply scales to the rig "
                             "first, since the games' clips have none",
                             nodes_[node].name, what, s.x, s.y, s.z));
  }

  /// C: from the bone's own axes at rest to the node's.
  [[nodiscard]] scene::Affine axes_turn(std::uint32_t node) const {
    const std::optional<Quat> bind = is_y_up_ ? stated_bind(nodes_[node]) : std::nullopt;
    if (!bind && !is_upright(node)) return {};
    scene::Affine world = out_.worlds[node];
    world.offset = {};
    if (!bind) return snapped(world, root_turn_tolerance);
    return snapped(transposed(turn_of(*bind)) * world, turn_tolerance);
  }

  /// Whether the node stood in the scene's axes when build_gltf wrote it: those around root motion
  /// do, and root motion itself where nothing below takes its first turn back.
  [[nodiscard]] bool is_upright(std::uint32_t node) const {
    const std::string_view name = nodes_[node].name;
    if (!is_root_motion(name)) return false;
    if (!name.ends_with(scene::root_motion_name)) return true;
    const auto& children = nodes_[node].children;
    return std::none_of(children.begin(), children.end(), [&](std::uint32_t child) {
      return nodes_[child].name.ends_with(scene::root_motion_rest_name);
    });
  }

  const std::vector<SourceNode>& nodes_;
  const std::vector<bool>& is_frame_;
  double unit_;
  bool is_y_up_;
  std::vector<Place> places_;         ///< by node: where its parent's children are
  std::vector<double> metres_below_;  ///< by node: in a unit of the frame that it is
  bool said_scale_ = false;
  SourceFrames out_;
};

}  // namespace

Result<SourceFrames> build_frames(const std::vector<SourceNode>& nodes,
                                  const std::vector<std::uint32_t>& order,
                                  const std::vector<bool>& is_frame, const ImportOptions& options) {
  return FrameBuilder(nodes, is_frame, options).build(order);
}

}  // namespace mabkit::gltf
