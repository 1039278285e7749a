#include <fmt/format.h>

#include <mabkit/batch.hpp>
#include <mabkit/file.hpp>
#include <map>
#include <memory>

#include "commands.hpp"
#include "console.hpp"
#include "convert_report.hpp"
#include "encode_options.hpp"
#include "interrupt.hpp"
#include "shared_options.hpp"

namespace mabkit::cli {
namespace {

struct ConvertCommand {
  SharedOptions shared;
  EncodeArguments encode;
  Paths inputs;
  std::filesystem::path output;
  std::optional<std::string> to;
  std::optional<std::string> game;
  std::optional<std::uint32_t> clip;
  bool split = false;
  std::string root_motion = "node";
  std::filesystem::path report;
  WriteOptions write;
  bool quiet = false;
};

/// A command line that asks for nothing that can be done: an exit code.
int refuse(const std::string& message) {
  complain(message);
  return exit_usage;
}

RootMotionTarget root_motion_target(const std::string& text) {
  if (text == "joint") return RootMotionTarget::joint;
  return text == "ignore" ? RootMotionTarget::ignore : RootMotionTarget::node;
}

std::string known_games() {
  std::string games;
  for (const Game game : all_games) games += fmt::format(" {}", short_name(game));
  return games;
}

/// An option that was given and only counts where scenes are written; else empty.
std::string only_for_scenes(const ConvertCommand& command) {
  return command.root_motion == "node" ? "" : "--root-motion";
}

/// An option that was given and only counts where there is a rig; else empty.
std::string only_with_rig(const ConvertCommand& command) {
  if (command.shared.bone_order) return "--bone-order";
  if (command.shared.bone_offset != 0) return "--bone-offset";
  return command.encode.retarget == "off" ? "--retarget" : "";
}

/// Files that a folder holds and that are not taken from it, by extension.
void tell_passed_over(const InputList& inputs) {
  if (inputs.passed_over.empty()) return;
  std::map<std::string, std::size_t> count_of;
  for (const auto& file : inputs.passed_over) ++count_of[path_text(file.extension())];
  std::string counts;
  for (const auto& [extension, count] : count_of) {
    counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", count, extension);
  }
  say_aside(
      fmt::format("mabkit: note: passed over in folders: {}. Folders give .mab files alone, "
                  "unless .mab is to be written; name other files one by one",
                  counts));
}

/// Why the options contradict each other; empty where they don't.
std::string contradiction(const ConvertCommand& command, OutputFormat to) {
  if (command.game && !game_from_name(*command.game)) {
    return fmt::format("--game {} is not a game that is known; known are:{}", *command.game,
                       known_games());
  }
  if (command.game && to != OutputFormat::mab) {
    return "--game says which game's .mab to write; for other outputs leave it out";
  }
  if (to == OutputFormat::mab && command.split) {
    return "--split takes a bank apart, which writing .mab can't do; write .glb, .gltf, .fbx or "
           ".json, or take one clip with --clip N";
  }
  if (const std::string option = only_for_scenes(command);
      !option.empty() && to != OutputFormat::glb && to != OutputFormat::gltf &&
      to != OutputFormat::fbx) {
    return fmt::format("{} says how to write glTF and FBX; for other outputs leave it out", option);
  }
  const bool has_rig = !command.shared.skeletons.empty() || !command.encode.target_skeleton.empty();
  if (const std::string option = only_with_rig(command); !option.empty() && !has_rig) {
    return fmt::format("{} says how joints go with a rig: add --skeleton", option);
  }
  if (const std::string problem = command.encode.contradiction(); !problem.empty()) return problem;
  if (const std::string option = command.encode.only_for_mab();
      !option.empty() && to != OutputFormat::mab) {
    return fmt::format("{} says how to write .mab; for other outputs leave it out", option);
  }
  return {};
}

/// Everything but the paths, or nothing after a complaint.
std::optional<ConvertOptions> convert_options(const ConvertCommand& command, OutputFormat to) {
  auto names = load_names(command.shared);
  auto rigs = load_rigs(command.shared.skeletons);
  if (!names || !rigs) return std::nullopt;
  ConvertOptions options;
  options.to = to;
  options.read = read_options(command.shared);
  options.import.limits = options.read.limits;
  options.scene.root_motion = root_motion_target(command.root_motion);
  options.scene.clip = command.clip;
  options.scene.bind = bind_options(command.shared);
  options.rigs = std::move(*rigs);
  options.names = std::move(*names);
  if (command.game) options.game = game_from_name(*command.game);
  options.split = command.split;
  if (!apply_encode_options(command.encode, options)) return std::nullopt;
  return options;
}

Result<OutputPlan> plan(const ConvertCommand& command, const InputList& inputs) {
  OutputTarget target;
  target.path = command.output;
  if (command.to) {
    target.to = output_format(*command.to);
    if (!target.to) {
      return tl::unexpected(Error{
          ErrorCode::bad_argument,
          std::nullopt,
          {},
          fmt::format("--to {}: can't be written; use mab, json, glb, gltf or fbx", *command.to)});
    }
  }
  std::error_code code;
  target.is_folder =
      command.inputs.size() > 1 || std::filesystem::is_directory(command.inputs.front(), code);
  target.protected_files = command.shared.skeletons;
  target.protected_files.insert(target.protected_files.end(), command.shared.names.begin(),
                                command.shared.names.end());
  if (!command.report.empty()) target.protected_files.push_back(command.report);
  for (const auto& file : {command.encode.map, command.encode.target_skeleton}) {
    if (!file.empty()) target.protected_files.push_back(file);
  }
  target.like = command.encode.like;
  return plan_outputs(inputs.files, target);
}

/// Whether the report would be written over something that is only read.
bool report_replaces_input(const ConvertCommand& command, const InputList& inputs) {
  Paths read = command.shared.skeletons;
  read.insert(read.end(), command.shared.names.begin(), command.shared.names.end());
  read.insert(read.end(),
              {command.encode.like, command.encode.map, command.encode.target_skeleton});
  for (const InputFile& input : inputs.files) read.push_back(input.file);
  return is_among(command.report, read);
}

/// Converts every planned file and reports on them in order.
class ConvertRun {
 public:
  ConvertRun(const ConvertCommand& command, const ConvertOptions& options)
      : command_(command), options_(options), report_(options, !command.report.empty()) {}

  void refuse(const RefusedInput& input) {
    complain(input.path, input.error);
    report_.add({input.path, {}, {}, input.error, input.path});
  }

  /// Whether it came to an end, rather than to an interruption.
  bool convert(const OutputPlan& plan) {
    Progress progress(progress_mode(command_.shared.progress), plan.files.size());
    WriteOptions write = command_.write;
    write.reserved = plan.reserved;
    const std::size_t done = run_in_order(
        plan.files.size(), job_count(command_.shared), stop_on_interrupt(), [&](std::size_t i) {
          auto outcome =
              std::make_shared<FileOutcome>(convert_file(plan.files[i], options_, write));
          return [this, &progress, outcome] {
            progress.clear();
            tell(*outcome);
            progress.advance(outcome->error.has_value());
          };
        });
    return done == plan.files.size();
  }

  [[nodiscard]] const ConvertReport& report() const { return report_; }

 private:
  void tell(const FileOutcome& outcome) {
    if (outcome.conversion) {
      for (const Diagnostic& warning : outcome.conversion->warnings) warn(outcome.input, warning);
    }
    if (outcome.error) {
      complain(outcome.error_file, *outcome.error);
    } else if (!command_.quiet) {
      for (const Diagnostic& notice : outcome.conversion->notices) note(outcome.input, notice);
      say(outcome_line(outcome, options_, command_.write.dry_run));
    }
    report_.add(outcome);
  }

  const ConvertCommand& command_;
  const ConvertOptions& options_;
  ConvertReport report_;
};

int finish(const ConvertCommand& command, const ConvertReport& report, bool is_complete) {
  if (!is_complete) {
    complain(
        fmt::format("interrupted: {} files were converted, the rest was not begun", report.done()));
  }
  if (!command.report.empty()) {
    const std::string text = report.text();
    const auto written = write_file(command.report, std::as_bytes(std::span(text)));
    if (!written) {
      complain(command.report, written.error());
      return exit_failed;
    }
  }
  if (!is_complete) return exit_interrupted;
  return report.failed() == 0 ? exit_done : exit_failed;
}

int run_convert(const ConvertCommand& command) {
  const bool makes_mab = command.to == "mab" || command.to == ".mab";
  const auto inputs = find_inputs(command.inputs, command.shared.recursive,
                                  makes_mab ? InputKind::any_motion : InputKind::mab);
  if (!inputs) return refuse(inputs.error().message);
  const auto planned = plan(command, *inputs);
  if (!planned) return refuse(planned.error().message);
  const std::string problem = contradiction(command, planned->to);
  if (!problem.empty()) return refuse(problem);
  if (!command.report.empty() && report_replaces_input(command, *inputs)) {
    return refuse(fmt::format("--report {} is one of the inputs, which are never written to",
                              path_text(command.report)));
  }
  const auto options = convert_options(command, planned->to);
  if (!options) return exit_failed;

  ConvertRun run(command, *options);
  for (const RefusedInput& input : inputs->refused) run.refuse(input);
  if (!command.quiet) tell_passed_over(*inputs);
  const bool is_complete = run.convert(*planned);
  return finish(command, run.report(), is_complete);
}

void add_output_options(CLI::App& app, ConvertCommand& command) {
  app.add_option("-o,--output", command.output,
                 "The output file, or a folder for several; missing folders are made")
      ->required()
      ->type_name("OUT");
  app.add_option("--to", command.to, "What to write into a folder: mab, json, glb, gltf or fbx")
      ->type_name("EXT");
  app.add_option(
         "--game", command.game,
         "The game to write .mab for: fc2, fc5, fc6, wd1, wd2 or wdl; with --like also fc3, "
         "fc3bd, fc4, fcp")
      ->type_name("GAME");
  app.add_option("--clip", command.clip,
                 "Only this clip of a bank, or animation of a glTF or FBX; the first is 0")
      ->type_name("N");
  app.add_flag("--split", command.split, "One output a clip: walk.0.glb, walk.1-prop.glb, ...");
  app.add_option(
         "--root-motion", command.root_motion,
         "What becomes of root motion in glTF and FBX: node (a node above the joints), joint (part "
         "of the root joint's motion), ignore")
      ->check(CLI::IsMember({"node", "joint", "ignore"}))
      ->type_name("HOW")
      ->capture_default_str();
  app.add_option("--report", command.report, "Writes what became of each file as JSON")
      ->type_name("FILE.json");
  app.add_flag("--strict", command.write.strict,
               "A file with a warning fails, and nothing is written for it");
  app.add_flag("--durable", command.write.durable, "Flush each output to the disk");
  app.add_flag("--dry-run", command.write.dry_run, "Say what would be written, write nothing");
  app.add_flag("-q,--quiet", command.quiet, "No line for each file that was converted");
}

}  // namespace

void add_convert(CLI::App& app, int& exit_code) {
  auto command = std::make_shared<ConvertCommand>();
  CLI::App* sub = app.add_subcommand(
      "convert",
      "Any of .mab, .json, .glb, .gltf, .bvh and .fbx into any of .mab, .json, .glb, .gltf and "
      ".fbx");
  sub->add_option("input", command->inputs, "Files, or folders with --recursive")
      ->required()
      ->type_name("IN");
  add_output_options(*sub, *command);
  add_encode_options(*sub, command->encode);
  add_rig_options(*sub, command->shared);
  add_names_option(*sub, command->shared);
  add_presence_option(*sub, command->shared);
  add_batch_options(*sub, command->shared);
  sub->footer(
      "Examples:\n"
      "  mabkit convert walk.mab --skeleton hero.skeleton -o walk.glb\n"
      "  mabkit convert walk.glb --like walk.mab -o walk_new.mab\n"
      "  mabkit convert capture.bvh --game wd1 -o capture.mab\n"
      "  mabkit convert animations --recursive --to json -o out");
  sub->callback([command, &exit_code] { exit_code = run_convert(*command); });
}

}  // namespace mabkit::cli
