#pragma once

#include <cstddef>
#include <cstdint>
#include <mabkit/bank.hpp>
#include <mabkit/error.hpp>
#include <optional>
#include <span>
#include <string>

#include "mab/sparse_index.hpp"
#include "mab/sparse_source.hpp"

namespace mabkit::mab {

/// Compares the tag records of the first clip with the chain: record i belongs to clip i + 1 (spec
/// mab-sparse, 1.9). A record whose clip would lie past the end of the file is an error, since the
/// file is cut short; whatever else contradicts is a warning.
[[nodiscard]] Result<void> check_tags(const SparseSource& source, SparseIndex& index);

/// The text of a record's named field (`tag_name`, `tag_parent`, ...): what follows its CRC-32, up
/// to the first NUL. Absent where it is empty.
[[nodiscard]] std::optional<std::string> tag_text(std::span<const std::byte> bytes,
                                                  std::uint64_t record, TagField field);

/// What record `number` says, with the clip that it belongs to (spec mab-sparse, 1.9).
[[nodiscard]] Participant read_participant(std::span<const std::byte> bytes,
                                           const SparseIndex& index, std::size_t number);

}  // namespace mabkit::mab
