#include "mab/sparse_edit_write.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "base/bytes.hpp"
#include "mab/sparse_joints.hpp"
#include "mab/sparse_keyed_tracks.hpp"

namespace mabkit::mab {
namespace {

constexpr std::size_t components_per_value = 3;

/// One track of a section and the bone that it belongs to; absent where the mask names none.
template <class Values>
struct OwnedTrack {
  std::optional<std::uint32_t> id;
  Values values;
};
template <class Values>
using OwnedTracks = std::vector<OwnedTrack<Values>>;

template <class Values>
OwnedTracks<Values> owned(const std::vector<Values>& tracks, const BoneMask& mask) {
  const std::vector<std::uint32_t> bones = mask.bones();
  OwnedTracks<Values> out;
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    const bool has_bone = i < bones.size();
    out.push_back({has_bone ? std::optional(bones[i]) : std::nullopt, tracks[i]});
  }
  return out;
}

/// Puts a track where its bone id belongs; those without a bone stay last.
template <class Values>
void insert(OwnedTracks<Values>& tracks, std::uint32_t id, Values values) {
  const auto after = std::find_if(tracks.begin(), tracks.end(),
                                  [id](const auto& track) { return !track.id || *track.id > id; });
  tracks.insert(after, {id, std::move(values)});
}

template <class Values>
void remove(OwnedTracks<Values>& tracks, std::uint32_t id) {
  tracks.erase(std::remove_if(tracks.begin(), tracks.end(),
                              [id](const auto& track) { return track.id == id; }),
               tracks.end());
}

template <class Values>
std::vector<Values> values_of(const OwnedTracks<Values>& tracks) {
  std::vector<Values> out;
  for (const auto& track : tracks) out.push_back(track.values);
  return out;
}

class ChangeWriter {
 public:
  ChangeWriter(const ClipChange& change, const SparseIndex& index, std::size_t number,
               ClipFields& fields)
      : change_(change),
        clip_(index.clips[number]),
        order_(index.presence_order),
        fields_(fields) {}

  void write() {
    if (!change_.rotations.empty()) write_rotations();
    if (!change_.translations.empty()) write_translations();
    if (change_.is_resized) set_length();
    realign();
  }

 private:
  void move_bone(std::uint32_t id, MaskKind from, MaskKind to) {
    const std::uint32_t bit = 1U << (id % bones_per_word);
    fields_.masks[static_cast<std::size_t>(from)][id / bones_per_word] &= ~bit;
    fields_.masks[static_cast<std::size_t>(to)][id / bones_per_word] |= bit;
  }

  void write_rotations() {
    RotationFields constants = fields_.constant_rotations.value_or(RotationFields{});
    KeyedRotationFields keyed = fields_.keyed_rotations.value_or(KeyedRotationFields{});
    auto constant_tracks = owned(constants.rotations, clip_.mask(MaskKind::constant_rotation));
    auto keyed_tracks = owned(split_tracks(keyed), clip_.mask(MaskKind::keyed_rotation));
    // By position first: inserting moves what stands behind.
    for (const auto& [place, track] : change_.rotations) {
      if (track->kind == TrackKind::constant) {
        constant_tracks[place.index].values = track->keys.words.front();
      } else if (place.kind == MaskKind::keyed_rotation) {
        keyed_tracks[place.index].values = track_of(track->keys, change_.last_frame, order_);
      }
    }
    for (const auto& [place, track] : change_.rotations) {
      if (track->kind == TrackKind::constant || place.kind == MaskKind::keyed_rotation) continue;
      remove(constant_tracks, place.id);
      insert(keyed_tracks, place.id, track_of(track->keys, change_.last_frame, order_));
      move_bone(place.id, MaskKind::constant_rotation, MaskKind::keyed_rotation);
    }
    constants.rotations = values_of(constant_tracks);
    constants.header.count = static_cast<std::uint16_t>(constants.rotations.size());
    if (!keyed_tracks.empty()) set_time(keyed.header);
    join_tracks(values_of(keyed_tracks), keyed);
    put(std::move(constants), fields_.constant_rotations);
    put(std::move(keyed), fields_.keyed_rotations);
  }

  /// The values of a section of translations, by track; `frames` of them in each.
  static std::vector<std::vector<VectorBits>> split(const TranslationFields& section,
                                                    std::size_t frames) {
    const std::size_t count = section.header.count;
    std::vector<std::vector<VectorBits>> tracks(count);
    for (std::size_t i = 0; i < count * frames; ++i) {
      const FloatBits* at = section.components.data() + components_per_value * i;
      tracks[i % count].push_back({at[0], at[1], at[2]});
    }
    return tracks;
  }

  static void join(const std::vector<std::vector<VectorBits>>& tracks, std::size_t frames,
                   TranslationFields& section) {
    section.header.count = static_cast<std::uint16_t>(tracks.size());
    section.components.clear();
    for (std::size_t frame = 0; frame < frames; ++frame) {
      for (const auto& track : tracks) {
        section.components.insert(section.components.end(), track[frame].begin(),
                                  track[frame].end());
      }
    }
  }

  [[nodiscard]] std::vector<VectorBits> dense(const TranslationTrack& track) const {
    std::vector<VectorBits> values;
    for (std::uint32_t frame = 0; frame <= change_.last_frame; ++frame) {
      values.push_back(bits_of(track.stored_at(frame)));
    }
    return values;
  }

  void write_translations() {
    TranslationFields constants = fields_.constant_translations.value_or(TranslationFields{});
    TranslationFields animated = fields_.animated_translations.value_or(TranslationFields{});
    const std::size_t frames_before = animated.header.last_frame + std::size_t{1};
    auto constant_tracks = owned(split(constants, 1), clip_.mask(MaskKind::constant_translation));
    auto animated_tracks =
        owned(split(animated, frames_before), clip_.mask(MaskKind::animated_translation));
    for (const auto& [place, track] : change_.translations) {
      if (place.kind == MaskKind::animated_translation) {
        animated_tracks[place.index].values = dense(*track);
      } else if (track->stored.size() == 1) {
        constant_tracks[place.index].values = {bits_of(track->stored.front())};
      }
    }
    for (const auto& [place, track] : change_.translations) {
      if (place.kind == MaskKind::animated_translation || track->stored.size() == 1) continue;
      remove(constant_tracks, place.id);
      insert(animated_tracks, place.id, dense(*track));
      move_bone(place.id, MaskKind::constant_translation, MaskKind::animated_translation);
    }
    join(values_of(constant_tracks), 1, constants);
    if (!animated_tracks.empty()) set_time(animated.header);
    join(values_of(animated_tracks), animated.header.last_frame + std::size_t{1}, animated);
    put(std::move(constants), fields_.constant_translations);
    put(std::move(animated), fields_.animated_translations);
  }

  /// Length and, where the section gets its first track, rate of the clip.
  void set_time(ArrayHeaderFields& header) const {
    header.last_frame = change_.last_frame;
    if (header.count == 0) header.rate = change_.rate;
  }

  /// A section that the template lacks is only made for tracks.
  template <class Fields>
  static void put(Fields section, std::optional<Fields>& out) {
    if (out || section.header.count != 0) out = std::move(section);
  }

  /// Empty sections say the clip's length too (spec mab-sparse, 4.1, rule 7).
  void set_length() {
    if (fields_.keyed_rotations) fields_.keyed_rotations->header.last_frame = change_.last_frame;
    if (fields_.animated_translations) {
      fields_.animated_translations->header.last_frame = change_.last_frame;
    }
  }

  /// Bytes that no rule explains stay behind their section, whose end may have moved.
  void realign() {
    for (const SparseGap& gap : clip_.gaps) {
      auto& unexplained = fields_.unexplained[gap.after];
      if (!unexplained || gap.after >= tag_table) continue;
      const std::uint64_t size = size_of(gap.after);
      if (size == clip_.sections[gap.after]->size) continue;
      std::vector<std::byte> bytes(padding_after(size));
      bytes.insert(bytes.end(), unexplained->begin() + static_cast<std::ptrdiff_t>(gap.alignment),
                   unexplained->end());
      bytes.resize(bytes.size() + padding_after(size + bytes.size()));
      unexplained = std::move(bytes);
    }
  }

  static std::size_t padding_after(std::uint64_t size) {
    return static_cast<std::size_t>(base::align_up(size, section_alignment) - size);
  }

  /// Bytes of one of slots 0 to 5 without padding (spec mab-sparse, 1.6).
  [[nodiscard]] std::uint64_t size_of(std::uint32_t slot) const {
    const auto rotations = [](const auto& section) {
      return array_header_size + sizeof(codec::PackedQuaternion) * section->rotations.size();
    };
    const auto translations = [](const auto& section) {
      return array_header_size + sizeof(FloatBits) * section->components.size();
    };
    switch (slot) {
      case trajectory_translation:
        return translations(fields_.trajectory_translation);
      case trajectory_rotation:
        return rotations(fields_.trajectory_rotation);
      case constant_rotations:
        return rotations(fields_.constant_rotations);
      case constant_translations:
        return translations(fields_.constant_translations);
      case animated_translations:
        return translations(fields_.animated_translations);
      default:
        return keyed_size(*fields_.keyed_rotations);
    }
  }

  static std::uint64_t keyed_size(const KeyedRotationFields& section) {
    std::uint64_t size = array_header_size;
    if (!section.groups.empty()) size += sizeof(std::uint32_t) * (section.groups.size() + 1);
    for (const GroupFields& group : section.groups) {
      size +=
          sizeof(codec::PackedQuaternion) * (group.first_keys.size() + group.further_keys.size());
      size += base::align_up(group.presence.size(), 2);
    }
    return size;
  }

  const ClipChange& change_;
  const SparseClip& clip_;
  PresenceOrder order_;
  ClipFields& fields_;
};

}  // namespace

std::vector<TrackPlace> places_of(const SparseClip& index, const Clip& stored) {
  const SparseJoints joints = joints_of(index);
  const auto kinds = [](Channel channel) {
    return channel == Channel::rotation
               ? std::array{MaskKind::constant_rotation, MaskKind::keyed_rotation}
               : std::array{MaskKind::constant_translation, MaskKind::animated_translation};
  };
  std::vector<TrackPlace> places;
  for (const Track& track : stored.tracks) {
    const MaskKind kind = kinds(track.channel)[track.kind == TrackKind::animated ? 1 : 0];
    const auto& of_kind = joints.tracks(kind);
    const auto at = std::find(of_kind.begin(), of_kind.end(), std::optional(track.joint));
    places.push_back(
        {kind, static_cast<std::uint32_t>(at - of_kind.begin()), stored.joints[track.joint].id});
  }
  return places;
}

void write_change(const ClipChange& change, const SparseIndex& index, std::size_t number,
                  ClipFields& fields) {
  ChangeWriter(change, index, number, fields).write();
}

bool moves_tracks(const ClipChange& change) {
  return std::any_of(change.rotations.begin(), change.rotations.end(),
                     [](const ClipChange::Rotation& at) {
                       return at.place.kind == MaskKind::constant_rotation &&
                              at.track->kind == TrackKind::animated;
                     }) ||
         std::any_of(change.translations.begin(), change.translations.end(),
                     [](const ClipChange::Translation& at) {
                       return at.place.kind == MaskKind::constant_translation &&
                              at.track->stored.size() != 1;
                     });
}

}  // namespace mabkit::mab
