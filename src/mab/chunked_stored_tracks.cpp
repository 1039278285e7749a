#include "mab/chunked_stored_tracks.hpp"

#include <algorithm>

#include "codec/chunked_encode.hpp"

namespace mabkit::mab {
namespace {

/// Takes the tracks of a block out of its lists, in the order of its flags.
class TrackCollector {
 public:
  TrackCollector(const ChunkedLayout& layout, const BlockFields& block)
      : layout_(layout), block_(block), entry_(first_entry()) {}

  std::vector<StoredTrack> run() {
    for (std::uint32_t joint = 0; joint < block_.flags.size(); ++joint) {
      const std::uint8_t flags = block_.flags[joint];
      if (has_constant_rotation(layout_, flags)) {
        if (rotations_ < block_.constant_rotations.size()) {
          add(joint, Channel::rotation, TrackKind::constant).rotation =
              block_.constant_rotations[rotations_++];
        }
      } else if (has_animated_rotation(layout_, flags) && block_.joint_rotations) {
        add(joint, Channel::rotation, TrackKind::animated).animated =
            take(*block_.joint_rotations, rotation_stream_++);
      }
      if (has_constant_translation(flags)) {
        if (translations_ < block_.constant_translations.size()) {
          add(joint, Channel::translation, TrackKind::constant).translation =
              block_.constant_translations[translations_++];
        }
      } else if (has_animated_translation(flags) && block_.joint_translations) {
        StoredTrack& track = add(joint, Channel::translation, TrackKind::animated);
        track.animated = take(*block_.joint_translations, translation_stream_++);
        track.animated.scale_units = scale_units_of(block_.translation_table[entry_++]);
      }
    }
    return std::move(tracks_);
  }

  [[nodiscard]] std::size_t first_entry() const {
    const std::size_t joints =
        block_.joint_translations ? block_.joint_translations->bits.size() : 0;
    return block_.translation_table.size() - std::min(block_.translation_table.size(), joints);
  }

 private:
  StoredTrack& add(std::uint32_t joint, Channel channel, TrackKind kind) {
    StoredTrack& track = tracks_.emplace_back();
    track.joint = joint;
    track.channel = channel;
    track.kind = kind;
    return track;
  }

  static codec::EncodedTrack take(const StreamFields& stream, std::size_t position) {
    codec::EncodedTrack track;
    track.bits = stream.bits[position];
    for (const auto& chunk : stream.chunks) track.chunks.push_back(chunk[position]);
    return track;
  }

  const ChunkedLayout& layout_;
  const BlockFields& block_;
  std::vector<StoredTrack> tracks_;
  std::size_t rotations_ = 0;
  std::size_t translations_ = 0;
  std::size_t rotation_stream_ = 0;
  std::size_t translation_stream_ = 0;
  std::size_t entry_;
};

/// The bits of a joint's flags that belong to a channel.
std::uint8_t part_of(std::uint8_t flags, Channel channel) {
  const std::uint8_t mask = channel == Channel::translation
                                ? constant_translation_flags
                                : static_cast<std::uint8_t>(~constant_translation_flags);
  return flags & mask;
}

/// What is left of a list after its first `count` values.
template <class T>
std::vector<T> rest(const std::vector<T>& values, std::size_t count) {
  return {values.begin() + static_cast<std::ptrdiff_t>(std::min(count, values.size())),
          values.end()};
}

}  // namespace

std::vector<StoredTrack> stored_tracks(const ChunkedLayout& layout, const BlockFields& block) {
  return TrackCollector(layout, block).run();
}

TickCurve decoded_curve(const StoredTrack& track, const std::vector<std::uint16_t>& ticks) {
  TickCurve curve;
  curve.channel = track.channel;
  if (track.kind == TrackKind::constant) {
    const DecodedConstant value = decoded_constant(track);
    curve.ticks = {0.0};
    if (track.channel == Channel::rotation) curve.rotations = {value.rotation};
    if (track.channel == Channel::translation) curve.translations = {value.translation};
    return curve;
  }
  const auto keys = static_cast<std::uint32_t>(ticks.size());
  std::vector<Quat> rotations;
  std::vector<Vec3> translations;
  if (track.channel == Channel::rotation) {
    rotations = codec::decode_rotation_track(track.animated, keys);
  } else {
    translations = codec::decode_translation_track(track.animated, keys);
  }
  for (std::uint32_t key = 0; key < keys; ++key) {
    if (key + 1 < keys && ticks[key + 1] == ticks[key]) continue;
    curve.ticks.push_back(ticks[key]);
    if (track.channel == Channel::rotation) curve.rotations.push_back(rotations[key]);
    if (track.channel == Channel::translation) curve.translations.push_back(translations[key]);
  }
  return curve;
}

void replace_tracks(BlockFields& block, const ChunkedLayout& layout,
                    const std::vector<StoredTrack>& tracks) {
  const std::vector<StoredTrack> before = stored_tracks(layout, block);
  std::size_t rotations = 0;
  std::size_t translations = 0;
  for (const StoredTrack& track : before) {
    if (track.kind != TrackKind::constant) continue;
    ++(track.channel == Channel::rotation ? rotations : translations);
  }
  const auto spare_rotations = rest(block.constant_rotations, rotations);
  const auto spare_translations = rest(block.constant_translations, translations);
  const std::size_t first_entry = TrackCollector(layout, block).first_entry();
  const std::vector<std::uint8_t> old_flags = block.flags;
  // What a flag names and the block lacks goes on to be named, unless a track takes its place.
  for (const StoredTrack& track : tracks) {
    std::uint8_t& flags = block.flags[track.joint];
    flags = part_of(flags,
                    track.channel == Channel::rotation ? Channel::translation : Channel::rotation);
  }
  block.constant_rotations.clear();
  block.constant_translations.clear();
  block.translation_table.resize(first_entry);
  block.joint_rotations.reset();
  block.joint_translations.reset();
  for (const StoredTrack& track : tracks) {
    add_track(block, track, static_cast<std::uint32_t>(block.ticks.size()));
    const std::uint8_t old = old_flags[track.joint];
    if (track.channel == Channel::rotation && track.kind == TrackKind::constant &&
        has_constant_rotation(layout, old)) {
      // Bits of a constant rotation that mean nothing stay as they are.
      std::uint8_t& flags = block.flags[track.joint];
      flags = part_of(flags, Channel::translation) | part_of(old, Channel::rotation);
    }
  }
  block.constant_rotations.insert(block.constant_rotations.end(), spare_rotations.begin(),
                                  spare_rotations.end());
  block.constant_translations.insert(block.constant_translations.end(), spare_translations.begin(),
                                     spare_translations.end());
}

}  // namespace mabkit::mab
