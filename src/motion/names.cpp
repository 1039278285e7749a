#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <mabkit/names.hpp>

#include "base/crc32.hpp"

namespace mabkit {

std::uint32_t name_hash(std::string_view name) {
  return base::crc32(std::as_bytes(std::span(name)));
}

std::string hash_text(std::uint32_t hash) {
  return fmt::format("0x{:08x}", hash);
}

std::optional<std::uint32_t> hash_from_text(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
  std::uint32_t hash = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), hash, 16);
  if (code != std::errc{} || end != text.data() + text.size() || text.size() > 8) {
    return std::nullopt;
  }
  return hash;
}

}  // namespace mabkit
