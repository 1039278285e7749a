#pragma once

#include <CLI/CLI.hpp>

namespace mabkit::cli {

/// What the process returns.
enum ExitCode : int {
  exit_done = 0,          ///< everything was done
  exit_failed = 1,        ///< some input failed; the others are done
  exit_usage = 2,         ///< the command line asks for nothing that can be done
  exit_interrupted = 130  ///< Ctrl-C or a signal to end, by the convention of shells for the first
};

// Each adds a subcommand that sets `exit_code` when it runs.
void add_info(CLI::App& app, int& exit_code);
void add_convert(CLI::App& app, int& exit_code);
void add_verify(CLI::App& app, int& exit_code);
void add_diff(CLI::App& app, int& exit_code);
void add_names(CLI::App& app, int& exit_code);

}  // namespace mabkit::cli
