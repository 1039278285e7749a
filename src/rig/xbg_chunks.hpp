#pragma once

#include <cstddef>
#include <cstdint>
#include <mabkit/error.hpp>
#include <mabkit/limits.hpp>
#include <optional>
#include <span>
#include <vector>

namespace mabkit::rig {

inline constexpr std::uint32_t xbg_magic = 0x4D455348;       ///< `HSEM`
inline constexpr std::uint32_t xbg_node_chunk = 0x4E4F4445;  ///< `EDON`, NODE reversed

/// Where the data of the chunk stands that holds a model's nodes.
struct XbgNodeChunk {
  std::uint64_t begin = 0;  ///< of the payload
  std::uint64_t end = 0;
  /// Chunks that don't hold together but don't stand in the way; further node chunks.
  std::vector<Diagnostic> diagnostics;
};

/// Walks the chunks of a model, those inside other chunks as well, to its first node chunk (spec
/// mab-sparse, 6.4). A broken chunk behind the nodes is a warning: the rig is whole.
[[nodiscard]] Result<XbgNodeChunk> find_node_chunk(std::span<const std::byte> bytes,
                                                   const ReadLimits& limits);

}  // namespace mabkit::rig
