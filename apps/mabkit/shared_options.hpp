#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <mabkit/convert.hpp>
#include <mabkit/names.hpp>
#include <optional>
#include <string>
#include <vector>

namespace mabkit::cli {

using Paths = std::vector<std::filesystem::path>;

/// Options of several subcommands, as they were written.
struct SharedOptions {
  std::string presence_order = "auto";
  Paths names;
  Paths skeletons;
  std::int32_t bone_offset = 0;
  bool bone_order = false;
  bool recursive = false;
  unsigned jobs = 0;  ///< 0: as many as the machine runs at once
  std::string progress = "auto";
};

/// A list of paths as an option's value: one for each time that the option is given.
CLI::Option* add_paths_option(CLI::App& app, const std::string& name, Paths& paths,
                              const std::string& help);

void add_presence_option(CLI::App& app, SharedOptions& options);
void add_names_option(CLI::App& app, SharedOptions& options);
void add_rig_options(CLI::App& app, SharedOptions& options);
void add_recursive_option(CLI::App& app, SharedOptions& options);
void add_batch_options(CLI::App& app, SharedOptions& options);

[[nodiscard]] ReadOptions read_options(const SharedOptions& options);
[[nodiscard]] BindOptions bind_options(const SharedOptions& options);
[[nodiscard]] unsigned job_count(const SharedOptions& options);

/// Whether `file` is one of `others`, whatever way either is written.
[[nodiscard]] bool is_among(const std::filesystem::path& file, const Paths& others);

/// The built-in names and those of `--names` files. Complains and gives nothing where one can't be
/// read.
[[nodiscard]] std::optional<NameDictionary> load_names(const SharedOptions& options);
/// Adds the names of a file, one a line. Complains where it can't be read.
[[nodiscard]] bool add_names_file(NameDictionary& names, const std::filesystem::path& file);
/// Every rig. Complains and gives nothing where one can't be read.
[[nodiscard]] std::optional<std::vector<Rig>> load_rigs(const Paths& files);

}  // namespace mabkit::cli
