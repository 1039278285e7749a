#pragma once

#include <cstdint>
#include <functional>
#include <mabkit/math.hpp>
#include <span>
#include <vector>

#include "codec/packed_quaternion.hpp"

namespace mabkit::codec {

/// Keys of one rotation track of the sparse family.
struct SparseKeys {
  std::vector<std::uint32_t> frames;    ///< ascending
  std::vector<PackedQuaternion> words;  ///< one a frame
};

/// How far a decoded rotation is from what a frame asks for; up to 1 is tolerated.
using FrameError = std::function<double(std::uint32_t frame, const Quat& decoded)>;

/// Whether a frame is stored whatever the motion: the first of every group, and the last (spec
/// mab-sparse, 3.5).
[[nodiscard]] bool is_always_stored(std::uint32_t frame, std::uint32_t last_frame);

/// The fewest keys between which every other frame is tolerated, with the least error among equally
/// few (spec mab-sparse, 3.5).
///
/// `candidates[f]` are the words that a key at frame f may have, at least one. Frames that
/// `is_always_stored` or `required` names are keys. A dropped frame is what `slerp` makes of the
/// decoded keys around it. A key whose every word is beyond what is tolerated takes the best.
[[nodiscard]] SparseKeys select_keys(std::span<const std::vector<PackedQuaternion>> candidates,
                                     const std::vector<bool>& required, const FrameError& error);

/// The track's value at each of the frames 0 to `frames` - 1, as a decoder has it.
[[nodiscard]] std::vector<Quat> decode_frames(const SparseKeys& keys, std::uint32_t frames);

}  // namespace mabkit::codec
