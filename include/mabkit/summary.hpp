#pragma once

#include <cstdint>
#include <mabkit/game.hpp>
#include <optional>
#include <string>
#include <vector>

namespace mabkit {

/// One section of a clip, for people.
struct SectionSummary {
  std::string name;           ///< the spec's name, such as `JointRotations`
  std::uint32_t index = 0;    ///< slot in the section table
  std::uint64_t offset = 0;   ///< from the start of the file
  std::uint64_t size = 0;     ///< bytes without padding
  std::uint64_t entries = 0;  ///< tracks, keys or records in it
};

/// How many joints a clip drives, and how.
struct JointCensus {
  std::uint32_t constant_rotations = 0;
  std::uint32_t animated_rotations = 0;
  std::uint32_t constant_translations = 0;
  std::uint32_t animated_translations = 0;
  std::uint32_t undriven = 0;  ///< named by the file, without a track
};

struct ClipSummary {
  std::optional<std::string> name;
  std::uint64_t offset = 0;  ///< of the clip's header, from the start of the file
  std::uint64_t size = 0;    ///< bytes, nested clips left out
  std::uint32_t joints = 0;
  std::uint32_t keys = 0;   ///< stored keys (chunked) or frames (sparse)
  float duration = 0.0F;    ///< seconds
  float frame_rate = 0.0F;  ///< frames per second
  std::uint32_t events = 0;
  bool has_root_motion = false;
  JointCensus census;
  std::vector<SectionSummary> sections;  ///< by offset
};

/// What `info` says of a file: cheap, without decoding values.
struct FileSummary {
  std::string format;  ///< `mab`
  std::string family;  ///< `sparse`, `chunked`
  std::optional<Game> game;
  /// How the layout was found where the magic alone does not say; empty where it does. A guess
  /// says so here.
  std::string inferred;
  /// Presence order and its evidence (sparse family only), such as `lsb: range (0 keys past the
  /// last frame against 12)`.
  std::string presence_order;
  std::vector<ClipSummary> clips;
};

}  // namespace mabkit
