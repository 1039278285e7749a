#include "codec/sparse_encode.hpp"

#include <algorithm>
#include <limits>
#include <mabkit/pose.hpp>
#include <optional>

#include "codec/sparse_groups.hpp"

namespace mabkit::codec {
namespace {

/// What a key beyond tolerance costs, in keys: more than any saving within reach.
constexpr double intolerable = 1e6;
/// Errors from here up count the same.
constexpr double worst_error = 1e9;

/// A word that a key may have, and the cheapest way to end there.
struct State {
  PackedQuaternion word;
  Quat decoded;
  double key_cost = 0.0;  ///< of being a key here
  double cost = std::numeric_limits<double>::infinity();
  std::uint32_t from_frame = 0;
  std::size_t from_state = 0;
};

/// The cheapest path from key to key, first to last.
class KeyPath {
 public:
  KeyPath(std::span<const std::vector<PackedQuaternion>> candidates,
          const std::vector<bool>& required, const FrameError& error)
      : last_(static_cast<std::uint32_t>(candidates.size() - 1)),
        required_(required),
        error_(error),
        // All frames' errors together weigh less than one key.
        error_weight_(0.5 / static_cast<double>(candidates.size())),
        states_(candidates.size()) {
    for (std::uint32_t frame = 0; frame <= last_; ++frame) {
      for (const PackedQuaternion word : candidates[frame]) add_state(frame, word);
    }
    for (State& state : states_[0]) state.cost = state.key_cost;
  }

  SparseKeys find() {
    for (std::uint32_t frame = 1; frame <= last_; ++frame) {
      for (State& state : states_[frame]) reach(frame, state);
    }
    return trace();
  }

 private:
  [[nodiscard]] bool is_key(std::uint32_t frame) const {
    return is_always_stored(frame, last_) || required_[frame];
  }

  void add_state(std::uint32_t frame, PackedQuaternion word) {
    State state{.word = word, .decoded = unpack(word, sparse_packed_half).rotation};
    const double error = error_(frame, state.decoded);
    // Not `std::min`: what is no number is the worst.
    const double counted = error <= worst_error ? error : worst_error;
    state.key_cost =
        1.0 + (counted <= 1.0 ? error_weight_ * counted * counted : intolerable * counted);
    states_[frame].push_back(state);
  }

  /// Finds the cheapest key before `state`, going back no further than a frame that is a key.
  void reach(std::uint32_t frame, State& state) const {
    for (std::uint32_t from = frame; from-- > 0;) {
      for (std::size_t i = 0; i < states_[from].size(); ++i) {
        const double least = state.cost - state.key_cost;
        const auto between = cost_between(from, states_[from][i], frame, state, least);
        if (!between) continue;
        state.cost = *between + state.key_cost;
        state.from_frame = from;
        state.from_state = i;
      }
      if (is_key(from)) return;
    }
  }

  /// Cost up to the frame before `to`, where that is below `limit` and every dropped frame is
  /// tolerated.
  [[nodiscard]] std::optional<double> cost_between(std::uint32_t from, const State& a,
                                                   std::uint32_t to, const State& b,
                                                   double limit) const {
    double cost = a.cost;
    for (std::uint32_t frame = from + 1; frame < to; ++frame) {
      if (!(cost < limit)) return std::nullopt;
      const double fraction = static_cast<double>(frame - from) / static_cast<double>(to - from);
      const double error = error_(frame, slerp(a.decoded, b.decoded, fraction));
      if (!(error <= 1.0)) return std::nullopt;
      cost += error_weight_ * error * error;
    }
    if (!(cost < limit)) return std::nullopt;
    return cost;
  }

  [[nodiscard]] SparseKeys trace() const {
    const auto& ends = states_[last_];
    const auto cheapest = std::min_element(
        ends.begin(), ends.end(), [](const State& a, const State& b) { return a.cost < b.cost; });
    SparseKeys keys;
    std::uint32_t frame = last_;
    auto state = static_cast<std::size_t>(cheapest - ends.begin());
    for (;;) {
      const State& at = states_[frame][state];
      keys.frames.push_back(frame);
      keys.words.push_back(at.word);
      if (frame == 0) break;
      frame = at.from_frame;
      state = at.from_state;
    }
    std::reverse(keys.frames.begin(), keys.frames.end());
    std::reverse(keys.words.begin(), keys.words.end());
    return keys;
  }

  std::uint32_t last_;
  const std::vector<bool>& required_;
  const FrameError& error_;
  double error_weight_;
  std::vector<std::vector<State>> states_;  ///< by frame
};

}  // namespace

bool is_always_stored(std::uint32_t frame, std::uint32_t last_frame) {
  return frame % frames_per_group == 0 || frame == last_frame;
}

SparseKeys select_keys(std::span<const std::vector<PackedQuaternion>> candidates,
                       const std::vector<bool>& required, const FrameError& error) {
  return KeyPath(candidates, required, error).find();
}

std::vector<Quat> decode_frames(const SparseKeys& keys, std::uint32_t frames) {
  std::vector<Quat> out;
  out.reserve(frames);
  std::size_t key = 0;
  Quat before = unpack(keys.words.front(), sparse_packed_half).rotation;
  Quat after = before;
  for (std::uint32_t frame = 0; frame < frames; ++frame) {
    while (key + 1 < keys.frames.size() && frame >= keys.frames[key + 1]) {
      ++key;
      before = unpack(keys.words[key], sparse_packed_half).rotation;
      after = before;
    }
    const bool is_held = key + 1 == keys.frames.size() || frame <= keys.frames[key];
    if (is_held) {
      out.push_back(before);
      continue;
    }
    if (frame == keys.frames[key] + 1) {
      after = unpack(keys.words[key + 1], sparse_packed_half).rotation;
    }
    const double gap = keys.frames[key + 1] - keys.frames[key];
    out.push_back(slerp(before, after, (frame - keys.frames[key]) / gap));
  }
  return out;
}

}  // namespace mabkit::codec
