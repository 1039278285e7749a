#include "motion/near_names.hpp"

#include <algorithm>
#include <mabkit/names.hpp>
#include <tuple>
#include <utility>

namespace mabkit {
namespace motion {
namespace {

/// Longer texts are no bone's name.
constexpr std::size_t most_compared = 64;

/// Least number of letters to insert, delete or replace.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

/// A third of the letters may differ, at least one.
std::size_t farthest(std::string_view key) {
  return std::max<std::size_t>(1, key.size() / 3);
}

bool may_be_near(const BoneSpelling& a, const BoneSpelling& b) {
  const bool are_opposite = a.side != b.side && a.side != Side::none && b.side != Side::none;
  const std::size_t longer = std::max(a.key.size(), b.key.size());
  const std::size_t shorter = std::min(a.key.size(), b.key.size());
  return !are_opposite && longer <= most_compared && longer - shorter <= farthest(a.key);
}

}  // namespace

NearNames::NearNames(std::vector<std::string> candidates) : candidates_(std::move(candidates)) {
  spellings_.reserve(candidates_.size());
  for (const std::string& candidate : candidates_) spellings_.push_back(take_apart(candidate));
}

std::vector<std::string> NearNames::find(std::string_view name, std::size_t most) const {
  const BoneSpelling wanted = take_apart(name);
  struct Found {
    std::size_t distance;
    bool differs_in_side;
    std::size_t candidate;
  };
  std::vector<Found> found;
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    if (!may_be_near(wanted, spellings_[i])) continue;
    const std::size_t distance = edit_distance(wanted.key, spellings_[i].key);
    if (distance > farthest(wanted.key)) continue;
    found.push_back({distance, wanted.side != spellings_[i].side, i});
  }
  std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
    return std::tie(a.distance, a.differs_in_side, a.candidate) <
           std::tie(b.distance, b.differs_in_side, b.candidate);
  });
  std::vector<std::string> names;
  for (const Found& near : found) {
    if (names.size() == most) break;
    const std::string& candidate = candidates_[near.candidate];
    if (std::find(names.begin(), names.end(), candidate) == names.end()) {
      names.push_back(candidate);
    }
  }
  return names;
}

}  // namespace motion

std::vector<std::string> near_names(std::string_view name,
                                    const std::vector<std::string>& candidates, std::size_t most) {
  return motion::NearNames(candidates).find(name, most);
}

}  // namespace mabkit
