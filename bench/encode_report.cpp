// What the encoder makes of motion capture and of smooth motion: bytes, error and time, beside what
// ACL 2.1 makes of the same samples (measured once, with its defaults: 0.1 mm at 3 cm).
//
//   mabkit_encode_report [FOLDER]    the folder with 01_01.bvh and 01_03.bvh of the CMU database

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <mabkit/mabkit.hpp>
#include <optional>
#include <string>
#include <vector>

namespace {

using mabkit::Channel;
using mabkit::Clip;
using mabkit::EncodeOptions;
using mabkit::ImportedMotion;
using mabkit::Track;
using mabkit::TrackKind;

constexpr double bytes_of_plain_joint = 40.0;  // rotation, translation and scale in float32

/// Which frames of a capture are taken.
struct Samples {
  std::uint32_t first = 0;
  std::uint32_t step = 1;
  std::uint32_t count = 0;
};

/// What ACL makes of the same samples.
struct Mark {
  std::size_t bytes = 0;
  double worst_mm = 0.0;
};

template <class T>
T value_or_exit(mabkit::Result<T> result, const std::string& what) {
  if (result) return std::move(*result);
  fmt::print(stderr, "{}\n", mabkit::describe(what, result.error()));
  std::exit(1);
}

/// The frames of a clip as a clip of their own, `frames_per_second` apart.
Clip take(const Clip& source, const Samples& samples, double frames_per_second) {
  Clip clip;
  clip.joints = source.joints;
  clip.frame_rate = static_cast<float>(frames_per_second);
  for (std::uint32_t i = 0; i < samples.count; ++i) {
    clip.times.push_back(static_cast<float>(i / frames_per_second));
  }
  clip.duration = clip.times.back();
  for (Track track : source.tracks) {
    const auto values = source.values_of(track.keys, track.channel);
    const std::size_t width = value_width(track.channel);
    track.keys = {0, clip.values.size(), samples.count};
    for (std::uint32_t i = 0; i < samples.count; ++i) {
      const std::size_t frame = samples.first + std::size_t{i} * samples.step;
      const auto value = values.subspan(frame * width, width);
      clip.values.insert(clip.values.end(), value.begin(), value.end());
    }
    clip.tracks.push_back(track);
  }
  return clip;
}

/// The rig of a capture, every joint swinging in three slow sines of its own.
Clip smooth_clip(const ImportedMotion& capture, std::uint32_t count, double frames_per_second) {
  Clip clip;
  clip.joints = capture.bank.clips[0].joints;
  clip.frame_rate = static_cast<float>(frames_per_second);
  for (std::uint32_t i = 0; i < count; ++i) {
    clip.times.push_back(static_cast<float>(i / frames_per_second));
  }
  clip.duration = clip.times.back();
  for (std::uint32_t joint = 0; joint < clip.joints.size(); ++joint) {
    clip.tracks.push_back(
        {joint, Channel::rotation, TrackKind::animated, {0, clip.values.size(), count}});
    for (const float time : clip.times) {
      const double phase = 0.7 * joint;
      const double x = 0.12 * std::sin(0.45 * double{time} + phase);
      const double y = 0.08 * std::sin(0.3 * double{time} + 2.0 * phase);
      const double z = 0.10 * std::sin(0.37 * double{time} + 3.0 * phase);
      const double w = std::sqrt(1.0 - x * x - y * y - z * z);
      for (const double value : {x, y, z, w}) clip.values.push_back(static_cast<float>(value));
    }
  }
  return clip;
}

void print_head() {
  fmt::print("{:<44}{:>8}{:>6}{:>9}{:>8}{:>8}{:>8}{:>8}{:>8}{:>9}{:>8}\n", "clip", "samples",
             "keys", "bytes", "ratio", "bound", "worst", "99 %", "ms", "ACL", "worst");
}

void report(const std::string& name, Clip clip, const mabkit::Skeleton& skeleton,
            EncodeOptions options, std::optional<Mark> mark) {
  mabkit::Bank bank;
  bank.format = "bvh";
  bank.clips.push_back(std::move(clip));
  options.skeleton = &skeleton;
  const auto begin = std::chrono::steady_clock::now();
  const auto file = value_or_exit(encode_mab(bank, mabkit::Game::wd1, options), name);
  const std::chrono::duration<double, std::milli> elapsed =
      std::chrono::steady_clock::now() - begin;
  const mabkit::ClipReport& of = file.report.clips.front();
  const double plain = bytes_of_plain_joint * static_cast<double>(bank.clips[0].joints.size()) *
                       static_cast<double>(of.samples);
  fmt::print("{:<44}{:>8}{:>6}{:>9}{:>7.1f}:1{:>8.3f}{:>8.4f}{:>8.4f}{:>8.0f}", name, of.samples,
             of.keys, file.bytes.size(), plain / static_cast<double>(file.bytes.size()),
             options.max_object_error * 1e3, of.object->worst * 1e3, of.object->percentile_99 * 1e3,
             elapsed.count());
  if (mark) fmt::print("{:>9}{:>8.3f}", mark->bytes, mark->worst_mm);
  fmt::print("\n");
}

EncodeOptions bounded(double millimetres) {
  EncodeOptions options;
  options.max_object_error = millimetres * 1e-3;
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  const std::filesystem::path folder = argc > 1 ? argv[1] : "/usr/share/assimp/models/BVH";
  const auto load = [&](const std::string& name) {
    const std::string file = (folder / name).string();
    const auto bytes = value_or_exit(mabkit::read_file(folder / name, 1U << 30U), file);
    return value_or_exit(mabkit::read_bvh(bytes), file);
  };
  const ImportedMotion first = load("01_01.bvh");
  const ImportedMotion second = load("01_03.bvh");
  const Clip& walk = first.bank.clips[0];

  fmt::print(
      "Errors in mm, in object space, 3 cm from each joint. wd1 files, headers included.\n\n");
  print_head();
  report("01_01, frames 120 to 1320, 30 Hz", take(walk, {120, 4, 301}, 30), first.skeleton,
         bounded(0.153), Mark{32847, 0.153});
  report("01_01, 30 Hz", take(walk, {1, 4, 687}, 30), first.skeleton, bounded(0.159),
         Mark{73351, 0.159});
  report("01_03, 30 Hz", take(second.bank.clips[0], {1, 4, 1127}, 30), second.skeleton,
         bounded(0.140), Mark{120537, 0.140});

  for (const double bound : {0.153, 2.0}) {
    for (const bool reduces : {false, true}) {
      EncodeOptions options = bounded(bound);
      options.key_reduction = reduces;
      report(fmt::format("01_01, 10 s at 120 Hz, key reduction {}", reduces ? "on" : "off"),
             take(walk, {120, 1, 1201}, 120), first.skeleton, options, std::nullopt);
    }
  }
  for (const bool reduces : {false, true}) {
    EncodeOptions options = bounded(0.153);
    options.key_reduction = reduces;
    report(fmt::format("sums of sines, 10 s at 30 Hz, reduction {}", reduces ? "on" : "off"),
           smooth_clip(first, 301, 30), first.skeleton, options, std::nullopt);
  }
  return 0;
}
