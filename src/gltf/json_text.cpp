#include "gltf/json_text.hpp"

#include <cmath>
#include <cstddef>

namespace mabkit::gltf {
namespace {

unsigned char byte_at(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

bool is_continuation(std::string_view text, std::size_t at, unsigned low = 0x80,
                     unsigned high = 0xBF) {
  return at < text.size() && byte_at(text, at) >= low && byte_at(text, at) <= high;
}

/// Length of the well-formed UTF-8 sequence at `at` (Unicode 15, table 3-7), 0 where there is none.
std::size_t sequence_length(std::string_view text, std::size_t at) {
  const unsigned char first = byte_at(text, at);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return is_continuation(text, at + 1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const bool second =
        is_continuation(text, at + 1, first == 0xE0 ? 0xA0 : 0x80, first == 0xED ? 0x9F : 0xBF);
    return second && is_continuation(text, at + 2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const bool second =
        is_continuation(text, at + 1, first == 0xF0 ? 0x90 : 0x80, first == 0xF4 ? 0x8F : 0xBF);
    return second && is_continuation(text, at + 2) && is_continuation(text, at + 3) ? 4 : 0;
  }
  return 0;
}

}  // namespace

void JsonText::key(std::string_view name) {
  separate();
  quote(name);
  out_.push_back(':');
  needs_comma_ = false;
}

void JsonText::text(std::string_view value) {
  separate();
  quote(value);
}

void JsonText::number(float value) {
  separate();
  if (std::isfinite(value)) {
    fmt::format_to(std::back_inserter(out_), "{}", value);
  } else {
    out_.append("null");
  }
}

void JsonText::raw(std::string_view value) {
  separate();
  out_.append(value);
}

void JsonText::truth(bool value) {
  separate();
  out_.append(value ? "true" : "false");
}

void JsonText::numbers(std::span<const float> values) {
  begin_array();
  for (const float value : values) number(value);
  end_array();
}

void JsonText::numbers(std::span<const std::uint32_t> values) {
  begin_array();
  for (const std::uint32_t value : values) number(value);
  end_array();
}

/// Names come from files that strangers made: what is not UTF-8 becomes U+FFFD.
void JsonText::quote(std::string_view value) {
  out_.push_back('"');
  for (std::size_t at = 0; at < value.size();) {
    const unsigned char first = byte_at(value, at);
    if (first == '"' || first == '\\') {
      out_.push_back('\\');
      out_.push_back(value[at++]);
    } else if (first < 0x20) {
      fmt::format_to(std::back_inserter(out_), "\\u{:04x}", first);
      ++at;
    } else if (const std::size_t length = sequence_length(value, at); length != 0) {
      out_.append(value.substr(at, length));
      at += length;
    } else {
      out_.append("\xEF\xBF\xBD");
      ++at;
    }
  }
  out_.push_back('"');
}

}  // namespace mabkit::gltf
