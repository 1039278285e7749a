#include "support/chunked_banks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mabkit/names.hpp>
#include <mabkit/pose.hpp>
#include <set>
#include <stdexcept>

#include "support/fixtures.hpp"

namespace mabkit::test {
namespace {

using Value = std::array<double, 4>;

double dot(const Value& a, const Value& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

/// Short-way slerp from its definition.
Value slerped(const Value& a, Value b, double t) {
  if (dot(a, b) < 0) {
    for (double& x : b) x = -x;
  }
  const double angle = std::acos(std::min(1.0, dot(a, b)));
  Value out{};
  for (std::size_t i = 0; i < 4; ++i) {
    out[i] = angle < 1e-9 ? a[i] + t * (b[i] - a[i])
                          : (std::sin((1 - t) * angle) * a[i] + std::sin(t * angle) * b[i]) /
                                std::sin(angle);
  }
  return out;
}

Value value_of(const std::array<float, 4>& v) {
  return {v[0], v[1], v[2], v[3]};
}

/// The decoded value at a time.
Value sample(const PlainChunkedTrack& track, const std::vector<std::uint32_t>& ticks, double rate,
             double time) {
  if (track.values.size() == 1) return value_of(track.values[0]);
  std::size_t i = 0;
  while (i + 1 < ticks.size() && ticks[i + 1] / rate <= time + 1e-6) ++i;
  if (i + 1 == ticks.size()) return value_of(track.values[i]);
  double t = std::max(0.0, (time - ticks[i] / rate) / ((ticks[i + 1] - ticks[i]) / rate));
  if (t < 1e-4) t = 0.0;
  const Value a = value_of(track.values[i]);
  const Value b = value_of(track.values[i + 1]);
  if (track.is_rotation) return slerped(a, b, t);
  Value out{};
  for (std::size_t k = 0; k < 3; ++k) out[k] = a[k] + t * (b[k] - a[k]);
  return out;
}

double angle(const Value& a, const Value& b) {
  double minus = 0;
  double plus = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    minus += (a[i] - b[i]) * (a[i] - b[i]);
    plus += (a[i] + b[i]) * (a[i] + b[i]);
  }
  return 4 * std::asin(std::min(1.0, std::sqrt(std::min(minus, plus)) / 2));
}

double distance(const Value& a, const Value& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

Value source_value(const Clip& clip, const Keys& keys, Channel channel, double time) {
  const auto at = static_cast<float>(time);
  if (channel == Channel::rotation) {
    const Quat q = sample_rotation(clip, keys, at);
    const double length =
        std::sqrt(double{q.x} * q.x + double{q.y} * q.y + double{q.z} * q.z + double{q.w} * q.w);
    return {q.x / length, q.y / length, q.z / length, q.w / length};
  }
  const Vec3 v = sample_translation(clip, keys, at);
  return {v.x, v.y, v.z, 0};
}

/// A channel that swings by `width`: values at `times`.
std::vector<float> swing(std::mt19937& random, Channel channel, const std::vector<float>& times,
                         double width) {
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  std::array<double, 6> phase{};
  std::array<double, 6> speed{};
  for (std::size_t i = 0; i < 6; ++i) {
    phase[i] = 3 * unit(random);
    speed[i] = 2 + 2 * unit(random);
  }
  const double start = 3 * unit(random);
  std::vector<float> values;
  for (const float time : times) {
    const auto wave = [&](std::size_t i) { return std::sin(phase[i] + speed[i] * time); };
    if (channel == Channel::translation) {
      for (std::size_t i = 0; i < 3; ++i) {
        values.push_back(static_cast<float>(phase[i] / 2 + width * wave(i)));
      }
      continue;
    }
    const double turn = (start + width * wave(0)) / 2;
    const double x = phase[1] + width * wave(1) * 0.3;
    const double y = phase[2];
    const double z = phase[3] + 0.1;
    const double scale = std::sin(turn) / std::hypot(x, y, z);
    for (const double c : {x * scale, y * scale, z * scale, std::cos(turn)}) {
      values.push_back(static_cast<float>(c));
    }
  }
  return values;
}

/// 0, the last frame, and some of those between.
std::vector<float> key_times(std::mt19937& random, int frames) {
  std::vector<float> times{0.0F};
  const bool is_dense = random() % 2 == 0;
  for (int frame = 1; frame < frames; ++frame) {
    if (is_dense || frame + 1 == frames || random() % 3 == 0) {
      times.push_back(static_cast<float>(frame / 30.0));
    }
  }
  return times;
}

Keys add_keys(Clip& clip, const std::vector<float>& times, const std::vector<float>& values) {
  const Keys keys{clip.times.size(), clip.values.size(), static_cast<std::uint32_t>(times.size())};
  clip.times.insert(clip.times.end(), times.begin(), times.end());
  clip.values.insert(clip.values.end(), values.begin(), values.end());
  return keys;
}

}  // namespace

std::vector<std::string> chunked_fixtures() {
  std::vector<std::string> names = mab_fixtures();
  std::erase_if(names, [](const std::string& name) {
    return name.find("fc2") != std::string::npos || name.find("fc3") != std::string::npos;
  });
  return names;
}

void add_track(Clip& clip, std::uint32_t joint, Channel channel, TrackKind kind,
               const std::vector<float>& times, const std::vector<float>& values) {
  clip.tracks.push_back({joint, channel, kind, add_keys(clip, times, values)});
}

Clip random_clip(std::mt19937& random) {
  Clip clip;
  const int frames = random() % 8 == 0 ? 1 : 2 + static_cast<int>(random() % 60);
  clip.duration = static_cast<float>(std::max(1, frames - 1) / 30.0);
  const auto joints = 1 + random() % 12;
  for (std::uint32_t joint = 0; joint < joints; ++joint) {
    Joint& added = clip.joints.emplace_back();
    added.id = joint;
    added.name = fmt::format("joint_{}", joint);
    if (random() % 2 == 0) added.name_hash = name_hash(*added.name);
    for (const Channel channel : {Channel::rotation, Channel::translation}) {
      if (random() % (channel == Channel::rotation ? 6 : 2) == 0) continue;
      const bool is_constant = random() % 4 == 0;
      const auto times = is_constant ? std::vector<float>{0.0F} : key_times(random, frames);
      const double width = random() % 3 == 0 ? 0.0005 : random() % 2 == 0 ? 0.1 : 1.5;
      add_track(clip, joint, channel, is_constant ? TrackKind::constant : TrackKind::animated,
                times, swing(random, channel, times, width));
    }
  }
  if (frames >= 9 && random() % 2 == 0) {
    RootMotion motion;
    const auto times = random() % 2 == 0 ? std::vector<float>{0.0F} : key_times(random, frames);
    if (random() % 3 != 0) {
      motion.translation = add_keys(clip, times, swing(random, Channel::translation, times, 1.0));
    }
    if (random() % 3 != 0 && times.size() != 2) {
      motion.rotation = add_keys(clip, times, swing(random, Channel::rotation, times, 1.0));
    }
    if (motion.translation || motion.rotation) clip.root_motion = motion;
  }
  return clip;
}

Bank random_bank(std::mt19937& random) {
  Bank bank;
  bank.format = "gltf";
  bank.clips.push_back(random_clip(random));
  const auto children = random() % 3;
  for (std::uint32_t child = 1; child <= children; ++child) {
    bank.clips.push_back(random_clip(random));
    bank.participants.push_back({.kind = 8,
                                 .start = 0.5F,
                                 .end = 1.5F,
                                 .name = fmt::format("prop_{}", child),
                                 .child = name_hash("joint_0"),
                                 .parent = 0xFFFFFFFF,
                                 .target = 7,
                                 .reference = std::nullopt,
                                 .clip = child});
    bank.clips.back().participant = child - 1;
  }
  if (random() % 3 == 0) {
    bank.participants.push_back({.kind = 7,
                                 .start = 0.0F,
                                 .end = 1.0F,
                                 .name = std::nullopt,
                                 .child = 1,
                                 .parent = 2,
                                 .target = 3,
                                 .reference = std::nullopt,
                                 .clip = std::nullopt});
  }
  return bank;
}

PlainChunkedErrors plain_errors(const Clip& source, const PlainChunkedClip& decoded,
                                double ticks_per_second) {
  std::set<float> times{0.0F};
  for (const Track& track : source.tracks) {
    const auto own = source.times_of(track.keys);
    times.insert(own.begin(), own.end());
  }
  PlainChunkedErrors errors;
  const auto compare = [&](const Keys& keys, Channel channel, const PlainChunkedTrack& track) {
    for (const float time : times) {
      const Value expected = source_value(source, keys, channel, time);
      const Value actual = sample(track, decoded.ticks, ticks_per_second, time);
      double& worst = channel == Channel::rotation ? errors.rotation : errors.translation;
      worst = std::max(worst, channel == Channel::rotation ? angle(expected, actual)
                                                           : distance(expected, actual));
    }
  };
  for (const Track& track : source.tracks) {
    const auto found =
        std::find_if(decoded.tracks.begin(), decoded.tracks.end(), [&](const PlainChunkedTrack& t) {
          return t.joint == track.joint && t.is_rotation == (track.channel == Channel::rotation);
        });
    if (found == decoded.tracks.end()) throw std::runtime_error("a track is missing");
    compare(track.keys, track.channel, *found);
  }
  if (decoded.tracks.size() != source.tracks.size()) throw std::runtime_error("a track too many");
  if (!source.root_motion) return errors;
  if (source.root_motion->rotation) {
    compare(*source.root_motion->rotation, Channel::rotation,
            decoded.displacement_rotation.value());
  }
  if (source.root_motion->translation) {
    compare(*source.root_motion->translation, Channel::translation,
            decoded.displacement_translation.value());
  }
  return errors;
}

}  // namespace mabkit::test
