#pragma once

#include <cstdint>
#include <mabkit/bank.hpp>
#include <mabkit/math.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mabkit {

/// A bone of a rig in its bind pose. Parent-relative, Z up, right-handed, metres.
struct Bone {
  std::string name;
  std::uint32_t name_hash = 0;          ///< CRC-32 of the name, case kept
  std::optional<std::uint32_t> id;      ///< skeleton bone id, where the rig has ids
  std::optional<std::uint32_t> parent;  ///< position in `Skeleton::bones`
  Quat rotation;
  Vec3 translation;
  Vec3 scale{1.0F, 1.0F, 1.0F};
  /// Whether clips may translate it; absent where the rig does not say.
  std::optional<bool> animated_translation;
};

/// Names, hierarchy and bind pose of a rig. Parents may stand after their children.
struct Skeleton {
  std::string source;  ///< `skeleton`, `xbg`, `gltf`, ...
  std::vector<Bone> bones;
  std::vector<Diagnostic> diagnostics;  ///< what reading the rig had to salvage or to infer
};

/// Positions of `bones`, every parent before its children, in file order where that is so already.
/// A bone whose chain of parents never reaches a root (a cycle, a position out of range) is left
/// out.
[[nodiscard]] std::vector<std::uint32_t> parents_first(std::span<const Bone> bones);

/// How the joints of a clip were found in a skeleton.
struct Binding {
  struct Unmatched {
    std::uint32_t joint = 0;              ///< position in `Clip::joints`
    std::vector<std::string> near_names;  ///< names of bones that the joint may have meant
  };
  /// A bone's position for each joint of the clip; absent where there is none. No two joints have
  /// the same bone.
  std::vector<std::optional<std::uint32_t>> bone_of_joint;
  std::vector<Unmatched> unmatched;
  std::size_t matched = 0;
  /// Joints went by bone id, and the rig has no ids: it takes the `.skeleton`, or `order_as_id`.
  bool rig_lacks_ids = false;
};

/// How `bind` reads skeleton ids.
struct BindOptions {
  /// Subtracted from a joint's id first: scripted scenes number several rigs in one mask (spec
  /// mab-sparse, 1.4).
  std::int32_t bone_offset = 0;
  /// Takes a bone's position for its id where the rig has no ids. A guess that the user asks for
  /// (spec mab-sparse, 6.5).
  bool order_as_id = false;
  /// Whether unmatched joints get near names; costs more than all the rest.
  bool near_names = true;
};

/// Finds a clip's joints in a skeleton: by CRC-32 of the name where the joint has a hash or a name,
/// by bone id where it has neither (spec mab-sparse 1.4 and 6.5). Of several joints that mean one
/// bone, the first has it. An unmatched joint gets the near names of its name, and those of bones
/// whose name in another spelling (case, separators, `L`/`Left`, `Bip01`) has the joint's hash.
[[nodiscard]] Binding bind(const Clip& clip, const Skeleton& skeleton, const BindOptions& options);

/// Gives the matched joints of `clip` their bones' names, their hashes where they have none, and
/// as parent the joint of the nearest matched ancestor.
void name_joints(Clip& clip, const Skeleton& skeleton, const Binding& binding);

}  // namespace mabkit
