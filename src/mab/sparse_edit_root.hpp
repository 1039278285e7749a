#pragma once

#include <cstddef>
#include <mabkit/bank.hpp>
#include <mabkit/error.hpp>
#include <vector>

#include "mab/sparse_clip_source.hpp"
#include "mab/sparse_fields.hpp"

namespace mabkit::mab {

/// Whether an edit says other root motion than the template. What it doesn't say is unchanged.
[[nodiscard]] bool root_changed(const Clip& stored, const Clip& edited, double tolerance);

/// An edit of root motion on its way into the template's fields.
struct RootEdit {
  std::size_t number = 0;
  const Clip& stored;
  const Clip& edited;
  const ClipSource& source;
  double tolerance = 0.0;
  bool is_resized = false;
  bool must_keep_sections = false;  ///< none may be added
};

/// Writes the channels that changed. Only the first clip of a file can get ones that it lacks
/// (spec mab-sparse, 1.5).
void write_root(const RootEdit& edit, ClipFields& fields, std::vector<Diagnostic>& notices);

}  // namespace mabkit::mab
