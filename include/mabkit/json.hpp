#pragma once

#include <mabkit/bank.hpp>
#include <string>

namespace mabkit {

/// The bank as `mabkit.bank/1` (docs/schema/bank-1.schema.json). Key order is fixed; numbers are
/// the shortest text that reads back to the same float; ends with a line feed.
[[nodiscard]] std::string write_json(const Bank& bank);

}  // namespace mabkit
