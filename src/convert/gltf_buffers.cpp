#include "convert/gltf_buffers.hpp"

#include <fmt/format.h>

#include <mabkit/file.hpp>
#include <optional>
#include <string>
#include <system_error>

namespace mabkit::conversion {
namespace {

namespace fs = std::filesystem;

std::optional<unsigned> hex_digit(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A' + 10);
  return std::nullopt;
}

/// Undoes percent-encoding (RFC 3986, 2.1).
std::string decoded(std::string_view uri) {
  std::string out;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    if (uri[i] == '%' && i + 2 < uri.size()) {
      const auto high = hex_digit(uri[i + 1]);
      const auto low = hex_digit(uri[i + 2]);
      if (high && low) {
        out.push_back(static_cast<char>(*high * 16 + *low));
        i += 2;
        continue;
      }
    }
    out.push_back(uri[i]);
  }
  return out;
}

/// Whether the file, links followed, is in the folder or below it.
bool is_inside(const fs::path& folder, const fs::path& file) {
  std::error_code code;
  const fs::path root = fs::weakly_canonical(folder.empty() ? fs::path(".") : folder, code);
  if (code) return false;
  const fs::path relative = fs::weakly_canonical(file, code).lexically_relative(root);
  return !code && !relative.empty() && *relative.begin() != "..";
}

bool stays_below(const fs::path& path, const std::string& text) {
  if (path.empty() || path.is_absolute() || path.has_root_name() || path.has_root_directory()) {
    return false;
  }
  if (text.find(':') != std::string::npos || text.find('\\') != std::string::npos ||
      text.find('\0') != std::string::npos) {
    return false;
  }
  for (const fs::path& part : path) {
    if (part == "..") return false;
  }
  return true;
}

}  // namespace

BufferSource buffers_beside(const fs::path& gltf, const ReadLimits& limits) {
  if (gltf.empty()) return {};
  return [folder = gltf.parent_path(),
          most = limits.max_file_size](std::string_view uri) -> Result<std::vector<std::byte>> {
    const std::string text = decoded(uri);
    const fs::path path(std::u8string(text.begin(), text.end()));
    if (!stays_below(path, text) || !is_inside(folder, folder / path)) {
      return tl::unexpected(
          Error{ErrorCode::unsupported,
                std::nullopt,
                {},
                fmt::format("the buffer {} is not a file beside the glTF or in a folder below it, "
                            "and others are not read",
                            text)});
    }
    return read_file(folder / path, most).map_error([&](Error error) {
      error.message = fmt::format("its buffer {} {}", text, error.message);
      return error;
    });
  };
}

}  // namespace mabkit::conversion
