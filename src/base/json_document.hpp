#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <mabkit/error.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mabkit::base {

/// What becomes of values that are nested deeper than is read.
enum class DeepValues : std::uint8_t {
  refused,   ///< the document is an error
  left_out,  ///< as if they were not there
};

/// What becomes of members of one object that have the same name.
enum class RepeatedMembers : std::uint8_t {
  last_wins,
  refused,  ///< the document is an error
};

/// What a document may cost. The document itself has depth 0.
struct JsonBounds {
  std::size_t max_depth = 0;
  DeepValues deep_values = DeepValues::refused;
  std::uint64_t max_memory = 0;  ///< bytes, roughly
  RepeatedMembers repeated_members = RepeatedMembers::last_wins;
};

/// Builds a tree of values from the events of the parser, within bounds.
template <class Json>
class JsonBuilder final : public nlohmann::json_sax<Json> {
 public:
  explicit JsonBuilder(const JsonBounds& bounds, std::size_t size) : bounds_(bounds), size_(size) {}

  bool null() override { return add(nullptr, 0); }
  bool boolean(bool value) override { return add(value, 0); }
  bool number_integer(typename Json::number_integer_t value) override { return add(value, 0); }
  bool number_unsigned(typename Json::number_unsigned_t value) override { return add(value, 0); }
  bool number_float(typename Json::number_float_t value, const std::string& /*text*/) override {
    return add(value, 0);
  }
  bool string(std::string& value) override {
    const std::size_t size = value.size();
    return add(std::move(value), size);
  }
  bool binary(typename Json::binary_t& /*value*/) override {
    return false;
  }  // no such thing in text

  bool start_object(std::size_t /*count*/) override { return open(Json::object()); }
  bool start_array(std::size_t /*count*/) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(std::string& value) override {
    if (skipped_ != 0) return true;
    key_ = std::move(value);
    return take_memory(bytes_a_member + key_.size());
  }

  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::detail::exception& problem) override {
    const std::size_t offset = position == 0 ? 0 : position - 1;
    constexpr std::size_t longest_reason = 120;
    constexpr std::string_view before_reason = "while parsing ";
    std::string_view reason = problem.what();
    if (const auto at = reason.find(before_reason); at != std::string_view::npos) {
      reason.remove_prefix(at);
    }
    error_ = {offset >= size_ ? ErrorCode::truncated : ErrorCode::bad_value,
              offset,
              {},
              fmt::format("is no valid JSON: {}", reason.substr(0, longest_reason))};
    return false;
  }

  Result<Json> take() && {
    if (error_) return tl::unexpected(std::move(*error_));
    return std::move(root_);
  }

 private:
  // What a value and a member of an object cost, with the spare room of a growing list.
  static constexpr std::size_t bytes_a_value = 2 * sizeof(Json);
  static constexpr std::size_t bytes_a_member = 80;

  bool refuse(ErrorCode code, std::string message) {
    error_ = {code, std::nullopt, {}, std::move(message)};
    return false;
  }

  bool take_memory(std::uint64_t bytes) {
    memory_ += bytes;
    if (memory_ <= bounds_.max_memory) return true;
    return refuse(ErrorCode::limit,
                  fmt::format("needs more memory than the limit of {} bytes", bounds_.max_memory));
  }

  bool is_too_deep() const { return open_.size() > bounds_.max_depth; }

  /// Puts a value where the document goes on; null where it is not allowed.
  Json* put(Json&& value, std::size_t bytes) {
    if (!take_memory(bytes_a_value + bytes)) return nullptr;
    if (open_.empty()) return &(root_ = std::move(value));
    Json& parent = *open_.back();
    if (parent.is_array()) return &parent.emplace_back(std::move(value));
    const std::size_t members = parent.size();
    Json& member = parent[key_];
    const bool is_repeated = parent.size() == members;
    if (is_repeated && bounds_.repeated_members == RepeatedMembers::refused) {
      refuse_repetition();
      return nullptr;
    }
    return &(member = std::move(value));
  }

  bool refuse_depth() {
    return refuse(ErrorCode::limit,
                  fmt::format("values are nested deeper than {} levels", bounds_.max_depth));
  }

  bool refuse_repetition() {
    constexpr std::size_t longest_key = 40;
    return refuse(ErrorCode::bad_value,
                  fmt::format("an object has the member \"{}\" twice: leave one out",
                              std::string_view(key_).substr(0, longest_key)));
  }

  bool add(Json value, std::size_t bytes) {
    if (skipped_ != 0) return true;
    if (is_too_deep()) return bounds_.deep_values == DeepValues::left_out || refuse_depth();
    return put(std::move(value), bytes) != nullptr;
  }

  bool open(Json&& container) {
    if (skipped_ != 0 || is_too_deep()) {
      if (bounds_.deep_values == DeepValues::refused) return refuse_depth();
      ++skipped_;
      return true;
    }
    Json* const added = put(std::move(container), 0);
    if (added == nullptr) return false;
    open_.push_back(added);
    return true;
  }

  bool close() {
    if (skipped_ != 0) {
      --skipped_;
    } else {
      open_.pop_back();
    }
    return true;
  }

  JsonBounds bounds_;
  std::size_t size_;
  Json root_;
  std::vector<Json*> open_;  ///< containers around the place, outermost first
  std::string key_;
  std::size_t skipped_ = 0;  ///< containers around the place that are left out
  std::uint64_t memory_ = 0;
  std::optional<Error> error_;
};

/// Parses JSON without recursion. Errors of syntax have the byte offset.
template <class Json>
[[nodiscard]] Result<Json> parse_json(std::string_view text, const JsonBounds& bounds) {
  JsonBuilder<Json> builder(bounds, text.size());
  Json::sax_parse(text.begin(), text.end(), &builder);
  return std::move(builder).take();
}

}  // namespace mabkit::base
