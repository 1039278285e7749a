#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace mabkit::rig {

/// How a version of `.xbg` lays out its nodes (spec mab-sparse, 6.5).
struct XbgLayout {
  std::uint16_t major = 0;             ///< u16 at 4 of the file
  std::string_view games;              ///< who has it, for people
  std::uint8_t extra_before_name = 0;  ///< more bytes before the name's length
  std::uint8_t extra_after_name = 0;   ///< more bytes after the name's zero byte
};

inline constexpr std::array xbg_layouts{
    XbgLayout{.major = 42, .games = "Far Cry 2, Avatar"},
    XbgLayout{.major = 46,
              .games = "a game that no source names",
              .extra_before_name = 8,
              .extra_after_name = 4},
    XbgLayout{.major = 52, .games = "Far Cry 3"},
    XbgLayout{.major = 55, .games = "Far Cry 4"},
    XbgLayout{.major = 58, .games = "Far Cry Primal"},
    XbgLayout{.major = 71, .games = "Far Cry 5, New Dawn"},
};

/// What unknown versions are tried with: the layout of all but one of the known ones.
inline constexpr XbgLayout xbg_plain_layout = xbg_layouts.front();

}  // namespace mabkit::rig
