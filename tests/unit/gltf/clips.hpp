#pragma once

#include <cstdint>
#include <initializer_list>
#include <mabkit/bank.hpp>
#include <mabkit/names.hpp>
#include <mabkit/skeleton.hpp>
#include <optional>
#include <string>
#include <vector>

namespace mabkit::test {

// Clips and rigs built in code.

inline constexpr float half_root = 0.70710678F;  // sin and cos of 45°

inline Keys add_keys(Clip& clip, const std::vector<float>& times, const std::vector<float>& values,
                     Channel channel) {
  Keys keys;
  keys.first_time = clip.times.size();
  keys.first_value = clip.values.size();
  keys.count = static_cast<std::uint32_t>(values.size() / value_width(channel));
  clip.times.insert(clip.times.end(), times.begin(), times.end());
  clip.values.insert(clip.values.end(), values.begin(), values.end());
  return keys;
}

inline void add_track(Clip& clip, std::uint32_t joint, Channel channel, TrackKind kind,
                      const std::vector<float>& times, const std::vector<float>& values) {
  clip.tracks.push_back({joint, channel, kind, add_keys(clip, times, values, channel)});
}

inline std::uint32_t add_joint(Clip& clip, const std::string& name) {
  Joint joint;
  joint.id = static_cast<std::uint32_t>(clip.joints.size());
  joint.name = name;
  joint.name_hash = name_hash(name);
  clip.joints.push_back(joint);
  return joint.id;
}

inline Bone bone(const std::string& name, std::optional<std::uint32_t> parent, Vec3 translation,
                 Quat rotation = {}) {
  Bone out;
  out.name = name;
  out.name_hash = name_hash(name);
  out.parent = parent;
  out.translation = translation;
  out.rotation = rotation;
  return out;
}

inline Bank bank_of(std::vector<Clip> clips) {
  Bank bank;
  bank.format = "mab";
  bank.game = Game::fc5;
  bank.clips = std::move(clips);
  return bank;
}

}  // namespace mabkit::test
