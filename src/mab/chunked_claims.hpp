#pragma once

#include <cstdint>
#include <mabkit/error.hpp>
#include <vector>

#include "mab/chunked_index.hpp"

namespace mabkit::mab {

/// What claims a stretch of the file.
enum class ClaimKind : std::uint8_t {
  wrapper,         ///< the magic and the words before the main block
  header,          ///< of a block
  hashes,          ///< bone CRCs
  flags,           ///< bone flags
  array_section,   ///< a section of fixed-size entries
  stream_section,  ///< chunk table and chunks
  part_count,      ///< of a parts section
  part_record,
  part_name,  ///< with its NUL; records may share names
  markup,     ///< the markup section, opaque
  markup_record,
};

/// A stretch of the file that the index accounts for.
struct Claim {
  ClaimKind kind = ClaimKind::header;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;   ///< never 0
  std::uint32_t block = 0;  ///< position in `ChunkedIndex::blocks`
  /// The slot of a section, or the position of a record in its list.
  std::uint32_t detail = 0;
};

/// Every claim, ascending.
[[nodiscard]] std::vector<Claim> collect_claims(const ChunkedIndex& index);

/// Fails where two claims overlap; names may.
[[nodiscard]] Result<void> check_overlap(const ChunkedIndex& index);

/// Path of the section in slot `slot`: `clip[0].section[6].JointRotations`.
[[nodiscard]] std::string section_path(const ChunkedIndex& index, std::uint32_t block,
                                       std::uint32_t slot);

}  // namespace mabkit::mab
