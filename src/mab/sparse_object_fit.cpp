#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <mabkit/skeleton.hpp>

#include "mab/sparse_aim.hpp"
#include "mab/sparse_bend.hpp"
#include "mab/sparse_fit.hpp"
#include "mab/sparse_layout.hpp"
#include "motion/precise.hpp"

namespace mabkit::mab {
namespace {

using motion::Placement;
using motion::Point;
using motion::precise;
using motion::Turn;

/// What is left for the measure's own rounding, which is single precision.
constexpr double share_of_bound = 0.995;

/// How a bound is spent along a chain. The shares were found by trying, on captured and on smooth
/// motion.
struct Budget {
  /// Share of its own bound that a joint leaves to its parents for where they put it.
  double handed_up = 0.92;
  /// Share of the bound within which what hardly moves becomes constant.
  double constant = 0.3;
};

struct FitBone {
  std::optional<std::uint32_t> parent;
  std::vector<std::uint32_t> children;  ///< that matter
  RotationTrack* rotation = nullptr;
  TranslationTrack* translation = nullptr;
  Placement bind;
  bool is_driven = false;
  bool matters = false;  ///< driven, or has descendants that are
  bool may_be_constant = true;
  double allowance = 0.0;          ///< metres that its origin may be off, where it is free
  std::vector<Placement> source;   ///< in object space, one a frame
  std::vector<Placement> decoded;  ///< the same
  std::vector<Turn> local;         ///< decoded; one a frame, or one alone

  [[nodiscard]] bool is_free() const {
    return rotation != nullptr && !rotation->is_kept && rotation->kind == TrackKind::animated;
  }
  [[nodiscard]] const Turn& local_at(std::uint32_t frame) const {
    return local[local.size() == 1 ? 0 : frame];
  }
  [[nodiscard]] Point source_offset(std::uint32_t frame) const {
    return translation == nullptr ? bind.origin : precise(translation->source_at(frame));
  }
  [[nodiscard]] Point offset(std::uint32_t frame) const {
    return translation == nullptr ? bind.origin : precise(translation->stored_at(frame));
  }
};

class ObjectFitter {
 public:
  ObjectFitter(ClipFit& clip, const ObjectBound& bound, const Budget& budget)
      : clip_(clip),
        bound_(bound),
        budget_(budget),
        limit_(share_of_bound * bound.error),
        order_(parents_first(bound.skeleton->bones)),
        bones_(bound.skeleton->bones.size()) {
    attach_rig();
    attach_tracks();
    find_what_matters();
  }

  Result<void> fit() {
    if (auto checked = check_memory(); !checked) return checked;
    place_source();
    choose_constants();
    // Each round makes some frame a key or some constant a keyed track, or is the last: then what
    // is off has all the keys that could help. The cap only bounds the time.
    constexpr int most_rounds = 24;
    for (int round = 0; round < most_rounds; ++round) {
      fit_once();
      if (misses_.empty() || !tighten()) return {};
    }
    require_everything();
    fit_once();
    return {};
  }

 private:
  void attach_rig() {
    for (std::size_t i = 0; i < bones_.size(); ++i) {
      const Bone& bone = bound_.skeleton->bones[i];
      bones_[i].parent = bone.parent;
      const Quat rotation = codec::is_rotation(bone.rotation) ? bone.rotation : Quat{};
      bones_[i].bind = {precise(rotation), precise(bone.translation)};
      bones_[i].local = {bones_[i].bind.turn};
    }
  }

  void attach_tracks() {
    for (const auto& bone : bound_.bone_of_joint) {
      if (bone) bones_[*bone].is_driven = true;
    }
    for (RotationTrack& track : clip_.rotations) {
      if (const auto bone = bound_.bone_of_joint[track.joint]) bones_[*bone].rotation = &track;
    }
    for (TranslationTrack& track : clip_.translations) {
      if (const auto bone = bound_.bone_of_joint[track.joint]) bones_[*bone].translation = &track;
    }
  }

  /// Leaves `order_` with the bones that matter, and links them to their parents.
  void find_what_matters() {
    for (std::size_t i = order_.size(); i-- > 0;) {
      FitBone& at = bones_[order_[i]];
      at.matters = at.matters || at.is_driven;
      if (at.matters && at.parent) bones_[*at.parent].matters = true;
    }
    order_.erase(std::remove_if(order_.begin(), order_.end(),
                                [this](std::uint32_t bone) { return !bones_[bone].matters; }),
                 order_.end());
    for (const std::uint32_t bone : order_) {
      if (const auto parent = bones_[bone].parent) bones_[*parent].children.push_back(bone);
    }
  }

  /// Every bone that matters has two places a frame.
  [[nodiscard]] Result<void> check_memory() const {
    // As many as 256 bones at every frame that a clip can have.
    constexpr std::uint64_t most_places = 256 * (std::uint64_t{most_last_frame} + 1);
    if (order_.size() * std::uint64_t{clip_.frames} <= most_places) return {};
    return tl::unexpected(
        Error{ErrorCode::limit,
              std::nullopt,
              {},
              fmt::format("{} bones of the skeleton at {} frames are past the limit of {} places: "
                          "use a smaller skeleton or a shorter clip, or leave the skeleton out",
                          order_.size(), clip_.frames, most_places)});
  }

  void place_source() {
    for (const std::uint32_t i : order_) {
      FitBone& bone = bones_[i];
      bone.source.resize(clip_.frames);
      bone.decoded.resize(clip_.frames);
      for (std::uint32_t frame = 0; frame < clip_.frames; ++frame) {
        const Turn turn =
            bone.rotation == nullptr ? bone.bind.turn : precise(bone.rotation->source_at(frame));
        const Placement local{turn, bone.source_offset(frame)};
        bone.source[frame] = bone.parent ? bones_[*bone.parent].source[frame] * local : local;
      }
    }
  }

  /// Tracks that hardly move become constants: a few bytes in place of keys.
  void choose_constants() {
    for (const std::uint32_t i : order_) {
      FitBone& bone = bones_[i];
      RotationTrack* const track = bone.rotation;
      if (track == nullptr) continue;
      if (!track->is_kept) {
        track->kind = TrackKind::animated;
        const auto word = middle_word(track->source);
        if (bone.may_be_constant && !track->must_be_keyed && is_still(bone, word)) {
          track->kind = TrackKind::constant;
          track->keys = {{0}, {word}};
        }
      }
      if (!bone.is_free()) bone.local = decoded_turns(*track);
    }
  }

  [[nodiscard]] bool is_still(const FitBone& bone, codec::PackedQuaternion word) const {
    if (bone.rotation->source.size() == 1) return true;
    double reach = bound_.vertex_distance;
    for (const std::uint32_t child : bone.children) {
      reach = std::max(reach, motion::length(bones_[child].source_offset(0)));
    }
    return bone.rotation->may_drop_keys &&
           worst_angle(bone.rotation->source, word) * reach <= budget_.constant * limit_;
  }

  [[nodiscard]] std::vector<Turn> decoded_turns(const RotationTrack& track) const {
    const std::uint32_t frames = track.kind == TrackKind::constant ? 1 : clip_.frames;
    std::vector<Turn> turns;
    turns.reserve(frames);
    for (const Quat& q : codec::decode_frames(track.keys, frames)) turns.push_back(precise(q));
    return turns;
  }

  void fit_once() {
    spread_allowances();
    misses_.clear();
    for (const std::uint32_t i : order_) {
      FitBone& bone = bones_[i];
      if (bone.is_free()) fit_bone(bone);
      place(bone);
      if (!bone.is_driven) continue;
      for (std::uint32_t frame = 0; frame < clip_.frames; ++frame) {
        const double error = motion::vertex_distance_between(
            bone.decoded[frame], bone.source[frame], bound_.vertex_distance);
        if (error > limit_) misses_.push_back({i, frame});
      }
    }
  }

  /// How far each free joint's origin may be off, so that the joint and what hangs from it have
  /// something left.
  void spread_allowances() {
    for (std::size_t i = order_.size(); i-- > 0;) {
      FitBone& bone = bones_[order_[i]];
      double least = limit_;
      for (const std::uint32_t child : bone.children) {
        least = std::min(least, bones_[child].allowance);
      }
      bone.allowance = bone.is_free() ? budget_.handed_up * least : least;
    }
  }

  void fit_bone(FitBone& bone) {
    RotationTrack& track = *bone.rotation;
    std::vector<Aim> aims(clip_.frames);
    std::vector<Turn> ideal(clip_.frames);
    for (std::uint32_t frame = 0; frame < clip_.frames; ++frame) {
      aims[frame] = aim_of(bone, frame);
      const Turn start = motion::inverse(turning_place(bone, frame).turn) * bone.source[frame].turn;
      ideal[frame] = best_turn(aims[frame], start);
    }
    std::vector<std::vector<codec::PackedQuaternion>> candidates(clip_.frames);
    for (std::uint32_t frame = 0; frame < clip_.frames; ++frame) {
      candidates[frame] = words_for(track, aims[frame], ideal, frame);
    }
    track.keys = codec::select_keys(candidates, track.required,
                                    [&](std::uint32_t frame, const Quat& decoded) {
                                      return aim_error(aims[frame], precise(decoded));
                                    });
    bone.local = decoded_turns(track);
  }

  static std::vector<codec::PackedQuaternion> words_for(const RotationTrack& track, const Aim& aim,
                                                        std::span<const Turn> ideal,
                                                        std::uint32_t frame) {
    if (const auto stored = track.word_at(frame)) return {*stored};
    std::vector<codec::PackedQuaternion> words{best_words(aim, ideal[frame])};
    if (track.required[frame]) return words;
    const auto outer =
        outer_words(ideal, frame, [&aim](const Turn& turn) { return aim_error(aim, turn); });
    words.insert(words.end(), outer.begin(), outer.end());
    return words;
  }

  /// Where the joint's parent puts it before it turns.
  [[nodiscard]] Placement turning_place(const FitBone& bone, std::uint32_t frame) const {
    const Placement moved{{}, bone.offset(frame)};
    return bone.parent ? bones_[*bone.parent].decoded[frame] * moved : moved;
  }

  void place(FitBone& bone) {
    for (std::uint32_t frame = 0; frame < clip_.frames; ++frame) {
      bone.decoded[frame] = turning_place(bone, frame) * Placement{bone.local_at(frame), {}};
    }
  }

  /// A joint carries its own vertices, the origins of joints that can make up for where they are
  /// put, and all that the others carry.
  [[nodiscard]] Aim aim_of(const FitBone& bone, std::uint32_t frame) const {
    Aim aim = points_of(bone, frame);
    const Placement place = turning_place(bone, frame);
    const Turn back = motion::inverse(place.turn);
    for (AimPoint& at : aim) at.target = back * (at.target - place.origin);
    return aim;
  }

  /// Those points in the joint and where the source has them. Rigs may be chains of any depth: the
  /// bones that wait are on a stack of its own.
  [[nodiscard]] Aim points_of(const FitBone& joint, std::uint32_t frame) const {
    struct Carried {
      const FitBone* bone = nullptr;
      Placement in_joint;
    };
    const double d = bound_.vertex_distance;
    const std::array vertices{Point{d, 0.0, 0.0}, Point{0.0, d, 0.0}, Point{0.0, 0.0, d}};
    Aim aim;
    std::vector<Carried> waiting{{&joint, {}}};
    while (!waiting.empty()) {
      const auto [bone, in_joint] = waiting.back();
      waiting.pop_back();
      if (bone != &joint && bone->is_free()) {
        aim.push_back({in_joint.origin, bone->source[frame].origin, 1.0 / bone->allowance});
        continue;
      }
      if (bone->is_driven) {
        for (const Point& vertex : vertices) {
          aim.push_back({in_joint * vertex, bone->source[frame] * vertex, 1.0 / limit_});
        }
      }
      for (std::size_t i = bone->children.size(); i-- > 0;) {
        const FitBone& child = bones_[bone->children[i]];
        const Point origin = in_joint * child.offset(frame);
        waiting.push_back({&child, child.is_free()
                                       ? Placement{{}, origin}
                                       : Placement{in_joint.turn * child.local_at(frame), origin}});
      }
    }
    return aim;
  }

  /// Makes keys of the frames where a bone is off, from it up to the root; where they are keys
  /// already, a keyed track of a constant. Whether anything was left to do.
  bool tighten() {
    std::sort(misses_.begin(), misses_.end(), [](const Miss& a, const Miss& b) {
      return a.frame != b.frame ? a.frame < b.frame : a.bone < b.bone;
    });
    bool has_changed = false;
    // A bone that was seen at a frame has had its parents seen there.
    std::vector<std::optional<std::uint32_t>> seen_at(bones_.size());
    for (const Miss& miss : misses_) {
      for (std::optional<std::uint32_t> i = miss.bone; i; i = bones_[*i].parent) {
        if (seen_at[*i] == miss.frame) break;
        seen_at[*i] = miss.frame;
        FitBone& bone = bones_[*i];
        if (!bone.is_free() || bone.rotation->required[miss.frame]) continue;
        bone.rotation->required[miss.frame] = true;
        has_changed = true;
      }
    }
    if (has_changed) return true;
    std::vector<bool> is_told(bones_.size(), false);
    for (const Miss& miss : misses_) {
      if (is_told[miss.bone]) continue;
      is_told[miss.bone] = true;
      has_changed = free_constants(miss.bone) || has_changed;
    }
    if (has_changed) choose_constants();
    return has_changed;
  }

  /// Turns the constants from a bone up to the root into keyed tracks, those that move first.
  bool free_constants(std::uint32_t from) {
    for (const bool with_still : {false, true}) {
      bool has_changed = false;
      for (std::optional<std::uint32_t> i = from; i; i = bones_[*i].parent) {
        FitBone& bone = bones_[*i];
        if (bone.rotation == nullptr || bone.rotation->is_kept || bone.is_free()) continue;
        if (bone.rotation->source.size() == 1 && !with_still) continue;
        bone.may_be_constant = false;
        has_changed = true;
      }
      if (has_changed) return true;
    }
    return false;
  }

  void require_everything() {
    for (const std::uint32_t i : order_) {
      FitBone& bone = bones_[i];
      if (bone.is_free()) bone.rotation->required.assign(clip_.frames, true);
    }
  }

  struct Miss {
    std::uint32_t bone = 0;
    std::uint32_t frame = 0;
  };

  ClipFit& clip_;
  const ObjectBound& bound_;
  Budget budget_;
  double limit_;
  std::vector<std::uint32_t> order_;  ///< parents first
  std::vector<FitBone> bones_;        ///< as in the skeleton
  std::vector<Miss> misses_;          ///< of the last round
};

}  // namespace

Result<void> fit_in_object_space(ClipFit& clip, const ObjectBound& bound,
                                 const LocalBound& unbound) {
  for (RotationTrack& track : clip.rotations) {
    const bool has_bone = bound.bone_of_joint[track.joint].has_value();
    if (!has_bone && !track.is_kept) fit_rotation(track, clip.frames, unbound);
  }
  if (auto fitted = ObjectFitter(clip, bound, Budget{}).fit(); !fitted) return fitted;
  for (RotationTrack& track : clip.rotations) {
    // A bone whose parents run in a circle has no place in object space.
    if (track.keys.frames.empty()) fit_rotation(track, clip.frames, unbound);
  }
  return {};
}

}  // namespace mabkit::mab
