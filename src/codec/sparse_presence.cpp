#include "codec/sparse_presence.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <vector>

namespace mabkit::codec {
namespace {

/// Intervals between the keys of a group of eight frames and the first key of the next.
constexpr std::size_t most_intervals = frames_per_group;

struct OrderPair {
  float lsb = 0.0F;
  float msb = 0.0F;
};

/// Speed over one interval, in radians a frame, under either order.
struct Speed : OrderPair {
  bool is_known = false;  ///< at most a quarter turn
};

/// One track's group while its cost is being summed up.
struct Pending {
  OrderPair cost;
  Speed last;
  bool votes = false;
};

Quat key_at(std::span<const std::byte> run, std::size_t index) {
  return unpack(packed_at(run, index), sparse_packed_half).rotation;
}

/// Angle between two rotations the short way, in radians, to 0.2 % up to a quarter turn and too
/// small beyond. From the chord, which unlike the dot product keeps small angles apart.
float angle_between(const Quat& a, const Quat& b) {
  const float dot = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
  const float sign = dot < 0.0F ? -1.0F : 1.0F;
  const float x = b.x - sign * a.x;
  const float y = b.y - sign * a.y;
  const float z = b.z - sign * a.z;
  const float w = b.w - sign * a.w;
  const float half_chord = 0.5F * std::sqrt(x * x + y * y + z * z + w * w);
  // 4 * asin(half chord), by the first two terms of its series.
  return 4.0F * half_chord * (1.0F + half_chord * half_chord / 6.0F);
}

constexpr float quarter_turn = 1.5707964F;

/// Speeds between the keys of one track in one group, from frame 8g to frame 8(g + 1).
class GroupSpeeds {
 public:
  GroupSpeeds(const SparseGroup& group, const SparseGroup& next_group, std::uint32_t track,
              std::size_t first_further) {
    unsigned lsb = presence_bits(group.presence[track], PresenceOrder::lsb);
    unsigned msb = presence_bits(group.presence[track], PresenceOrder::msb);
    is_asymmetric_ = lsb != msb;
    Quat from = key_at(group.first_keys, track);
    OrderPair at;
    for (; lsb != 0; lsb &= lsb - 1, msb &= msb - 1) {
      const OrderPair until{static_cast<float>(std::countr_zero(lsb) + 1),
                            static_cast<float>(std::countr_zero(msb) + 1)};
      const Quat to = key_at(group.further_keys, first_further + count_);
      add(angle_between(from, to), at, until);
      from = to;
      at = until;
    }
    constexpr auto group_end = static_cast<float>(frames_per_group);
    add(angle_between(from, key_at(next_group.first_keys, track)), at, {group_end, group_end});
  }

  [[nodiscard]] std::span<const Speed> speeds() const { return std::span(speeds_).first(count_); }
  [[nodiscard]] bool is_asymmetric() const { return is_asymmetric_; }

 private:
  void add(float angle, OrderPair from, OrderPair to) {
    Speed& speed = speeds_[count_++];
    speed.lsb = angle / (to.lsb - from.lsb);
    speed.msb = angle / (to.msb - from.msb);
    speed.is_known = angle <= quarter_turn;
  }

  std::array<Speed, most_intervals> speeds_{};
  std::size_t count_ = 0;
  bool is_asymmetric_ = false;
};

/// Adds the squared change of speed from one interval to the next.
void add_change(const Speed& before, const Speed& after, OrderPair& cost) {
  cost.lsb += (after.lsb - before.lsb) * (after.lsb - before.lsb);
  cost.msb += (after.msb - before.msb) * (after.msb - before.msb);
}

Pending within_group(const GroupSpeeds& group) {
  Pending pending;
  const auto speeds = group.speeds();
  pending.votes = group.is_asymmetric() && speeds.front().is_known;
  for (std::size_t i = 1; i < speeds.size(); ++i) {
    add_change(speeds[i - 1], speeds[i], pending.cost);
    pending.votes = pending.votes && speeds[i].is_known;
  }
  pending.last = speeds.back();
  return pending;
}

void settle(const Pending& pending, PresenceEvidence& evidence) {
  if (!pending.votes) return;
  if (pending.cost.lsb < pending.cost.msb) ++evidence.votes_lsb;
  if (pending.cost.msb < pending.cost.lsb) ++evidence.votes_msb;
}

}  // namespace

void count_range(const SparseGroups& groups, PresenceEvidence& evidence) {
  if (groups.count() == 0) return;
  // Only the last group can reach past the last frame.
  const SparseGroup last = groups.group(groups.count() - 1);
  const unsigned past = presence_mask & ~((1U << (groups.last_frame() % frames_per_group)) - 1U);
  for (const std::byte stored : last.presence) {
    evidence.past_last_lsb +=
        static_cast<std::uint64_t>(std::popcount(presence_bits(stored, PresenceOrder::lsb) & past));
    evidence.past_last_msb +=
        static_cast<std::uint64_t>(std::popcount(presence_bits(stored, PresenceOrder::msb) & past));
  }
}

void count_votes(const SparseGroups& groups, PresenceEvidence& evidence) {
  std::vector<Pending> before(groups.tracks());
  for (std::uint32_t g = 0; g + 1 < groups.count(); ++g) {
    const SparseGroup group = groups.group(g);
    const SparseGroup next_group = groups.group(g + 1);
    std::size_t first_further = 0;
    for (std::uint32_t track = 0; track < groups.tracks(); ++track) {
      const GroupSpeeds speeds(group, next_group, track, first_further);
      first_further += speeds.speeds().size() - 1;
      Pending pending = within_group(speeds);
      if (before[track].last.is_known && speeds.speeds().front().is_known) {
        add_change(before[track].last, speeds.speeds().front(), before[track].cost);
        add_change(before[track].last, speeds.speeds().front(), pending.cost);
      }
      settle(before[track], evidence);
      before[track] = pending;
    }
  }
  for (const Pending& pending : before) settle(pending, evidence);
}

}  // namespace mabkit::codec
