#include "mab/sparse_edit_match.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "mab/sparse_bone_ids.hpp"
#include "motion/precise.hpp"

namespace mabkit::mab {
namespace {

class Matcher {
 public:
  Matcher(const ClipEditJob& job, std::vector<Diagnostic>& notices)
      : job_(job),
        notices_(notices),
        stored_(*job.stored),
        edited_(*job.edited),
        ids_(find_bone_ids(edited_, job.has_ids, job.skeleton, job.options->bind)) {
    out_.joints.resize(stored_.joints.size());
    out_.bones.resize(stored_.joints.size());
    out_.tracks.resize(stored_.tracks.size());
  }

  Result<EditMatch> run() {
    if (job_.index->clips[job_.number].has_masks()) {
      match_joints();
    } else {
      match_positions();
    }
    if (auto reported = report_missing_joints(); !reported) {
      return tl::unexpected(std::move(reported.error()));
    }
    find_bones();
    match_tracks();
    return std::move(out_);
  }

 private:
  void notice(std::string message) {
    notices_.push_back({std::nullopt, clip_path(job_.number), std::move(message)});
  }

  void match_joints() {
    std::map<std::uint32_t, std::uint32_t> joint_of_id;
    for (std::uint32_t i = 0; i < edited_.joints.size(); ++i) {
      if (ids_.ids[i]) joint_of_id.emplace(*ids_.ids[i], i);
    }
    for (std::size_t i = 0; i < stored_.joints.size(); ++i) {
      const auto found = joint_of_id.find(stored_.joints[i].id);
      if (found != joint_of_id.end()) out_.joints[i] = found->second;
    }
  }

  /// Bones are unknown: only the very same joints can be told.
  void match_positions() {
    const bool are_same = std::equal(stored_.joints.begin(), stored_.joints.end(),
                                     edited_.joints.begin(), edited_.joints.end(),
                                     [](const Joint& a, const Joint& b) { return a.id == b.id; });
    if (!are_same) return;
    for (std::uint32_t i = 0; i < stored_.joints.size(); ++i) out_.joints[i] = i;
  }

  Result<void> report_missing_joints() {
    std::vector<bool> is_matched(edited_.joints.size(), false);
    for (const auto& joint : out_.joints) {
      if (joint) is_matched[*joint] = true;
    }
    std::vector<bool> moves(edited_.joints.size(), false);
    for (const Track& track : edited_.tracks) {
      if (track.joint < moves.size()) moves[track.joint] = true;
    }
    std::vector<std::uint32_t> missing;
    bool has_matched = false;
    for (std::uint32_t i = 0; i < moves.size(); ++i) {
      has_matched = has_matched || is_matched[i];
      if (moves[i] && !is_matched[i]) missing.push_back(i);
    }
    if (!missing.empty() && !has_matched) {
      return tl::unexpected(Error{
          ErrorCode::bad_argument, std::nullopt, clip_path(job_.number),
          fmt::format("the template has none of {}: choose a template of the same rig, or give the "
                      "rig's `.skeleton` so that names find their bones",
                      list_joints(edited_, missing))});
    }
    if (!missing.empty()) {
      notice(fmt::format("left out {}: the template's clip has no such joint",
                         list_joints(edited_, missing)));
    }
    std::vector<std::uint32_t> kept;
    for (std::uint32_t i = 0; i < out_.joints.size(); ++i) {
      if (!out_.joints[i]) kept.push_back(i);
    }
    if (!kept.empty()) {
      notice(fmt::format("kept {} as the template has them: the edited clip lacks them",
                         list_joints(stored_, kept)));
    }
    return {};
  }

  void find_bones() {
    if (job_.skeleton == nullptr) return;
    BindOptions quiet = job_.options->bind;
    quiet.near_names = false;
    out_.bones = bind(stored_, *job_.skeleton, quiet).bone_of_joint;
    std::vector<bool> is_taken(job_.skeleton->bones.size(), false);
    for (const auto& bone : out_.bones) {
      if (bone) is_taken[*bone] = true;
    }
    for (std::size_t i = 0; i < out_.bones.size(); ++i) {
      if (out_.bones[i] || !out_.joints[i]) continue;
      const auto bone = ids_.bones[*out_.joints[i]];
      if (!bone || is_taken[*bone]) continue;
      out_.bones[i] = bone;
      is_taken[*bone] = true;
    }
  }

  void match_tracks() {
    std::vector<bool> is_used(edited_.tracks.size(), false);
    for (std::size_t i = 0; i < stored_.tracks.size(); ++i) {
      const auto joint = out_.joints[stored_.tracks[i].joint];
      if (!joint) continue;
      for (std::uint32_t t = 0; t < edited_.tracks.size(); ++t) {
        const Track& track = edited_.tracks[t];
        if (track.joint != *joint || track.channel != stored_.tracks[i].channel) continue;
        is_used[t] = true;
        if (track.keys.count != 0) out_.tracks[i] = t;
        break;
      }
    }
    report_unused(is_used);
  }

  void report_unused(const std::vector<bool>& is_used) {
    std::vector<std::uint32_t> joints;
    for (std::size_t i = 0; i < out_.joints.size(); ++i) {
      if (!out_.joints[i]) continue;
      for (std::size_t t = 0; t < edited_.tracks.size(); ++t) {
        const Track& track = edited_.tracks[t];
        if (is_used[t] || track.joint != *out_.joints[i] || rests(track, i)) continue;
        joints.push_back(track.joint);
        break;
      }
    }
    if (joints.empty()) return;
    notice(fmt::format("left out turning or moving {}: the template stores no such track of them",
                       list_joints(edited_, joints)));
  }

  /// Whether a track says nothing but the bind pose.
  [[nodiscard]] bool rests(const Track& track, std::size_t stored_joint) const {
    const auto bone = out_.bones[stored_joint];
    if (!bone) return false;
    const Bone& rest = job_.skeleton->bones[*bone];
    const double bound = track.channel == Channel::rotation ? job_.options->max_rotation_error
                                                            : job_.options->max_translation_error;
    for (std::uint32_t i = 0; i < track.keys.count; ++i) {
      const double away =
          track.channel == Channel::rotation
              ? motion::angle_between(motion::precise(edited_.rotation(track.keys, i)),
                                      motion::precise(rest.rotation))
              : motion::length(motion::precise(edited_.translation(track.keys, i)) -
                               motion::precise(rest.translation));
      if (!(away <= bound)) return false;
    }
    return true;
  }

  const ClipEditJob& job_;
  std::vector<Diagnostic>& notices_;
  const Clip& stored_;
  const Clip& edited_;
  BoneIds ids_;
  EditMatch out_;
};

}  // namespace

Result<EditMatch> match_edit(const ClipEditJob& job, std::vector<Diagnostic>& notices) {
  return Matcher(job, notices).run();
}

}  // namespace mabkit::mab
