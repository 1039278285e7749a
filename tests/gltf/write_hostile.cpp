// Writes banks that no sane file gives as .glb files, for the validator:
//
//   mabkit_write_hostile FOLDER

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <limits>
#include <mabkit/file.hpp>
#include <mabkit/gltf.hpp>
#include <string>
#include <vector>

#include "unit/gltf/clips.hpp"

namespace {

using mabkit::Bank;
using mabkit::Channel;
using mabkit::Clip;
using mabkit::Skeleton;
using mabkit::TrackKind;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float largest = std::numeric_limits<float>::max();
constexpr float smallest = std::numeric_limits<float>::denorm_min();

struct Case {
  std::string name;
  Bank bank;
  Skeleton skeleton;
};

/// Two joints, curves of every kind, root motion.
Clip lively() {
  Clip clip;
  clip.duration = 1.0F;
  mabkit::test::add_joint(clip, "Hips");
  mabkit::test::add_joint(clip, "Spine");
  mabkit::test::add_track(clip, 0, Channel::rotation, TrackKind::animated, {0, 1},
                          {0, 0, 0, 1, 0, 0, 1, 0});
  mabkit::test::add_track(clip, 0, Channel::translation, TrackKind::animated, {0}, {1, 2, 3});
  mabkit::test::add_track(clip, 1, Channel::translation, TrackKind::constant, {0}, {0, 0, 1});
  clip.root_motion = mabkit::RootMotion{};
  clip.root_motion->translation =
      mabkit::test::add_keys(clip, {0, 1}, {5, 6, 7, 8, 9, 10}, Channel::translation);
  clip.root_motion->rotation =
      mabkit::test::add_keys(clip, {0}, {0.5F, 0.5F, 0.5F, 0.5F}, Channel::rotation);
  return clip;
}

Skeleton rig() {
  Skeleton skeleton;
  skeleton.bones = {mabkit::test::bone("Hips", std::nullopt, {0, 0, 1}),
                    mabkit::test::bone("Spine", 0, {0, 0, 0.5F})};
  return skeleton;
}

Case clip_case(std::string name, const std::function<void(Clip&)>& damage) {
  Clip clip = lively();
  damage(clip);
  return {std::move(name), mabkit::test::bank_of({clip}), rig()};
}

Case rig_case(std::string name, const std::function<void(Skeleton&)>& damage) {
  Case made{std::move(name), mabkit::test::bank_of({lively()}), rig()};
  damage(made.skeleton);
  return made;
}

std::vector<Case> cases() {
  std::vector<Case> all;
  all.push_back(clip_case("sound", [](Clip&) {}));
  for (const float bad : {nan, largest, smallest, 0.0F, -1.0F}) {
    all.push_back(clip_case(fmt::format("duration_{}", bad), [=](Clip& c) { c.duration = bad; }));
    all.push_back(clip_case(fmt::format("rate_{}", bad), [=](Clip& c) {
      c.duration = 0.0F;
      c.frame_rate = bad;
    }));
    all.push_back(clip_case(fmt::format("value_{}", bad),
                            [=](Clip& c) { c.values.assign(c.values.size(), bad); }));
    all.push_back(clip_case(fmt::format("time_{}", bad),
                            [=](Clip& c) { c.times.assign(c.times.size(), bad); }));
    all.push_back(rig_case(fmt::format("bind_{}", bad), [=](Skeleton& s) {
      s.bones[1].translation.x = bad;
      s.bones[1].rotation.y = bad;
      s.bones[1].scale.z = bad;
    }));
  }
  all.push_back(clip_case("twins", [](Clip& c) { c.joints[1] = c.joints[0]; }));
  all.push_back(clip_case("doubled_tracks", [](Clip& c) {
    c.tracks.insert(c.tracks.end(), c.tracks.begin(), c.tracks.end());
  }));
  all.push_back(clip_case("names", [](Clip& c) {
    c.name.emplace("\xFF\"\n");
    c.joints[0].name.emplace();
    c.joints[1].name.emplace("\xED\xA0\x80");
    c.parent.emplace("\xC3");
  }));
  all.push_back(rig_case("cycle", [](Skeleton& s) { s.bones[0].parent = 1; }));
  all.push_back({"empty", mabkit::test::bank_of({Clip{}, Clip{}}), {}});
  all.push_back({"crowd", mabkit::test::bank_of(std::vector<Clip>(50, lively())), rig()});
  Clip wide;
  wide.joints.resize(4000);
  all.push_back({"wide", mabkit::test::bank_of({wide, wide, wide}), {}});
  return all;
}

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count != 2) {
    fmt::print(stderr, "usage: mabkit_write_hostile FOLDER\n");
    return 2;
  }
  using Target = mabkit::RootMotionTarget;
  for (const Case& made : cases()) {
    for (const Target target : {Target::node, Target::joint, Target::ignore}) {
      mabkit::GltfOptions options;
      options.root_motion = target;
      const Skeleton* const skeleton = made.skeleton.bones.empty() ? nullptr : &made.skeleton;
      const auto path = std::filesystem::path(arguments[1]) /
                        fmt::format("{}_{}.glb", made.name, static_cast<int>(target));
      const auto written =
          mabkit::build_gltf(made.bank, skeleton, options)
              .and_then(mabkit::write_glb)
              .and_then([&](const auto& bytes) { return mabkit::write_file(path, bytes); });
      if (written) continue;
      fmt::print(stderr, "{}\n", mabkit::describe(path.string(), written.error()));
      return 1;
    }
  }
  return 0;
}
