/// Compares a clip with what came back of it through another program.
///
///     mabkit_compare_trip tracks CLIP.mab TRIP.glb         the same bank, track by track
///     mabkit_compare_trip poses CLIP.mab TRIP.glb RIG      the same motion of the same skeleton
///
/// `poses` is for files that lost their custom properties: bones then have the axes that Blender
/// gave them, so what must be the same is where joints are and how they turn from their rest pose.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mabkit/mabkit.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace mabkit;

constexpr double tolerance = 2e-5;  // radians; metres, or of the length where that is longer
constexpr std::uint64_t largest_file = 1ULL << 28U;

/// The angle of the turn between two rotations.
double angle(const Quat& a, const Quat& b) {
  const Quat q = multiply(conjugate(a), b);
  const double sine = std::sqrt(double{q.x} * q.x + double{q.y} * q.y + double{q.z} * q.z);
  return 2.0 * std::atan2(sine, std::abs(double{q.w}));
}

double distance(const Vec3& a, const Vec3& b) {
  return std::hypot(double{a.x} - b.x, double{a.y} - b.y, double{a.z} - b.z);
}

double allowed(const Vec3& v) {
  return tolerance * std::max(1.0, distance(v, {}));
}

/// Counts what differs and remembers the worst.
struct Tally {
  int failures = 0;
  std::size_t compared = 0;
  double worst_angle = 0.0;
  double worst_distance = 0.0;

  void fail(const std::string& message) {
    if (++failures <= 10) fmt::print(stderr, "{}\n", message);
  }
  void expect(bool is_so, const std::string& message) {
    if (!is_so) fail(message);
  }
  void compare(const Quat& a, const Quat& b, const std::string& where) {
    ++compared;
    const double found = angle(a, b);
    worst_angle = std::max(worst_angle, found);
    if (!(found <= tolerance)) fail(fmt::format("{}: differs by {} rad", where, found));
  }
  void compare(const Vec3& a, const Vec3& b, const std::string& where) {
    ++compared;
    const double found = distance(a, b);
    worst_distance = std::max(worst_distance, found);
    if (!(found <= allowed(a))) fail(fmt::format("{}: differs by {} m", where, found));
  }
};

void compare_curve(const Clip& a, const Keys& keys, const Clip& b, const Keys& other,
                   Channel channel, const std::string& where, Tally& tally) {
  for (std::uint32_t key = 0; key < keys.count; ++key) {
    const float time = a.times_of(keys)[key];
    const std::string at = fmt::format("{} at {} s", where, time);
    if (channel == Channel::rotation) {
      tally.compare(a.rotation(keys, key), sample_rotation(b, other, time), at);
    } else {
      tally.compare(a.translation(keys, key), sample_translation(b, other, time), at);
    }
  }
}

void compare_root_motion(const Clip& a, const Clip& b, const std::string& where, Tally& tally) {
  tally.expect(a.root_motion.has_value() == b.root_motion.has_value(), where + ": root motion");
  if (!a.root_motion || !b.root_motion) return;
  const auto compare = [&](const std::optional<Keys>& x, const std::optional<Keys>& y,
                           Channel channel) {
    tally.expect(x.has_value() == y.has_value(), where + ": root motion's channels");
    if (x && y) compare_curve(a, *x, b, *y, channel, where + ".root_motion", tally);
  };
  compare(a.root_motion->translation, b.root_motion->translation, Channel::translation);
  compare(a.root_motion->rotation, b.root_motion->rotation, Channel::rotation);
  tally.expect(a.root_motion->loop == b.root_motion->loop, where + ": loop");
  tally.expect(a.root_motion->reference == b.root_motion->reference, where + ": reference");
}

void compare_tracks(const Bank& bank, const ImportedMotion& trip, Tally& tally) {
  tally.expect(!trip.are_takes, "the file's record of the bank is lost");
  tally.expect(bank.clips.size() == trip.bank.clips.size(), "the number of clips");
  const std::size_t clips = std::min(bank.clips.size(), trip.bank.clips.size());
  for (std::size_t i = 0; i < clips; ++i) {
    const Clip& a = bank.clips[i];
    const Clip& b = trip.bank.clips[i];
    // Blender samples at the scene's rate, so clips of another rate come back resampled.
    if (a.frame_rate != bank.clips[0].frame_rate) continue;
    const std::string where = fmt::format("clip[{}]", i);
    tally.expect(a.joints.size() == b.joints.size(), where + ": the number of joints");
    tally.expect(a.events.size() == b.events.size(), where + ": the number of events");
    tally.expect(a.duration == b.duration, where + ": the duration");
    tally.expect(a.tracks.size() == b.tracks.size(), where + ": the number of tracks");
    if (a.tracks.size() != b.tracks.size()) continue;
    for (std::size_t j = 0; j < a.tracks.size(); ++j) {
      const std::string at = fmt::format("{}.track[{}]", where, j);
      const bool is_same = a.tracks[j].joint == b.tracks[j].joint &&
                           a.tracks[j].channel == b.tracks[j].channel &&
                           a.tracks[j].kind == b.tracks[j].kind;
      tally.expect(is_same, at + ": joint, channel or kind");
      if (!is_same) continue;
      compare_curve(a, a.tracks[j].keys, b, b.tracks[j].keys, a.tracks[j].channel, at, tally);
    }
    compare_root_motion(a, b, where, tally);
  }
}

/// Every bone in object space at `time`; at rest where there is no clip.
std::vector<Transform> pose(const Skeleton& skeleton, const Clip& clip, float time) {
  const Binding binding = bind(clip, skeleton, {});
  return object_pose(skeleton, local_pose(clip, skeleton, binding, time));
}

/// Packed rotations are unit to 1e-5 only, which adds up along a chain; Blender's are normalised.
Clip normalised(Clip clip) {
  for (const Track& track : clip.tracks) {
    if (track.channel != Channel::rotation) continue;
    for (std::size_t key = 0; key < track.keys.count; ++key) {
      float* const v = &clip.values[track.keys.first_value + 4 * key];
      const double length = std::sqrt(double{v[0]} * v[0] + double{v[1]} * v[1] +
                                      double{v[2]} * v[2] + double{v[3]} * v[3]);
      for (int i = 0; i < 4; ++i) v[i] = static_cast<float>(v[i] / length);
    }
  }
  return clip;
}

void compare_poses(const Bank& bank, const ImportedMotion& trip, const Skeleton& rig,
                   Tally& tally) {
  tally.expect(trip.are_takes, "a file without custom properties has takes");
  tally.expect(trip.bank.clips.size() == 1, "there is one take");
  tally.expect(trip.skeleton.bones.size() == rig.bones.size(), "the number of bones");
  if (tally.failures != 0) return;
  const Clip a = normalised(bank.clips.front());
  const Clip& b = trip.bank.clips.front();
  const auto rest_a = pose(rig, {}, 0.0F);
  const auto rest_b = pose(trip.skeleton, {}, 0.0F);
  const auto turn = [](const Transform& posed, const Transform& rest) {
    return multiply(posed.rotation, conjugate(rest.rotation));
  };
  for (const float time : {0.0F, 0.1F, 3.0F, a.duration}) {
    const auto pose_a = pose(rig, a, time);
    const auto pose_b = pose(trip.skeleton, b, time);
    for (std::size_t i = 0; i < rig.bones.size(); ++i) {
      const auto& bones = trip.skeleton.bones;
      const auto same = std::find_if(bones.begin(), bones.end(), [&](const Bone& bone) {
        return bone.name == rig.bones[i].name;
      });
      tally.expect(same != bones.end(), "bone " + rig.bones[i].name + " is lost");
      if (same == bones.end()) continue;
      const auto j = static_cast<std::size_t>(same - bones.begin());
      const std::string where = fmt::format("{} at {} s", rig.bones[i].name, time);
      tally.compare(pose_a[i].translation, pose_b[j].translation, where);
      tally.compare(turn(pose_a[i], rest_a[i]), turn(pose_b[j], rest_b[j]), where);
    }
  }
}

template <class T>
T value_of(Result<T> result, std::string_view what) {
  if (result) return std::move(*result);
  fmt::print(stderr, "{}\n", describe(what, result.error()));
  std::exit(2);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  const std::string_view mode = argv[1];
  const auto document =
      value_of(Document::parse(value_of(read_file(argv[2], largest_file), argv[2])), argv[2]);
  const Bank bank = value_of(document.bank(), argv[2]);
  const auto trip =
      value_of(read_gltf_motion(value_of(read_file(argv[3], largest_file), argv[3])), argv[3]);
  Tally tally;
  if (mode == "tracks") {
    compare_tracks(bank, trip, tally);
  } else if (argc == 5) {
    compare_poses(bank, trip, value_of(load_rig(argv[4]), argv[4]).skeleton, tally);
  }
  fmt::print("{} {}: {} values, worst {:.2e} rad, {:.2e} m\n", argv[2], mode, tally.compared,
             tally.worst_angle, tally.worst_distance);
  return tally.failures == 0 && tally.compared != 0 ? 0 : 1;
}
