#include "mab/sparse_order.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "codec/sparse_presence.hpp"

namespace mabkit::mab {
namespace {

/// Fewer groups than this decide nothing, nor does less than this majority (spec mab-sparse, 3.2).
constexpr std::uint64_t least_votes = 30;
constexpr std::uint64_t majority = 2;

struct Verdict {
  PresenceOrder order = PresenceOrder::lsb;
  std::string evidence;
};

std::optional<Verdict> by_range(const codec::PresenceEvidence& found) {
  if ((found.past_last_lsb == 0) == (found.past_last_msb == 0)) return std::nullopt;
  const auto order = found.past_last_lsb == 0 ? PresenceOrder::lsb : PresenceOrder::msb;
  return Verdict{order, fmt::format("range (0 keys past the last frame, {} the other way)",
                                    std::max(found.past_last_lsb, found.past_last_msb))};
}

std::optional<Verdict> by_vote(const codec::PresenceEvidence& found) {
  const std::uint64_t most = std::max(found.votes_lsb, found.votes_msb);
  const std::uint64_t least = std::min(found.votes_lsb, found.votes_msb);
  if (most + least < least_votes || most < majority * least) return std::nullopt;
  const auto order = found.votes_lsb == most ? PresenceOrder::lsb : PresenceOrder::msb;
  return Verdict{order, fmt::format("vote ({} of {} groups)", most, most + least)};
}

Verdict undecided(const codec::PresenceEvidence& found) {
  std::string why;
  if (found.past_last_lsb != 0) {
    why = fmt::format("{} keys past the last frame, {} the other way", found.past_last_lsb,
                      found.past_last_msb);
  }
  const std::uint64_t votes = found.votes_lsb + found.votes_msb;
  if (votes != 0) {
    if (!why.empty()) why += "; ";
    why += fmt::format("{} of {} groups", found.votes_lsb, votes);
  }
  if (why.empty()) why = "no evidence";
  return {PresenceOrder::lsb, fmt::format("undecided ({}), the default", why)};
}

Verdict decide(std::span<const std::byte> bytes, const SparseIndex& index) {
  codec::PresenceEvidence found;
  for (const SparseClip& clip : index.clips) codec::count_range(groups_of(clip, bytes), found);
  if (auto verdict = by_range(found)) return *verdict;
  for (const SparseClip& clip : index.clips) codec::count_votes(groups_of(clip, bytes), found);
  if (auto verdict = by_vote(found)) return *verdict;
  return undecided(found);
}

}  // namespace

void decide_order(std::span<const std::byte> bytes, std::optional<PresenceOrder> asked,
                  SparseIndex& index) {
  const Verdict verdict = asked ? Verdict{*asked, "as asked"} : decide(bytes, index);
  index.presence_order = verdict.order;
  index.presence_evidence =
      (verdict.order == PresenceOrder::lsb ? "lsb: " : "msb: ") + verdict.evidence;
}

}  // namespace mabkit::mab
