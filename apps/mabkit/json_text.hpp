#pragma once

#include <filesystem>
#include <mabkit/error.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace mabkit::cli {

/// Ordered keys, and numbers as the shortest text that reads back to the same float.
using Json = nlohmann::basic_json<nlohmann::ordered_map, std::vector, std::string, bool,
                                  std::int64_t, std::uint64_t, float>;

/// The name of an error's code as reports have it: `truncated`, `bad_value`, ...
[[nodiscard]] std::string_view code_name(ErrorCode code);

template <class T>
[[nodiscard]] Json json_or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

[[nodiscard]] Json error_json(const std::optional<Error>& error);
[[nodiscard]] Json diagnostic_json(const Diagnostic& diagnostic);
[[nodiscard]] Json path_json(const std::filesystem::path& path);

/// The object as text, indented; text that is not UTF-8 is replaced.
[[nodiscard]] std::string dump(const Json& json);

}  // namespace mabkit::cli
