#include "motion/bone_spelling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

namespace mabkit::motion {
namespace {

constexpr std::string_view separators = " _.-";

// The locale's own functions depend on global state.
bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_separator(char c) {
  return separators.find(c) != std::string_view::npos;
}
char lower(char c) {
  return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = lower(c);
  return out;
}

Side side_of_letter(char c) {
  if (lower(c) == 'l') return Side::left;
  return lower(c) == 'r' ? Side::right : Side::none;
}

std::string_view trim_separators(std::string_view text) {
  while (!text.empty() && is_separator(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_separator(text.back())) text.remove_suffix(1);
  return text;
}

/// `mixamorig:Hips` and `Bip01 Hips` are `Hips`; `Bip01` alone stays.
std::string_view without_prefix(std::string_view name) {
  const std::size_t colon = name.rfind(':');
  if (colon != std::string_view::npos) name.remove_prefix(colon + 1);
  if (lower(name.substr(0, 3)) != "bip") return name;
  std::size_t end = 3;
  while (end < name.size() && is_digit(name[end])) ++end;
  if (end >= name.size() || !is_separator(name[end])) return name;
  const auto rest = trim_separators(name.substr(end));
  return rest.empty() ? name : rest;
}

struct Sided {
  Side side = Side::none;
  std::string_view part;
};

/// Takes the side off the front: `LeftFoot`, `LFoot`, `L Foot`, `l_foot`.
Sided side_in_front(std::string_view name) {
  for (const auto& [word, side] : {std::pair(std::string_view("left"), Side::left),
                                   std::pair(std::string_view("right"), Side::right)}) {
    if (lower(name.substr(0, word.size())) == word) return {side, name.substr(word.size())};
  }
  if (name.size() < 2) return {};
  const bool stands_apart = is_separator(name[1]) || (is_upper(name[0]) && is_upper(name[1]));
  return stands_apart ? Sided{side_of_letter(name[0]), name.substr(1)} : Sided{};
}

/// Takes the side off the end: `Foot_L`, `foot.r`, `FootL`.
Sided side_at_end(std::string_view name) {
  if (name.size() < 2) return {};
  const char before = name[name.size() - 2];
  const bool stands_apart = is_separator(before) || (is_upper(name.back()) && is_lower(before));
  return stands_apart ? Sided{side_of_letter(name.back()), name.substr(0, name.size() - 1)}
                      : Sided{};
}

void add_once(std::vector<std::string>& out, std::string text) {
  if (std::find(out.begin(), out.end(), text) == out.end()) out.push_back(std::move(text));
}

/// `part` with its separators as they are, swapped, and left out, each in its own and in lower
/// case.
std::vector<std::string> respelled(const std::string& part) {
  std::vector<std::string> out{part};
  for (const auto& [from, to] : {std::pair(' ', '_'), std::pair('_', ' ')}) {
    std::string swapped = part;
    std::replace(swapped.begin(), swapped.end(), from, to);
    add_once(out, std::move(swapped));
  }
  std::string joined;
  std::copy_if(part.begin(), part.end(), std::back_inserter(joined),
               [](char c) { return !is_separator(c); });
  add_once(out, std::move(joined));
  for (std::size_t i = out.size(); i-- > 0;) add_once(out, lower(out[i]));
  return out;
}

std::vector<std::string> sided(const std::string& part, Side side) {
  if (side == Side::none) return {part};
  const std::string letter = side == Side::left ? "L" : "R";
  const std::string word = side == Side::left ? "Left" : "Right";
  std::vector<std::string> out;
  for (const char* gap : {"", " ", "_"}) {
    out.push_back(fmt::format("{}{}{}", letter, gap, part));
    out.push_back(fmt::format("{}{}{}", word, gap, part));
    out.push_back(fmt::format("{}{}{}", part, gap, letter));
  }
  out.push_back(fmt::format("{}.{}", part, letter));
  return out;
}

/// Longer texts are no bone's name, and their spellings would cost time and memory.
constexpr std::size_t most_spelled = 64;

}  // namespace

BoneSpelling take_apart(std::string_view name) {
  std::string_view part = trim_separators(without_prefix(name));
  Sided found = side_in_front(part);
  if (found.side == Side::none) found = side_at_end(part);
  const auto rest = trim_separators(found.part);
  // A lone `Left` is a name, not a side of nothing.
  const bool is_sided = found.side != Side::none && !rest.empty();
  if (is_sided) part = rest;

  BoneSpelling spelling{is_sided ? found.side : Side::none, std::string(part), {}};
  for (const char c : part) {
    if (!is_separator(c)) spelling.key.push_back(lower(c));
  }
  return spelling;
}

std::vector<std::string> spellings(std::string_view name) {
  std::vector<std::string> out{std::string(name)};
  if (name.size() > most_spelled) return out;
  const BoneSpelling spelling = take_apart(name);
  for (const std::string& part : respelled(spelling.part)) {
    for (const std::string& text : sided(part, spelling.side)) {
      for (const char* prefix : {"", "Bip01 ", "Bip01_", "Bip001 ", "mixamorig:"}) {
        out.push_back(prefix + text);
        out.push_back(lower(out.back()));
      }
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace mabkit::motion
