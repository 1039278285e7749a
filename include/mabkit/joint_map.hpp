#pragma once

#include <cstddef>
#include <mabkit/bank.hpp>
#include <mabkit/error.hpp>
#include <mabkit/imported_motion.hpp>
#include <mabkit/limits.hpp>
#include <mabkit/skeleton.hpp>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mabkit {

/// Which joint of a target each joint of a source is.
struct JointMap {
  /// By the source joint's name, or its hash as `0x1234abcd`. Absent: the joint is left out.
  std::map<std::string, std::optional<std::string>> targets;

  /// What the map says of a joint: by its name, else by its hash; null where it says nothing.
  [[nodiscard]] const std::optional<std::string>* find(const Joint& joint) const;
};

/// Reads `{"source joint": "target joint", "another": null, ...}`. Fails with the path of the entry
/// that is wrong; two sources for one target are wrong.
[[nodiscard]] Result<JointMap> read_joint_map(std::span<const std::byte> bytes,
                                              const ReadLimits& limits = {});

/// Gives the joints of `clip` their targets' names and hashes. Joints that the map leaves out go
/// with their tracks; their children hang from the nearest joint above that stays.
void rename_joints(Clip& clip, const JointMap& map);

/// Gives the bones their targets' names and hashes. Bones that the map leaves out stay as they are:
/// others hang from them.
void rename_bones(Skeleton& skeleton, const JointMap& map);

/// Does both for what a file holds: the rig and the clips on it, which are all clips where they are
/// takes, else the main one. Says which entries of the map meet no joint.
[[nodiscard]] std::vector<Diagnostic> apply_joint_map(const JointMap& map, ImportedMotion& motion);

}  // namespace mabkit
