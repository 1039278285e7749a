#pragma once

#include <cstddef>
#include <mabkit/bank.hpp>
#include <mabkit/error.hpp>
#include <mabkit/imported_motion.hpp>
#include <span>
#include <string>

namespace mabkit {

/// The bank as `mabkit.bank/1` (docs/schema/bank-1.schema.json). Key order is fixed; numbers are
/// the shortest text that reads back to the same float; ends with a line feed.
[[nodiscard]] std::string write_json(const Bank& bank);

/// Reads `mabkit.bank/1`, the inverse of `write_json`: the same bits in every float. The skeleton
/// has no bones; the bank's space needs no conversion, so only `options.limits` counts.
///
/// Keys may be in any order. A key that is absent has the value that null stands for; a track needs
/// `joint`, `channel`, `times` and `values`. A null number is not finite, with a notice. Keys that
/// the schema does not know are left out with a notice. Errors have a path such as
/// `clips[0].tracks[3].values`, those of syntax the byte offset.
[[nodiscard]] Result<ImportedMotion> read_json(std::span<const std::byte> bytes,
                                               const ImportOptions& options = {});

}  // namespace mabkit
