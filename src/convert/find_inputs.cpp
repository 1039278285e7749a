#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <mabkit/batch.hpp>
#include <mabkit/file.hpp>
#include <set>
#include <system_error>
#include <utility>

namespace mabkit {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view clip_extension = ".mab";

Error refused(std::string message) {
  return {ErrorCode::io, std::nullopt, {}, std::move(message)};
}

bool is_clip_file(const fs::path& path) {
  return output_format(path_text(path.extension())) == OutputFormat::mab;
}

/// Lists inputs once each, whatever way they were asked for.
class Finder {
 public:
  void add_file(const fs::path& file, const fs::path& relative) {
    std::error_code code;
    const fs::path canonical = fs::weakly_canonical(file, code);
    if (!seen_.insert({code ? file : canonical, relative}).second) return;
    list_.files.push_back({file, relative});
  }

  void add_folder(const fs::path& folder) {
    std::vector<InputFile> found;
    std::error_code code;
    // Links to folders are not followed: they may form a cycle.
    fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied,
                                           code);
    for (; !code && entry != fs::recursive_directory_iterator(); entry.increment(code)) {
      std::error_code ignored;
      if (is_clip_file(entry->path()) && entry->is_regular_file(ignored)) {
        found.push_back({entry->path(), entry->path().lexically_relative(folder)});
      }
    }
    if (code) refuse(folder, fmt::format("can't be walked: {}", code.message()));
    if (!code && found.empty()) {
      refuse(folder, fmt::format("holds no {} file", clip_extension));
    }
    std::sort(found.begin(), found.end(), [](const InputFile& a, const InputFile& b) {
      return a.relative.generic_string() < b.relative.generic_string();
    });
    for (const InputFile& file : found) add_file(file.file, file.relative);
  }

  void refuse(const fs::path& path, std::string message) {
    list_.refused.push_back({path, refused(std::move(message))});
  }

  [[nodiscard]] InputList take() && { return std::move(list_); }

 private:
  InputList list_;
  std::set<std::pair<fs::path, fs::path>> seen_;
};

}  // namespace

Result<InputList> find_inputs(std::span<const std::filesystem::path> paths, bool recursive) {
  Finder finder;
  for (const fs::path& path : paths) {
    std::error_code code;
    const fs::file_status status = fs::status(path, code);
    if (!fs::exists(status)) {
      finder.refuse(path, code && status.type() == fs::file_type::none
                              ? fmt::format("can't be looked at: {}", code.message())
                              : "does not exist");
    } else if (!fs::is_directory(status)) {
      finder.add_file(path, path.filename());
    } else if (!recursive) {
      return tl::unexpected(Error{ErrorCode::bad_argument,
                                  std::nullopt,
                                  {},
                                  fmt::format("{} is a folder: add --recursive to take every {} "
                                              "file in it",
                                              path_text(path), clip_extension)});
    } else {
      finder.add_folder(path);
    }
  }
  return std::move(finder).take();
}

}  // namespace mabkit
