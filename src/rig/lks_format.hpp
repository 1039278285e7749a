#pragma once

#include <cstddef>
#include <cstdint>
#include <mabkit/rig.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "motion/hierarchy.hpp"

namespace mabkit::rig {

// What reading and writing a `.skeleton` agree on (spec mab-sparse, 6.1).

inline constexpr std::uint32_t lks_magic = 0x00534B4C;  ///< `LKS` and a zero byte
inline constexpr std::uint32_t lks_file_version = 18;
inline constexpr std::uint32_t lks_object_mark = 0x3ADE68B1;
inline constexpr std::uint32_t lks_bone_version = 7;  ///< the file's own object mark has it as well
inline constexpr std::uint32_t lks_handle_version = 3;
inline constexpr std::size_t lks_lod_words = 5;
inline constexpr std::uint8_t lks_last_position_kind = 3;

/// Offsets within a bone of the fields that are checked once all bones are known.
inline constexpr std::uint64_t lks_parent_at = 8 + 16 + 12 + 4 + 2;
inline constexpr std::uint64_t lks_first_child_at = lks_parent_at + 2;
inline constexpr std::uint64_t lks_next_sibling_at = lks_first_child_at + 2;

/// Something that no `.skeleton` may hold.
struct LksFault {
  std::string_view field;  ///< of the bone
  std::string message;
};

/// Checks the bone at `position` of `count` by itself: its id, the range of its parent.
[[nodiscard]] std::optional<LksFault> fault_of(const LksBone& bone, std::size_t position,
                                               std::size_t count);

/// The first bone whose chain of parents never reaches a root. Every parent is in range.
[[nodiscard]] std::optional<std::size_t> bone_without_root(const std::vector<LksBone>& bones);

/// What the parents make `first_child` and `next_sibling`, as positions.
[[nodiscard]] std::vector<motion::Links> links_of(const std::vector<LksBone>& bones);

/// A link as stored.
[[nodiscard]] constexpr std::uint16_t stored_link(const std::optional<std::uint32_t>& bone) {
  return bone ? static_cast<std::uint16_t>(*bone) : lks_none;
}

/// What `bone_without_root` is called in an error.
inline constexpr std::string_view lks_cycle_message =
    "leads back to the bone itself or into a circle of bones, so that no root is reached";

}  // namespace mabkit::rig
