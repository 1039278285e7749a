#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <mabkit/diff.hpp>
#include <mabkit/document.hpp>
#include <mabkit/file.hpp>
#include <memory>
#include <numbers>

#include "commands.hpp"
#include "console.hpp"
#include "json_text.hpp"
#include "shared_options.hpp"

namespace mabkit::cli {
namespace {

constexpr double degrees = 180.0 / std::numbers::pi;  // in a radian
constexpr double millimetres = 1000.0;                // in a metre

struct DiffCommand {
  SharedOptions shared;
  std::filesystem::path a;
  std::filesystem::path b;
  double max_angle = DiffOptions{}.max_angle * degrees;            // degrees
  double max_distance = DiffOptions{}.max_distance * millimetres;  // millimetres
  bool as_json = false;
  bool is_strict = false;
};

/// The rig that finds most joints of a clip, the first among equals; null where there is none.
const Skeleton* best_rig(const Clip& clip, const std::vector<Rig>& rigs,
                         const BindOptions& options) {
  const Skeleton* best = nullptr;
  std::size_t most = 0;
  for (const Rig& rig : rigs) {
    const std::size_t matched = bind(clip, rig.skeleton, options).matched;
    if (best != nullptr && matched <= most) continue;
    best = &rig.skeleton;
    most = matched;
  }
  return best;
}

/// The file's bank, its joints named by the rig and the dictionary as far as they are known.
std::optional<Bank> read_bank(const std::filesystem::path& file, const DiffCommand& command,
                              const std::vector<Rig>& rigs, const NameDictionary& names) {
  const ReadOptions options = read_options(command.shared);
  auto bytes = read_file(file, options.limits.max_file_size);
  if (!bytes) {
    complain(file, bytes.error());
    return std::nullopt;
  }
  const auto document = Document::parse(std::move(*bytes), options);
  if (!document) {
    complain(file, document.error());
    return std::nullopt;
  }
  for (const Diagnostic& found : document->diagnostics()) warn(file, found);
  auto bank = document->bank();
  if (!bank) {
    complain(file, bank.error());
    return std::nullopt;
  }
  for (const Diagnostic& found : bank->diagnostics) warn(file, found);
  if (!rigs.empty() && !bank->clips.empty()) {
    Clip& clip = bank->clips.front();
    BindOptions bind_by = bind_options(command.shared);
    bind_by.near_names = false;
    const Skeleton& skeleton = *best_rig(clip, rigs, bind_by);
    name_joints(clip, skeleton, bind(clip, skeleton, bind_by));
  }
  name_joints(*bank, names);
  return std::move(*bank);
}

std::string angle_text(const WorstDifference& worst) {
  return fmt::format("{:.4f} degrees at {:.3f} s", worst.amount * degrees, worst.time);
}

std::string distance_text(const WorstDifference& worst) {
  return fmt::format("{:.3f} mm at {:.3f} s", worst.amount * millimetres, worst.time);
}

void say_joint(const JointDifference& joint) {
  std::string line = fmt::format("    {}:", joint.name);
  std::string separator = " ";
  const auto add = [&](const std::string& text) {
    line += separator + text;
    separator = ", ";
  };
  if (joint.angle.amount > 0.0) add(angle_text(joint.angle));
  if (joint.distance.amount > 0.0) add(distance_text(joint.distance));
  for (const std::string& remark : joint.remarks) add(remark);
  say(line);
}

void say_only_in(std::string_view which, const std::vector<std::string>& joints) {
  if (!joints.empty()) say(fmt::format("  only in {}: {}", which, fmt::join(joints, ", ")));
}

void say_clip(const ClipDifference& clip) {
  say(fmt::format("clip {}: {}; {} joints compared", clip.clip,
                  clip.is_same() ? "the same in meaning" : "differs", clip.compared_joints));
  for (const std::string& remark : clip.remarks) say("  " + remark);
  say_only_in("A", clip.joints_only_in_a);
  say_only_in("B", clip.joints_only_in_b);
  if (!clip.worst_angle_joint.empty()) {
    say(fmt::format("  worst angle: {} ({})", angle_text(clip.worst_angle),
                    clip.worst_angle_joint));
  }
  if (!clip.worst_distance_joint.empty()) {
    say(fmt::format("  worst distance: {} ({})", distance_text(clip.worst_distance),
                    clip.worst_distance_joint));
  }
  if (!clip.joints.empty()) say("  joints that differ");
  for (const JointDifference& joint : clip.joints) say_joint(joint);
}

void say_text(const DiffCommand& command, const BankDifference& difference) {
  say(fmt::format("A  {}\nB  {}", path_text(command.a), path_text(command.b)));
  for (const std::string& remark : difference.remarks) say(remark);
  for (const ClipDifference& clip : difference.clips) say_clip(clip);
  say(fmt::format("{} in meaning (to {:.3g} degrees and {:.3g} mm)",
                  difference.is_same() ? "the same" : "different", command.max_angle,
                  command.max_distance));
}

Json worst_json(const WorstDifference& worst, double unit, const std::string& joint) {
  return {{"amount", worst.amount * unit},
          {"time", worst.time},
          {"joint", joint.empty() ? Json(nullptr) : Json(joint)}};
}

Json joint_json(const JointDifference& joint) {
  return {{"joint", joint.name},
          {"angle", joint.angle.amount * degrees},
          {"angle_time", joint.angle.time},
          {"distance", joint.distance.amount * millimetres},
          {"distance_time", joint.distance.time},
          {"remarks", joint.remarks}};
}

Json clip_json(const ClipDifference& clip) {
  Json out{
      {"clip", clip.clip},
      {"same", clip.is_same()},
      {"compared_joints", clip.compared_joints},
      {"only_in_a", clip.joints_only_in_a},
      {"only_in_b", clip.joints_only_in_b},
      {"worst_angle", worst_json(clip.worst_angle, degrees, clip.worst_angle_joint)},
      {"worst_distance", worst_json(clip.worst_distance, millimetres, clip.worst_distance_joint)},
      {"remarks", clip.remarks},
      {"joints", Json::array()}};
  for (const JointDifference& joint : clip.joints) out["joints"].push_back(joint_json(joint));
  return out;
}

Json difference_json(const DiffCommand& command, const BankDifference& difference) {
  Json out{{"schema", "mabkit.diff/1"},     {"a", path_json(command.a)},
           {"b", path_json(command.b)},     {"same", difference.is_same()},
           {"remarks", difference.remarks}, {"clips", Json::array()}};
  for (const ClipDifference& clip : difference.clips) out["clips"].push_back(clip_json(clip));
  return out;
}

int run_diff(const DiffCommand& command) {
  if (command.shared.skeletons.empty() &&
      (command.shared.bone_order || command.shared.bone_offset != 0)) {
    complain("--bone-order and --bone-offset say how joints go with a rig: add --skeleton");
    return exit_usage;
  }
  const auto rigs = load_rigs(command.shared.skeletons);
  const auto names = load_names(command.shared);
  if (!rigs || !names) return exit_failed;
  const auto a = read_bank(command.a, command, *rigs, *names);
  const auto b = read_bank(command.b, command, *rigs, *names);
  if (!a || !b) return exit_failed;

  DiffOptions options;
  options.max_angle = command.max_angle / degrees;
  options.max_distance = command.max_distance / millimetres;
  const BankDifference difference = diff(*a, *b, options);
  if (command.as_json) {
    say(dump(difference_json(command, difference)));
  } else {
    say_text(command, difference);
  }
  return command.is_strict && !difference.is_same() ? exit_failed : exit_done;
}

}  // namespace

void add_diff(CLI::App& app, int& exit_code) {
  const CLI::Validator tolerance(
      [](const std::string& text) -> std::string {
        const double value = std::strtod(text.c_str(), nullptr);
        return std::isfinite(value) && value >= 0 ? "" : text + " is no number from 0 up";
      },
      "");
  auto command = std::make_shared<DiffCommand>();
  CLI::App* sub = app.add_subcommand(
      "diff", "Say how two files differ in meaning, however their values are stored");
  sub->add_option("a", command->a, "A file")->required()->type_name("A");
  sub->add_option("b", command->b, "The file to compare it with")->required()->type_name("B");
  sub->add_option("--max-angle", command->max_angle, "Rotations this close are the same, degrees")
      ->check(tolerance)
      ->type_name("DEG");
  sub->add_option("--max-offset", command->max_distance,
                  "Translations this close are the same, millimetres")
      ->check(tolerance)
      ->type_name("MM");
  sub->add_flag("--json", command->as_json, "As one JSON object, for programs");
  sub->add_flag("--strict", command->is_strict,
                "Exit with 1 where they differ (otherwise 0: the comparison was done)");
  add_rig_options(*sub, command->shared);
  add_names_option(*sub, command->shared);
  add_presence_option(*sub, command->shared);
  sub->footer(
      "Example:\n"
      "  mabkit diff before.mab after.mab\n"
      "Files of two families meet by joint names: give --skeleton for them.");
  sub->callback([command, &exit_code] { exit_code = run_diff(*command); });
}

}  // namespace mabkit::cli
