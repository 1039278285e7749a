#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <mabkit/error.hpp>
#include <mabkit/imported_motion.hpp>

namespace mabkit {

/// How an FBX is read, and what the program that does it may use.
struct FbxReadOptions {
  ImportOptions import;
  /// The importer. Empty: `mabkit-fbx-import` beside the running program.
  std::filesystem::path importer;
  std::chrono::milliseconds max_time{60'000};
  std::uint64_t max_memory = 2ULL << 30;    ///< bytes of address space
  std::uint64_t max_output = 256ULL << 20;  ///< bytes of text that describe the scene
};

/// Reads an FBX, binary or text, through assimp in a process of its own with limits
/// (docs/formats/fbx.md). Whatever the file makes of that process becomes an error: `limit` where
/// it takes too long, too much memory or is too long; `bad_value` where it crashes or the file is
/// not to be read; `unsupported` where the importer is not installed; else those of
/// `read_fbx_scene`.
[[nodiscard]] Result<ImportedMotion> read_fbx(const std::filesystem::path& file,
                                              const FbxReadOptions& options);

}  // namespace mabkit
