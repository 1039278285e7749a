#include "mab/chunked_track_set.hpp"

#include "codec/chunked_encode.hpp"

namespace mabkit::mab {

Result<std::vector<codec::EncodedTrack>> encode_tracks(const TrackSet& set) {
  std::vector<codec::EncodedTrack> encoded;
  encoded.reserve(set.tracks.size());
  for (std::size_t i = 0; i < set.tracks.size(); ++i) {
    auto track = codec::encode_track(set.tracks[i], set.tolerances[i]);
    if (!track) return tl::unexpected(std::move(track.error()));
    encoded.push_back(std::move(*track));
  }
  return encoded;
}

}  // namespace mabkit::mab
