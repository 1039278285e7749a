#include "mab/chunked_edit_match.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <mabkit/names.hpp>
#include <map>

#include "mab/chunked_grid.hpp"
#include "mab/chunked_tolerances.hpp"

namespace mabkit::mab {
namespace {

class ClipMatcher {
 public:
  ClipMatcher(const BlockToEdit& target, const Clip& edited, const std::vector<StoredTrack>& stored)
      : target_(target),
        layout_(*target.layout),
        options_(*target.options),
        edited_(edited),
        tracks_(stored),
        ticks_per_second_(target.block->ticks_per_second) {}

  Result<MatchedClip> run() {
    return match_joints().and_then([this] { return collect_tracks(); }).map([this] {
      return std::move(out_);
    });
  }

 private:
  [[nodiscard]] tl::unexpected<Error> fail(ErrorCode code, const std::string& member,
                                           std::string message) const {
    return tl::unexpected(Error{code, std::nullopt, target_.path + member, std::move(message)});
  }
  void note(const std::string& member, std::string message) {
    out_.notices.push_back({std::nullopt, target_.path + member, std::move(message)});
  }

  Result<void> match_joints() {
    // A template may name a joint twice; then the first stands for the first, and so on.
    std::map<std::uint32_t, std::vector<std::uint32_t>> by_hash;
    for (std::uint32_t joint = 0; joint < target_.fields.hashes.size(); ++joint) {
      by_hash[target_.fields.hashes[joint]].push_back(joint);
    }
    std::map<std::uint32_t, std::size_t> taken;
    std::size_t matched = 0;
    for (std::uint32_t joint = 0; joint < edited_.joints.size(); ++joint) {
      std::optional<std::uint32_t>& found = out_.joint_in_block.emplace_back();
      const auto hash = joint_hash(edited_.joints[joint], joint, target_.path);
      const auto known = hash ? by_hash.find(*hash) : by_hash.end();
      if (known == by_hash.end()) continue;
      const std::size_t place = taken[*hash]++;
      if (place == known->second.size()) {
        return fail(ErrorCode::inconsistent, fmt::format(".joint[{}]", joint),
                    fmt::format("another joint has the same hash as {}, by which the game finds "
                                "joints: rename one of them, or leave it out",
                                joint_label(edited_.joints[joint])));
      }
      found = known->second[place];
      ++matched;
    }
    if (matched == 0 && !edited_.tracks.empty()) {
      return fail(ErrorCode::bad_argument, ".joints",
                  fmt::format("none of its {} joints is among the {} of the template; take the "
                              "template that the clip comes from, or map the joints' names",
                              edited_.joints.size(), target_.fields.hashes.size()));
    }
    return {};
  }

  /// Pairs tracks with stored ones, and says which changed.
  Result<void> collect_tracks() {
    if (auto checked = check_tracks(edited_, target_.path); !checked) return checked;
    motion::SampleGrid grid = grid_of(*target_.block);
    grid.max_bytes = target_.max_bytes;
    auto sampled = sample_keys(edited_, grid, target_.path);
    if (!sampled) return tl::unexpected(std::move(sampled.error()));
    out_.source = std::move(*sampled);
    const std::vector<double> tolerances =
        track_tolerances(out_.source, options_, target_.skeleton, target_.binding);
    std::vector<motion::SampledTrack> taken;
    for (std::size_t i = 0; i < edited_.tracks.size(); ++i) {
      if (!collect_track(edited_.tracks[i], tolerances[i] * target_.share_of_bounds)) continue;
      taken.push_back(std::move(out_.source.tracks[i]));
    }
    out_.source.tracks = std::move(taken);
    note_left_out();
    return {};
  }

  /// Whether the block takes the track over.
  bool collect_track(const Track& track, double tolerance) {
    const auto joint = out_.joint_in_block[track.joint];
    if (!joint) {
      unmatched_.push_back(joint_label(edited_.joints[track.joint]));
      return false;
    }
    EditedTrack taken;
    taken.joint = track.joint;
    taken.tolerance = tolerance;
    taken.is_untouched = is_untouched(track, *joint);
    taken.curve = curve_of(edited_, track.keys, track.channel, ticks_per_second_);
    const auto stored =
        std::find_if(tracks_.begin(), tracks_.end(), [&](const StoredTrack& candidate) {
          return candidate.joint == *joint && candidate.channel == track.channel;
        });
    taken.stored = static_cast<std::size_t>(stored - tracks_.begin());
    if (stored == tracks_.end() && !add_channel(track, *joint, taken)) return false;
    out_.edits.push_back(std::move(taken));
    return true;
  }

  /// Whether the track is what the block decodes to.
  [[nodiscard]] bool is_untouched(const Track& track, std::uint32_t joint) const {
    const Clip& before = *target_.stored;
    const auto stored =
        std::find_if(before.tracks.begin(), before.tracks.end(), [&](const Track& candidate) {
          return candidate.joint == joint && candidate.channel == track.channel;
        });
    if (stored == before.tracks.end()) return false;
    const auto are_same = [](std::span<const float> a, std::span<const float> b) {
      return std::equal(a.begin(), a.end(), b.begin(), b.end());
    };
    return are_same(before.times_of(stored->keys), edited_.times_of(track.keys)) &&
           are_same(before.values_of(stored->keys, track.channel),
                    edited_.values_of(track.keys, track.channel));
  }

  /// A channel that the block's joint lacks is added where it moves; where it stands still it is
  /// mostly the rig's bind pose, written out by another tool.
  bool add_channel(const Track& track, std::uint32_t joint, EditedTrack& taken) {
    const TickCurve& curve = taken.curve;
    const TickCurve first = held_at(curve, curve.ticks.front());
    bool moves = false;
    for (const double tick : curve.ticks) {
      moves |= difference_at(curve, first, tick) > taken.tolerance;
    }
    if (!moves || layout_.has_guessed_translations) {
      (moves ? unwritable_ : still_)
          .push_back(channel_label(edited_.joints[track.joint], track.channel));
      return false;
    }
    StoredTrack added;
    added.joint = joint;
    added.channel = track.channel;
    added.kind = TrackKind::animated;
    taken.stored = tracks_.size() + out_.added.size();
    out_.added.push_back(added);
    taken.is_changed = true;
    return true;
  }

  static std::string channel_label(const Joint& joint, Channel channel) {
    return fmt::format("{} ({})", joint_label(joint),
                       channel == Channel::rotation ? "rotation" : "translation");
  }

  [[nodiscard]] std::vector<std::string> untouched_channels() const {
    std::vector<bool> is_edited(tracks_.size());
    for (const EditedTrack& edit : out_.edits) {
      if (edit.stored < is_edited.size()) is_edited[edit.stored] = true;
    }
    std::vector<std::string> labels;
    for (std::size_t i = 0; i < tracks_.size(); ++i) {
      if (is_edited[i]) continue;
      const std::uint32_t joint = tracks_[i].joint;
      labels.push_back(channel_label(
          {joint, target_.fields.hashes[joint], std::nullopt, std::nullopt}, tracks_[i].channel));
    }
    return labels;
  }

  void note_left_out() {
    const auto list = [](std::vector<std::string>& names) {
      names.erase(std::unique(names.begin(), names.end()), names.end());
      constexpr std::size_t most = 8;
      const std::size_t shown = std::min(names.size(), most);
      return fmt::format(
          "{}{}", fmt::join(names.begin(), names.begin() + static_cast<long>(shown), ", "),
          names.size() > shown ? fmt::format(" and {} more", names.size() - shown) : std::string{});
    };
    if (!unmatched_.empty()) {
      note(".joints", "joints that the template's clip lacks are left out: " + list(unmatched_));
    }
    if (!still_.empty()) {
      note(".tracks",
           "channels that the template's joints lack and that stand still are left out: " +
               list(still_));
    }
    if (!unwritable_.empty()) {
      note(".tracks",
           "channels that the template's joints lack can't be added to files of this game, since "
           "nobody knows for sure where it keeps them; left out: " +
               list(unwritable_));
    }
    std::vector<std::string> kept = untouched_channels();
    if (!kept.empty()) {
      note(".tracks",
           "channels of the template that the clip does not have stay as they are: " + list(kept));
    }
  }

  const BlockToEdit& target_;
  const ChunkedLayout& layout_;
  const EncodeOptions& options_;
  const Clip& edited_;
  const std::vector<StoredTrack>& tracks_;
  double ticks_per_second_;
  std::vector<std::string> unmatched_;
  std::vector<std::string> still_;       ///< channels that the block lacks, without motion
  std::vector<std::string> unwritable_;  ///< and with motion that can't be stored
  MatchedClip out_;
};

}  // namespace

Result<MatchedClip> match_clip(const BlockToEdit& target, const Clip& edited,
                               const std::vector<StoredTrack>& stored) {
  return ClipMatcher(target, edited, stored).run();
}

motion::SampleGrid grid_of(const ChunkedBlock& block) {
  motion::SampleGrid grid;
  grid.ticks_per_second = block.ticks_per_second;
  const double frame = std::round(grid.ticks_per_second / block.frame_rate);
  grid.ticks_per_frame = static_cast<std::uint32_t>(std::clamp(frame, 1.0, 65535.0));
  return grid;
}

}  // namespace mabkit::mab
