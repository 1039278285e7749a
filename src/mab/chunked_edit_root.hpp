#pragma once

#include <cstdint>
#include <functional>
#include <mabkit/bank.hpp>
#include <mabkit/encode.hpp>
#include <optional>
#include <string>
#include <vector>

#include "mab/chunked_fields.hpp"
#include "mab/tick_curve.hpp"

namespace mabkit::mab {

/// The root motion of a block and of the edited clip.
struct RootToEdit {
  const BlockFields& fields;
  const Clip& stored;  ///< what the block decodes to
  const Clip& edited;
  const EncodeOptions& options;
  const std::vector<std::uint16_t>& keys;  ///< that the block will have
  /// How far a curve's values may be off at the keys, in radians or metres.
  const std::function<double(const TickCurve&)>& tolerance_of;
  double ticks_per_second;
  std::string path;   ///< `clip[0]`
  bool has_new_keys;  ///< moving displacement must be made anew
};

/// A channel of root motion that both the template and the edited clip have.
struct RootCurves {
  TickCurve stored;
  TickCurve edited;
};
[[nodiscard]] std::vector<RootCurves> root_curves(const Clip& stored, const Clip& edited,
                                                  double ticks_per_second);

/// What becomes of a block's displacement.
struct EditedRoot {
  bool has_changed = false;
  DisplacementFields orientations;
  DisplacementFields translations;
  std::optional<std::uint32_t> table_entry;  ///< of the translations, where they changed
  std::vector<Diagnostic> notices;
};

/// Keeps displacement that did not change; encodes what did at the block's keys (spec mab-chunked,
/// 3.4). Channels that the block lacks are left out with a notice. Fails where displacement that no
/// decoder understands would have to change with the keys.
[[nodiscard]] Result<EditedRoot> edit_root(const RootToEdit& target);

}  // namespace mabkit::mab
