#pragma once

#include <cstddef>
#include <cstdint>
#include <mabkit/error.hpp>
#include <mabkit/game.hpp>
#include <mabkit/math.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mabkit {

/// Where a curve's keys stand in the buffers of its clip.
///
/// `count` times start at `Clip::times[first_time]`, in seconds, strictly rising. `count` values of
/// 4 (rotation) or 3 (translation) floats start at `Clip::values[first_value]`. Curves may share
/// their times. Offsets, not pointers, so that a clip can be copied, moved and extended.
struct Keys {
  std::size_t first_time = 0;
  std::size_t first_value = 0;
  std::uint32_t count = 0;
};

enum class Channel : std::uint8_t {
  rotation,     ///< unit quaternions, x y z w
  translation,  ///< metres
};

/// Floats in one value of a channel: 4 or 3.
[[nodiscard]] constexpr std::size_t value_width(Channel channel) {
  return channel == Channel::rotation ? 4 : 3;
}

enum class TrackKind : std::uint8_t {
  constant,  ///< one value for the whole clip, at time 0
  animated,  ///< keys over time, possibly only one
};

/// One channel of one joint: parent-relative values that replace the joint's bind value.
struct Track {
  std::uint32_t joint = 0;  ///< position in `Clip::joints`
  Channel channel = Channel::rotation;
  TrackKind kind = TrackKind::constant;
  Keys keys;
};

/// A joint as the file names it. Absent where the file does not say.
struct Joint {
  std::uint32_t id = 0;  ///< skeleton bone id where the format has one, else the index in the file
  std::optional<std::uint32_t> name_hash;  ///< CRC-32 of the name, case kept
  std::optional<std::string> name;
  std::optional<std::uint32_t> parent;  ///< position in `Clip::joints`
};

/// Motion of the actor as a whole, outside the joint tree.
struct RootMotion {
  std::optional<Keys> translation;
  std::optional<Keys> rotation;
  /// Frame in which the translation is expressed (spec mab-sparse, 1.3).
  std::optional<Quat> reference;
  /// What one full playthrough adds to the heading (spec mab-sparse, 1.3).
  std::optional<Quat> loop;
};

/// Something that happens at a moment of a clip. An event with a payload that is not understood
/// keeps it.
struct Event {
  float time = 0.0F;                  ///< seconds
  std::optional<std::uint32_t> type;  ///< absent where the format has none
  std::optional<std::string>
      class_name;                  ///< such as `PlaySound`; absent where the payload hides it
  std::vector<std::byte> payload;  ///< as stored
};

/// Another entity of the scene: a tag record or a parts record (spec mab-sparse 1.9, mab-chunked
/// 6.1).
struct Participant {
  std::uint32_t kind = 0;  ///< 1 prop or possession, 6 IK path, 7 anchor, 8 sub-part, 9 camera
  float start = 0.0F;      ///< seconds
  float end = 0.0F;        ///< seconds
  std::optional<std::string> name;
  std::uint32_t child = 0;   ///< CRC-32 of the child bone or of the name
  std::uint32_t parent = 0;  ///< CRC-32 of the parent bone; 0xFFFFFFFF is any
  std::uint32_t target = 0;  ///< CRC-32 of the target bone
  std::optional<std::string> reference;
  std::optional<std::uint32_t>
      clip;  ///< position in `Bank::clips`; absent where the record has none
};

/// One animation of one rig. Values are as the engine decodes them: float32, signs of quaternions
/// not aligned, parent-relative, Z up, right-handed, metres.
struct Clip {
  std::optional<std::string> name;
  std::optional<std::string> parent;  ///< name of the joint of clip 0 that this clip hangs from
  float duration = 0.0F;              ///< seconds
  float frame_rate = 30.0F;           ///< frames per second of the authoring grid
  std::vector<Joint> joints;
  std::vector<Track> tracks;  ///< by joint, rotation before translation
  std::optional<RootMotion> root_motion;
  std::vector<Event> events;
  std::optional<std::uint32_t> participant;  ///< position in `Bank::participants`

  std::vector<float> times;   ///< every curve's key times
  std::vector<float> values;  ///< every curve's values

  [[nodiscard]] std::span<const float> times_of(const Keys& keys) const {
    return std::span(times).subspan(keys.first_time, keys.count);
  }
  [[nodiscard]] std::span<const float> values_of(const Keys& keys, Channel channel) const {
    return std::span(values).subspan(keys.first_value, keys.count * value_width(channel));
  }
  /// Value of key `index` < `keys.count` of a rotation curve.
  [[nodiscard]] Quat rotation(const Keys& keys, std::size_t index) const {
    const float* v = values.data() + keys.first_value + 4 * index;
    return {v[0], v[1], v[2], v[3]};
  }
  /// Value of key `index` < `keys.count` of a translation curve.
  [[nodiscard]] Vec3 translation(const Keys& keys, std::size_t index) const {
    const float* v = values.data() + keys.first_value + 3 * index;
    return {v[0], v[1], v[2]};
  }
};

/// Engine-neutral meaning of one file.
struct Bank {
  std::string format;  ///< `mab`, `mac`, ...
  std::optional<Game> game;
  std::vector<Clip> clips;                ///< clip 0 is the main one, the others are participants
  std::vector<Participant> participants;  ///< every record, with or without a clip, in file order
  std::vector<Diagnostic> diagnostics;    ///< what decoding the values had to salvage
};

}  // namespace mabkit
