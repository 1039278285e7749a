#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mabkit/error.hpp>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "codec/chunked_stream.hpp"
#include "codec/packed_quaternion.hpp"
#include "mab/chunked_index.hpp"

namespace mabkit::mab {

/// A chunked stream as the integers that it stores.
struct StreamFields {
  codec::BlockKind kind = codec::BlockKind::rotation;
  std::uint32_t keys = 0;
  std::vector<unsigned> bits;                          ///< a joint's depth; one entry a joint
  std::vector<std::vector<codec::JointBlock>> chunks;  ///< by chunk, then joint
};

/// A stream that no decoder understands stays bytes.
using DisplacementFields = std::variant<std::monostate, StreamFields, std::vector<std::byte>>;

/// A parts record without its computed offsets (spec mab-chunked, 6.1).
struct PartFields {
  std::uint32_t unknown_0x00 = 0;    ///< absent in short records
  std::optional<std::size_t> child;  ///< position in `BlockFields::children`
  float start = 0.0F;
  float end = 0.0F;
  std::uint32_t child_bone = 0;
  std::uint32_t parent_bone = 0;
  std::uint32_t target_bone = 0;
  std::uint8_t kind = 0;
  std::uint8_t unknown_0x1D = 0;
  std::optional<std::string> name;
};

/// An event record of Far Cry 4 without its computed size (spec mab-chunked, 6.2).
struct MarkupFields {
  std::uint32_t crc = 0;
  float time = 0.0F;
  std::uint32_t unknown = 0;
  std::uint16_t second_size = 0;
  std::vector<std::byte> object;
};

/// A block as the values that it stores. Sizes, offsets and tables are computed.
struct BlockFields {
  /// Every word of the header, in the order of `header_fields`. Those that are computed are
  /// overwritten.
  std::vector<std::uint64_t> header;
  std::vector<std::uint32_t> hashes;
  std::vector<std::uint8_t> flags;
  std::vector<std::uint16_t> ticks;
  bool stores_key_times_offset = true;  ///< else 0 stands there (spec mab-chunked, 1.2)
  bool aligns_empty_sections = true;    ///< both forms occur (spec mab-chunked, 1.3)
  std::vector<std::uint32_t> translation_table;
  DisplacementFields displacement_orientations;
  DisplacementFields displacement_translations;
  std::vector<codec::PackedQuaternion> constant_rotations;
  std::vector<std::array<std::int16_t, 3>> constant_translations;
  std::optional<StreamFields> joint_rotations;
  std::optional<StreamFields> joint_translations;
  std::optional<std::vector<PartFields>> parts;
  std::vector<BlockFields> children;  ///< in the order in which the records first name them
  std::vector<std::byte> markup;
  std::vector<MarkupFields> markup_records;
};

/// A file of the chunked family as the values that it stores: owns all of them.
struct ChunkedFields {
  const ChunkedLayout* layout = nullptr;
  std::array<std::uint32_t, wrapper_words> wrapper{};
  std::uint32_t part_record_size = 0;
  BlockFields main;
  std::vector<std::byte> tail;
};

/// Copies the fields of a file out of its bytes.
[[nodiscard]] ChunkedFields collect_fields(std::span<const std::byte> file,
                                           const ChunkedIndex& index);

/// The section of a stream: its chunk table, then its chunks (spec mab-chunked, 2.1).
[[nodiscard]] std::vector<std::byte> stream_bytes(const StreamFields& stream);

/// Lays a file out by the rules for writers (spec mab-chunked, section 7 and 6.4 rule 8). Fails
/// with `limit` where an offset does not fit its field.
[[nodiscard]] Result<std::vector<std::byte>> lay_out(const ChunkedFields& fields);

}  // namespace mabkit::mab
