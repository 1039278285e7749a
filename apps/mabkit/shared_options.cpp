#include "shared_options.hpp"

#include <algorithm>
#include <mabkit/batch.hpp>
#include <mabkit/file.hpp>
#include <string_view>

#include "console.hpp"

namespace mabkit::cli {
namespace {

constexpr unsigned most_jobs = 256;

std::string_view text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

CLI::Option* add_paths_option(CLI::App& app, const std::string& name, Paths& paths,
                              const std::string& help) {
  // One value a mention, so that an input after it is not taken for another value.
  return app.add_option(name, paths, help)->allow_extra_args(false);
}

void add_presence_option(CLI::App& app, SharedOptions& options) {
  app.add_option("--presence-order", options.presence_order,
                 "How key times of FC2 and FC3 clips are read: auto (decided from the file), lsb "
                 "or msb")
      ->check(CLI::IsMember({"auto", "lsb", "msb"}))
      ->type_name("ORDER")
      ->capture_default_str();
}

void add_names_option(CLI::App& app, SharedOptions& options) {
  add_paths_option(app, "--names", options.names,
                   "A text file of bone names, one a line, to name joints by their hash; may be "
                   "given again")
      ->type_name("FILE");
}

void add_rig_options(CLI::App& app, SharedOptions& options) {
  add_paths_option(app, "--skeleton", options.skeletons,
                   "The rig: .skeleton, .xbg, .glb or .gltf; may be given again, and each clip "
                   "takes the one that fits it best")
      ->type_name("RIG");
  app.add_option("--bone-offset", options.bone_offset,
                 "Subtracted from skeleton ids before they are looked up (scenes with several "
                 "rigs in one clip)")
      ->type_name("N");
  app.add_flag("--bone-order", options.bone_order,
               "Take the order of the rig's bones for skeleton ids where the rig has none (a "
               "guess)");
}

void add_recursive_option(CLI::App& app, SharedOptions& options) {
  app.add_flag("-r,--recursive", options.recursive,
               "Take every .mab file below a folder; where convert writes .mab, every .glb, .gltf, "
               ".bvh and .fbx "
               "as well");
}

void add_batch_options(CLI::App& app, SharedOptions& options) {
  add_recursive_option(app, options);
  app.add_option("-j,--jobs", options.jobs, "Files worked on at once (default: one a processor)")
      ->check(CLI::Range(1U, most_jobs))
      ->type_name("N");
  app.add_option("--progress", options.progress,
                 "On standard error: auto (a line on a terminal), json (a line a step), none")
      ->check(CLI::IsMember({"auto", "json", "none"}))
      ->type_name("HOW")
      ->capture_default_str();
}

ReadOptions read_options(const SharedOptions& options) {
  ReadOptions read;
  if (options.presence_order == "lsb") read.presence_order = PresenceOrder::lsb;
  if (options.presence_order == "msb") read.presence_order = PresenceOrder::msb;
  return read;
}

BindOptions bind_options(const SharedOptions& options) {
  return {options.bone_offset, options.bone_order};
}

unsigned job_count(const SharedOptions& options) {
  return options.jobs == 0 ? default_jobs() : options.jobs;
}

bool is_among(const std::filesystem::path& file, const Paths& others) {
  return std::any_of(others.begin(), others.end(), [&file](const auto& other) {
    std::error_code code;
    return std::filesystem::equivalent(file, other, code);
  });
}

bool add_names_file(NameDictionary& names, const std::filesystem::path& file) {
  const auto bytes = read_file(file, ReadLimits{}.max_file_size);
  if (!bytes) {
    complain(file, bytes.error());
    return false;
  }
  names.add_lines(text_of(*bytes));
  return true;
}

std::optional<NameDictionary> load_names(const SharedOptions& options) {
  NameDictionary names = NameDictionary::built_in();
  for (const auto& file : options.names) {
    if (!add_names_file(names, file)) return std::nullopt;
  }
  return names;
}

std::optional<std::vector<Rig>> load_rigs(const Paths& files) {
  std::vector<Rig> rigs;
  for (const auto& file : files) {
    auto rig = load_rig(file);
    if (!rig) {
      complain(file, rig.error());
      return std::nullopt;
    }
    for (const Diagnostic& found : rig->skeleton.diagnostics) warn(file, found);
    rigs.push_back(std::move(*rig));
  }
  return rigs;
}

}  // namespace mabkit::cli
