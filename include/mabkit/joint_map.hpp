#pragma once

#include <cstddef>
#include <mabkit/bank.hpp>
#include <mabkit/error.hpp>
#include <mabkit/skeleton.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mabkit {

/// New names for joints, such as those that another rig gives to the same bones.
struct JointMap {
  struct Entry {
    /// A name; where nobody knows it, a hash such as `0xb021fd58`, or the number of a joint that
    /// has neither, such as `12`.
    std::string from;
    std::optional<std::string> to;  ///< absent: the joint is left out
  };
  std::vector<Entry> entries;  ///< no two with the same `from`
};

/// Reads a JSON object of names: `{"LeftArm": "L UpperArm", "Extra": null}`. Errors have the byte
/// offset or a path such as `LeftArm`.
[[nodiscard]] Result<JointMap> read_joint_map(std::span<const std::byte> bytes);

/// Renames the joints of clip 0 and the bones of its rig, hashes included, and removes the tracks
/// of joints that are left out. Returns the entries that name no joint and no bone, so that a
/// person learns of a misspelled one.
[[nodiscard]] std::vector<std::string> apply_joint_map(const JointMap& map, Bank& bank,
                                                       Skeleton& skeleton);

}  // namespace mabkit
