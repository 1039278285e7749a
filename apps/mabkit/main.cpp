#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <new>

#include "commands.hpp"
#include "console.hpp"

namespace {

using namespace mabkit::cli;

int run(int argc, char** argv) {
  int exit_code = exit_done;
  CLI::App app(
      "Reads, checks and converts the animation files (.mab) of the Dunia and Disrupt "
      "engines: Far Cry 2 to 6, Watch Dogs 1 to Legion.",
      "mabkit");
  app.set_version_flag("--version", "mabkit " MABKIT_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Example:\n  mabkit convert walk.mab --skeleton hero.skeleton -o walk.glb\n"
      "`mabkit SUBCOMMAND --help` has an example of each.");
  add_info(app, exit_code);
  add_convert(app, exit_code);
  add_verify(app, exit_code);
  add_diff(app, exit_code);
  add_names(app, exit_code);

  if (argc < 2) {
    say_aside(app.help());
    return exit_usage;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? exit_done : exit_usage;
  }
  if (std::fflush(stdout) != 0) {
    complain("the output could not be written");
    return exit_failed;
  }
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    mabkit::cli::complain("needs more memory than there is");
  } catch (const std::exception& error) {
    mabkit::cli::complain(error.what());
  }
  return mabkit::cli::exit_failed;
}
