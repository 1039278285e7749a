#pragma once

#include <cstddef>
#include <cstdint>
#include <mabkit/error.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/bytes.hpp"

namespace mabkit::rig {

/// Reads the fields of a rig one after the other. After the first error every field is zero, so
/// that a record reads as the spec lists it and is checked once.
class FieldReader {
 public:
  /// Reads `bytes` from `offset` up to `end`, which is the end of a `container` (`file`, `chunk`).
  FieldReader(std::span<const std::byte> bytes, std::uint64_t offset, std::uint64_t end,
              std::string_view container)
      : bytes_(bytes.first(static_cast<std::size_t>(end))), next_(offset), container_(container) {}

  /// Fields from here on belong to `object`, such as `bone[12]`; empty for none.
  void enter(std::string object) { object_ = std::move(object); }

  template <class T>
  [[nodiscard]] T take(std::string_view field) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (!claim(sizeof(T), field)) return T{};
    return base::load<T>(bytes_, static_cast<std::size_t>(last_));
  }
  /// `size` characters.
  [[nodiscard]] std::string take_text(std::uint64_t size, std::string_view field);
  void skip(std::uint64_t size, std::string_view field) { (void)claim(size, field); }

  /// Records an error at the field that was taken last, unless there is one already.
  void fail(ErrorCode code, std::string_view field, std::string message);
  /// Records a warning at the field that was taken last, unless there is an error.
  void warn(std::string_view field, std::string message);

  [[nodiscard]] bool has_failed() const { return error_.has_value(); }
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }
  [[nodiscard]] std::uint64_t position() const { return next_; }
  [[nodiscard]] std::uint64_t left() const { return bytes_.size() - next_; }
  [[nodiscard]] std::vector<Diagnostic>& diagnostics() { return diagnostics_; }

 private:
  /// Moves over `size` bytes; false, with an error, where they are not there.
  [[nodiscard]] bool claim(std::uint64_t size, std::string_view field);
  [[nodiscard]] std::string path(std::string_view field) const;

  std::span<const std::byte> bytes_;
  std::uint64_t last_ = 0;
  std::uint64_t next_;
  std::string_view container_;
  std::string object_;
  std::optional<Error> error_;
  std::vector<Diagnostic> diagnostics_;
};

}  // namespace mabkit::rig
