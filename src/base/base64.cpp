#include "base/base64.hpp"

#include <cstdint>
#include <string_view>

namespace mabkit::base {

std::string base64(std::span<const std::byte> bytes) {
  constexpr std::string_view alphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      group <<= 8U;
      if (i + j < bytes.size()) group |= std::to_integer<std::uint32_t>(bytes[i + j]);
    }
    for (std::size_t j = 0; j < 4; ++j) {
      const bool is_padding = i + j > bytes.size();
      text.push_back(is_padding ? '=' : alphabet[group >> (18 - 6 * j) & 0x3FU]);
    }
  }
  return text;
}

}  // namespace mabkit::base
