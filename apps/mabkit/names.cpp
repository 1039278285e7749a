#include <fmt/format.h>

#include <mabkit/file.hpp>
#include <mabkit/names.hpp>
#include <memory>

#include "commands.hpp"
#include "console.hpp"
#include "shared_options.hpp"

namespace mabkit::cli {
namespace {

struct NamesCommand {
  Paths rigs;
  Paths names;
  std::filesystem::path output;
  std::vector<std::string> texts;
  std::vector<std::string> hashes;
};

/// Adds the names of every rig and every list. Complains where one can't be read.
bool add_sources(NameDictionary& names, const NamesCommand& command) {
  const auto rigs = load_rigs(command.rigs);
  if (!rigs) return false;
  for (const Rig& rig : *rigs) names.add(rig.skeleton);
  for (const auto& file : command.names) {
    if (!add_names_file(names, file)) return false;
  }
  return true;
}

int run_hash(const NamesCommand& command) {
  for (const std::string& text : command.texts) {
    say(fmt::format("{}  {}", hash_text(name_hash(text)), text));
  }
  return exit_done;
}

int run_find(const NamesCommand& command) {
  NameDictionary names = NameDictionary::built_in();
  if (!add_sources(names, command)) return exit_failed;
  bool any_unknown = false;
  for (const std::string& text : command.hashes) {
    const auto hash = hash_from_text(text);
    if (!hash) {
      complain(fmt::format("{} is not a hash: write eight hexadecimal digits, such as 0xb021fd58",
                           text));
      return exit_usage;
    }
    const auto name = names.find(*hash);
    if (name) {
      say(fmt::format("{}  {}", hash_text(*hash), *name));
    } else {
      any_unknown = true;
      complain(
          fmt::format("{}: no known name has this hash; add names with --from RIG or "
                      "--names FILE",
                      hash_text(*hash)));
    }
  }
  return any_unknown ? exit_failed : exit_done;
}

/// Writes the names of rigs and lists as a dictionary, one a line.
int run_dictionary(const NamesCommand& command) {
  if (command.rigs.empty() && command.names.empty()) {
    complain("names: say what to do: hash TEXT, find HASH, or --from RIG to list its names");
    return exit_usage;
  }
  if (is_among(command.output, command.rigs) || is_among(command.output, command.names)) {
    complain(fmt::format("{} is read from, so it can't be written to: choose another --output",
                         path_text(command.output)));
    return exit_usage;
  }
  NameDictionary names;
  if (!add_sources(names, command)) return exit_failed;
  std::string text;
  for (const std::string& name : names.names()) text.append(name).append("\n");
  if (command.output.empty()) {
    if (!text.empty()) say(std::string_view(text).substr(0, text.size() - 1));
    return exit_done;
  }
  const auto written = write_file(command.output, std::as_bytes(std::span(text)));
  if (!written) {
    complain(command.output, written.error());
    return exit_failed;
  }
  return exit_done;
}

void add_source_options(CLI::App& app, NamesCommand& command) {
  add_paths_option(app, "--from", command.rigs,
                   "A rig (.skeleton, .xbg, .glb, .gltf) to take names from; may be given again")
      ->type_name("RIG")
      ->allow_extra_args();
  add_paths_option(app, "--names", command.names,
                   "A text file to take names from, one a line; may be given again")
      ->type_name("FILE");
}

}  // namespace

void add_names(CLI::App& app, int& exit_code) {
  auto command = std::make_shared<NamesCommand>();
  CLI::App* sub =
      app.add_subcommand("names", "Hash bone names, find names by hash, list the names of rigs");
  add_source_options(*sub, *command);
  sub->add_option("-o,--output", command->output, "Where to write the names of rigs; default: here")
      ->type_name("FILE");
  sub->require_subcommand(0, 1);
  sub->footer(
      "Examples:\n"
      "  mabkit names hash Pelvis\n"
      "  mabkit names find 0xb021fd58\n"
      "  mabkit names --from hero.skeleton -o hero-names.txt");

  CLI::App* hash = sub->add_subcommand("hash", "The CRC-32 that files have in place of a name");
  hash->add_option("text", command->texts, "Names")->required()->type_name("TEXT");
  CLI::App* find = sub->add_subcommand("find", "The name that has a hash, where it is known");
  find->add_option("hash", command->hashes, "Hashes")->required()->type_name("HASH");
  add_source_options(*find, *command);

  hash->callback([command, &exit_code] { exit_code = run_hash(*command); });
  find->callback([command, &exit_code] { exit_code = run_find(*command); });
  sub->callback([command, sub, &exit_code] {
    if (sub->get_subcommands().empty()) exit_code = run_dictionary(*command);
  });
}

}  // namespace mabkit::cli
