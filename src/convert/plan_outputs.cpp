#include <fmt/format.h>

#include <array>
#include <mabkit/batch.hpp>
#include <mabkit/file.hpp>
#include <map>
#include <set>
#include <system_error>

namespace mabkit {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> refused(std::string message) {
  return tl::unexpected(Error{ErrorCode::bad_argument, std::nullopt, {}, std::move(message)});
}

bool is_folder(const fs::path& path) {
  std::error_code code;
  return !path.has_filename() || fs::is_directory(path, code);
}

std::string known_extensions() {
  return ".mab, .json, .glb, .gltf and .fbx";
}

/// Whether the target is a folder: because it is one, is written as one, or has to be one.
bool is_folder_target(const OutputTarget& target) {
  if (target.is_folder || is_folder(target.path)) return true;
  return target.to && !output_format(path_text(target.path.extension()));
}

Result<OutputFormat> format_of(const OutputTarget& target, bool is_folder) {
  const std::string extension = path_text(target.path.extension());
  const auto by_extension = is_folder ? std::nullopt : output_format(extension);
  if (target.to && by_extension && *target.to != *by_extension) {
    return refused(fmt::format("--to {} contradicts the extension of {}",
                               extension_of(*target.to).substr(1), path_text(target.path)));
  }
  if (target.to) return *target.to;
  if (by_extension) return *by_extension;
  if (is_folder) {
    return refused(
        fmt::format("{} is a folder, or has to be one for several inputs: add --to EXT "
                    "to say what to write ({})",
                    path_text(target.path), known_extensions()));
  }
  if (extension.empty()) {
    return refused(
        fmt::format("{} has no extension: add one of {}, or --to EXT to write into a "
                    "folder of that name",
                    path_text(target.path), known_extensions()));
  }
  return refused(
      fmt::format("{} has the extension {}, which is not one that can be written: use "
                  "{}",
                  path_text(target.path), extension, known_extensions()));
}

/// Outputs by place, so that none is given away twice and no input is among them.
class Places {
 public:
  explicit Places(std::span<const InputFile> inputs, const OutputTarget& target) {
    for (const InputFile& input : inputs) protected_.insert(canonical_place(input.file));
    for (const fs::path& file : target.protected_files) protected_.insert(canonical_place(file));
    if (!target.like.empty()) protected_.insert(canonical_place(target.like));
  }

  Result<void> take(const PlannedFile& file) {
    const fs::path output = canonical_place(file.output);
    const bool is_template = !file.like.empty() && canonical_place(file.like) == output;
    if (is_template || protected_.contains(output)) {
      return refused(
          fmt::format("{} would be replaced by its own output or another one's: inputs "
                      "are never written to, so choose another folder or name",
                      path_text(file.output)));
    }
    const auto [taken, is_free] = taken_.emplace(output, file.input);
    if (!is_free) {
      return refused(fmt::format("{} and {} would both become {}: convert them into two folders",
                                 path_text(taken->second), path_text(file.input),
                                 path_text(file.output)));
    }
    return {};
  }

  /// Every place that is read or written.
  [[nodiscard]] std::set<fs::path> reserved() const {
    std::set<fs::path> places = protected_;
    for (const auto& [output, input] : taken_) places.insert(output);
    return places;
  }

 private:
  std::set<fs::path> protected_;
  std::map<fs::path, fs::path> taken_;
};

}  // namespace

fs::path canonical_place(const fs::path& path) {
  std::error_code code;
  fs::path canonical = fs::weakly_canonical(fs::absolute(path, code), code);
  return code ? path.lexically_normal() : canonical;
}

Result<OutputPlan> plan_outputs(std::span<const InputFile> inputs, const OutputTarget& target) {
  std::error_code code;
  const bool into_folder = is_folder_target(target);
  if (into_folder && fs::exists(target.path, code) && !fs::is_directory(target.path, code)) {
    return refused(
        fmt::format("{} is a file, but several outputs need a folder", path_text(target.path)));
  }
  const auto format = format_of(target, into_folder);
  if (!format) return tl::unexpected(format.error());

  OutputPlan plan{*format, {}, {}};
  Places places(inputs, target);
  for (const InputFile& input : inputs) {
    fs::path output = target.path;
    if (into_folder)
      output = (target.path / input.relative).replace_extension(extension_of(*format));
    fs::path like;
    if (!target.like.empty() && fs::is_directory(target.like, code)) {
      like = (target.like / input.relative).replace_extension(".mab");
    }
    plan.files.push_back({input.file, std::move(output), std::move(like)});
    const auto taken = places.take(plan.files.back());
    if (!taken) return tl::unexpected(taken.error());
  }
  plan.reserved = places.reserved();
  return plan;
}

}  // namespace mabkit
