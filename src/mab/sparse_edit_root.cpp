#include "mab/sparse_edit_root.hpp"

#include <algorithm>

#include "base/bytes.hpp"
#include "mab/sparse_edit_compare.hpp"
#include "mab/sparse_index.hpp"
#include "motion/precise.hpp"

namespace mabkit::mab {
namespace {

bool turn_changed(const std::optional<Quat>& stored, const std::optional<Quat>& edited,
                  double tolerance) {
  if (!edited || !codec::is_rotation(*edited)) return false;
  return motion::angle_between(motion::precise(stored.value_or(Quat{})), motion::precise(*edited)) >
         tolerance;
}

Vec3 vector_of(const VectorBits& bits) {
  return {base::cast_bits<float>(bits[0]), base::cast_bits<float>(bits[1]),
          base::cast_bits<float>(bits[2])};
}

class RootWriter {
 public:
  RootWriter(const RootEdit& edit, ClipFields& fields) : edit_(edit), fields_(fields) {}

  void write(std::vector<Diagnostic>& notices) {
    write_header();
    bool has_room = true;
    for (const RootChannel& root : root_channels) {
      if (!needs_writing(root)) continue;
      if (!can_hold_root(edit_.index, edit_.number, root.slot)) {
        has_room = false;
      } else if (root.slot == trajectory_translation) {
        write_translation();
      } else {
        write_rotation();
      }
    }
    if (has_room) return;
    notices.push_back({std::nullopt, clip_path(edit_.number),
                       "left out the root motion: the template's clip has no section for it"});
  }

 private:
  void write_header() {
    if (!edit_.edited.root_motion) return;
    const RootMotion before = edit_.stored.root_motion.value_or(RootMotion{});
    const RootMotion& after = *edit_.edited.root_motion;
    if (turn_changed(before.reference, after.reference, edit_.tolerance)) {
      fields_.reference = bits_of(*after.reference);
    }
    if (turn_changed(before.loop, after.loop, edit_.tolerance)) {
      fields_.loop = bits_of(*after.loop);
    }
  }

  [[nodiscard]] bool needs_writing(const RootChannel& root) const {
    if (edit_.is_resized && root_curve(edit_.stored, root.curve) != nullptr) return true;
    return root_curve_changed(edit_.stored, edit_.edited, root, edit_.tolerance);
  }

  /// The section at the clip's new length; made anew where the template has none, or one without a
  /// track.
  template <class Fields>
  Fields& section(std::optional<Fields>& fields) const {
    const auto last_frame = static_cast<std::uint16_t>(edit_.source.frames() - 1);
    if (!fields) fields.emplace();
    ArrayHeaderFields& header = fields->header;
    if (header.count == 0) header = {1, 0, edit_.source.rate, header.unknown_0x06};
    header.last_frame = last_frame;
    return *fields;
  }

  /// Values that are near enough stay as stored.
  void write_translation() {
    TranslationFields& stored_section = section(fields_.trajectory_translation);
    std::vector<FloatBits> components;
    for (std::size_t frame = 0; frame < edit_.source.frames(); ++frame) {
      const Vec3& value = value_at(edit_.source.sampled.root_translation->translations, frame);
      VectorBits bits = bits_of(value);
      if (3 * frame + 2 < stored_section.components.size()) {
        const VectorBits stored{stored_section.components[3 * frame],
                                stored_section.components[3 * frame + 1],
                                stored_section.components[3 * frame + 2]};
        const double away =
            motion::length(motion::precise(vector_of(stored)) - motion::precise(value));
        if (away <= edit_.tolerance) bits = stored;
      }
      components.insert(components.end(), bits.begin(), bits.end());
    }
    stored_section.components = std::move(components);
  }

  void write_rotation() {
    RotationFields& stored_section = section(fields_.trajectory_rotation);
    std::vector<codec::PackedQuaternion> words;
    for (std::size_t frame = 0; frame < edit_.source.frames(); ++frame) {
      const Quat& value = value_at(edit_.source.sampled.root_rotation->rotations, frame);
      auto word = codec::pack_nearest(value, codec::sparse_packed_half);
      if (frame < stored_section.rotations.size()) {
        const auto stored = stored_section.rotations[frame];
        const Quat decoded = codec::unpack(stored, codec::sparse_packed_half).rotation;
        const double away = motion::angle_between(motion::precise(decoded), motion::precise(value));
        if (away <= edit_.tolerance) word = stored;
      }
      words.push_back(word);
    }
    stored_section.rotations = std::move(words);
  }

  const RootEdit& edit_;
  ClipFields& fields_;
};

}  // namespace

const Keys* root_curve(const Clip& clip, std::optional<Keys> RootMotion::*curve) {
  if (!clip.root_motion) return nullptr;
  const std::optional<Keys>& keys = (*clip.root_motion).*curve;
  return keys && keys->count != 0 ? &*keys : nullptr;
}

bool can_hold_root(const SparseIndex& index, std::size_t number, SparseSlot slot) {
  const auto& section = index.clips[number].sections[slot];
  if (section && section->count != 0) return true;
  return number == 0 && index.layout->needs_template.empty();
}

bool root_curve_changed(const Clip& stored, const Clip& edited, const RootChannel& root,
                        double tolerance) {
  const Keys* const after = root_curve(edited, root.curve);
  if (after == nullptr) return false;
  const Keys* const before = root_curve(stored, root.curve);
  if (before == nullptr) return true;
  return !is_unchanged(stored, *before, edited, *after, {root.channel, tolerance});
}

bool root_changed(const Clip& stored, const Clip& edited, double tolerance) {
  if (!edited.root_motion) return false;
  const RootMotion before = stored.root_motion.value_or(RootMotion{});
  return turn_changed(before.reference, edited.root_motion->reference, tolerance) ||
         turn_changed(before.loop, edited.root_motion->loop, tolerance) ||
         std::any_of(root_channels.begin(), root_channels.end(), [&](const RootChannel& root) {
           return root_curve_changed(stored, edited, root, tolerance);
         });
}

void write_root(const RootEdit& edit, ClipFields& fields, std::vector<Diagnostic>& notices) {
  RootWriter(edit, fields).write(notices);
}

}  // namespace mabkit::mab
