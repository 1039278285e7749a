#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <mabkit/fbx.hpp>
#include <mabkit/names.hpp>
#include <string>
#include <utility>

#include "base/allocation.hpp"
#include "fbx/chain_motion.hpp"
#include "fbx/imported_scene.hpp"
#include "fbx/joints.hpp"
#include "fbx/rest_pose.hpp"
#include "fbx/take.hpp"
#include "scene/axes.hpp"

namespace mabkit {
namespace fbx {
namespace {

/// Where the format says nothing: `UnitScaleFactor` is 1.
constexpr double default_centimetres = 1.0;
constexpr double centimetres_in_a_metre = 100.0;
/// Metres; a larger unit is damage.
constexpr double largest_unit = 1e6;

tl::unexpected<Error> error(ErrorCode code, std::string message) {
  return tl::unexpected(Error{code, std::nullopt, {}, std::move(message)});
}

void notice(ImportedMotion& motion, std::string message) {
  motion.notices.push_back({std::nullopt, {}, std::move(message)});
}

/// Which axis is up, by the options, else by the file.
Result<UpAxis> choose_up(const ImportedScene& scene, const ImportOptions& options,
                         ImportedMotion& motion) {
  if (options.up) {
    notice(motion, fmt::format("{} is up, as asked", *options.up == UpAxis::y ? 'Y' : 'Z'));
    return *options.up;
  }
  constexpr int y_axis = 1;
  constexpr int z_axis = 2;
  if (!scene.up_axis) {
    notice(motion, "Y is up: the file does not say, and FBX means Y then");
    return UpAxis::y;
  }
  if (scene.up_axis_sign.value_or(1) < 0 ||
      (*scene.up_axis != y_axis && *scene.up_axis != z_axis)) {
    return error(
        ErrorCode::unsupported,
        fmt::format("the file says that {}{} is up; export it with Y or Z up, or say which "
                    "one to take",
                    scene.up_axis_sign.value_or(1) < 0 ? "minus " : "",
                    *scene.up_axis == 0 ? "X" : fmt::format("axis {}", *scene.up_axis)));
  }
  const UpAxis up = *scene.up_axis == y_axis ? UpAxis::y : UpAxis::z;
  notice(motion, fmt::format("{} is up, as the file says", up == UpAxis::y ? 'Y' : 'Z'));
  return up;
}

Result<double> choose_unit(const ImportedScene& scene, const ImportOptions& options,
                           ImportedMotion& motion) {
  const double said = scene.centimetres_per_unit.value_or(default_centimetres);
  const double metres = options.metres_per_unit.value_or(said / centimetres_in_a_metre);
  if (!(metres > 0.0 && metres <= largest_unit)) {
    return error(options.metres_per_unit ? ErrorCode::bad_argument : ErrorCode::bad_value,
                 fmt::format("a unit of {} metres is none", metres));
  }
  const std::string_view source = options.metres_per_unit      ? "as asked"
                                  : scene.centimetres_per_unit ? "as the file says"
                                                               : "which FBX means where a file "
                                                                 "does not say";
  notice(motion, fmt::format("one unit is {:.6g} m, {}", metres, source));
  return metres;
}

/// The rest pose, and what scale each joint leaves to those below it.
Result<std::vector<double>> add_bones(const ImportedScene& scene, const ImportedJoints& joints,
                                      const Space& space, ImportedMotion& motion) {
  const RestPose rest = rest_pose(scene, joints);
  std::vector<double> scales;
  for (std::size_t i = 0; i < joints.joints.size(); ++i) {
    const ImportedJoint& joint = joints.joints[i];
    const Rigid rigid = take_apart(rest.locals[i]);
    const std::string& name = scene.nodes[joint.node].name;
    if (!rigid.part) return error(ErrorCode::unsupported, refusal(name, rigid.problem));
    const double inherited = joint.parent ? scales[*joint.parent] : 1.0;
    Bone bone;
    bone.name = name;
    bone.name_hash = name_hash(name);
    bone.parent = joint.parent;
    bone.rotation = space.rotation(rigid.part->rotation);
    bone.translation = space.translation(rigid.part->translation, inherited);
    scales.push_back(inherited * rigid.part->scale);
    motion.skeleton.bones.push_back(std::move(bone));
  }
  if (rest.bound_elsewhere != 0) {
    notice(motion, fmt::format("the rest pose is the one that the mesh was bound in; {} "
                               "elsewhere in the file",
                               rest.bound_elsewhere == 1
                                   ? "1 joint stands"
                                   : fmt::format("{} joints stand", rest.bound_elsewhere)));
  }
  return scales;
}

void tell_of_scale(const ImportedScene& scene, const ImportedJoints& joints,
                   const std::vector<double>& scales, ImportedMotion& motion) {
  for (std::size_t i = 0; i < scales.size(); ++i) {
    if (std::abs(scales[i] - 1.0) <= scale_tolerance) continue;
    return notice(motion, fmt::format("\"{}\" is scaled by {:.6g}, which is multiplied into the "
                                      "places of the joints below",
                                      scene.nodes[joints.joints[i].node].name, scales[i]));
  }
}

Result<ImportedMotion> read(std::string_view text, const ImportOptions& options) {
  const auto scene = parse_scene(text, options.limits);
  if (!scene) return tl::unexpected(scene.error());
  ImportedMotion motion;
  motion.bank.format = "fbx";
  motion.are_takes = true;
  motion.skeleton.source = "fbx";
  const auto up = choose_up(*scene, options, motion);
  if (!up) return tl::unexpected(up.error());
  const auto metres = choose_unit(*scene, options, motion);
  if (!metres) return tl::unexpected(metres.error());

  const ImportedJoints joints = find_joints(*scene);
  if (joints.joints.empty()) {
    return error(ErrorCode::unsupported, "holds no joints: nothing in it is a bone or moves");
  }
  if (joints.joints.size() > options.limits.max_joints) {
    return error(ErrorCode::limit, fmt::format("{} joints are more than the limit of {}",
                                               joints.joints.size(), options.limits.max_joints));
  }
  const Space space{*up, *metres};
  const auto scales = add_bones(*scene, joints, space, motion);
  if (!scales) return tl::unexpected(scales.error());
  tell_of_scale(*scene, joints, *scales, motion);
  for (std::size_t i = 0; i < scene->animations.size(); ++i) {
    auto clip = read_take(*scene, joints, i, space, motion);
    if (!clip) return tl::unexpected(std::move(clip.error()));
    if (*clip) motion.bank.clips.push_back(std::move(**clip));
  }
  if (motion.bank.clips.empty()) {
    return error(ErrorCode::unsupported, "holds no animation of its joints");
  }
  return motion;
}

}  // namespace
}  // namespace fbx

Result<ImportedMotion> read_fbx_scene(std::string_view text, const ImportOptions& options) {
  return base::with_allocation_errors([&] { return fbx::read(text, options); });
}

}  // namespace mabkit
