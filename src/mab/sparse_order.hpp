#pragma once

#include <cstddef>
#include <mabkit/presence_order.hpp>
#include <optional>
#include <span>

#include "mab/sparse_index.hpp"

namespace mabkit::mab {

/// Decides once, over all clips, which bit of a presence byte stands for which frame (spec
/// mab-sparse, 3.2): as asked; else the order under which no key lies past the last frame, if only
/// one does that; else the one with the votes; else LSB. Writes order and evidence into the index.
void decide_order(std::span<const std::byte> bytes, std::optional<PresenceOrder> asked,
                  SparseIndex& index);

}  // namespace mabkit::mab
