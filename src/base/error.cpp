#include <fmt/format.h>

#include <mabkit/error.hpp>

namespace mabkit {
namespace {

std::string place(std::string_view file, const std::optional<std::uint64_t>& offset,
                  std::string_view path, std::string_view message) {
  std::string text(file);
  if (offset) text += fmt::format("{}offset 0x{:X}", text.empty() ? "" : ": ", *offset);
  if (!path.empty()) text += fmt::format("{}{}", text.empty() ? "" : ": ", path);
  text += fmt::format("{}{}", text.empty() ? "" : ": ", message);
  return text;
}

}  // namespace

std::string describe(std::string_view file, const Error& error) {
  return place(file, error.offset, error.path, error.message);
}

std::string describe(std::string_view file, const Diagnostic& diagnostic) {
  return place(file, diagnostic.offset, diagnostic.path, diagnostic.message);
}

}  // namespace mabkit
