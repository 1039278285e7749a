#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mabkit::test {

/// A second decoder of the chunked family, written from spec mab-chunked alone: it shares no code
/// with the library, checks nothing that lawful files may not break, and throws text where a file
/// is not lawful.

struct PlainChunkedTrack {
  std::uint32_t joint = 0;
  bool is_rotation = false;
  bool is_constant = false;
  unsigned bits = 0;                         ///< where animated
  std::vector<std::array<float, 4>> values;  ///< x y z w, or x y z and 0
};

struct PlainChunkedRecord {
  float start = 0.0F;
  float end = 0.0F;
  std::uint32_t child_bone = 0;
  std::uint32_t parent_bone = 0;
  std::uint32_t target_bone = 0;
  int kind = 0;
  std::optional<std::string> name;
  std::optional<std::size_t> clip;  ///< position in the file's clips
};

struct PlainChunkedClip {
  std::vector<std::uint32_t> hashes;
  float duration = 0.0F;
  std::optional<float> frame_rate;
  std::vector<std::uint32_t> ticks;
  std::vector<PlainChunkedTrack> tracks;  ///< by joint, rotation first
  std::optional<PlainChunkedTrack> displacement_rotation;
  std::optional<PlainChunkedTrack> displacement_translation;
  std::vector<PlainChunkedRecord> records;
};

/// Clip 0, then the children in the order of their records, depth first.
[[nodiscard]] std::vector<PlainChunkedClip> decode_chunked_plainly(
    const std::vector<std::byte>& file);

}  // namespace mabkit::test
