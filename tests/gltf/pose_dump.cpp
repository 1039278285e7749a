// Prints where our own forward kinematics puts the joints of a clip, for the tests with other
// programs:
//
//   mabkit_pose_dump CLIP.mab RIG > DUMP.json
//
// The times are the first key, the last, and points midway between keys that lie a quarter, half
// and three quarters into the clip.

#include <fmt/format.h>

#include <cstdio>
#include <mabkit/document.hpp>
#include <mabkit/file.hpp>
#include <mabkit/pose.hpp>
#include <mabkit/rig.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace {

using nlohmann::json;

constexpr std::uint64_t max_file_size = 1ULL << 30;

/// The times of the animated track with the most keys.
std::vector<float> key_times(const mabkit::Clip& clip) {
  mabkit::Keys most;
  for (const mabkit::Track& track : clip.tracks) {
    if (track.keys.count > most.count) most = track.keys;
  }
  const auto times = clip.times_of(most);
  return {times.begin(), times.end()};
}

std::vector<float> dump_times(const mabkit::Clip& clip) {
  const std::vector<float> keys = key_times(clip);
  std::vector<float> times{0.0F};
  for (const std::size_t quarter : {1U, 2U, 3U}) {
    const std::size_t key = quarter * (keys.size() - 1) / 4;
    if (key + 1 < keys.size()) times.push_back((keys[key] + keys[key + 1]) / 2.0F);
  }
  times.push_back(clip.duration);
  return times;
}

/// The actor relative to its place at the first key, as docs/formats/gltf.md has the node of root
/// motion: T(p(t) - p(0)) R(r(t) r(0)⁻¹).
mabkit::Transform actor_at(const mabkit::Clip& clip, float time) {
  mabkit::Transform actor;
  if (!clip.root_motion) return actor;
  const mabkit::RootMotion& motion = *clip.root_motion;
  if (motion.translation) {
    const mabkit::Vec3 start = clip.translation(*motion.translation, 0);
    const mabkit::Vec3 now = mabkit::sample_translation(clip, *motion.translation, time);
    actor.translation = {now.x - start.x, now.y - start.y, now.z - start.z};
  }
  if (motion.rotation) {
    actor.rotation = mabkit::multiply(mabkit::sample_rotation(clip, *motion.rotation, time),
                                      mabkit::conjugate(clip.rotation(*motion.rotation, 0)));
  }
  return actor;
}

json pose_at(const mabkit::Clip& clip, const mabkit::Skeleton& skeleton,
             const mabkit::Binding& binding, float time) {
  const auto local = mabkit::local_pose(clip, skeleton, binding, time);
  const auto object = mabkit::object_pose(skeleton, local);
  const mabkit::Transform actor = actor_at(clip, time);
  json joints = json::object();
  for (std::size_t bone = 0; bone < object.size(); ++bone) {
    const mabkit::Vec3 at = mabkit::combine(actor, object[bone]).translation;
    joints[skeleton.bones[bone].name] = {at.x, at.y, at.z};
  }
  return {{"time", time}, {"joints", std::move(joints)}};
}

/// The parent's name of each bone, null for roots.
json parents_of(const mabkit::Skeleton& skeleton) {
  json parents = json::object();
  for (const mabkit::Bone& bone : skeleton.bones) {
    parents[bone.name] = bone.parent ? json(skeleton.bones[*bone.parent].name) : json(nullptr);
  }
  return parents;
}

int fail(const char* file, const mabkit::Error& error) {
  fmt::print(stderr, "{}\n", mabkit::describe(file, error));
  return 1;
}

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count != 3) {
    fmt::print(stderr, "usage: mabkit_pose_dump CLIP.mab RIG\n");
    return 2;
  }
  const auto bank = mabkit::read_file(arguments[1], max_file_size)
                        .and_then([](auto bytes) { return mabkit::Document::parse(bytes); })
                        .and_then([](const auto& document) { return document.bank(); });
  if (!bank) return fail(arguments[1], bank.error());
  const auto skeleton =
      mabkit::read_file(arguments[2], max_file_size).and_then([](const auto& bytes) {
        return mabkit::parse_rig(bytes);
      });
  if (!skeleton) return fail(arguments[2], skeleton.error());

  const mabkit::Clip& clip = bank->clips.at(0);
  const mabkit::Binding binding = mabkit::bind(clip, *skeleton, {});
  json poses = json::array();
  for (const float time : dump_times(clip)) {
    poses.push_back(pose_at(clip, *skeleton, binding, time));
  }
  const json dump{{"matched", binding.matched},
                  {"parents", parents_of(*skeleton)},
                  {"poses", std::move(poses)}};
  fmt::print("{}\n", dump.dump());
  return 0;
}
