#include "support/random_banks.hpp"

#include <algorithm>
#include <cmath>
#include <mabkit/names.hpp>
#include <numeric>

#include "support/sparse_files.hpp"

namespace mabkit::test {
namespace {

std::uint32_t below(std::mt19937& random, std::uint32_t end) {
  return std::uniform_int_distribution<std::uint32_t>(0, end - 1)(random);
}

float between(std::mt19937& random, float low, float high) {
  return std::uniform_real_distribution<float>(low, high)(random);
}

Keys add_times(Clip& clip, const std::vector<float>& times) {
  const Keys keys{clip.times.size(), clip.values.size(), static_cast<std::uint32_t>(times.size())};
  clip.times.insert(clip.times.end(), times.begin(), times.end());
  return keys;
}

void push(Clip& clip, const Quat& q) {
  for (const float c : {q.x, q.y, q.z, q.w}) clip.values.push_back(c);
}
void push(Clip& clip, const Vec3& v) {
  for (const float c : {v.x, v.y, v.z}) clip.values.push_back(c);
}

Vec3 random_vector(std::mt19937& random) {
  return {between(random, -1, 1), between(random, -1, 1), between(random, -1, 1)};
}

/// Some of the frames: the first and the last, and every other with a chance of two thirds.
std::vector<std::uint32_t> random_frames(std::mt19937& random, std::uint32_t last_frame) {
  std::vector<std::uint32_t> frames;
  for (std::uint32_t frame = 0; frame <= last_frame; ++frame) {
    if (frame == 0 || frame == last_frame || below(random, 3) != 0) frames.push_back(frame);
  }
  return frames;
}

std::vector<float> times_of(const std::vector<std::uint32_t>& frames, float rate) {
  std::vector<float> times;
  for (const std::uint32_t frame : frames) times.push_back(static_cast<float>(frame) / rate);
  return times;
}

std::vector<Quat> random_curve(std::mt19937& random, const std::vector<std::uint32_t>& frames) {
  const bool jumps = below(random, 4) == 0;
  const Vec3 axis = random_vector(random);
  const float speed = between(random, 0.0F, 0.3F);
  const Quat start = random_rotation(random);
  std::vector<Quat> values;
  for (const std::uint32_t frame : frames) {
    if (jumps) {
      values.push_back(random_rotation(random));
      continue;
    }
    const double angle = 0.7 * std::sin(static_cast<double>(speed) * frame);
    const Quat q = turn(axis, angle);
    // A constant turn, then the swing.
    values.push_back({q.w * start.x + q.x * start.w + q.y * start.z - q.z * start.y,
                      q.w * start.y - q.x * start.z + q.y * start.w + q.z * start.x,
                      q.w * start.z + q.x * start.y - q.y * start.x + q.z * start.w,
                      q.w * start.w - q.x * start.x - q.y * start.y - q.z * start.z});
  }
  return values;
}

void add_random_joint(std::mt19937& random, Clip& clip, std::uint32_t id,
                      std::uint32_t last_frame) {
  const auto joint = static_cast<std::uint32_t>(clip.joints.size());
  clip.joints.emplace_back();
  clip.joints.back().id = id;
  const std::uint32_t what = below(random, 4);
  if (what == 0) {
    add_rotations(clip, joint, TrackKind::constant, {0.0F}, {random_rotation(random)});
  } else if (what != 1) {
    const auto frames = random_frames(random, last_frame);
    add_rotations(clip, joint, TrackKind::animated, times_of(frames, clip.frame_rate),
                  random_curve(random, frames));
  }
  if (below(random, 3) == 0) {
    add_translations(clip, joint, TrackKind::constant, {0.0F}, {random_vector(random)});
  } else if (what == 1 || below(random, 3) == 0) {
    const auto frames = random_frames(random, last_frame);
    std::vector<Vec3> values;
    for (std::size_t i = 0; i < frames.size(); ++i) values.push_back(random_vector(random));
    add_translations(clip, joint, TrackKind::animated, times_of(frames, clip.frame_rate), values);
  }
}

void add_random_root_motion(std::mt19937& random, Clip& clip, std::uint32_t last_frame) {
  RootMotion motion;
  const auto times = frame_times(last_frame, clip.frame_rate);
  motion.translation = add_times(clip, times);
  for (std::size_t i = 0; i < times.size(); ++i) push(clip, random_vector(random));
  motion.rotation = add_times(clip, times);
  for (std::size_t i = 0; i < times.size(); ++i) push(clip, random_rotation(random));
  motion.reference = random_rotation(random);
  motion.loop = random_rotation(random);
  clip.root_motion = motion;
}

Clip random_clip(std::mt19937& random, const RandomBankOptions& options, std::size_t number) {
  Clip clip;
  clip.frame_rate = below(random, 2) == 0 ? 30.0F : 24.0F;
  const std::uint32_t last_frame = below(random, options.most_frames);
  clip.duration = static_cast<float>(last_frame) / clip.frame_rate;
  std::vector<std::uint32_t> ids(160);
  std::iota(ids.begin(), ids.end(), 0U);
  std::shuffle(ids.begin(), ids.end(), random);
  const std::uint32_t joints = below(random, options.most_joints + 1);
  for (std::uint32_t i = 0; i < joints; ++i) add_random_joint(random, clip, ids[i], last_frame);
  if (number == 0 && below(random, 2) == 0) add_random_root_motion(random, clip, last_frame);
  for (std::uint32_t i = below(random, 3); i-- > 0;) {
    Event event;
    event.time = between(random, 0.0F, 1.0F);
    event.type = 2;
    event.payload.resize(below(random, 40), std::byte{0x5A});
    clip.events.push_back(std::move(event));
  }
  return clip;
}

}  // namespace

void add_rotations(Clip& clip, std::uint32_t joint, TrackKind kind, const std::vector<float>& times,
                   const std::vector<Quat>& values) {
  clip.tracks.push_back({joint, Channel::rotation, kind, add_times(clip, times)});
  for (const Quat& q : values) push(clip, q);
}

void add_translations(Clip& clip, std::uint32_t joint, TrackKind kind,
                      const std::vector<float>& times, const std::vector<Vec3>& values) {
  clip.tracks.push_back({joint, Channel::translation, kind, add_times(clip, times)});
  for (const Vec3& v : values) push(clip, v);
}

std::vector<float> frame_times(std::uint32_t last_frame, float rate) {
  std::vector<float> times;
  for (std::uint32_t frame = 0; frame <= last_frame; ++frame) {
    times.push_back(static_cast<float>(frame) / rate);
  }
  return times;
}

Quat turn(const Vec3& axis, double angle) {
  const double x = axis.x;
  const double y = axis.y;
  const double z = axis.z;
  const double scale = std::sin(0.5 * angle) / std::sqrt(x * x + y * y + z * z);
  return {static_cast<float>(scale * x), static_cast<float>(scale * y),
          static_cast<float>(scale * z), static_cast<float>(std::cos(0.5 * angle))};
}

Bank random_sparse_bank(std::mt19937& random, const RandomBankOptions& options) {
  Bank bank;
  bank.format = "json";
  bank.game = Game::fc2;
  const std::uint32_t clips = 1 + below(random, options.most_clips);
  for (std::uint32_t i = 0; i < clips; ++i) {
    bank.clips.push_back(random_clip(random, options, i));
    if (i == 0) continue;
    Participant participant;
    participant.kind = 1;
    participant.end = bank.clips.back().duration;
    participant.name = "prop " + std::to_string(i);
    participant.child = name_hash(*participant.name);
    participant.parent = name_hash("R Hand");
    participant.clip = i;
    bank.clips.back().participant = i - 1;
    bank.clips.back().name = participant.name;
    bank.clips.back().parent = "R Hand";
    bank.participants.push_back(participant);
  }
  return bank;
}

}  // namespace mabkit::test
