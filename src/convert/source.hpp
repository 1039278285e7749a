#pragma once

#include <cstddef>
#include <filesystem>
#include <mabkit/bank.hpp>
#include <mabkit/convert.hpp>
#include <mabkit/document.hpp>
#include <mabkit/error.hpp>
#include <mabkit/imported_motion.hpp>
#include <mabkit/skeleton.hpp>
#include <optional>
#include <span>
#include <vector>

namespace mabkit::conversion {

/// What an input is, by its content.
enum class SourceFormat : std::uint8_t { mab, json, gltf, bvh, fbx };

[[nodiscard]] SourceFormat source_format(std::span<const std::byte> bytes);

/// An input that was read.
struct Source {
  std::optional<Document> document;  ///< of a `.mab`
  Bank bank;                         ///< empty for a `.mab`, until it is asked for
  Skeleton skeleton;                 ///< that the input brings; without bones where it has none
  bool are_takes = false;            ///< see `ImportedMotion`
  bool is_of_games = false;          ///< a `.mab`, or JSON of one: Z is up, in metres
  std::vector<Diagnostic> notices;
};

/// Reads an input of any format. `file` is where the bytes are from, empty where that is nowhere.
[[nodiscard]] Result<Source> read_source(std::vector<std::byte> bytes,
                                         const std::filesystem::path& file,
                                         const ConvertOptions& options);

}  // namespace mabkit::conversion
