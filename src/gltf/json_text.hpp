#pragma once

#include <fmt/format.h>

#include <concepts>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <string_view>

namespace mabkit::gltf {

/// Appends JSON to a text, minding commas and quotes. Writing an asset is hot, so there is no tree
/// of values in between; the caller closes what it opens.
class JsonText {
 public:
  void begin_object() { open('{'); }
  void end_object() { close('}'); }
  void begin_array() { open('['); }
  void end_array() { close(']'); }

  void key(std::string_view name);
  void text(std::string_view value);
  /// The shortest text that reads back to the same float; null where JSON has no number for it.
  void number(float value);
  void number(std::unsigned_integral auto value) {
    separate();
    fmt::format_to(std::back_inserter(out_), "{}", value);
  }
  void truth(bool value);
  /// A value that is JSON already.
  void raw(std::string_view value);

  void numbers(std::span<const float> values);
  void numbers(std::span<const std::uint32_t> values);

  /// `"name":value`, for any of the above.
  void member(std::string_view name, std::string_view value) { key(name), text(value); }
  void member(std::string_view name, const char* value) { key(name), text(value); }
  void member(std::string_view name, float value) { key(name), number(value); }
  void member(std::string_view name, std::unsigned_integral auto value) {
    key(name), number(value);
  }
  void member(std::string_view name, bool value) { key(name), truth(value); }

  [[nodiscard]] std::string take() && { return std::move(out_); }

 private:
  void separate() {
    if (needs_comma_) out_.push_back(',');
    needs_comma_ = true;
  }
  void open(char bracket) {
    separate();
    out_.push_back(bracket);
    needs_comma_ = false;
  }
  void close(char bracket) {
    out_.push_back(bracket);
    needs_comma_ = true;
  }
  void quote(std::string_view value);

  std::string out_;
  bool needs_comma_ = false;
};

}  // namespace mabkit::gltf
