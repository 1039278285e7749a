#include "codec/object_depth_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace mabkit::codec {
namespace {

/// Depths are first chosen for a common multiple of the bound, found by halving this range.
constexpr double least_factor = 0.01;
constexpr double most_factor = 64.0;
constexpr unsigned halvings = 10;
/// Stored components move at least this much, so that a still track has a depth, too.
constexpr double least_span = 0.01;
/// Joints times keys after which depths are no longer traded: a count, not a time, so that the
/// result is the same everywhere.
constexpr std::uint64_t most_trading_work = 40'000'000;
/// The same for taking bits away at all.
constexpr std::uint64_t most_lowering_work = 60'000'000;

/// What a chunk that is quantised keeps, in bytes, but for a few words.
std::size_t bytes_of_chunk(const ObjectMotion& motion) {
  return motion.joints.size() * keys_in_chunk * sizeof(JointPose) +
         motion.tracks.size() * sizeof(TrackShape);
}

}  // namespace

DepthSearch::DepthSearch(const ObjectMotion& motion, const ObjectTree& tree,
                         std::span<const double> scales, std::span<const double> reach,
                         double bound)
    : motion_(motion),
      tree_(tree),
      scales_(scales),
      reach_(reach),
      bound_(bound),
      capacity_(std::max<std::size_t>(
          most_search_bytes / std::max<std::size_t>(bytes_of_chunk(motion), 1), 1)),
      spans_(motion.tracks.size(), least_span),
      varying_(motion.tracks.size()),
      depths_(motion.tracks.size(), most_depth) {}

void DepthSearch::add_chunk(std::uint32_t chunk) {
  if (is_full() || has_chunk(chunk)) return;
  order_.push_back(members_.size());
  members_.push_back({chunk, ChunkQuantiser(motion_, tree_, chunk, scales_), 0.0});
  for (std::size_t track = 0; track < motion_.tracks.size(); ++track) {
    if (!is_free(track)) continue;
    const TrackShape& shape = members_.back().quantiser.shape(track);
    spans_[track] = std::max(spans_[track], largest_span(shape));
    varying_[track] += varying_values(shape);
  }
}

bool DepthSearch::has_chunk(std::uint32_t chunk) const {
  return std::any_of(members_.begin(), members_.end(),
                     [chunk](const Member& member) { return member.chunk == chunk; });
}

std::optional<std::vector<unsigned>> DepthSearch::run() {
  if (!start()) return std::nullopt;
  lower_depths(std::nullopt);
  trade_depths();
  return depths_;
}

double DepthSearch::least_error() {
  set_depths(std::vector<unsigned>(depths_.size(), most_depth));
  double worst = 0.0;
  for (Member& member : members_) {
    worst = std::max(worst, member.quantiser.quantise(std::numeric_limits<double>::infinity()));
  }
  return worst;
}

void DepthSearch::set_depth(std::size_t track, unsigned bits) {
  depths_[track] = bits;
  for (Member& member : members_) member.quantiser.set_depth(track, bits);
}

void DepthSearch::set_depths(const std::vector<unsigned>& depths) {
  for (std::size_t track = 0; track < depths.size(); ++track) {
    if (is_free(track)) set_depth(track, depths[track]);
  }
}

/// The depth whose step moves vertices by a fraction of the bound.
unsigned DepthSearch::depth_for(std::size_t track, double factor) const {
  const double steps = 2.0 * spans_[track] * reach_[track] * factor / bound_ + 1.0;
  return static_cast<unsigned>(
      std::clamp(std::ceil(std::log2(steps)), double{least_depth}, double{most_depth}));
}

/// Whether every chunk stays within the bound; those that were worst are tried first.
bool DepthSearch::is_feasible() {
  std::stable_sort(order_.begin(), order_.end(), [this](std::size_t a, std::size_t b) {
    return members_[a].error > members_[b].error;
  });
  for (const std::size_t position : order_) {
    Member& member = members_[position];
    const double error = member.quantiser.quantise(bound_);
    // A chunk that failed is tried earlier the next time, also if it passes in between.
    member.error = error > bound_ ? std::max(error, member.error) : error;
    if (error > bound_) return false;
  }
  return true;
}

bool DepthSearch::start() {
  const auto take = [this](double factor) {
    for (std::size_t track = 0; track < depths_.size(); ++track) {
      if (is_free(track)) set_depth(track, depth_for(track, factor));
    }
  };
  double low = least_factor;
  double high = most_factor;
  for (unsigned i = 0; i < halvings; ++i) {
    const double middle = std::sqrt(low * high);
    take(middle);
    (is_feasible() ? high : low) = middle;
  }
  take(high);
  if (is_feasible()) return true;
  set_depths(std::vector<unsigned>(depths_.size(), most_depth));
  return is_feasible();
}

/// Takes single bits away, where most is saved first, until no track can spare one.
void DepthSearch::lower_depths(std::optional<std::size_t> except) {
  std::vector<std::size_t> order(depths_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [this](std::size_t a, std::size_t b) { return varying_[a] > varying_[b]; });
  bool has_lowered = true;
  while (has_lowered) {
    has_lowered = false;
    for (const std::size_t track : order) {
      if (!is_free(track) || track == except || depths_[track] == least_depth) continue;
      if (work() > most_lowering_work) return;
      set_depth(track, depths_[track] - 1);
      if (is_feasible()) {
        has_lowered = true;
      } else {
        set_depth(track, depths_[track] + 1);
      }
    }
  }
}

/// Gives one track a bit more where others can then spare more than it costs.
void DepthSearch::trade_depths() {
  for (std::size_t track = 0; track < depths_.size(); ++track) {
    if (!is_free(track) || depths_[track] == most_depth) continue;
    if (work() > most_trading_work) return;
    const std::vector<unsigned> before = depths_;
    const std::uint64_t cost_before = cost();
    set_depth(track, depths_[track] + 1);
    lower_depths(track);
    if (cost() >= cost_before) set_depths(before);
  }
}

std::uint64_t DepthSearch::cost() const {
  std::uint64_t bits = 0;
  for (std::size_t track = 0; track < depths_.size(); ++track) {
    if (is_free(track)) bits += varying_[track] * depths_[track];
  }
  return bits;
}

std::uint64_t DepthSearch::work() const {
  std::uint64_t work = 0;
  for (const Member& member : members_) work += member.quantiser.work();
  return work;
}

}  // namespace mabkit::codec
