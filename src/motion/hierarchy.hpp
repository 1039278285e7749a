#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace mabkit::motion {

/// A position of the parent, absent for a root, of each bone.
using Parents = std::span<const std::optional<std::uint32_t>>;

/// `mabkit::parents_first` over bare parents.
[[nodiscard]] std::vector<std::uint32_t> parents_first(Parents parents);

/// The first bone whose chain of parents never reaches a root.
[[nodiscard]] std::optional<std::uint32_t> first_rootless(Parents parents);

/// The two links that rigs store beside the parent.
struct Links {
  std::optional<std::uint32_t> first_child;
  std::optional<std::uint32_t> next_sibling;
};

/// What the parents make the links, siblings in ascending position. Roots are nobody's siblings.
/// Parents out of range are ignored.
[[nodiscard]] std::vector<Links> links_from_parents(Parents parents);

}  // namespace mabkit::motion
