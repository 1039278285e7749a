#include "bvh/tokens.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace mabkit::bvh {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
constexpr std::string_view white_space = " \t\r\n\v\f";
constexpr std::string_view line_ends = "\r\n";
constexpr std::string_view braces = "{}";
/// More digits than these do not fit an integer of 64 bits and no longer matter.
constexpr int most_digits = 19;
/// Exponents beyond this are zero or infinity in any case.
constexpr int largest_exponent = 999;

bool is_one_of(char c, std::string_view set) {
  return set.find(c) != std::string_view::npos;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Takes a sign off the front of `text`; -1 for a minus.
int take_sign(std::string_view& text) {
  if (text.empty() || !is_one_of(text.front(), "+-")) return 1;
  const int sign = text.front() == '-' ? -1 : 1;
  text.remove_prefix(1);
  return sign;
}

struct Digits {
  std::uint64_t value = 0;
  int count = 0;     ///< significant ones that `value` holds
  int exponent = 0;  ///< of ten, that `value` is to be multiplied with
  bool has_some = false;
};

/// Takes digits off the front of `text`, which stand after the decimal point or before it.
void take_digits(std::string_view& text, Digits& digits, bool is_fraction) {
  while (!text.empty() && is_digit(text.front())) {
    const auto digit = static_cast<std::uint64_t>(text.front() - '0');
    text.remove_prefix(1);
    digits.has_some = true;
    if (digits.count < most_digits) {
      digits.value = 10 * digits.value + digit;
      if (digits.value != 0) ++digits.count;
      if (is_fraction) digits.exponent = std::max(digits.exponent - 1, -largest_exponent);
    } else if (!is_fraction) {
      digits.exponent = std::min(digits.exponent + 1, largest_exponent);
    }
  }
}

/// Takes `e-07` off the front of `text`; nothing where the digits are absent.
std::optional<int> take_exponent(std::string_view& text) {
  if (text.empty() || lower(text.front()) != 'e') return 0;
  text.remove_prefix(1);
  const int sign = take_sign(text);
  if (text.empty() || !is_digit(text.front())) return std::nullopt;
  int exponent = 0;
  while (!text.empty() && is_digit(text.front())) {
    exponent = std::min(10 * exponent + (text.front() - '0'), largest_exponent);
    text.remove_prefix(1);
  }
  return sign * exponent;
}

/// `value` times ten to the power of `exponent`; exact powers up to 1e22, which are all that files
/// of motion have, leave one rounding.
double scaled(double value, int exponent) {
  constexpr int exact = 22;
  while (exponent != 0 && std::isfinite(value)) {
    const int step = std::clamp(exponent, -exact, exact);
    if (step > 0) {
      value *= std::pow(10.0, step);
    } else {
      value /= std::pow(10.0, -step);
    }
    exponent -= step;
  }
  return value;
}

}  // namespace

Tokens::Tokens(std::string_view text) : text_(text) {
  if (text_.starts_with(byte_order_mark)) at_ = byte_order_mark.size();
  skip_space();
}

void Tokens::skip_space() {
  while (at_ < text_.size() && is_one_of(text_[at_], white_space)) ++at_;
}

Token Tokens::peek() const {
  std::size_t end = at_;
  while (end < text_.size() && !is_one_of(text_[end], white_space) &&
         !is_one_of(text_[end], braces)) {
    ++end;
  }
  if (end == at_ && end < text_.size()) ++end;  // a brace
  return {text_.substr(at_, end - at_), at_};
}

Token Tokens::next() {
  const Token token = peek();
  at_ += token.text.size();
  skip_space();
  return token;
}

Token Tokens::rest_of_line() {
  // White space was skipped after the last word, so look whether a line ended there.
  std::size_t before = at_;
  while (before > 0 && is_one_of(text_[before - 1], white_space)) {
    if (is_one_of(text_[--before], line_ends)) return {{}, at_};
  }
  std::size_t end = at_;
  while (end < text_.size() && !is_one_of(text_[end], line_ends) && text_[end] != '{') ++end;
  const std::size_t first = at_;
  at_ = end;
  while (end > first && is_one_of(text_[end - 1], white_space)) --end;
  skip_space();
  return {text_.substr(first, end - first), first};
}

bool is_word(std::string_view text, std::string_view word) {
  return text.size() == word.size() &&
         std::equal(text.begin(), text.end(), word.begin(),
                    [](char a, char b) { return lower(a) == lower(b); });
}

std::optional<double> decimal(std::string_view text) {
  const int sign = take_sign(text);
  Digits digits;
  take_digits(text, digits, false);
  if (!text.empty() && text.front() == '.') {
    text.remove_prefix(1);
    take_digits(text, digits, true);
  }
  if (!digits.has_some) return std::nullopt;
  const std::optional<int> exponent = take_exponent(text);
  if (!exponent || !text.empty()) return std::nullopt;
  const double value = scaled(static_cast<double>(digits.value), digits.exponent + *exponent);
  if (!(value <= static_cast<double>(std::numeric_limits<float>::max()))) return std::nullopt;
  return sign * value;
}

}  // namespace mabkit::bvh
