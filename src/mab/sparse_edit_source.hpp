#pragma once

#include <cstddef>
#include <cstdint>
#include <mabkit/bank.hpp>
#include <mabkit/encode.hpp>
#include <mabkit/error.hpp>
#include <vector>

#include "mab/sparse_clip_source.hpp"
#include "mab/sparse_edit_clip.hpp"
#include "mab/sparse_edit_match.hpp"

namespace mabkit::mab {

/// How long a clip is before and after an edit.
struct EditLength {
  std::uint32_t stored_last_frame = 0;
  std::uint32_t last_frame = 0;
  bool is_resized = false;
};

/// A clip is resized where matched tracks, or changed root motion that it can hold, move past its
/// last frame, or where its duration is neither the template's nor that of its frames. Fails with
/// `limit` past the format's frames, and with `bad_value` for a duration that is none.
[[nodiscard]] Result<EditLength> length_of_edit(const ClipEditJob& job, const EditMatch& match);

/// What an edit is made of.
struct EditParts {
  const Clip& stored;
  const Clip& edited;
  const EditMatch& match;
  std::uint32_t last_frame = 0;
  float rate = 0.0F;
};

/// What a clip should show after an edit, by the template's joints.
struct EditedSource {
  ClipSource source;
  std::vector<std::size_t> origin;  ///< the template's track of each sampled one
};

/// The template's joints with the edited tracks where there are some, and the template's own where
/// not, at every frame. Tracks of the template whose values are no numbers are left out.
[[nodiscard]] Result<EditedSource> sample_edit(const EditParts& parts, std::size_t number,
                                               std::vector<Diagnostic>& notices);

}  // namespace mabkit::mab
