#pragma once

#include <cstddef>
#include <mabkit/error.hpp>
#include <mabkit/imported_motion.hpp>
#include <span>

namespace mabkit {

/// Reads a BVH file (Biovision Hierarchy): one clip on one rig.
///
/// Rotation channels compose in the order in which they are written, from parent to child. Position
/// channels are the joint's local translation and replace its OFFSET, on every joint. A joint with
/// rotation channels gets an animated rotation track, one with position channels an animated
/// translation track, a key a frame. Bones stand as their OFFSETs say, with identity rotations; end
/// sites are no bones.
///
/// BVH states neither its up axis nor its unit: what `options` does not give is inferred from the
/// rest pose, and `notices` says how. A frame time within 0.1 % of a whole number of frames a
/// second is taken as that. Errors have the byte offset and a path such as `joint[4].channels`.
[[nodiscard]] Result<ImportedMotion> read_bvh(std::span<const std::byte> bytes,
                                              const ImportOptions& options = {});

}  // namespace mabkit
