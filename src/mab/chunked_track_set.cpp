#include "mab/chunked_track_set.hpp"

#include "codec/chunked_encode.hpp"
#include "mab/chunked_object_tracks.hpp"

namespace mabkit::mab {

Result<std::vector<codec::EncodedTrack>> encode_tracks(const TrackSet& set) {
  std::vector<codec::EncodedTrack> encoded(set.tracks.size());
  if (set.skeleton != nullptr) {
    auto together = encode_object_tracks(set);
    if (!together) return together;
    encoded = std::move(*together);
  }
  for (std::size_t i = 0; i < set.tracks.size(); ++i) {
    if (!encoded[i].chunks.empty()) continue;
    auto track = codec::encode_track(set.tracks[i], set.tolerances[i]);
    if (!track) return tl::unexpected(std::move(track.error()));
    encoded[i] = std::move(*track);
  }
  return encoded;
}

}  // namespace mabkit::mab
