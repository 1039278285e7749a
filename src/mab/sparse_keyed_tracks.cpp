#include "mab/sparse_keyed_tracks.hpp"

#include <bit>
#include <cstddef>

#include "codec/sparse_groups.hpp"

namespace mabkit::mab {
namespace {

std::size_t group_count(std::uint32_t last_frame) {
  return last_frame / codec::frames_per_group + 1U;
}

/// `presence_bits` is its own inverse but for bit 7, which new bytes don't have.
std::uint8_t stored_presence(std::uint8_t lsb_first, PresenceOrder order) {
  return codec::presence_bits(std::byte{lsb_first}, order);
}

void add_valid(codec::SparseKeys& keys, std::uint32_t frame, codec::PackedQuaternion word) {
  // Spec mab-sparse, section 2: below, a key counts as missing.
  if (!(codec::unpack(word, codec::sparse_packed_half).radicand >= codec::least_radicand)) return;
  keys.frames.push_back(frame);
  keys.words.push_back(word);
}

}  // namespace

std::vector<KeyedTrackFields> split_tracks(const KeyedRotationFields& section) {
  std::vector<KeyedTrackFields> tracks(section.header.count);
  for (const GroupFields& group : section.groups) {
    std::size_t next = 0;
    for (std::size_t i = 0; i < tracks.size(); ++i) {
      KeyedGroup part{group.first_keys[i], group.presence[i], {}};
      const auto further =
          static_cast<std::size_t>(std::popcount(unsigned{part.presence} & codec::presence_mask));
      const auto from = group.further_keys.begin() + static_cast<std::ptrdiff_t>(next);
      part.further_keys.assign(from, from + static_cast<std::ptrdiff_t>(further));
      next += further;
      tracks[i].push_back(std::move(part));
    }
  }
  return tracks;
}

void join_tracks(const std::vector<KeyedTrackFields>& tracks, KeyedRotationFields& section) {
  section.header.count = static_cast<std::uint16_t>(tracks.size());
  std::vector<GroupFields> groups(tracks.empty() ? 0 : group_count(section.header.last_frame));
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (g < section.groups.size()) groups[g].padding = section.groups[g].padding;
    for (const KeyedTrackFields& track : tracks) {
      // A track without a valid key takes no part in edits: its last value is held.
      const KeyedGroup part =
          g < track.size() ? track[g] : KeyedGroup{track.back().first_key, 0, {}};
      groups[g].first_keys.push_back(part.first_key);
      groups[g].presence.push_back(part.presence);
      groups[g].further_keys.insert(groups[g].further_keys.end(), part.further_keys.begin(),
                                    part.further_keys.end());
    }
  }
  section.groups = std::move(groups);
}

codec::SparseKeys keys_of(const KeyedTrackFields& track, std::uint32_t last_frame,
                          PresenceOrder order) {
  codec::SparseKeys keys;
  for (std::uint32_t g = 0; g < track.size(); ++g) {
    const std::uint32_t first_frame = g * codec::frames_per_group;
    add_valid(keys, first_frame, track[g].first_key);
    std::size_t next = 0;
    for (unsigned present = codec::presence_bits(std::byte{track[g].presence}, order); present != 0;
         present &= present - 1, ++next) {
      const std::uint32_t frame =
          first_frame + 1 + static_cast<std::uint32_t>(std::countr_zero(present));
      if (frame <= last_frame) add_valid(keys, frame, track[g].further_keys[next]);
    }
  }
  return keys;
}

KeyedTrackFields track_of(const codec::SparseKeys& keys, std::uint32_t last_frame,
                          PresenceOrder order) {
  KeyedTrackFields track(group_count(last_frame));
  for (std::size_t i = 0; i < keys.frames.size(); ++i) {
    KeyedGroup& group = track[keys.frames[i] / codec::frames_per_group];
    const std::uint32_t subframe = keys.frames[i] % codec::frames_per_group;
    if (subframe == 0) {
      group.first_key = keys.words[i];
      continue;
    }
    group.presence = static_cast<std::uint8_t>(group.presence | 1U << (subframe - 1));
    group.further_keys.push_back(keys.words[i]);
  }
  for (KeyedGroup& group : track) group.presence = stored_presence(group.presence, order);
  return track;
}

}  // namespace mabkit::mab
