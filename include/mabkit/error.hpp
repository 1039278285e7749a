#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace mabkit {

/// What kind of thing went wrong; the message of an `Error` says it in words.
enum class ErrorCode : std::uint8_t {
  io,              ///< the operating system refused to read or write
  unknown_format,  ///< the bytes are no format that mabkit reads
  truncated,       ///< the bytes end before the thing that is described
  bad_value,       ///< a field holds a value that its format forbids
  out_of_range,    ///< an offset points where nothing of its kind can stand
  inconsistent,    ///< two fields contradict each other
  limit,           ///< a `ReadLimits` bound or a bound of the target format is exceeded
  unsupported,     ///< lawful, but mabkit can't do it (the message says why)
  bad_argument,    ///< the caller asked for something that makes no sense
  out_of_memory,   ///< an allocation failed
};

/// Why an operation stopped. Errors are values: nothing in the library throws.
struct Error {
  ErrorCode code = ErrorCode::bad_value;
  /// Byte offset from the start of the file, where the reason is a place in a file.
  std::optional<std::uint64_t> offset;
  /// Field path, such as `clip[2].section[6].chunk[3].joint[14]`; empty where there is none.
  std::string path;
  /// One sentence without a final full stop, for the person who owns the file.
  std::string message;
};

template <class T>
using Result = tl::expected<T, Error>;

/// Something that a person should know about a file that was read all the same.
struct Diagnostic {
  std::optional<std::uint64_t> offset;  ///< as in `Error`
  std::string path;                     ///< as in `Error`
  std::string message;                  ///< as in `Error`
};

/// `FILE: offset 0x1A4: PATH: MESSAGE`, leaving out what is absent.
[[nodiscard]] std::string describe(std::string_view file, const Error& error);
[[nodiscard]] std::string describe(std::string_view file, const Diagnostic& diagnostic);

}  // namespace mabkit
