#include "rig/field_reader.hpp"

#include <fmt/format.h>

namespace mabkit::rig {

std::string FieldReader::take_text(std::uint64_t size, std::string_view field) {
  if (!claim(size, field)) return {};
  const auto text = bytes_.subspan(static_cast<std::size_t>(last_), static_cast<std::size_t>(size));
  return {reinterpret_cast<const char*>(text.data()), text.size()};
}

void FieldReader::fail(ErrorCode code, std::string_view field, std::string message) {
  if (!error_) error_ = Error{code, last_, path(field), std::move(message)};
}

void FieldReader::warn(std::string_view field, std::string message) {
  if (!error_) diagnostics_.push_back({last_, path(field), std::move(message)});
}

bool FieldReader::claim(std::uint64_t size, std::string_view field) {
  if (error_) return false;
  last_ = next_;
  if (size > left()) {
    fail(ErrorCode::truncated, field,
         fmt::format("needs {} bytes, but the {} ends at 0x{:X}", size, container_, bytes_.size()));
    return false;
  }
  next_ += size;
  return true;
}

std::string FieldReader::path(std::string_view field) const {
  return object_.empty() ? std::string(field) : fmt::format("{}.{}", object_, field);
}

}  // namespace mabkit::rig
