#pragma once

#include <cstdint>
#include <mabkit/error.hpp>
#include <mabkit/skeleton.hpp>
#include <span>
#include <vector>

#include "codec/chunked_track.hpp"
#include "motion/resample.hpp"

namespace mabkit::mab {

/// A track that is stored as one value, as it decodes.
struct DecodedConstant {
  std::uint32_t joint = 0;
  Channel channel = Channel::rotation;
  Quat rotation;
  Vec3 translation;
};

/// The animated tracks of a clip, and all that bears on how precisely they are to be stored.
struct TrackSet {
  const motion::SampledClip* source = nullptr;  ///< every sample, dropped keys included
  std::span<const std::uint32_t> kept;          ///< samples that are keys of the file
  std::vector<DecodedConstant> constants;
  std::vector<codec::TrackToEncode> tracks;  ///< at the kept samples
  std::vector<double> tolerances;            ///< of each of `tracks`, in radians or metres
  /// The rig and how the clip's joints were found in it; null where errors are measured joint by
  /// joint. Then the tolerances are only a first guess: what counts is `max_object_error`.
  const Skeleton* skeleton = nullptr;
  const Binding* binding = nullptr;
  double max_object_error = 0.0;  ///< metres
  double object_aim = 0.0;        ///< metres at the keys: what dropped ones leave of the bound
  double vertex_distance = 0.0;   ///< metres
};

/// Encodes every track of the set; one result a track.
[[nodiscard]] Result<std::vector<codec::EncodedTrack>> encode_tracks(const TrackSet& set);

}  // namespace mabkit::mab
