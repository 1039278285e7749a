#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mabkit/error.hpp>
#include <mabkit/math.hpp>
#include <optional>
#include <span>
#include <vector>

#include "base/bytes.hpp"
#include "codec/packed_quaternion.hpp"
#include "mab/sparse_index.hpp"

/// A sparse file as values without places: everything that its author chose, nothing that follows
/// from it. Numbers are the stored words; floats are kept as their bits, so that no conversion
/// touches them.
namespace mabkit::mab {

using FloatBits = std::uint32_t;
using VectorBits = std::array<FloatBits, 3>;
using QuatBits = std::array<FloatBits, 4>;

[[nodiscard]] inline FloatBits bits_of(float value) {
  return base::cast_bits<FloatBits>(value);
}
[[nodiscard]] inline VectorBits bits_of(const Vec3& v) {
  return base::cast_bits<VectorBits>(v);
}
[[nodiscard]] inline QuatBits bits_of(const Quat& q) {
  return base::cast_bits<QuatBits>(q);
}

/// The array header of slots 0 to 5 (spec mab-sparse, 1.7). Rate and unknown word share four bytes
/// in the later games.
struct ArrayHeaderFields {
  std::uint16_t count = 0;
  std::uint16_t last_frame = 0;
  std::uint16_t rate = 0;
  std::uint16_t unknown_0x06 = 0;
};

/// Slots 0, 4 and 5.
struct TranslationFields {
  ArrayHeaderFields header;
  std::vector<FloatBits> components;
};

/// Slots 1 and 2.
struct RotationFields {
  ArrayHeaderFields header;
  std::vector<codec::PackedQuaternion> rotations;
};

/// Eight frames of slot 3 (spec mab-sparse, 3.1).
struct GroupFields {
  std::vector<codec::PackedQuaternion> first_keys;
  std::vector<std::uint8_t> presence;  ///< bit 7 included
  std::uint8_t padding = 0;            ///< written where the number of tracks is odd
  std::vector<codec::PackedQuaternion> further_keys;
};

/// Slot 3; the offset table follows from the groups.
struct KeyedRotationFields {
  ArrayHeaderFields header;
  std::vector<GroupFields> groups;
};

/// A hashed name (spec mab-sparse, 1.9).
struct TagTextFields {
  std::uint32_t hash = 0;
  std::array<std::uint8_t, tag_text_size> text{};
};

/// A tag record (spec mab-sparse, 1.9).
struct TagFields {
  std::uint8_t kind = 0;
  std::uint8_t unknown_0x01 = 0;
  std::int16_t id = 0;
  std::uint32_t unknown_0x04 = 0;
  std::uint32_t unknown_0x08 = 0;
  /// Only where the record has no clip: with one, it follows from where that stands.
  std::optional<std::int32_t> clip_offset;
  FloatBits start = 0;
  FloatBits end = 0;
  TagTextFields name;
  TagTextFields parent;
  TagTextFields target;
  TagTextFields reference;
  std::uint32_t runtime_pointer = 0;
};

/// A node of the event chain (spec mab-sparse, 1.10).
struct EventFields {
  FloatBits time = 0;
  std::uint32_t type = 0;
  std::vector<std::byte> payload;
  /// What stands before the next node in place of one zero byte.
  std::optional<std::vector<std::byte>> unexplained;
};

struct ClipFields {
  std::uint32_t mask_words = 0;  ///< 0 where the masks can't be read
  std::array<std::vector<std::uint32_t>, mask_kind_count> masks;
  std::vector<std::uint32_t> unknown_before_reference;  ///< after the masks, or in their place
  QuatBits reference{};
  QuatBits loop{};
  std::uint32_t tag = 0;
  FloatBits duration = 0;
  std::uint32_t runtime_pointer = 0;
  std::optional<TranslationFields> trajectory_translation;
  std::optional<RotationFields> trajectory_rotation;
  std::optional<RotationFields> constant_rotations;
  std::optional<KeyedRotationFields> keyed_rotations;
  std::optional<TranslationFields> constant_translations;
  std::optional<TranslationFields> animated_translations;
  std::optional<std::vector<TagFields>> tags;
  std::optional<std::vector<std::byte>> unknown_tags;  ///< a chained clip's tag table
  std::optional<std::vector<EventFields>> events;
  /// What stands after a section (after the header: `next_clip`) in place of its padding, where
  /// that isn't what spec mab-sparse, 1.6 asks for.
  std::array<std::optional<std::vector<std::byte>>, slot_count> unexplained;
};

struct SparseFields {
  std::uint16_t version = 0;
  std::uint16_t unknown_0x02 = 0;
  std::uint32_t unknown_0x04 = 0;
  std::uint64_t unknown_0x08 = 0;
  std::vector<ClipFields> clips;
  std::vector<std::byte> trailing;  ///< after the last clip
};

/// The fields of the file that `index` was read from. Fails with `unsupported` where the sections
/// stand in another order than that of spec mab-sparse, 1.5.
[[nodiscard]] Result<SparseFields> fields(std::span<const std::byte> bytes,
                                          const SparseIndex& index);

/// Lays a file out from its fields alone: offsets, sizes, tables, padding and where the tag records
/// lead are computed (spec mab-sparse, 1.5 to 1.10). Fails where a number doesn't fit its field.
[[nodiscard]] Result<std::vector<std::byte>> lay_out(const SparseFields& fields);

}  // namespace mabkit::mab
