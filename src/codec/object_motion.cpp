#include "codec/object_motion.hpp"

#include <algorithm>

#include "codec/chunked_arithmetic.hpp"
#include "motion/difference.hpp"

namespace mabkit::codec {
namespace {

using motion::Matrix;
using motion::Placement;
using motion::Point;
using motion::Turn;

/// How much less a vertex counts for each joint between it and the one that turns: joints in
/// between can still make up for the turn.
constexpr double weight_of_next_joint = 0.25;

/// Point masses below a joint, about its origin.
struct Moments {
  double weight = 0.0;
  Point first;
  Matrix second;  ///< sum of weight · (|d|² − d dᵀ)

  void add(const Point& d, double w) {
    const std::array<double, 3> v{d.x, d.y, d.z};
    const double square = dot(d, d);
    weight += w;
    first = first + w * d;
    for (std::size_t row = 0; row < 3; ++row) {
      for (std::size_t column = 0; column < 3; ++column) {
        second.m[row][column] += w * ((row == column ? square : 0.0) - v[row] * v[column]);
      }
    }
  }

  /// Adds masses given about a point at `d`, scaled by `w`.
  void add(const Moments& other, const Point& d, double w) {
    // About another point: second + (2 d·first) I − d firstᵀ − first dᵀ, and a mass at d.
    const std::array<double, 3> v{d.x, d.y, d.z};
    const std::array<double, 3> f{other.first.x, other.first.y, other.first.z};
    const double mixed = 2.0 * dot(d, other.first);
    for (std::size_t row = 0; row < 3; ++row) {
      for (std::size_t column = 0; column < 3; ++column) {
        second.m[row][column] += w * (other.second.m[row][column] + (row == column ? mixed : 0.0) -
                                      v[row] * f[column] - f[row] * v[column]);
      }
    }
    add(d, w * other.weight);
    first = first + w * other.first;
  }
};

}  // namespace

Turn expected_rotation(const ObjectMotion& motion, const ObjectJoint& joint, std::uint32_t key) {
  if (!joint.rotation) return motion::precise(joint.expected.rotation);
  return motion::precise(motion.tracks[*joint.rotation].rotations[key]);
}

Point expected_translation(const ObjectMotion& motion, const ObjectJoint& joint,
                           std::uint32_t key) {
  if (!joint.translation) return motion::precise(joint.expected.translation);
  return motion::precise(motion.tracks[*joint.translation].translations[key]);
}

namespace {

void pose_key(const ObjectMotion& motion, std::uint32_t key, std::span<JointPose> poses,
              std::vector<Turn>& rotations) {
  for (std::size_t j = 0; j < motion.joints.size(); ++j) {
    const ObjectJoint& joint = motion.joints[j];
    JointPose& pose = poses[j];
    pose.origin = expected_translation(motion, joint, key);
    if (joint.parent) {
      pose.parent_rotation = rotations[*joint.parent];
      pose.origin = poses[*joint.parent].origin + pose.parent_rotation * pose.origin;
    }
    rotations[j] = pose.parent_rotation * expected_rotation(motion, joint, key);
    const double d = motion.vertex_distance;
    pose.vertices = {rotations[j] * Point{d, 0.0, 0.0}, rotations[j] * Point{0.0, d, 0.0},
                     rotations[j] * Point{0.0, 0.0, d}};
  }
}

void weigh_key(const ObjectMotion& motion, std::span<JointPose> poses,
               std::vector<Moments>& moments) {
  std::fill(moments.begin(), moments.end(), Moments{});
  for (std::size_t j = motion.joints.size(); j-- > 0;) {
    JointPose& pose = poses[j];
    // What hangs from the joint was added by its children, which come later in the list.
    for (const Point& vertex : pose.vertices) moments[j].add(vertex, 1.0);
    pose.resistance = moments[j].second;
    pose.inverse_resistance = motion::inverse(pose.resistance);
    pose.moment = moments[j].first;
    if (const auto parent = motion.joints[j].parent) {
      moments[*parent].add(moments[j], pose.origin - poses[*parent].origin, weight_of_next_joint);
    }
  }
}

/// The keys of one chunk as they are decoded: by track, then key.
struct DecodedChunk {
  std::vector<std::array<Turn, keys_in_chunk>> rotations;
  std::vector<std::array<Point, keys_in_chunk>> translations;
};

DecodedChunk decode_chunk(const ObjectMotion& motion, std::span<const EncodedTrack> encoded,
                          std::uint32_t chunk) {
  const unsigned keys = keys_of_chunk(motion.keys, chunk);
  DecodedChunk out;
  out.rotations.resize(motion.tracks.size());
  out.translations.resize(motion.tracks.size());
  std::array<float, 4 * keys_in_chunk> values{};
  for (std::size_t track = 0; track < motion.tracks.size(); ++track) {
    const TrackToEncode& source = motion.tracks[track];
    const EncodedTrack& stored = encoded[track];
    const bool is_rotation = source.channel == Channel::rotation;
    if (!motion.is_kept[track] && is_rotation) {
      decode_rotations(stored.chunks[chunk], stored.bits, keys, values);
    } else if (!motion.is_kept[track]) {
      decode_translations(stored.chunks[chunk], stored.bits, keys,
                          translation_scale(stored.scale_units), values);
    }
    for (unsigned key = 0; key < keys; ++key) {
      const std::uint32_t position = chunk * keys_in_chunk + key;
      const float* const q = values.data() + std::size_t{4} * key;
      const float* const v = values.data() + std::size_t{3} * key;
      if (is_rotation) {
        out.rotations[track][key] = motion::precise(
            motion.is_kept[track] ? source.rotations[position] : Quat{q[0], q[1], q[2], q[3]});
      } else {
        out.translations[track][key] = motion::precise(
            motion.is_kept[track] ? source.translations[position] : Vec3{v[0], v[1], v[2]});
      }
    }
  }
  return out;
}

/// What stands in a file at one key.
std::vector<Placement> decoded_poses(const ObjectMotion& motion, const DecodedChunk& decoded,
                                     unsigned key) {
  std::vector<Placement> poses(motion.joints.size());
  for (std::size_t j = 0; j < motion.joints.size(); ++j) {
    const ObjectJoint& joint = motion.joints[j];
    const bool moves = joint.translation && !joint.stores_constant_translation;
    const bool turns = joint.rotation && !joint.stores_constant_rotation;
    const Placement local{
        turns ? decoded.rotations[*joint.rotation][key] : motion::precise(joint.actual.rotation),
        moves ? decoded.translations[*joint.translation][key]
              : motion::precise(joint.actual.translation)};
    poses[j] = joint.parent ? poses[*joint.parent] * local : local;
  }
  return poses;
}

}  // namespace

double decoded_error(const ObjectMotion& motion, std::span<const EncodedTrack> encoded,
                     std::uint32_t chunk) {
  const std::vector<JointPose> expected = chunk_poses(motion, chunk);
  const DecodedChunk decoded = decode_chunk(motion, encoded, chunk);
  const double d = motion.vertex_distance;
  const std::array<Point, vertices_of_joint> axes{Point{d, 0.0, 0.0}, {0.0, d, 0.0}, {0.0, 0.0, d}};
  double worst = 0.0;
  for (unsigned key = 0; key < keys_of_chunk(motion.keys, chunk); ++key) {
    const std::vector<Placement> poses = decoded_poses(motion, decoded, key);
    for (std::size_t j = 0; j < poses.size(); ++j) {
      const JointPose& place = expected[key * poses.size() + j];
      for (std::size_t i = 0; i < vertices_of_joint; ++i) {
        const Point vertex = poses[j] * axes[i];
        const double error = length(vertex - place.origin - place.vertices[i]);
        worst = motion::larger_error(worst, error);
      }
    }
  }
  return worst;
}

std::vector<JointPose> chunk_poses(const ObjectMotion& motion, std::uint32_t chunk) {
  const std::size_t joints = motion.joints.size();
  const unsigned keys = keys_of_chunk(motion.keys, chunk);
  std::vector<JointPose> poses(joints * keys);
  std::vector<Turn> rotations(joints);
  std::vector<Moments> moments(joints);
  for (unsigned key = 0; key < keys; ++key) {
    const std::span<JointPose> of_key = std::span(poses).subspan(joints * key, joints);
    pose_key(motion, chunk * keys_in_chunk + key, of_key, rotations);
    weigh_key(motion, of_key, moments);
  }
  return poses;
}

double squared_vertex_error(const JointPose& pose, const motion::Point& shift,
                            const motion::Point& turn) {
  double worst = 0.0;
  for (const Point& vertex : pose.vertices) {
    const Point error = shift + cross(turn, vertex);
    worst = std::max(worst, dot(error, error));
  }
  return worst;
}

}  // namespace mabkit::codec
