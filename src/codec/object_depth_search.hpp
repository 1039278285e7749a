#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codec/object_chunk.hpp"

namespace mabkit::codec {

/// Memory that the chunks of a search may take together, in bytes; one chunk is always possible.
inline constexpr std::size_t most_search_bytes = std::size_t{1} << 27U;

/// Looks for the smallest depths under which a set of chunks stays within the bound.
class DepthSearch {
 public:
  /// `reach` has an entry a track: how far in metres a change of 1 in a stored component moves a
  /// vertex, roughly. All outlive the search.
  DepthSearch(const ObjectMotion& motion, const ObjectTree& tree, std::span<const double> scales,
              std::span<const double> reach, double bound);

  /// Takes a chunk into the set, unless the set is full.
  void add_chunk(std::uint32_t chunk);
  [[nodiscard]] bool has_chunk(std::uint32_t chunk) const;
  [[nodiscard]] bool is_full() const { return members_.size() >= capacity_; }
  /// Chunks that the set has room for: fewer, down to one, where a rig of many joints makes each
  /// take more memory.
  [[nodiscard]] std::size_t capacity() const { return capacity_; }

  /// Depths, one a track, that meet the bound; absent where 16 bits do not.
  [[nodiscard]] std::optional<std::vector<unsigned>> run();

  /// The largest error that 16 bits for every track leave, in metres.
  [[nodiscard]] double least_error();

 private:
  /// A chunk of the set, and what it was like when it was tried last.
  struct Member {
    std::uint32_t chunk = 0;
    ChunkQuantiser quantiser;
    double error = 0.0;
  };

  void set_depth(std::size_t track, unsigned bits);
  void set_depths(const std::vector<unsigned>& depths);
  [[nodiscard]] unsigned depth_for(std::size_t track, double factor) const;
  bool is_feasible();
  [[nodiscard]] bool start();
  void lower_depths(std::optional<std::size_t> except);
  void trade_depths();
  [[nodiscard]] std::uint64_t cost() const;
  [[nodiscard]] std::uint64_t work() const;
  [[nodiscard]] bool is_free(std::size_t track) const { return !motion_.is_kept[track]; }

  const ObjectMotion& motion_;
  const ObjectTree& tree_;
  std::span<const double> scales_;
  std::span<const double> reach_;
  double bound_;
  std::size_t capacity_;
  std::vector<Member> members_;
  std::vector<std::size_t> order_;      ///< of `members_`: how they are tried
  std::vector<double> spans_;           ///< one a track: the largest movement within a chunk
  std::vector<std::uint64_t> varying_;  ///< one a track: values stored at its depth
  std::vector<unsigned> depths_;        ///< one a track
};

}  // namespace mabkit::codec
