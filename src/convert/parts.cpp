#include "convert/parts.hpp"

#include <fmt/format.h>

namespace mabkit::conversion {
namespace {

constexpr std::size_t most_name_characters = 40;

bool is_safe(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

}  // namespace

std::string part_infix(std::uint32_t clip, const Clip& of) {
  std::string infix = fmt::format(".{}", clip);
  if (!of.name || of.name->empty()) return infix;
  infix.push_back('-');
  for (const char c : of.name->substr(0, most_name_characters)) {
    infix.push_back(is_safe(c) ? c : '_');
  }
  return infix;
}

Bank single_clip(const Bank& bank, std::uint32_t index) {
  Bank single{bank.format, bank.game, {bank.clips[index]}, bank.participants, bank.diagnostics};
  for (Participant& participant : single.participants) {
    if (participant.clip)
      participant.clip = *participant.clip == index ? std::optional(0U) : std::nullopt;
  }
  return single;
}

}  // namespace mabkit::conversion
