#pragma once

#include <cstdint>
#include <mabkit/bank.hpp>
#include <string>
#include <vector>

namespace mabkit {

/// What counts as the same. The defaults are the drift that a trip through another program's
/// numbers leaves behind.
struct DiffOptions {
  double max_angle = 2e-5;     ///< radians
  double max_distance = 2e-5;  ///< metres
  double max_time = 1e-6;      ///< seconds
};

/// A largest difference, and when it occurs.
struct WorstDifference {
  double amount = 0.0;  ///< radians or metres
  float time = 0.0F;    ///< seconds
};

/// How one joint moves in two clips.
struct JointDifference {
  std::string name;  ///< name, else hash, else `#id`
  /// Largest differences of what both clips drive, over the key times of both.
  WorstDifference angle;
  WorstDifference distance;
  /// What only one of them drives, or keys differently, in words.
  std::vector<std::string> remarks;
};

/// How two clips of one position in their banks differ.
struct ClipDifference {
  std::uint32_t clip = 0;
  std::vector<std::string> joints_only_in_a;
  std::vector<std::string> joints_only_in_b;
  std::vector<JointDifference> joints;  ///< those that differ by more than the options allow
  /// Over every joint that both have, whether it counts as the same or not.
  WorstDifference worst_angle;
  std::string worst_angle_joint;
  WorstDifference worst_distance;
  std::string worst_distance_joint;
  std::size_t compared_joints = 0;
  /// Duration, rate, root motion, events, participant: what differs, in words.
  std::vector<std::string> remarks;

  [[nodiscard]] bool is_same() const {
    return joints_only_in_a.empty() && joints_only_in_b.empty() && joints.empty() &&
           remarks.empty();
  }
};

struct BankDifference {
  std::vector<ClipDifference> clips;  ///< one for each position that both banks have
  std::vector<std::string> remarks;   ///< clips and participants that only one has, in words

  [[nodiscard]] bool is_same() const;
};

/// Compares what two banks mean, clip by clip. Joints meet by the CRC-32 of their names where both
/// have one, by id where neither has. Curves are sampled at the key times of both. The games, and
/// how values are stored, do not count.
[[nodiscard]] BankDifference diff(const Bank& a, const Bank& b, const DiffOptions& options = {});

}  // namespace mabkit
