#pragma once

#include <mabkit/convert.hpp>
#include <optional>
#include <vector>

namespace mabkit::conversion {

/// The rigs that take part in a conversion. Not owned; null where there is none.
struct RigChoice {
  const Skeleton* source = nullptr;  ///< that `clip` moves
  const Rig* target = nullptr;       ///< that it is to move, where that is another one
  std::uint32_t clip = 0;            ///< position in the bank
  /// The rig of what is written is one that the games' clips move: it was given, or came from a
  /// file of ours. The bind pose of any other tells nothing about a game's values.
  bool is_of_game = true;

  /// The rig of what is written.
  [[nodiscard]] const Skeleton* output() const {
    return target != nullptr ? &target->skeleton : source;
  }
};

/// Carries the rigs' clip over to the target rig, by its bind pose or raw. Says what was left out.
[[nodiscard]] RetargetMatch carry_over(Bank& bank, const RigChoice& rigs,
                                       const ConvertOptions& options,
                                       std::vector<Diagnostic>& warnings);

/// The rig of `options.rigs` that has most bones of `skeleton` by name, the first among equals;
/// null where none has any.
[[nodiscard]] const Rig* best_target(const Skeleton& skeleton, const ConvertOptions& options);

}  // namespace mabkit::conversion
