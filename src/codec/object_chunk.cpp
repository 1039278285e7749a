#include "codec/object_chunk.hpp"

#include <algorithm>
#include <cmath>

namespace mabkit::codec {
namespace {

using motion::Matrix;
using motion::Point;

/// Sweeps over all raws of a key before it is given up; fewer where each takes long, as in chains
/// of hundreds of joints, each of which moves all that hang from it.
constexpr std::size_t most_sweeps = 30;
constexpr std::size_t most_moved_joints = 400'000;
/// A component that may move vertices by more than this many bounds is not tried as a constant.
constexpr double hopeless_constant = 4.0;

/// Part of a cost that rounding may feign; also what keeps equations of parallel effects soluble.
constexpr double least_gain = 1e-9;

/// Rises steeply past the bound, so that the worst vertex decides.
double cost_of(double squared_error, double squared_bound) {
  const double ratio = squared_error / squared_bound;
  const double square = ratio * ratio;
  return square * square * square;
}

/// `steps` without its fraction, from 0 to `largest`; 0 for what is no number.
unsigned whole_steps(double steps, unsigned largest) {
  if (!(steps > 0.0)) return 0;
  return steps >= largest ? largest : static_cast<unsigned>(steps);
}

unsigned nearest_raw(const ShapeComponent& component, double value, unsigned largest) {
  return whole_steps((value - component.base) / component.step + 0.5, largest);
}

void set_raw(ShapeComponent& component, unsigned key, unsigned raw) {
  if (component.stored.is_constant) {
    component.stored.word = static_cast<std::uint16_t>(raw);
  } else {
    component.stored.raws[key] = static_cast<std::uint16_t>(raw);
  }
  component.errors[key] = component.value(raw) - component.targets[key];
}

/// The components of a shape that a choice is left of.
struct FreeComponents {
  std::array<ShapeComponent*, 3> components{};
  std::size_t count = 0;
};

FreeComponents free_components(TrackShape& shape, unsigned key) {
  FreeComponents out;
  for (ShapeComponent& component : shape.components) {
    if (component.is_free(key)) out.components[out.count++] = &component;
  }
  return out;
}

/// Changes of free components that turn a joint by `wanted` as nearly as its resistance
/// measures.
std::array<double, 3> solve_changes(const FreeComponents& free, unsigned key,
                                    const Matrix& resistance, const Point& wanted) {
  // Normal equations, filled up with ones where there are fewer than three components.
  Matrix normal;
  Point right;
  std::array<double, 3> rhs{};
  const Point pull = resistance * wanted;
  for (std::size_t row = 0; row < 3; ++row) {
    normal.m[row][row] = 1.0;
    if (row >= free.count) continue;
    const Point& effect = free.components[row]->effects[key];
    const Point resisted = resistance * effect;
    for (std::size_t column = 0; column < free.count; ++column) {
      normal.m[row][column] = dot(resisted, free.components[column]->effects[key]);
    }
    normal.m[row][row] *= 1.0 + least_gain;
    rhs[row] = dot(effect, pull);
  }
  right = {rhs[0], rhs[1], rhs[2]};
  const Point changes = inverse(normal) * right;
  return {changes.x, changes.y, changes.z};
}

}  // namespace

ObjectTree::ObjectTree(const ObjectMotion& motion)
    : below(motion.joints.size()), joint_of_track(motion.tracks.size()) {
  for (std::uint32_t joint = 0; joint < motion.joints.size(); ++joint) {
    std::optional<std::uint32_t> ancestor = joint;
    while (ancestor) {
      below[*ancestor].push_back(joint);
      ancestor = motion.joints[*ancestor].parent;
    }
    const ObjectJoint& object_joint = motion.joints[joint];
    if (object_joint.rotation) joint_of_track[*object_joint.rotation] = joint;
    if (object_joint.translation) joint_of_track[*object_joint.translation] = joint;
  }
  for (const auto& joints : below) moved_joints += joints.size();
}

ChunkQuantiser::ChunkQuantiser(const ObjectMotion& motion, const ObjectTree& tree,
                               std::uint32_t chunk, std::span<const double> scales)
    : motion_(motion),
      tree_(tree),
      first_key_(chunk * keys_in_chunk),
      keys_(keys_of_chunk(motion.keys, chunk)),
      poses_(chunk_poses(motion, chunk)),
      shapes_(motion.tracks.size()),
      offsets_(motion.joints.size()),
      costs_(motion.joints.size()) {
  std::array<JointPose, keys_in_chunk> of_joint;
  for (std::size_t track = 0; track < motion.tracks.size(); ++track) {
    if (is_kept(track)) continue;
    const std::uint32_t joint = tree.joint_of_track[track];
    for (unsigned key = 0; key < keys_; ++key) of_joint[key] = pose(key, joint);
    const auto poses = std::span<const JointPose>(of_joint).first(keys_);
    const TrackToEncode& source = motion.tracks[track];
    shapes_[track] =
        source.channel == Channel::rotation
            ? rotation_shape(std::span(source.rotations).subspan(first_key_, keys_), poses)
            : translation_shape(std::span(source.translations).subspan(first_key_, keys_),
                                scales[track], poses);
    shapes_[track].joint = joint;
    fit(shapes_[track], least_depth);
  }
}

double ChunkQuantiser::quantise(double bound) {
  double worst = 0.0;
  for (unsigned key = 0; key < keys_; ++key) {
    double error = quantise_key(key);
    if (error > bound) error = improve_key(key, bound);
    worst = std::max(worst, error);
    if (worst > bound) return worst;
  }
  return worst;
}

/// What ancestors and constant channels leave a joint with, before its own tracks.
ChunkQuantiser::Offset ChunkQuantiser::inherited(unsigned key, std::size_t joint) const {
  const ObjectJoint& source = motion_.joints[joint];
  const JointPose& at = pose(key, joint);
  Offset offset;
  if (source.parent) {
    const Offset& parent = offsets_[*source.parent];
    offset.turn = parent.turn;
    offset.shift = parent.shift + cross(parent.turn, at.origin - pose(key, *source.parent).origin);
  }
  const std::uint32_t position = first_key_ + key;
  if (!source.translation || source.stores_constant_translation) {
    const Point error = motion::precise(source.actual.translation) -
                        expected_translation(motion_, source, position);
    offset.shift = offset.shift + at.parent_rotation * error;
  }
  if (!source.rotation || source.stores_constant_rotation) {
    const Point error = motion::small_rotation(expected_rotation(motion_, source, position),
                                               motion::precise(source.actual.rotation));
    offset.turn = offset.turn + at.parent_rotation * error;
  }
  return offset;
}

/// Takes the translation that brings the joint nearest to its place.
void ChunkQuantiser::quantise_translation(TrackShape& shape, unsigned key, Offset& offset) const {
  const Point wanted = offset.shift;
  for (ShapeComponent& component : shape.components) {
    const Point& effect = component.effects[key];
    unsigned raw = component.raw(key);
    if (component.is_free(key)) {
      // Effects of the three axes are at right angles to each other.
      const double change = -dot(effect, wanted) / dot(effect, effect);
      raw = nearest_raw(component, component.aim(key) + change, shape.largest_raw(component));
    }
    set_raw(component, key, raw);
    offset.shift = offset.shift + component.errors[key] * effect;
  }
}

/// Takes the rotation under which the vertices that hang from the joint are nearest to their
/// places, of those next to the best one that could be stored without rounding.
void ChunkQuantiser::quantise_rotation(TrackShape& shape, unsigned key, Offset& offset) const {
  const JointPose& at = pose(key, shape.joint);
  const Point best_turn = -1.0 * (at.inverse_resistance * cross(at.moment, offset.shift));
  for (ShapeComponent& component : shape.components) {
    if (component.is_free(key)) continue;
    set_raw(component, key, component.raw(key));
    offset.turn = offset.turn + component.errors[key] * component.effects[key];
  }
  const FreeComponents free = free_components(shape, key);
  if (free.count == 0) return;

  const std::array<double, 3> changes =
      solve_changes(free, key, at.resistance, best_turn - offset.turn);
  std::array<unsigned, 3> floors{};
  for (std::size_t i = 0; i < free.count; ++i) {
    const ShapeComponent& component = *free.components[i];
    const double steps = (component.aim(key) + changes[i] - component.base) / component.step;
    floors[i] = whole_steps(steps, shape.largest_raw(component) - 1U);
  }
  double least = 0.0;
  unsigned choice = 0;
  for (unsigned corner = 0; corner < 1U << free.count; ++corner) {
    Point turn = offset.turn - best_turn;
    for (std::size_t i = 0; i < free.count; ++i) {
      const ShapeComponent& component = *free.components[i];
      const double error = component.value(floors[i] + (corner >> i & 1U)) - component.aim(key);
      turn = turn + error * component.effects[key];
    }
    const double cost = dot(turn, at.resistance * turn);
    if (corner != 0 && cost >= least) continue;
    least = cost;
    choice = corner;
  }
  for (std::size_t i = 0; i < free.count; ++i) {
    ShapeComponent& component = *free.components[i];
    set_raw(component, key, floors[i] + (choice >> i & 1U));
    offset.turn = offset.turn + component.errors[key] * component.effects[key];
  }
}

double ChunkQuantiser::quantise_key(unsigned key) {
  double worst = 0.0;
  for (std::size_t joint = 0; joint < motion_.joints.size(); ++joint) {
    const ObjectJoint& source = motion_.joints[joint];
    Offset offset = inherited(key, joint);
    if (source.translation && !is_kept(*source.translation)) {
      quantise_translation(shapes_[*source.translation], key, offset);
    }
    if (source.rotation && !is_kept(*source.rotation)) {
      quantise_rotation(shapes_[*source.rotation], key, offset);
    }
    offsets_[joint] = offset;
    worst = std::max(worst, squared_vertex_error(pose(key, joint), offset.shift, offset.turn));
  }
  work_ += motion_.joints.size();
  return std::sqrt(worst);
}

ChunkQuantiser::Offset ChunkQuantiser::moved(const TrackShape& shape, unsigned key,
                                             std::uint32_t joint, const Point& change) const {
  const Offset& before = offsets_[joint];
  if (shape.channel == Channel::translation) return {before.shift + change, before.turn};
  const Point lever = pose(key, joint).origin - pose(key, shape.joint).origin;
  return {before.shift + cross(change, lever), before.turn + change};
}

/// Moves raws of a key by one as long as the worst vertices come nearer.
double ChunkQuantiser::improve_key(unsigned key, double bound) {
  const double squared_bound = bound * bound;
  const auto worst_error = [&] {
    double worst = 0.0;
    for (std::size_t joint = 0; joint < offsets_.size(); ++joint) {
      const Offset& offset = offsets_[joint];
      const double error = squared_vertex_error(pose(key, joint), offset.shift, offset.turn);
      costs_[joint] = cost_of(error, squared_bound);
      worst = std::max(worst, error);
    }
    return worst;
  };
  double worst = worst_error();
  const std::size_t sweeps =
      std::min(most_sweeps, most_moved_joints / std::max<std::size_t>(tree_.moved_joints, 1));
  for (std::size_t sweep = 0; sweep < sweeps && worst > squared_bound; ++sweep) {
    bool has_moved = false;
    for (std::size_t track = 0; track < shapes_.size(); ++track) {
      if (!is_kept(track) && improve_track(shapes_[track], key, squared_bound)) has_moved = true;
    }
    worst = worst_error();
    if (!has_moved) break;
  }
  return std::sqrt(worst);
}

bool ChunkQuantiser::improve_track(TrackShape& shape, unsigned key, double squared_bound) {
  const std::vector<std::uint32_t>& below = tree_.below[shape.joint];
  bool has_moved = false;
  for (ShapeComponent& component : shape.components) {
    if (!component.is_free(key)) continue;
    double cost = 0.0;
    for (const std::uint32_t joint : below) cost += costs_[joint];
    for (const int direction : {-1, 1}) {
      const int raw = static_cast<int>(component.raw(key)) + direction;
      if (raw < 0 || raw > static_cast<int>(shape.largest_raw(component))) continue;
      const Point change = direction * double{component.step} * component.effects[key];
      double changed_cost = 0.0;
      for (const std::uint32_t joint : below) {
        const Offset offset = moved(shape, key, joint, change);
        changed_cost += cost_of(squared_vertex_error(pose(key, joint), offset.shift, offset.turn),
                                squared_bound);
        if (changed_cost > cost) break;
      }
      work_ += below.size();
      if (!(changed_cost < cost * (1.0 - least_gain))) continue;
      for (const std::uint32_t joint : below) {
        offsets_[joint] = moved(shape, key, joint, change);
        costs_[joint] = cost_of(
            squared_vertex_error(pose(key, joint), offsets_[joint].shift, offsets_[joint].turn),
            squared_bound);
      }
      set_raw(component, key, static_cast<unsigned>(raw));
      has_moved = true;
      break;
    }
  }
  return has_moved;
}

void ChunkQuantiser::add_constants(double bound, std::span<const double> reach, unsigned trials) {
  struct Candidate {
    std::size_t track = 0;
    std::size_t component = 0;
    double harm = 0.0;  ///< for each bit that is saved
  };
  std::vector<Candidate> candidates;
  for (std::size_t track = 0; track < shapes_.size(); ++track) {
    if (is_kept(track)) continue;
    for (std::size_t i = 0; i < 3; ++i) {
      const ShapeComponent& component = shapes_[track].components[i];
      const double harm = component.span() * reach[track];
      if (component.stored.is_constant || harm > hopeless_constant * bound) continue;
      candidates.push_back({track, i, harm / shapes_[track].bits});
    }
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.harm < b.harm; });
  if (candidates.size() > trials) candidates.resize(trials);
  for (const Candidate& candidate : candidates) {
    ShapeComponent& component = shapes_[candidate.track].components[candidate.component];
    const ShapeComponent varying = component;
    make_constant(component);
    if (quantise(bound) > bound) component = varying;
  }
  quantise(bound);
}

}  // namespace mabkit::codec
