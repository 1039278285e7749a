#include "mab/sparse_edit_root.hpp"

#include <array>

#include "base/bytes.hpp"
#include "mab/sparse_edit_compare.hpp"
#include "mab/sparse_index.hpp"
#include "motion/precise.hpp"

namespace mabkit::mab {
namespace {

using Curve = std::optional<Keys> RootMotion::*;

const Keys* curve_of(const Clip& clip, Curve curve) {
  if (!clip.root_motion || !(*clip.root_motion.*curve)) return nullptr;
  return &*(*clip.root_motion.*curve);
}

bool curve_changed(const Clip& stored, const Clip& edited, Curve curve,
                   const KeepTolerance& tolerance) {
  const Keys* const after = curve_of(edited, curve);
  if (after == nullptr || after->count == 0) return false;
  const Keys* const before = curve_of(stored, curve);
  if (before == nullptr || before->count == 0) return true;
  return !is_unchanged(stored, *before, edited, *after, tolerance);
}

bool turn_changed(const std::optional<Quat>& stored, const std::optional<Quat>& edited,
                  double tolerance) {
  if (!edited || !codec::is_rotation(*edited)) return false;
  return motion::angle_between(motion::precise(stored.value_or(Quat{})), motion::precise(*edited)) >
         tolerance;
}

std::array<FloatBits, 4> bits_of(const Quat& q) {
  return base::cast_bits<std::array<FloatBits, 4>>(q);
}

Vec3 vector_of(const std::array<FloatBits, 3>& bits) {
  return {base::cast_bits<float>(bits[0]), base::cast_bits<float>(bits[1]),
          base::cast_bits<float>(bits[2])};
}

class RootWriter {
 public:
  RootWriter(const RootEdit& edit, ClipFields& fields) : edit_(edit), fields_(fields) {}

  void write(std::vector<Diagnostic>& notices) {
    write_header();
    const bool moves = needs_writing(&RootMotion::translation, Channel::translation);
    const bool turns = needs_writing(&RootMotion::rotation, Channel::rotation);
    const bool may_add = edit_.number == 0 && !edit_.must_keep_sections;
    const bool lacks =
        (moves && !fields_.trajectory_translation) || (turns && !fields_.trajectory_rotation);
    if (lacks && !may_add) {
      notices.push_back({std::nullopt, clip_path(edit_.number),
                         "left out the root motion: the template's clip has no section for it"});
    }
    if (moves && (fields_.trajectory_translation || may_add)) write_translation();
    if (turns && (fields_.trajectory_rotation || may_add)) write_rotation();
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

  [[nodiscard]] bool needs_writing(Curve curve, Channel channel) const {
    if (edit_.is_resized && curve_of(edit_.stored, curve) != nullptr) return true;
    return curve_changed(edit_.stored, edit_.edited, curve,
                         {.channel = channel, .amount = edit_.tolerance});
  }

  [[nodiscard]] ArrayHeaderFields header() const {
    return {1, static_cast<std::uint16_t>(edit_.source.frames() - 1), edit_.source.rate, 0};
  }

  template <class Values>
  static const auto& at(const Values& values, std::size_t frame) {
    return values[values.size() == 1 ? 0 : frame];
  }

  /// Values that are near enough stay as stored.
  void write_translation() {
    auto& section = fields_.trajectory_translation;
    if (!section) section = TranslationFields{header(), {}};
    section->header.last_frame = header().last_frame;
    std::vector<FloatBits> components;
    for (std::size_t frame = 0; frame < edit_.source.frames(); ++frame) {
      const Vec3& value = at(edit_.source.sampled.root_translation->translations, frame);
      auto bits = base::cast_bits<std::array<FloatBits, 3>>(value);
      if (3 * frame + 2 < section->components.size()) {
        const std::array<FloatBits, 3> stored{section->components[3 * frame],
                                              section->components[3 * frame + 1],
                                              section->components[3 * frame + 2]};
        const double away =
            motion::length(motion::precise(vector_of(stored)) - motion::precise(value));
        if (away <= edit_.tolerance) bits = stored;
      }
      components.insert(components.end(), bits.begin(), bits.end());
    }
    section->components = std::move(components);
  }

  void write_rotation() {
    auto& section = fields_.trajectory_rotation;
    if (!section) section = RotationFields{header(), {}};
    section->header.last_frame = header().last_frame;
    std::vector<codec::PackedQuaternion> words;
    for (std::size_t frame = 0; frame < edit_.source.frames(); ++frame) {
      const Quat& value = at(edit_.source.sampled.root_rotation->rotations, frame);
      auto word = codec::pack_nearest(value, codec::sparse_packed_half);
      if (frame < section->rotations.size()) {
        const auto stored = section->rotations[frame];
        const Quat decoded = codec::unpack(stored, codec::sparse_packed_half).rotation;
        const double away = motion::angle_between(motion::precise(decoded), motion::precise(value));
        if (away <= edit_.tolerance) word = stored;
      }
      words.push_back(word);
    }
    section->rotations = std::move(words);
  }

  const RootEdit& edit_;
  ClipFields& fields_;
};

}  // namespace

bool root_changed(const Clip& stored, const Clip& edited, double tolerance) {
  if (!edited.root_motion) return false;
  const RootMotion before = stored.root_motion.value_or(RootMotion{});
  return turn_changed(before.reference, edited.root_motion->reference, tolerance) ||
         turn_changed(before.loop, edited.root_motion->loop, tolerance) ||
         curve_changed(stored, edited, &RootMotion::translation,
                       {.channel = Channel::translation, .amount = tolerance}) ||
         curve_changed(stored, edited, &RootMotion::rotation,
                       {.channel = Channel::rotation, .amount = tolerance});
}

void write_root(const RootEdit& edit, ClipFields& fields, std::vector<Diagnostic>& notices) {
  RootWriter(edit, fields).write(notices);
}

}  // namespace mabkit::mab
