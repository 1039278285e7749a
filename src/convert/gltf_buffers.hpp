#pragma once

#include <filesystem>
#include <mabkit/gltf.hpp>
#include <mabkit/limits.hpp>

namespace mabkit::conversion {

/// Reads the buffers that a `.gltf` keeps in other files, from the folder of `gltf` or below and
/// nowhere else: a file from a stranger must not say what is read. Nothing where `gltf` is empty.
[[nodiscard]] BufferSource buffers_beside(const std::filesystem::path& gltf,
                                          const ReadLimits& limits);

}  // namespace mabkit::conversion
