#include <fmt/format.h>

#include <mabkit/batch.hpp>
#include <mabkit/file.hpp>
#include <memory>
#include <new>

#include "commands.hpp"
#include "console.hpp"
#include "file_info.hpp"
#include "shared_options.hpp"

namespace mabkit::cli {
namespace {

struct InfoCommand {
  SharedOptions shared;
  Paths files;
  bool as_json = false;
  bool raw = false;
};

void fill(FileInfo& info, const Document& document, bool with_runs) {
  info.is_readable = true;
  info.summary = document.summary();
  const auto found = document.diagnostics();
  info.diagnostics.assign(found.begin(), found.end());
  if (with_runs) info.runs = document.runs();
  auto bank = document.bank();
  if (!bank) {
    info.error = std::move(bank.error());
    return;
  }
  info.diagnostics.insert(info.diagnostics.end(), bank->diagnostics.begin(),
                          bank->diagnostics.end());
  info.bank = std::move(*bank);
}

void read(FileInfo& info, const ReadOptions& options, bool with_runs) {
  auto bytes = read_file(info.file, options.limits.max_file_size);
  if (!bytes) {
    info.error = std::move(bytes.error());
    return;
  }
  info.size = bytes->size();
  const auto document = Document::parse(std::move(*bytes), options);
  if (!document) {
    info.error = document.error();
    return;
  }
  fill(info, *document, with_runs);
}

FileInfo refused_info(const RefusedInput& input) {
  FileInfo info;
  info.file = input.path;
  info.error = input.error;
  return info;
}

int run_info(const InfoCommand& command) {
  const auto inputs = find_inputs(command.files, command.shared.recursive);
  if (!inputs) {
    complain(inputs.error().message);
    return exit_usage;
  }
  const auto names = load_names(command.shared);
  if (!names) return exit_failed;

  bool any_failed = false;
  Json files = Json::array();
  const auto show = [&](const FileInfo& info) {
    if (info.error) {
      any_failed = true;
      complain(info.file, *info.error);
    }
    if (command.as_json) {
      files.push_back(info_json(info, *names, command.raw));
    } else if (info.is_readable) {
      say(info_text(info, *names));
    }
  };
  for (const RefusedInput& input : inputs->refused) show(refused_info(input));
  for (const InputFile& input : inputs->files) {
    show(read_info(input.file, read_options(command.shared), command.raw));
  }
  if (command.as_json) say(dump(Json{{"schema", "mabkit.info/1"}, {"files", std::move(files)}}));
  return any_failed ? exit_failed : exit_done;
}

}  // namespace

FileInfo read_info(const std::filesystem::path& file, const ReadOptions& options, bool with_runs) {
  FileInfo info;
  info.file = file;
  try {
    read(info, options, with_runs);
  } catch (const std::bad_alloc&) {
    info.error =
        Error{ErrorCode::out_of_memory, std::nullopt, {}, "needs more memory than there is"};
  }
  return info;
}

void add_info(CLI::App& app, int& exit_code) {
  auto command = std::make_shared<InfoCommand>();
  CLI::App* sub =
      app.add_subcommand("info", "Say what a file is: game, joints, keys, sections, oddities");
  sub->add_option("file", command->files, "Files, or folders with --recursive")
      ->required()
      ->type_name("FILE");
  sub->add_flag("--json", command->as_json, "As one JSON object, for programs");
  sub->add_flag("--raw", command->raw, "Every byte of the file: offset, size, kind, path, value");
  add_names_option(*sub, command->shared);
  add_presence_option(*sub, command->shared);
  add_recursive_option(*sub, command->shared);
  sub->footer(
      "Examples:\n"
      "  mabkit info walk.mab\n"
      "  mabkit info animations --recursive --json > animations.json");
  sub->callback([command, &exit_code] { exit_code = run_info(*command); });
}

}  // namespace mabkit::cli
