#pragma once

#include <filesystem>
#include <mabkit/document.hpp>
#include <mabkit/names.hpp>
#include <optional>
#include <string>
#include <vector>

#include "json_text.hpp"

namespace mabkit::cli {

/// What `info` knows of one file.
struct FileInfo {
  std::filesystem::path file;
  std::uint64_t size = 0;  ///< bytes
  FileSummary summary;
  std::optional<Bank> bank;  ///< absent where the values can't be decoded
  std::vector<Diagnostic> diagnostics;
  std::optional<Error> error;  ///< why it can't be read, or its values decoded
  bool is_readable = false;    ///< the structure was read, so that the rest is worth showing
  std::vector<ByteRun> runs;   ///< only where they were asked for
};

[[nodiscard]] FileInfo read_info(const std::filesystem::path& file, const ReadOptions& options,
                                 bool with_runs);

/// The file as text for people. Empty where it can't be read.
[[nodiscard]] std::string info_text(const FileInfo& info, const NameDictionary& names);

/// The file as an entry of `mabkit.info/1` (docs/schema/info-1.schema.json).
[[nodiscard]] Json info_json(const FileInfo& info, const NameDictionary& names, bool with_runs);

}  // namespace mabkit::cli
