#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace mabkit {

enum class RunKind : std::uint8_t {
  field,      ///< a value of the format, understood or named `unknown_0x..`
  section,    ///< data that a decoder reads
  padding,    ///< zeros for alignment
  preserved,  ///< bytes that nobody understands, kept as they are
};

/// `field`, `section`, `padding`, `preserved`.
[[nodiscard]] std::string_view run_kind_name(RunKind kind);

/// A stretch of a file and what it is.
struct ByteRun {
  RunKind kind = RunKind::field;
  std::uint64_t offset = 0;  ///< from the start of the file
  std::uint64_t size = 0;    ///< bytes, never 0
  std::string path;          ///< field path, such as `clip[0].duration`
  std::string value;         ///< a field's value as text; empty for the other kinds
};

}  // namespace mabkit
