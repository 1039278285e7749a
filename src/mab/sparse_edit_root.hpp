#pragma once

#include <array>
#include <cstddef>
#include <mabkit/bank.hpp>
#include <mabkit/error.hpp>
#include <optional>
#include <vector>

#include "mab/sparse_clip_source.hpp"
#include "mab/sparse_fields.hpp"
#include "mab/sparse_index.hpp"

namespace mabkit::mab {

/// One of the two curves that move the actor.
struct RootChannel {
  Channel channel = Channel::translation;
  std::optional<Keys> RootMotion::*curve = nullptr;
  SparseSlot slot = trajectory_translation;
};
inline constexpr std::array root_channels{
    RootChannel{Channel::translation, &RootMotion::translation, trajectory_translation},
    RootChannel{Channel::rotation, &RootMotion::rotation, trajectory_rotation}};

/// A curve of a clip's root motion; null where it has none, or one without keys.
[[nodiscard]] const Keys* root_curve(const Clip& clip, std::optional<Keys> RootMotion::*curve);

/// Whether a template's clip has values in a slot of root motion, or may get some: only the first
/// clip of a file may (spec mab-sparse, 1.5), of a game whose files can be made anew.
[[nodiscard]] bool can_hold_root(const SparseIndex& index, std::size_t number, SparseSlot slot);

/// Whether an edit has a curve that says something else than the template's, or that it lacks.
[[nodiscard]] bool root_curve_changed(const Clip& stored, const Clip& edited,
                                      const RootChannel& root, double tolerance);

/// Whether an edit says other root motion than the template. What it doesn't say is unchanged.
[[nodiscard]] bool root_changed(const Clip& stored, const Clip& edited, double tolerance);

/// An edit of root motion on its way into the template's fields.
struct RootEdit {
  std::size_t number = 0;
  const SparseIndex& index;
  const Clip& stored;
  const Clip& edited;
  const ClipSource& source;
  double tolerance = 0.0;
  bool is_resized = false;
};

/// Writes the channels that changed, where `can_hold_root`.
void write_root(const RootEdit& edit, ClipFields& fields, std::vector<Diagnostic>& notices);

}  // namespace mabkit::mab
