#pragma once

#include <cstddef>
#include <cstdint>
#include <mabkit/bank.hpp>
#include <mabkit/encode.hpp>
#include <mabkit/error.hpp>
#include <vector>

#include "mab/sparse_fields.hpp"
#include "mab/sparse_index.hpp"
#include "mab/sparse_report.hpp"

namespace mabkit::mab {

/// One clip of a template and what it was edited into.
struct ClipEditJob {
  std::size_t number = 0;
  const SparseIndex* index = nullptr;
  const Clip* stored = nullptr;  ///< as decoded from the template
  const Clip* edited = nullptr;
  bool has_ids = false;                ///< the edited joints' ids are skeleton bone ids
  const Skeleton* skeleton = nullptr;  ///< of this clip; may be null
  const EncodeOptions* options = nullptr;
  std::uint64_t memory_left = 0;  ///< bytes that its values at every frame may take
  /// Why the file can't be laid out again; null where it can.
  const Error* layout_error = nullptr;
};

/// What became of a clip of a template.
struct ClipEdit {
  bool has_changed = false;
  std::uint64_t memory = 0;  ///< bytes of its values at every frame, where it has changed
  /// What is in the file now and what it should show, by the template's joints.
  WrittenClip written;
};

/// Re-encodes what changed of a clip and leaves the rest as it is in `fields`.
///
/// Fails with `bad_argument` where no edited joint is in the clip, with `unsupported` where the
/// template's layout doesn't allow the change, and with `limit` past the format's frames.
[[nodiscard]] Result<ClipEdit> edit_clip(const ClipEditJob& job, ClipFields& fields,
                                         std::vector<Diagnostic>& notices);

}  // namespace mabkit::mab
