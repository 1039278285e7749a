#pragma once

#include <cstdint>

/// What this process may use.
struct ProcessLimits {
  std::uint64_t memory = 2ULL << 30;          ///< bytes of address space; 0: not limited
  std::uint64_t seconds = 60;                 ///< of the processor
  std::uint64_t output_bytes = 256ULL << 20;  ///< written at most
};

/// Asks the operating system to enforce the limits, to leave no core file, and to end this process
/// with the one that started it. Returns whether it agreed.
[[nodiscard]] bool enforce(const ProcessLimits& limits);
