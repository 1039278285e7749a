#pragma once

#include <cstddef>
#include <cstdint>
#include <mabkit/error.hpp>
#include <mabkit/game.hpp>
#include <mabkit/mab.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mabkit {

/// How much a finding matters, the least first.
enum class Severity : std::uint8_t {
  note,     ///< worth knowing, nothing is wrong
  warning,  ///< something a person should look at; the file was read all the same
  failure,  ///< the file, or our reading of it, is wrong
};

/// One thing that a check of a file found.
struct Finding {
  Severity severity = Severity::note;
  std::string check;                    ///< `structure`, `tiling`, `bytes`, `rebuild`, `values`
  std::optional<std::uint64_t> offset;  ///< as in `Error`
  std::string path;                     ///< as in `Error`
  std::string message;                  ///< as in `Error`
};

/// `ok`, `warning` or `failed`.
enum class Verdict : std::uint8_t { ok, warning, failed };
[[nodiscard]] std::string_view verdict_name(Verdict verdict);
/// `note`, `warning` or `failure`.
[[nodiscard]] std::string_view severity_name(Severity severity);

/// What the checks of one file say.
struct Verification {
  std::optional<Game> game;   ///< absent where the file could not be read
  bool is_canonical = false;  ///< laying the file out from its fields gives the same bytes
  std::vector<Finding> findings;

  /// The worst finding's verdict; notes do not count.
  [[nodiscard]] Verdict verdict() const;
};

/// Runs every check: the file parses; its byte runs tile it; its bytes come back unchanged; its
/// fields lay it out again; its values decode, are finite, unit and in order.
[[nodiscard]] Verification verify(std::vector<std::byte> bytes, const ReadOptions& options = {});

}  // namespace mabkit
