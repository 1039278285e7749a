#pragma once

#include <cstddef>
#include <cstdint>
#include <mabkit/bank.hpp>
#include <mabkit/skeleton.hpp>
#include <optional>
#include <string>
#include <vector>

namespace mabkit {

/// A clip carried over to another rig.
struct Retargeted {
  Clip clip;                ///< joints are those bones of the target that the source drives
  std::size_t matched = 0;  ///< joints of the source that were carried over
  /// Names (or hashes, or ids) of joints of the source that the target has no bone for.
  std::vector<std::string> left_out;
  /// What lengths were multiplied by: how much longer the target's legs are.
  double scale = 1.0;
};

/// Carries `clip` from the rig `source` over to the rig `target`.
///
/// Bones correspond by the CRC-32 of their names. Rotations are carried relative to both bind poses:
/// what turns a bone of the source away from its bind pose, in object space, turns the target's
/// bone away from its own. So bones may have other axes and lengths, as long as both bind poses show
/// the same stance. Bones of the target without a counterpart follow their parent. Translations of
/// the topmost driven bone are scaled by the ratio of the leg lengths (its height over the lowest
/// bone of its rig, in the bind pose); those of other bones move away from the bind pose by as much,
/// scaled by the ratio of the bones' lengths; a translation that only says where the source's bind
/// pose is, is left out. Root motion is scaled like the topmost bone. Keys keep their times, unless
/// bones between two counterparts are animated: then those of all of them are taken. A rig carried
/// over to an equal one keeps its values to the bit.
///
/// `binding` is that of the clip's joints in `source`.
[[nodiscard]] Retargeted retarget(const Clip& clip, const Skeleton& source, const Binding& binding,
                                  const Skeleton& target);

/// How a clip's rotations relate to the bind pose of its rig. Watch Dogs ships both kinds, and no
/// file says which it is.
enum class BindMode : std::uint8_t {
  absolute,  ///< a rotation replaces the bone's
  delta,     ///< a rotation is applied within the bone's: bind · value
};

/// Votes joint by joint, where the bind pose is turned by more than a sixth of a quarter turn:
/// whether the first rotation is nearer to the bind pose or to none. Absent where nothing or too
/// little speaks for either. A guess, to be said as one.
[[nodiscard]] std::optional<BindMode> detect_bind_mode(const Clip& clip, const Skeleton& skeleton,
                                                       const Binding& binding);

/// Turns rotations relative to the bind pose into absolute ones.
void apply_bind_pose(Clip& clip, const Skeleton& skeleton, const Binding& binding);

/// Turns absolute rotations into ones relative to the bind pose.
void remove_bind_pose(Clip& clip, const Skeleton& skeleton, const Binding& binding);

}  // namespace mabkit
