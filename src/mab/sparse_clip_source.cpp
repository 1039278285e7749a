#include "mab/sparse_clip_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mabkit/names.hpp>

#include "mab/sparse_index.hpp"
#include "mab/sparse_layout.hpp"
#include "motion/precise.hpp"

namespace mabkit::mab {
namespace {

/// Most frames of a clip.
constexpr std::uint32_t most_frames = most_last_frame + 1U;
/// Rates are u16 (spec mab-sparse, 3.5, rule 7).
constexpr double most_rate = 65535.0;

tl::unexpected<Error> refuse(ErrorCode code, std::string path, std::string message) {
  return tl::unexpected(Error{code, std::nullopt, std::move(path), std::move(message)});
}

class ClipPreparation {
 public:
  ClipPreparation(const Clip& clip, const SparseClipTarget& target, const EncodeOptions& options,
                  std::vector<Diagnostic>& notices)
      : target_(target), options_(options), notices_(notices) {
    out_.clip = clip;
  }

  Result<ClipSource> run() {
    return check_tracks()
        .and_then([this] { return find_bones(); })
        .and_then([this] { return check_ids(); })
        .and_then([this] {
          drop_translations();
          return choose_rate();
        })
        .and_then([this] { return sample(); })
        .map([this] { return std::move(out_); });
  }

 private:
  [[nodiscard]] std::string path(std::string_view rest = {}) const {
    return clip_path(target_.number) + std::string(rest);
  }
  void notice(std::string message) {
    notices_.push_back({std::nullopt, path(), std::move(message)});
  }

  /// Every track needs a joint, and a slot in the masks holds one track (spec mab-sparse, 1.4).
  Result<void> check_tracks() const {
    std::vector<bool> turns(out_.clip.joints.size(), false);
    std::vector<bool> moves(out_.clip.joints.size(), false);
    for (std::size_t i = 0; i < out_.clip.tracks.size(); ++i) {
      const Track& track = out_.clip.tracks[i];
      if (track.joint >= out_.clip.joints.size()) {
        return refuse(ErrorCode::bad_value, path(fmt::format(".track[{}]", i)),
                      fmt::format("belongs to joint {}, but the clip has {}", track.joint,
                                  out_.clip.joints.size()));
      }
      auto& has_track = track.channel == Channel::rotation ? turns : moves;
      if (has_track[track.joint]) {
        return refuse(ErrorCode::bad_value, path(fmt::format(".track[{}]", i)),
                      fmt::format("is the second track of one channel of joint {}: leave one out",
                                  track.joint));
      }
      has_track[track.joint] = true;
    }
    return {};
  }

  Result<void> find_bones() {
    out_.bones = find_bone_ids(out_.clip, target_.has_ids, target_.skeleton, options_.bind);
    const auto& unknown = out_.bones.unknown;
    const bool has_known =
        std::any_of(out_.bones.ids.begin(), out_.bones.ids.end(), [](auto id) { return id; });
    if (!unknown.empty() && !has_known) {
      return refuse(ErrorCode::bad_argument, path(),
                    fmt::format("none of its {} is a bone with an id in the skeleton: give the "
                                "`.skeleton` of the game's rig, or rename the joints",
                                list_joints(out_.clip, unknown)));
    }
    if (!unknown.empty()) {
      notice(fmt::format("left out {}: the skeleton has no such bone with an id",
                         list_joints(out_.clip, unknown)));
    }
    if (out_.bones.is_guess && !out_.clip.tracks.empty()) {
      notice(
          "the joints' positions are taken for bone ids, a guess: give the `.skeleton` of the "
          "game's rig to go by names");
    }
    keep_tracks([this](const Track& track) { return out_.bones.ids[track.joint].has_value(); });
    return {};
  }

  template <class Predicate>
  void keep_tracks(const Predicate& keeps) {
    auto& tracks = out_.clip.tracks;
    tracks.erase(std::remove_if(tracks.begin(), tracks.end(),
                                [&](const Track& track) { return !keeps(track); }),
                 tracks.end());
  }

  Result<void> check_ids() const {
    std::vector<const Joint*> owners(target_.most_bones, nullptr);
    for (const Track& track : out_.clip.tracks) {
      const Joint& joint = out_.clip.joints[track.joint];
      const std::uint32_t id = out_.id(track.joint);
      if (id >= target_.most_bones) {
        return refuse(ErrorCode::limit, path(fmt::format(".joint[{}]", track.joint)),
                      fmt::format("{} has bone id {}, past the limit of {}: give the `.skeleton` "
                                  "of the game's rig, or leave the joint out",
                                  joint_label(joint), id, target_.most_bones - 1));
      }
      if (owners[id] != nullptr && owners[id] != &joint) {
        return refuse(ErrorCode::inconsistent, path(fmt::format(".joint[{}]", track.joint)),
                      fmt::format("{} and {} both have bone id {}: give each its own",
                                  joint_label(*owners[id]), joint_label(joint), id));
      }
      owners[id] = &joint;
    }
    return {};
  }

  /// Clips may only translate bones that the rig says so of (spec mab-sparse, 1.4).
  void drop_translations() {
    if (target_.skeleton == nullptr) return;
    std::vector<std::uint32_t> dropped;
    keep_tracks([&](const Track& track) {
      const auto bone = out_.bones.bones[track.joint];
      if (track.channel != Channel::translation || !bone) return true;
      const Bone& rig_bone = target_.skeleton->bones[*bone];
      if (rig_bone.animated_translation.value_or(true)) return true;
      if (moves_away(track, rig_bone.translation)) dropped.push_back(track.joint);
      return false;
    });
    if (dropped.empty()) return;
    notice(fmt::format("left out the translations of {}: the rig says that clips may not move them",
                       list_joints(out_.clip, dropped)));
  }

  /// Whether a track that the format can't hold would show.
  [[nodiscard]] bool moves_away(const Track& track, const Vec3& rest) const {
    for (std::uint32_t i = 0; i < track.keys.count; ++i) {
      const Vec3 at = out_.clip.translation(track.keys, i);
      const double away = motion::length(motion::precise(at) - motion::precise(rest));
      if (!(away <= options_.max_translation_error)) return true;
    }
    return false;
  }

  /// A whole number of frames per second (spec mab-sparse, 3.5, rule 7).
  Result<void> choose_rate() {
    constexpr double rounding = 1e-3;
    const double wanted =
        options_.frames_per_second.value_or(static_cast<double>(out_.clip.frame_rate));
    const double rate = std::round(wanted);
    if (!(rate >= 1.0 && rate <= most_rate)) {
      return refuse(
          ErrorCode::bad_argument, path(".frame_rate"),
          fmt::format("{:.6g} frames per second are no rate from 1 to {:.0f}: choose another "
                      "rate",
                      wanted, most_rate));
    }
    if (std::abs(wanted - rate) > rounding) {
      if (options_.frames_per_second) {
        return refuse(ErrorCode::bad_argument, path(".frame_rate"),
                      fmt::format("{:.6g} frames per second can't be stored, which takes a whole "
                                  "number: choose {:.0f}",
                                  wanted, rate));
      }
      notice(
          fmt::format("{:.6g} frames per second can't be stored, {:.0f} are taken", wanted, rate));
    }
    out_.rate = static_cast<std::uint16_t>(rate);
    return {};
  }

  Result<void> sample() {
    auto sampled = motion::sample_on_grid(
        out_.clip, {.ticks_per_second = static_cast<double>(out_.rate), .is_dense = true},
        most_frames);
    if (!sampled) {
      Error error = std::move(sampled.error());
      error.path = error.path.empty() ? path() : path("." + error.path);
      return tl::unexpected(std::move(error));
    }
    if (sampled->was_resampled) {
      notice(fmt::format("resampled to {} frames per second: keys did not lie on that grid",
                         out_.rate));
    }
    out_.sampled = std::move(*sampled);
    return {};
  }

  const SparseClipTarget& target_;
  const EncodeOptions& options_;
  std::vector<Diagnostic>& notices_;
  ClipSource out_;
};

/// The middle of the box around all values.
Vec3 middle(const std::vector<Vec3>& values) {
  Vec3 low = values.front();
  Vec3 high = low;
  for (const Vec3& v : values) {
    low = {std::min(low.x, v.x), std::min(low.y, v.y), std::min(low.z, v.z)};
    high = {std::max(high.x, v.x), std::max(high.y, v.y), std::max(high.z, v.z)};
  }
  return {low.x + 0.5F * (high.x - low.x), low.y + 0.5F * (high.y - low.y),
          low.z + 0.5F * (high.z - low.z)};
}

}  // namespace

Result<ClipSource> prepare_clip(const Clip& clip, const SparseClipTarget& target,
                                const EncodeOptions& options, std::vector<Diagnostic>& notices) {
  return ClipPreparation(clip, target, options, notices).run();
}

std::vector<Vec3> stored_translations(const std::vector<Vec3>& source, double tolerance) {
  const Vec3 constant = middle(source);
  const bool is_still = std::all_of(source.begin(), source.end(), [&](const Vec3& v) {
    return motion::length(motion::precise(v) - motion::precise(constant)) <= tolerance;
  });
  return is_still ? std::vector{constant} : source;
}

ClipFit fit_of(const ClipSource& source, const StillTolerance& tolerance) {
  ClipFit fit;
  fit.frames = source.frames();
  for (const motion::SampledTrack& track : source.sampled.tracks) {
    if (track.channel == Channel::rotation) {
      RotationTrack rotation;
      rotation.joint = track.joint;
      rotation.source = track.rotations;
      rotation.required.assign(fit.frames, false);
      fit.rotations.push_back(std::move(rotation));
    } else {
      const bool has_bone = source.bones.bones[track.joint].has_value();
      const double amount = has_bone ? tolerance.with_bone : tolerance.without_bone;
      fit.translations.push_back({track.joint, track.translations,
                                  stored_translations(track.translations, amount), false});
    }
  }
  return fit;
}

}  // namespace mabkit::mab
