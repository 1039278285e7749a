#include "codec/object_space_encode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "codec/chunked_encode.hpp"
#include "codec/object_depth_search.hpp"
#include "motion/difference.hpp"

namespace mabkit::codec {
namespace {

/// Chunks that depths are searched over.
constexpr std::size_t most_searched_chunks = 64;
/// How often chunks that turned out worse are added before all depths are raised instead.
constexpr unsigned most_rounds = 6;
/// Joints times keys that the search for constant components may take.
constexpr std::uint64_t most_constant_work = 20'000'000;
constexpr unsigned most_constant_trials = 64;
/// How often the aim is lowered where the decoded error turns out above the bound.
constexpr unsigned most_attempts = 8;
/// What is aimed at then, as a part of what would be just enough.
constexpr double tightening = 0.98;
/// Least part of the bound that is aimed at from the start, for bounds as wide as a vertex is far.
constexpr double least_aim = 0.5;

class ObjectSpaceEncoder {
 public:
  ObjectSpaceEncoder(const ObjectMotion& motion, double bound)
      : motion_(motion), bound_(bound), tree_(motion), chunks_(chunk_count(motion.keys)) {
    for (const TrackToEncode& track : motion.tracks) {
      scale_units_.push_back(
          track.channel == Channel::translation ? scale_units_for(track.translations) : 0);
      scales_.push_back(track.channel == Channel::translation
                            ? double{translation_scale(scale_units_.back())}
                            : 1.0);
    }
    measure_reach();
  }

  Result<std::vector<EncodedTrack>> run() {
    if (auto checked = check_reach(); !checked) return tl::unexpected(std::move(checked.error()));
    if (auto found = find_depths(); !found) return tl::unexpected(std::move(found.error()));
    return write();
  }

 private:
  /// What lies beyond the largest scale of the translation table can't be stored at any depth.
  [[nodiscard]] Result<void> check_reach() const {
    const auto reach = double{translation_scale(largest_scale_units)};
    for (const TrackToEncode& track : motion_.tracks) {
      for (const Vec3& v : track.translations) {
        const float farthest = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
        if (farthest <= reach) continue;
        return tl::unexpected(
            Error{ErrorCode::limit, std::nullopt, fmt::format("joint[{}]", track.joint),
                  fmt::format("a translation of {:.4g} m is beyond the {:.0f} m that the format's "
                              "translations reach: is the unit right (--scale)?",
                              farthest, reach)});
      }
    }
    return {};
  }

  /// Roughly how far a change of a stored component moves a vertex: by the joint's own vertices and
  /// the next joints, whose rotations can make up for the rest.
  void measure_reach() {
    const std::vector<JointPose> poses = chunk_poses(motion_, 0);
    std::vector<double> levers(motion_.joints.size(), 2.0 * motion_.vertex_distance);
    for (std::size_t joint = 0; joint < motion_.joints.size(); ++joint) {
      const auto parent = motion_.joints[joint].parent;
      if (!parent) continue;
      levers[*parent] =
          std::max(levers[*parent], length(poses[joint].origin - poses[*parent].origin));
    }
    for (std::size_t track = 0; track < motion_.tracks.size(); ++track) {
      const bool is_rotation = motion_.tracks[track].channel == Channel::rotation;
      // A stored component is about half an angle.
      reach_.push_back(is_rotation ? 2.0 * levers[tree_.joint_of_track[track]] : scales_[track]);
    }
  }

  /// The chunks in which a track moves most, for each track, and others at even distances.
  void choose_chunks(DepthSearch& search) const {
    std::vector<std::uint32_t> chosen;
    for (std::size_t track = 0; track < motion_.tracks.size(); ++track) {
      if (!motion_.is_kept[track]) chosen.push_back(liveliest_chunk(motion_.tracks[track]));
    }
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    // Some room is left for chunks that turn out worse.
    const std::size_t room = std::max<std::size_t>(search.capacity() / 4 * 3, 1);
    chosen = spread(chosen, room);
    const auto wanted = static_cast<std::uint32_t>(
        std::min({std::size_t{chunks_}, room, std::max(most_searched_chunks, chosen.size())}));
    for (const std::uint32_t chunk : chosen) search.add_chunk(chunk);
    const auto others = wanted - std::min(wanted, static_cast<std::uint32_t>(chosen.size()));
    for (std::uint32_t i = 0; i < others; ++i) {
      search.add_chunk(static_cast<std::uint32_t>(std::uint64_t{i} * chunks_ / others));
    }
  }

  /// At most `count` of the chunks, at even distances.
  static std::vector<std::uint32_t> spread(const std::vector<std::uint32_t>& chunks,
                                           std::size_t count) {
    if (chunks.size() <= count) return chunks;
    std::vector<std::uint32_t> some;
    for (std::size_t i = 0; i < count; ++i) some.push_back(chunks[i * chunks.size() / count]);
    return some;
  }

  [[nodiscard]] std::uint32_t liveliest_chunk(const TrackToEncode& track) const {
    std::uint32_t best = 0;
    double most = -1.0;
    for (std::uint32_t chunk = 0; chunk < chunks_; ++chunk) {
      const std::size_t first = std::size_t{chunk} * keys_in_chunk;
      double moved = 0.0;
      for (unsigned key = 1; key < keys_of_chunk(motion_.keys, chunk); ++key) {
        moved = std::max(moved, distance(track, first, first + key));
      }
      if (moved <= most) continue;
      most = moved;
      best = chunk;
    }
    return best;
  }

  static double distance(const TrackToEncode& track, std::size_t a, std::size_t b) {
    if (track.channel == Channel::translation) {
      return length(motion::precise(track.translations[a]) -
                    motion::precise(track.translations[b]));
    }
    return length(motion::small_rotation(motion::precise(track.rotations[a]),
                                         motion::precise(track.rotations[b])));
  }

  Result<void> find_depths() {
    DepthSearch search(motion_, tree_, scales_, reach_, bound_);
    choose_chunks(search);
    for (unsigned round = 0; round < most_rounds; ++round) {
      const auto depths = search.run();
      if (!depths) return unreachable(search.least_error());
      depths_ = *depths;
      const std::vector<std::uint32_t> failing = failing_chunks();
      if (failing.empty()) return {};
      if (search.is_full()) break;
      for (const std::uint32_t chunk : failing) search.add_chunk(chunk);
    }
    return raise_depths();
  }

  [[nodiscard]] ChunkQuantiser quantiser(std::uint32_t chunk) const {
    ChunkQuantiser out(motion_, tree_, chunk, scales_);
    for (std::size_t track = 0; track < depths_.size(); ++track) {
      if (!motion_.is_kept[track]) out.set_depth(track, depths_[track]);
    }
    return out;
  }

  /// Some of the chunks that the depths are not enough for.
  [[nodiscard]] std::vector<std::uint32_t> failing_chunks() const {
    constexpr std::size_t enough = 16;
    std::vector<std::uint32_t> failing;
    for (std::uint32_t chunk = 0; chunk < chunks_ && failing.size() < enough; ++chunk) {
      if (quantiser(chunk).quantise(bound_) > bound_) failing.push_back(chunk);
    }
    return failing;
  }

  /// The last resort where every round found yet another chunk.
  Result<void> raise_depths() {
    for (;;) {
      bool has_raised = false;
      for (std::size_t track = 0; track < depths_.size(); ++track) {
        if (motion_.is_kept[track] || depths_[track] == most_depth) continue;
        ++depths_[track];
        has_raised = true;
      }
      const std::vector<std::uint32_t> failing = failing_chunks();
      if (failing.empty()) return {};
      if (!has_raised) {
        return unreachable(
            quantiser(failing.front()).quantise(std::numeric_limits<double>::infinity()));
      }
    }
  }

  [[nodiscard]] Result<void> unreachable(double reached) const {
    return tl::unexpected(Error{
        ErrorCode::bad_argument,
        std::nullopt,
        {},
        fmt::format("a bound of {:.4g} mm in object space can't be met: with 16 bits everywhere "
                    "the format reaches {:.4g} mm; ask for that much or more",
                    bound_ * 1e3, reached * 1e3)});
  }

  Result<std::vector<EncodedTrack>> write() {
    std::vector<EncodedTrack> out(motion_.tracks.size());
    for (std::size_t track = 0; track < out.size(); ++track) {
      out[track].bits = depths_[track];
      out[track].scale_units = scale_units_[track];
    }
    std::uint64_t work = 0;
    for (std::uint32_t chunk = 0; chunk < chunks_; ++chunk) {
      ChunkQuantiser chunk_quantiser = quantiser(chunk);
      const unsigned trials = work < most_constant_work ? most_constant_trials : 0;
      chunk_quantiser.add_constants(bound_, reach_, trials);
      work += chunk_quantiser.work();
      for (std::size_t track = 0; track < out.size(); ++track) {
        if (motion_.is_kept[track]) continue;
        out[track].chunks.push_back(to_block(chunk_quantiser.shape(track)));
      }
    }
    return out;
  }

  const ObjectMotion& motion_;
  double bound_;
  ObjectTree tree_;
  std::uint32_t chunks_;
  std::vector<std::uint32_t> scale_units_;
  std::vector<double> scales_;
  std::vector<double> reach_;
  std::vector<unsigned> depths_;
};

}  // namespace

Result<std::vector<EncodedTrack>> encode_in_object_space(const ObjectMotion& motion, double bound) {
  // The quantiser takes errors as linear. What that leaves out grows with the square of the angles,
  // and those may be as large as the bound is at the distance of a vertex.
  if (!(bound > 0.0)) {
    return tl::unexpected(Error{ErrorCode::bad_argument,
                                std::nullopt,
                                {},
                                "nothing can be stored without any error in object space"});
  }
  double aim = bound * std::max(least_aim, 1.0 - bound / motion.vertex_distance);
  for (unsigned attempt = 0;; ++attempt) {
    auto encoded = ObjectSpaceEncoder(motion, aim).run();
    if (!encoded) return encoded;
    double worst = 0.0;
    for (std::uint32_t chunk = 0; chunk < chunk_count(motion.keys); ++chunk) {
      worst = motion::larger_error(worst, decoded_error(motion, *encoded, chunk));
    }
    if (worst <= bound || attempt == most_attempts || std::isnan(worst)) return encoded;
    aim *= tightening * bound / worst;
  }
}

}  // namespace mabkit::codec
