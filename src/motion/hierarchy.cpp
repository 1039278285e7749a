#include "motion/hierarchy.hpp"

#include <cstddef>

namespace mabkit::motion {
namespace {

enum class Visit : std::uint8_t { unseen, climbing, placed, rootless };

}  // namespace

std::vector<std::uint32_t> parents_first(Parents parents) {
  std::vector<Visit> visits(parents.size(), Visit::unseen);
  std::vector<std::uint32_t> order;
  order.reserve(parents.size());
  std::vector<std::uint32_t> chain;
  for (std::uint32_t start = 0; start < parents.size(); ++start) {
    // Climb to what is decided already, then decide the whole chain alike.
    chain.clear();
    std::optional<std::uint32_t> bone = start;
    while (bone && *bone < parents.size() && visits[*bone] == Visit::unseen) {
      visits[*bone] = Visit::climbing;
      chain.push_back(*bone);
      bone = parents[*bone];
    }
    const bool is_rooted = !bone || (*bone < parents.size() && visits[*bone] == Visit::placed);
    for (; !chain.empty(); chain.pop_back()) {
      visits[chain.back()] = is_rooted ? Visit::placed : Visit::rootless;
      if (is_rooted) order.push_back(chain.back());
    }
  }
  return order;
}

std::optional<std::uint32_t> first_rootless(Parents parents) {
  const auto order = parents_first(parents);
  if (order.size() == parents.size()) return std::nullopt;
  std::vector<bool> is_placed(parents.size(), false);
  for (const std::uint32_t bone : order) is_placed[bone] = true;
  std::uint32_t bone = 0;
  while (is_placed[bone]) ++bone;
  return bone;
}

std::vector<Links> links_from_parents(Parents parents) {
  std::vector<Links> links(parents.size());
  // Backwards, so that each bone finds its next sibling as its parent's first child so far.
  for (std::size_t i = parents.size(); i-- > 0;) {
    const auto parent = parents[i];
    if (!parent || *parent >= parents.size()) continue;
    links[i].next_sibling = links[*parent].first_child;
    links[*parent].first_child = static_cast<std::uint32_t>(i);
  }
  return links;
}

}  // namespace mabkit::motion
