#pragma once

#include <cstdint>

namespace mabkit {

/// Bounds on what a reader accepts; a file over one of them gives `ErrorCode::limit`.
/// The defaults are far above every shipped file.
struct ReadLimits {
  std::uint64_t max_file_size = 1ULL << 30;  ///< bytes
  std::uint32_t max_joints = 4095;           ///< in one clip
  std::uint32_t max_keys = 65536;            ///< in one track
  std::uint32_t max_clips = 256;  ///< in one file, participants included (spec mab-sparse, 1.8)
  std::uint32_t max_depth = 16;   ///< nesting of child blocks and objects
  std::uint64_t max_decoded_bytes = 1ULL << 30;  ///< memory for the decoded values of one file
};

}  // namespace mabkit
