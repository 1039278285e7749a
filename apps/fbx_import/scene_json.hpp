#pragma once

#include <cstddef>
#include <optional>
#include <string>

struct aiScene;

/// What mabkit takes from a scene: nodes, axes, unit, animations (`mabkit.fbx-scene/1`,
/// docs/formats/fbx.md). Absent where the text would be longer than `max_size`.
[[nodiscard]] std::optional<std::string> scene_json(const aiScene& scene, std::size_t max_size);
