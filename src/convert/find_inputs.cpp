#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <mabkit/batch.hpp>
#include <mabkit/file.hpp>
#include <set>
#include <system_error>
#include <utility>

namespace mabkit {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 5> motion_extensions{".mab", ".glb", ".gltf", ".bvh",
                                                            ".fbx"};

Error refused(std::string message) {
  return {ErrorCode::io, std::nullopt, {}, std::move(message)};
}

/// Extensions that files of a folder are taken by; the first is `.mab`.
std::span<const std::string_view> extensions_of(InputKind kind) {
  const std::span<const std::string_view> all(motion_extensions);
  return kind == InputKind::mab ? all.first(1) : all;
}

std::string lower_case(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

/// Lists inputs once each, whatever way they were asked for.
class Finder {
 public:
  explicit Finder(InputKind kind) : extensions_(extensions_of(kind)) {}

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
      if (!is_one_of(entry->path(), motion_extensions) || !entry->is_regular_file(ignored))
        continue;
      if (is_one_of(entry->path(), extensions_)) {
        found.push_back({entry->path(), entry->path().lexically_relative(folder)});
      } else {
        list_.passed_over.push_back(entry->path());
      }
    }
    if (code) refuse(folder, fmt::format("can't be walked: {}", code.message()));
    if (!code && found.empty()) {
      refuse(folder, fmt::format("holds no {} file", fmt::join(extensions_, ", ")));
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
  [[nodiscard]] static bool is_one_of(const fs::path& path,
                                      std::span<const std::string_view> extensions) {
    const std::string extension = lower_case(path_text(path.extension()));
    return std::find(extensions.begin(), extensions.end(), extension) != extensions.end();
  }

  std::span<const std::string_view> extensions_;
  InputList list_;
  std::set<std::pair<fs::path, fs::path>> seen_;
};

}  // namespace

Result<InputList> find_inputs(std::span<const std::filesystem::path> paths, bool recursive,
                              InputKind kind) {
  Finder finder(kind);
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
      return tl::unexpected(
          Error{ErrorCode::bad_argument,
                std::nullopt,
                {},
                fmt::format("{} is a folder: add --recursive to take every {} "
                            "file in it",
                            path_text(path), fmt::join(extensions_of(kind), ", "))});
    } else {
      finder.add_folder(path);
    }
  }
  return std::move(finder).take();
}

}  // namespace mabkit
