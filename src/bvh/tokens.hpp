#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace mabkit::bvh {

/// A word of the file and where it stands. Empty at the end of the file.
struct Token {
  std::string_view text;
  std::size_t offset = 0;
};

/// The words of a BVH file, which any amount of white space separates. Braces are words of their
/// own, whatever they touch.
class Tokens {
 public:
  explicit Tokens(std::string_view text);

  [[nodiscard]] Token peek() const;
  Token next();
  /// What is left of the line up to an opening brace, without white space around it: joints have
  /// names with spaces in them.
  Token rest_of_line();
  /// Bytes that no token was made of yet.
  [[nodiscard]] std::size_t bytes_left() const { return text_.size() - at_; }

 private:
  void skip_space();

  std::string_view text_;
  std::size_t at_ = 0;
};

/// Whether the words are the same but for case.
[[nodiscard]] bool is_word(std::string_view text, std::string_view word);

/// A decimal number such as `-1.5e-07`, `.5` or `5.`, whole `text`; nothing where it is none or
/// lies outside of float32. Independent of the locale; within a few units in the last place of a
/// double.
[[nodiscard]] std::optional<double> decimal(std::string_view text);

}  // namespace mabkit::bvh
