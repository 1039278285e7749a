#pragma once

#include <cstdint>

namespace mabkit {

/// Order of the bits in a presence byte of the sparse family (spec mab-sparse, 3.2).
enum class PresenceOrder : std::uint8_t {
  lsb,  ///< bit i marks a key at frame 8g + i + 1
  msb,  ///< bit 7 - s marks a key at frame 8g + s
};

}  // namespace mabkit
