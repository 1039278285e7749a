#include <fmt/format.h>

#include <array>
#include <mabkit/batch.hpp>
#include <mabkit/file.hpp>
#include <mabkit/verify.hpp>
#include <map>
#include <memory>

#include "commands.hpp"
#include "console.hpp"
#include "interrupt.hpp"
#include "json_text.hpp"
#include "shared_options.hpp"

namespace mabkit::cli {
namespace {

struct VerifyCommand {
  SharedOptions shared;
  Paths paths;
  bool as_json = false;
  bool is_strict = false;
};

Verification unreadable(const Error& error) {
  Verification done;
  done.findings.push_back(
      {Severity::failure, "structure", error.offset, error.path, error.message});
  return done;
}

Verification verify_file(const std::filesystem::path& file, const ReadOptions& options) {
  auto bytes = read_file(file, options.limits.max_file_size);
  return bytes ? verify(std::move(*bytes), options) : unreadable(bytes.error());
}

Json finding_json(const Finding& finding) {
  return {{"severity", severity_name(finding.severity)},
          {"check", finding.check},
          {"offset", json_or_null(finding.offset)},
          {"path", finding.path},
          {"message", finding.message}};
}

Json file_json(const std::filesystem::path& file, const Verification& done) {
  Json out{{"file", path_json(file)},
           {"verdict", verdict_name(done.verdict())},
           {"game", done.game ? Json(short_name(*done.game)) : Json(nullptr)},
           {"canonical", done.is_canonical},
           {"findings", Json::array()}};
  for (const Finding& finding : done.findings) out["findings"].push_back(finding_json(finding));
  return out;
}

/// Verdicts counted by game; what could not be read has no game.
class Tally {
 public:
  void add(const Verification& done) {
    const auto verdict = static_cast<std::size_t>(done.verdict());
    ++by_game_[done.game ? std::string(short_name(*done.game)) : "unknown"][verdict];
    ++all_[verdict];
  }

  [[nodiscard]] std::size_t count(Verdict verdict) const {
    return all_[static_cast<std::size_t>(verdict)];
  }

  [[nodiscard]] std::string text() const {
    std::string out = row("game", "ok", "warning", "failed");
    for (const auto& [game, counts] : by_game_) out += "\n" + row(game, counts);
    return out + "\n" + row("all", all_);
  }

  [[nodiscard]] Json json() const {
    Json games = Json::object();
    for (const auto& [game, counts] : by_game_) games[game] = counts_json(counts);
    return {{"all", counts_json(all_)}, {"by_game", std::move(games)}};
  }

 private:
  using Counts = std::array<std::size_t, 3>;  // by Verdict

  template <class... Cells>
  static std::string row(std::string_view name, const Cells&... cells) {
    std::string out = fmt::format("{:<8}", name);
    ((out += fmt::format(" {:>8}", cells)), ...);
    return out;
  }
  static std::string row(std::string_view name, const Counts& counts) {
    return row(name, counts[0], counts[1], counts[2]);
  }
  static Json counts_json(const Counts& counts) {
    return {{"ok", counts[0]}, {"warning", counts[1]}, {"failed", counts[2]}};
  }

  std::map<std::string, Counts> by_game_;
  Counts all_{};
};

/// Checks files and tells what was found, in order.
class VerifyRun {
 public:
  explicit VerifyRun(const VerifyCommand& command) : command_(command) {}

  void tell(const std::filesystem::path& file, const Verification& done) {
    tally_.add(done);
    for (const Finding& finding : done.findings) tell(file, finding);
    if (command_.as_json) {
      files_.push_back(file_json(file, done));
    } else {
      say(fmt::format("{:<8} {}", verdict_name(done.verdict()), path_text(file)));
    }
  }

  void finish() const {
    if (command_.as_json) {
      say(dump(Json{{"schema", "mabkit.verify/1"}, {"summary", tally_.json()}, {"files", files_}}));
    } else {
      say("\n" + tally_.text());
    }
  }

  [[nodiscard]] bool has_failed() const {
    return tally_.count(Verdict::failed) > 0 ||
           (command_.is_strict && tally_.count(Verdict::warning) > 0);
  }

 private:
  static void tell(const std::filesystem::path& file, const Finding& finding) {
    std::string place = path_text(file);
    if (finding.severity != Severity::failure) {
      place += fmt::format(": {}", severity_name(finding.severity));
    }
    say_aside(describe(place, Diagnostic{finding.offset, finding.path, finding.message}));
  }

  const VerifyCommand& command_;
  Tally tally_;
  Json files_ = Json::array();
};

int run_verify(const VerifyCommand& command) {
  const auto inputs = find_inputs(command.paths, command.shared.recursive);
  if (!inputs) {
    complain(inputs.error().message);
    return exit_usage;
  }
  VerifyRun run(command);
  for (const RefusedInput& input : inputs->refused) run.tell(input.path, unreadable(input.error));

  const auto& files = inputs->files;
  const ReadOptions options = read_options(command.shared);
  std::size_t told = 0;
  {
    Progress progress(progress_mode(command.shared.progress), files.size());
    told = run_in_order(
        files.size(), job_count(command.shared), stop_on_interrupt(), [&](std::size_t i) {
          auto done = std::make_shared<Verification>(verify_file(files[i].file, options));
          return [&run, &progress, &file = files[i].file, done] {
            progress.clear();
            run.tell(file, *done);
            progress.advance(done->verdict() == Verdict::failed);
          };
        });
  }
  run.finish();
  if (told < files.size()) {
    complain(fmt::format("interrupted: {} of {} files were checked", told, files.size()));
    return exit_interrupted;
  }
  return run.has_failed() ? exit_failed : exit_done;
}

}  // namespace

void add_verify(CLI::App& app, int& exit_code) {
  auto command = std::make_shared<VerifyCommand>();
  CLI::App* sub = app.add_subcommand(
      "verify", "Check that files read, write back unchanged and decode to sound values");
  sub->add_option("path", command->paths, "Files, or folders with --recursive")
      ->required()
      ->type_name("PATH");
  sub->add_flag("--json", command->as_json, "As one JSON object, for programs");
  sub->add_flag("--strict", command->is_strict, "A warning counts as a failure");
  add_presence_option(*sub, command->shared);
  add_batch_options(*sub, command->shared);
  sub->footer(
      "Examples:\n"
      "  mabkit verify walk.mab\n"
      "  mabkit verify animations --recursive --json > verdicts.json");
  sub->callback([command, &exit_code] { exit_code = run_verify(*command); });
}

}  // namespace mabkit::cli
