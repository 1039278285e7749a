#pragma once

#include <cstdint>
#include <mabkit/bank.hpp>
#include <random>

namespace mabkit::test {

/// Appends a curve and gives it to a joint.
void add_rotations(Clip& clip, std::uint32_t joint, TrackKind kind, const std::vector<float>& times,
                   const std::vector<Quat>& values);
void add_translations(Clip& clip, std::uint32_t joint, TrackKind kind,
                      const std::vector<float>& times, const std::vector<Vec3>& values);

/// The times of frames 0 to `last_frame`.
[[nodiscard]] std::vector<float> frame_times(std::uint32_t last_frame, float rate);

/// A rotation of `angle` radians about an axis, which need not have unit length.
[[nodiscard]] Quat turn(const Vec3& axis, double angle);

struct RandomBankOptions {
  std::uint32_t most_joints = 12;
  std::uint32_t most_frames = 70;
  std::uint32_t most_clips = 3;
};

/// A bank with what the sparse family can hold: constants, smooth and jumping rotations,
/// translations, keys that skip frames, root motion, events, participants.
[[nodiscard]] Bank random_sparse_bank(std::mt19937& random, const RandomBankOptions& options = {});

}  // namespace mabkit::test
