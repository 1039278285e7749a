#include <algorithm>
#include <array>
#include <mabkit/convert.hpp>

namespace mabkit {
namespace {

constexpr std::array<std::string_view, 5> extensions{".mab", ".json", ".glb", ".gltf", ".fbx"};
constexpr std::array formats{OutputFormat::mab, OutputFormat::json, OutputFormat::glb,
                             OutputFormat::gltf, OutputFormat::fbx};
static_assert(extensions.size() == formats.size());

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

std::string_view extension_of(OutputFormat format) {
  return extensions[static_cast<std::size_t>(format)];
}

std::optional<OutputFormat> output_format(std::string_view extension) {
  if (extension.starts_with('.')) extension.remove_prefix(1);
  for (const OutputFormat format : formats) {
    const std::string_view known = extension_of(format).substr(1);
    if (std::equal(extension.begin(), extension.end(), known.begin(), known.end(),
                   [](char a, char b) { return lower(a) == b; })) {
      return format;
    }
  }
  return std::nullopt;
}

}  // namespace mabkit
