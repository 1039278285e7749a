#include "json_text.hpp"

#include <mabkit/file.hpp>

namespace mabkit::cli {

std::string_view code_name(ErrorCode code) {
  switch (code) {
    case ErrorCode::io:
      return "io";
    case ErrorCode::unknown_format:
      return "unknown_format";
    case ErrorCode::truncated:
      return "truncated";
    case ErrorCode::bad_value:
      return "bad_value";
    case ErrorCode::inconsistent:
      return "inconsistent";
    case ErrorCode::limit:
      return "limit";
    case ErrorCode::unsupported:
      return "unsupported";
    case ErrorCode::bad_argument:
      return "bad_argument";
    case ErrorCode::out_of_range:
      return "out_of_range";
    case ErrorCode::out_of_memory:
      return "out_of_memory";
  }
  return {};
}

Json error_json(const std::optional<Error>& error) {
  if (!error) return nullptr;
  return {{"code", code_name(error->code)},
          {"offset", json_or_null(error->offset)},
          {"path", error->path},
          {"message", error->message}};
}

Json diagnostic_json(const Diagnostic& diagnostic) {
  return {{"offset", json_or_null(diagnostic.offset)},
          {"path", diagnostic.path},
          {"message", diagnostic.message}};
}

Json path_json(const std::filesystem::path& path) {
  return path_text(path);
}

std::string dump(const Json& json) {
  return json.dump(1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace mabkit::cli
