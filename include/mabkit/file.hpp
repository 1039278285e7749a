#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <mabkit/error.hpp>
#include <span>
#include <string>
#include <vector>

namespace mabkit {

/// A path as UTF-8 text, for messages and reports.
[[nodiscard]] std::string path_text(const std::filesystem::path& path);

/// Reads a whole file. Fails with `io`, or with `limit` where it is larger than `max_size` bytes.
[[nodiscard]] Result<std::vector<std::byte>> read_file(const std::filesystem::path& path,
                                                       std::uint64_t max_size);

/// Writes a temporary file in the same folder and renames it, so that `path` is never half written.
/// Makes missing folders. `durable` flushes to the disk before the rename.
[[nodiscard]] Result<void> write_file(const std::filesystem::path& path,
                                      std::span<const std::byte> bytes, bool durable = false);

}  // namespace mabkit
