#include <fmt/format.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <mabkit/file.hpp>
#include <memory>
#include <string>
#include <system_error>
#ifdef _WIN32
#include <io.h>
#include <process.h>
#else
#include <unistd.h>
#endif

namespace mabkit {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using FileHandle = std::unique_ptr<std::FILE, CloseFile>;

tl::unexpected<Error> io_error(std::string message) {
  return tl::unexpected(Error{ErrorCode::io, std::nullopt, {}, std::move(message)});
}

std::string reason() {
  return std::generic_category().message(errno);
}

FileHandle open(const std::filesystem::path& path, bool writes) {
#ifdef _WIN32
  return FileHandle(_wfopen(path.c_str(), writes ? L"wb" : L"rb"));
#else
  return FileHandle(std::fopen(path.c_str(), writes ? "wb" : "rb"));
#endif
}

bool flush_to_disk(std::FILE* file) {
#ifdef _WIN32
  return _commit(_fileno(file)) == 0;
#else
  return fsync(fileno(file)) == 0;
#endif
}

/// A name in the same folder that no other writer of this or another process uses.
std::filesystem::path temporary_beside(const std::filesystem::path& path) {
  static std::atomic<unsigned> counter{0};
#ifdef _WIN32
  const int process = _getpid();
#else
  const int process = getpid();
#endif
  return path.parent_path() / fmt::format(".mabkit-{}-{}.tmp", process, counter++);
}

}  // namespace

std::string path_text(const std::filesystem::path& path) {
  const std::u8string text = path.u8string();
  return {text.begin(), text.end()};
}

Result<std::vector<std::byte>> read_file(const std::filesystem::path& path,
                                         std::uint64_t max_size) {
  std::error_code code;
  if (std::filesystem::is_directory(path, code)) return io_error("is a folder, not a file");
  if (std::filesystem::exists(path, code) && !std::filesystem::is_regular_file(path, code)) {
    return io_error("is no file, but a device or a pipe");
  }
  const FileHandle file = open(path, false);
  if (!file) return io_error(fmt::format("can't be opened: {}", reason()));

  const auto size = std::filesystem::file_size(path, code);
  const auto over_limit = [max_size](std::uint64_t found) {
    return tl::unexpected(
        Error{ErrorCode::limit,
              std::nullopt,
              {},
              fmt::format("has {} bytes, more than the limit of {}", found, max_size)});
  };
  if (code) return io_error(fmt::format("its size can't be told: {}", code.message()));
  if (size > max_size) return over_limit(size);

  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  std::size_t used = 0;
  while (used < bytes.size()) {
    const std::size_t got = std::fread(bytes.data() + used, 1, bytes.size() - used, file.get());
    if (got == 0) break;
    used += got;
  }
  if (std::ferror(file.get()) != 0) return io_error(fmt::format("can't be read: {}", reason()));
  bytes.resize(used);
  return bytes;
}

Result<void> write_file(const std::filesystem::path& path, std::span<const std::byte> bytes,
                        bool durable) {
  std::error_code code;
  if (path.has_parent_path()) {
    std::filesystem::create_directories(path.parent_path(), code);
    if (code) return io_error(fmt::format("its folder can't be made: {}", code.message()));
  }
  const std::filesystem::path temporary = temporary_beside(path);
  const auto give_up = [&](std::string message) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    return io_error(std::move(message));
  };

  FileHandle file = open(temporary, true);
  if (!file) return io_error(fmt::format("can't be written: {}", reason()));
  if (!bytes.empty() && std::fwrite(bytes.data(), 1, bytes.size(), file.get()) != bytes.size()) {
    return give_up(fmt::format("can't be written: {}", reason()));
  }
  if (std::fflush(file.get()) != 0 || (durable && !flush_to_disk(file.get()))) {
    return give_up(fmt::format("can't be written: {}", reason()));
  }
  if (std::fclose(file.release()) != 0) {
    return give_up(fmt::format("can't be written: {}", reason()));
  }
  std::filesystem::rename(temporary, path, code);
  if (code) return give_up(fmt::format("can't be put in place: {}", code.message()));
  return {};
}

}  // namespace mabkit
