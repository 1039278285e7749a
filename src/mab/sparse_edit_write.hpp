#pragma once

#include <cstdint>
#include <mabkit/error.hpp>
#include <vector>

#include "mab/sparse_fields.hpp"
#include "mab/sparse_fit.hpp"
#include "mab/sparse_index.hpp"

namespace mabkit::mab {

/// Where a decoded track of a template stands.
struct TrackPlace {
  MaskKind kind = MaskKind::constant_rotation;
  std::uint32_t index = 0;  ///< in its section
  std::uint32_t id = 0;     ///< skeleton bone id
};

/// The places of a clip's decoded tracks, in their order.
[[nodiscard]] std::vector<TrackPlace> places_of(const SparseClip& index, const Clip& stored);

/// What of a clip is written anew.
struct ClipChange {
  struct Rotation {
    TrackPlace place;
    const RotationTrack* track = nullptr;
  };
  struct Translation {
    TrackPlace place;
    const TranslationTrack* track = nullptr;
  };
  std::vector<Rotation> rotations;
  std::vector<Translation> translations;
  std::uint16_t last_frame = 0;
  std::uint16_t rate = 0;  ///< for sections that have no track in the template
  bool is_resized = false;
};

/// Writes the changed tracks over those of the template. A constant that moves changes its section
/// and its mask. What is not named stays as it is.
void write_change(const ClipChange& change, const SparseIndex& index, std::size_t number,
                  ClipFields& fields);

/// Whether a change moves tracks from one section to another.
[[nodiscard]] bool moves_tracks(const ClipChange& change);

}  // namespace mabkit::mab
