#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <mabkit/convert.hpp>
#include <optional>
#include <string>

namespace mabkit::cli {

/// Options that say how a `.mab` is made, and how files of other tools are read, as written.
struct EncodeArguments {
  std::filesystem::path like;
  std::filesystem::path map;
  std::filesystem::path target_skeleton;
  std::string retarget = "on";
  std::string bind = "auto";
  std::string up = "auto";
  std::string scale = "auto";
  std::optional<double> max_error;     ///< degrees
  std::optional<double> max_offset;    ///< millimetres
  std::optional<double> max_error_mm;  ///< millimetres
  std::optional<std::string> key_reduction;
  std::optional<double> fps;
  std::optional<double> keep_tolerance;
  bool keep_grid = false;

  /// Whether an option was given that only writing `.mab` heeds: its name, else empty.
  [[nodiscard]] std::string only_for_mab() const;
  /// Why two of the options don't go together; empty where all do.
  [[nodiscard]] std::string contradiction() const;
};

void add_encode_options(CLI::App& app, EncodeArguments& arguments);

/// Puts the arguments into `options`. Complains and returns false where a file can't be read or a
/// number makes no sense. A folder of templates is left to the caller.
[[nodiscard]] bool apply_encode_options(const EncodeArguments& arguments, ConvertOptions& options);

}  // namespace mabkit::cli
