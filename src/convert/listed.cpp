#include "convert/listed.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace mabkit::conversion {
namespace {

constexpr std::size_t most_listed = 8;

}  // namespace

std::string listed(const std::vector<std::string>& names) {
  const auto end = names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), most_listed));
  std::string text = fmt::format("{}", fmt::join(names.begin(), end, ", "));
  if (names.size() > most_listed) text += fmt::format(" and {} more", names.size() - most_listed);
  return text;
}

}  // namespace mabkit::conversion
