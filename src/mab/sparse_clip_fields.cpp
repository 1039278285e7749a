#include "mab/sparse_clip_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "codec/sparse_groups.hpp"
#include "mab/sparse_index.hpp"
#include "mab/sparse_keyed_tracks.hpp"

namespace mabkit::mab {
namespace {

constexpr std::size_t key_size = sizeof(codec::PackedQuaternion);

void push(std::vector<FloatBits>& out, const Vec3& v) {
  const VectorBits bits = bits_of(v);
  out.insert(out.end(), bits.begin(), bits.end());
}

void add_to_mask(std::vector<std::uint32_t>& mask, std::uint32_t id) {
  mask[id / bones_per_word] |= 1U << (id % bones_per_word);
}

/// Tracks of one section with their bone ids, ascending.
template <class Track>
using ById = std::vector<std::pair<std::uint32_t, const Track*>>;

template <class Track, class Predicate>
ById<Track> sorted(const std::vector<Track>& tracks, const ClipSource& source,
                   const Predicate& belongs) {
  ById<Track> out;
  for (const Track& track : tracks) {
    if (belongs(track)) out.emplace_back(source.id(track.joint), &track);
  }
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return out;
}

bool is_constant(const RotationTrack& track) {
  return track.kind == TrackKind::constant;
}
bool is_constant(const TranslationTrack& track) {
  return track.stored.size() == 1;
}

/// Fills the four arrays of a clip and the masks that name their bones.
class ArrayWriter {
 public:
  ArrayWriter(const ClipSource& source, const ClipFit& fit, ClipFields& out)
      : source_(source),
        fit_(fit),
        out_(out),
        last_frame_(static_cast<std::uint16_t>(fit.frames - 1)) {}

  void write() {
    write_constant_rotations();
    write_keyed_rotations();
    write_constant_translations();
    write_animated_translations();
  }

 private:
  template <class Track>
  ById<Track> take(const std::vector<Track>& tracks, MaskKind kind, bool constant) {
    auto taken = sorted(tracks, source_,
                        [constant](const Track& track) { return is_constant(track) == constant; });
    for (const auto& [id, track] : taken) {
      add_to_mask(out_.masks[static_cast<std::size_t>(kind)], id);
    }
    return taken;
  }

  void write_constant_rotations() {
    out_.constant_rotations.emplace();
    for (const auto& [id, track] : take(fit_.rotations, MaskKind::constant_rotation, true)) {
      out_.constant_rotations->rotations.push_back(track->keys.words.front());
    }
    out_.constant_rotations->header.count =
        static_cast<std::uint16_t>(out_.constant_rotations->rotations.size());
  }

  void write_keyed_rotations() {
    std::vector<KeyedTrackFields> tracks;
    for (const auto& [id, track] : take(fit_.rotations, MaskKind::keyed_rotation, false)) {
      tracks.push_back(track_of(track->keys, last_frame_, PresenceOrder::lsb));
    }
    out_.keyed_rotations = KeyedRotationFields{{0, last_frame_, source_.rate, 0}, {}};
    join_tracks(tracks, *out_.keyed_rotations);
  }

  void write_constant_translations() {
    out_.constant_translations.emplace();
    const auto tracks = take(fit_.translations, MaskKind::constant_translation, true);
    out_.constant_translations->header.count = static_cast<std::uint16_t>(tracks.size());
    for (const auto& [id, track] : tracks) {
      push(out_.constant_translations->components, track->stored.front());
    }
  }

  /// Frame by frame (spec mab-sparse, section 4).
  void write_animated_translations() {
    const auto tracks = take(fit_.translations, MaskKind::animated_translation, false);
    out_.animated_translations = TranslationFields{
        {static_cast<std::uint16_t>(tracks.size()), last_frame_, source_.rate, 0}, {}};
    if (tracks.empty()) return;
    for (std::uint32_t frame = 0; frame < fit_.frames; ++frame) {
      for (const auto& [id, track] : tracks) {
        push(out_.animated_translations->components, track->stored_at(frame));
      }
    }
  }

  const ClipSource& source_;
  const ClipFit& fit_;
  ClipFields& out_;
  std::uint16_t last_frame_;
};

/// Slots 0 and 1, which the first clip has even where nothing moves it (spec mab-sparse, 4.1, rule
/// 7).
void write_trajectory(const ClipSource& source, ClipFields& out) {
  const auto& sampled = source.sampled;
  const std::uint32_t frames = source.frames();
  const ArrayHeaderFields header{1, static_cast<std::uint16_t>(frames - 1), source.rate, 0};
  out.trajectory_translation = TranslationFields{header, {}};
  out.trajectory_rotation = RotationFields{header, {}};
  for (std::uint32_t frame = 0; frame < frames; ++frame) {
    const Vec3 place =
        sampled.root_translation ? value_at(sampled.root_translation->translations, frame) : Vec3{};
    const Quat turn =
        sampled.root_rotation ? value_at(sampled.root_rotation->rotations, frame) : Quat{};
    push(out.trajectory_translation->components, place);
    out.trajectory_rotation->rotations.push_back(
        codec::pack_nearest(turn, codec::sparse_packed_half));
  }
}

/// The identity where a header's rotation is absent or none.
Quat rotation_or_none(const std::optional<Quat>& rotation) {
  return rotation && codec::is_rotation(*rotation) ? *rotation : Quat{};
}

}  // namespace

std::uint64_t rotation_bytes(const RotationTrack& track, std::uint32_t frames) {
  if (is_constant(track)) return key_size;
  const std::uint64_t presence_bytes = (frames - 1) / codec::frames_per_group + 1;
  return key_size * track.keys.frames.size() + presence_bytes;
}

std::uint64_t translation_bytes(const TranslationTrack& track) {
  return sizeof(Vec3) * track.stored.size();
}

ClipFields new_clip_fields(const ClipSource& source, const ClipFit& fit, const SparseLayout& layout,
                           bool is_main) {
  ClipFields out;
  out.mask_words = layout.most_mask_words;
  for (auto& mask : out.masks) mask.assign(out.mask_words, 0);
  const RootMotion root = source.clip.root_motion.value_or(RootMotion{});
  out.reference = bits_of(rotation_or_none(root.reference));
  out.loop = bits_of(rotation_or_none(root.loop));
  out.tag = clip_tag;
  // A static clip lasts one frame (spec mab-sparse, 4.1, rule 7).
  const std::uint32_t last_frame = std::max(fit.frames, 2U) - 1;
  out.duration = bits_of(
      static_cast<float>(static_cast<double>(last_frame) / static_cast<double>(source.rate)));
  if (is_main) write_trajectory(source, out);
  ArrayWriter(source, fit, out).write();
  return out;
}

std::vector<EventFields> event_fields(const Clip& clip, std::size_t number,
                                      std::vector<Diagnostic>& notices) {
  std::vector<EventFields> out;
  std::size_t foreign = 0;
  for (const Event& event : clip.events) {
    if (!event.type) {
      ++foreign;
      continue;
    }
    out.push_back({bits_of(event.time), *event.type, event.payload, std::nullopt});
  }
  if (foreign != 0) {
    notices.push_back({std::nullopt, clip_path(number),
                       fmt::format("left out {} events: their payloads are of another family of "
                                   "games",
                                   foreign)});
  }
  return out;
}

}  // namespace mabkit::mab
