#pragma once

#include <cstdint>
#include <mabkit/bank.hpp>
#include <mabkit/error.hpp>
#include <mabkit/limits.hpp>
#include <optional>
#include <string>
#include <vector>

#include "gltf/source_nodes.hpp"

namespace mabkit::gltf {

/// A clip as the record of a file has it: all but its curves.
struct RecordedClip {
  std::uint32_t position = 0;                 ///< in the bank that was written
  Clip clip;                                  ///< without tracks
  std::optional<std::string> animation_name;  ///< absent where it has no animation
  std::optional<float> last_key;              ///< seconds, of its animation
  std::string root_motion_target;  ///< `node`, `joint` or `ignore`; empty without root motion
};

/// What `build_gltf` notes in a file of the bank that it was made of (docs/formats/gltf.md).
struct BankRecord {
  std::string format;
  std::optional<Game> game;
  std::vector<RecordedClip> clips;
  std::vector<Participant> participants;
};

/// The record of the asset, or the copy on a node that Blender keeps; absent where there is none.
/// Fails where it is damaged.
[[nodiscard]] Result<std::optional<BankRecord>> read_bank_record(
    const Json& document, const std::vector<SourceNode>& nodes, const ReadLimits& limits);

}  // namespace mabkit::gltf
