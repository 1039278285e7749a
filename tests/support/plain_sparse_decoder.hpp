#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

/// A second decoder of Far Cry 2's files, written from the spec and sharing nothing with the
/// library, so that encoder and decoder can't agree on the same mistake.
namespace mabkit::test {

using PlainQuat = std::array<double, 4>;  ///< x y z w
using PlainVec = std::array<double, 3>;

struct PlainTag {
  unsigned kind = 0;
  std::uint32_t name_hash = 0;
  std::string name;
  std::uint32_t parent_hash = 0;
  std::string parent;
  float start = 0.0F;
  float end = 0.0F;
  std::size_t clip_at = 0;  ///< file offset that the record leads to
};

struct PlainEvent {
  float time = 0.0F;
  std::uint32_t type = 0;
  std::vector<std::byte> payload;
};

struct PlainClip {
  std::size_t at = 0;  ///< file offset of its header
  float duration = 0.0F;
  unsigned rate = 0;  ///< of slot 3
  unsigned last_frame = 0;
  std::map<unsigned, PlainQuat> constant_rotations;  ///< by bone id
  std::map<unsigned, PlainVec> constant_translations;
  /// By bone id: keys by frame.
  std::map<unsigned, std::map<unsigned, PlainQuat>> keyed_rotations;
  /// By bone id: one value a frame.
  std::map<unsigned, std::vector<PlainVec>> animated_translations;
  std::vector<PlainVec> trajectory_translation;
  std::vector<PlainQuat> trajectory_rotation;
  std::vector<PlainTag> tags;
  std::vector<PlainEvent> events;

  [[nodiscard]] bool has_rotation(unsigned bone) const;
  /// By slerp between the keys around the frame.
  [[nodiscard]] PlainQuat rotation(unsigned bone, unsigned frame) const;
  [[nodiscard]] PlainVec translation(unsigned bone, unsigned frame) const;
};

/// Decodes a canonical file of version 0x4C; throws where it is none (spec mab-sparse, 1 to 3).
[[nodiscard]] std::vector<PlainClip> decode_plain_sparse(std::span<const std::byte> file);

/// Angle between two rotations, in radians.
[[nodiscard]] double plain_angle(const PlainQuat& a, const PlainQuat& b);

}  // namespace mabkit::test
