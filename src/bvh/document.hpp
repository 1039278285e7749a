#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mabkit/error.hpp>
#include <mabkit/limits.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mabkit::bvh {

/// A number that every frame has for a joint.
struct MotionChannel {
  bool is_rotation = false;  ///< degrees, else a position in the file's unit
  std::uint8_t axis = 0;     ///< 0 x, 1 y, 2 z
};

using Point = std::array<double, 3>;

/// A joint as the file has it: its axes and unit.
struct MotionJoint {
  std::string name;
  std::optional<std::uint32_t> parent;  ///< always stands before the joint
  Point offset{};                       ///< in the parent
  std::vector<MotionChannel> channels;  ///< in the order written
  std::size_t first_value = 0;          ///< of its channels in a frame
  std::vector<Point> end_sites;         ///< in the joint
};

/// Everything that a BVH file says.
struct MotionDocument {
  std::vector<MotionJoint> joints;
  std::size_t values_per_frame = 0;
  double frame_time = 0.0;     ///< seconds, above 0
  std::uint32_t frames = 0;    ///< at least 1
  std::vector<double> values;  ///< frame by frame
  std::vector<Diagnostic> notices;
};

/// Reads the text. Fails with the place where it stops making sense.
[[nodiscard]] Result<MotionDocument> parse_document(std::span<const std::byte> bytes,
                                                    const ReadLimits& limits);

}  // namespace mabkit::bvh
