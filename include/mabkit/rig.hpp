#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mabkit/error.hpp>
#include <mabkit/limits.hpp>
#include <mabkit/math.hpp>
#include <mabkit/skeleton.hpp>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace mabkit {

/// Reads a rig of any kind by its content: `.skeleton` (LKS 18), `.xbg` (HSEM).
[[nodiscard]] Result<Skeleton> parse_rig(std::span<const std::byte> bytes,
                                         const ReadLimits& limits = {});

/// Reads names, hierarchy and bind pose from the node chunk of a model, `.xbg` of Far Cry 2 to 5
/// (spec mab-sparse, 6.4 and 6.5). The bones have no ids: the order of nodes is not that of the
/// `.skeleton`.
[[nodiscard]] Result<Skeleton> parse_xbg(std::span<const std::byte> bytes,
                                         const ReadLimits& limits = {});

/// "None" in the 16-bit links and in the common table of a `.skeleton` (spec mab-sparse, 6.1).
inline constexpr std::uint16_t lks_none = 0xFFFF;

/// A name as a `.skeleton` stores it. `lks_text` makes one with its right hash.
struct LksText {
  std::uint32_t hash = 0;  ///< CRC-32 as stored; a wrong one is a warning
  std::string text;        ///< any bytes
};
[[nodiscard]] LksText lks_text(std::string text);

/// Orientation constraint 1. What the vector means is unknown.
struct LksLookAt {
  std::int32_t bone = 0;
  Vec3 vector;
};
/// Orientation constraint 2: between two bones, such as the knees of a human.
struct LksBlend {
  std::int32_t first_bone = 0;
  float first_weight = 0.0F;
  std::int32_t second_bone = 0;
  float second_weight = 0.0F;
};
/// Orientation constraint 3: a share of another bone's roll, such as a twist bone's.
struct LksDependent {
  std::int32_t bone = 0;
  float weight = 0.0F;
};
/// Orientation constraint 4.
struct LksDamped {
  std::int32_t bone = 0;
  float weight = 0.0F;
};
/// The alternative's index is the stored kind.
using LksOrientation = std::variant<std::monostate, LksLookAt, LksBlend, LksDependent, LksDamped>;

/// Position constraint. What tells the kinds apart is unknown.
struct LksPosition {
  std::uint8_t kind = 1;  ///< 1 to 3
  std::int32_t bone = 0;
  Vec3 vector;
};

/// A bone of a `.skeleton`, every field as stored (spec mab-sparse, 6.1).
struct LksBone {
  std::uint32_t version = 7;  ///< of its object mark
  Quat rotation;              ///< child to parent
  Vec3 offset;                ///< metres, in the parent
  float length = 0.0F;
  std::uint16_t id = 0;                   ///< equals the position in `LksSkeleton::bones`
  std::uint16_t parent = lks_none;        ///< id
  std::uint16_t first_child = lks_none;   ///< id; `derive_links` sets it
  std::uint16_t next_sibling = lks_none;  ///< id; `derive_links` sets it
  LksOrientation orientation;
  std::optional<LksPosition> position;
  LksText name;
  std::uint8_t animated_translation = 0;  ///< 1: clips may translate the bone
  std::uint8_t body_part = 0;
  float mass_weight = 0.0F;  ///< share in the centre of mass
};

/// An attachment point of a `.skeleton`.
struct LksHandle {
  std::uint32_t version = 3;  ///< of its object mark
  std::uint16_t id = 0;       ///< continues after the bones
  LksText name;
  LksText parent;  ///< name of a bone
  Quat rotation;
  Vec3 offset;
  Quat inverse_rotation;
  Vec3 inverse_offset;
  Quat inverse_rotation_again;  ///< stored twice
};

/// Everything that a `.skeleton` of Far Cry 2 or Avatar holds.
struct LksSkeleton {
  std::uint32_t version = 7;  ///< of the file's object mark, not the file version (always 18)
  std::vector<LksBone> bones;
  std::vector<std::uint16_t> common;  ///< bone ids, `lks_none` where empty
  std::vector<LksHandle> handles;
  float scale_factor = 1.0F;
  std::vector<std::uint16_t> translation_bones;  ///< ids
  /// A bit a bone for each level of detail; 5 words each, zero on disk.
  std::array<std::vector<std::uint32_t>, 3> lod_masks{
      std::vector<std::uint32_t>(5), std::vector<std::uint32_t>(5), std::vector<std::uint32_t>(5)};
  std::vector<Diagnostic> diagnostics;  ///< of reading
};

/// Reads a `.skeleton` strictly: bone ids are positions, parents form trees, the end of the data is
/// the end of the file. Child and sibling links that contradict the parents are a warning, since
/// nothing is lost: parents alone make the hierarchy.
[[nodiscard]] Result<LksSkeleton> parse_lks(std::span<const std::byte> bytes,
                                            const ReadLimits& limits = {});

/// Lays a `.skeleton` out. `write_lks(parse_lks(x))` is `x`. Fails where `parse_lks` would refuse
/// the result.
[[nodiscard]] Result<std::vector<std::byte>> write_lks(const LksSkeleton& skeleton);

/// Sets every bone's `first_child` and `next_sibling` from the parents, siblings in id order. Roots
/// are nobody's siblings.
void derive_links(LksSkeleton& skeleton);

/// Names, ids, hierarchy and bind pose. Rotations that are not unit quaternions are normalised,
/// values that are not finite become the identity.
[[nodiscard]] Skeleton to_skeleton(const LksSkeleton& skeleton);

}  // namespace mabkit
