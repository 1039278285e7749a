#include "convert/source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mabkit/bvh.hpp>
#include <mabkit/fbx_file.hpp>
#include <mabkit/file.hpp>
#include <mabkit/gltf.hpp>
#include <mabkit/json.hpp>
#include <string_view>

#include "convert/gltf_buffers.hpp"

namespace mabkit::conversion {
namespace {

constexpr std::string_view glb_magic = "glTF";                // glTF 2.0, 4.4.2
constexpr std::string_view fbx_magic = "Kaydara FBX Binary";  // of the binary form
constexpr std::string_view fbx_comment = "; FBX";             // how the text form begins
constexpr std::string_view bvh_keyword = "HIERARCHY";
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
/// Where the words that tell JSON formats apart are looked for.
constexpr std::size_t telling_part = 4096;

std::string_view trimmed_text(std::span<const std::byte> bytes) {
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  return text;
}

/// Whether a JSON text is a bank rather than glTF, which must have an `asset`.
bool is_bank(std::string_view text) {
  const std::string_view start = text.substr(0, telling_part);
  return start.find("mabkit.bank/") != std::string_view::npos ||
         text.find("\"asset\"") == std::string_view::npos;
}

Source from(ImportedMotion motion) {
  Source source;
  source.bank = std::move(motion.bank);
  source.skeleton = std::move(motion.skeleton);
  source.are_takes = motion.are_takes;
  source.notices = std::move(motion.notices);
  return source;
}

Result<ImportedMotion> read_fbx_from(const std::filesystem::path& file,
                                     const ConvertOptions& options) {
  if (file.empty()) {
    return tl::unexpected(Error{ErrorCode::unsupported,
                                std::nullopt,
                                {},
                                "is FBX, which is only read from a file on the disk"});
  }
  FbxReadOptions fbx;
  fbx.import = options.import;
  fbx.importer = options.fbx_importer;
  return read_fbx(file, fbx);
}

Result<ImportedMotion> import(SourceFormat format, std::span<const std::byte> bytes,
                              const std::filesystem::path& file, const ConvertOptions& options) {
  ImportOptions import = options.import;
  import.limits = options.read.limits;
  switch (format) {
    case SourceFormat::json:
      return read_json(bytes, import);
    case SourceFormat::gltf:
      return read_gltf_motion(bytes, import, buffers_beside(file, import.limits));
    case SourceFormat::bvh:
      return read_bvh(bytes, import);
    default:
      return read_fbx_from(file, options);
  }
}

}  // namespace

SourceFormat source_format(std::span<const std::byte> bytes) {
  const std::string_view text = trimmed_text(bytes);
  if (text.starts_with(glb_magic)) return SourceFormat::gltf;
  if (text.starts_with(fbx_magic) || text.starts_with(fbx_comment)) return SourceFormat::fbx;
  if (text.starts_with(bvh_keyword)) return SourceFormat::bvh;
  if (text.starts_with('{')) return is_bank(text) ? SourceFormat::json : SourceFormat::gltf;
  return SourceFormat::mab;
}

Result<Source> read_source(std::vector<std::byte> bytes, const std::filesystem::path& file,
                           const ConvertOptions& options) {
  const SourceFormat format = source_format(bytes);
  if (format != SourceFormat::mab) {
    return import(format, bytes, file, options).map([format](ImportedMotion motion) {
      Source source = from(std::move(motion));
      source.is_of_games = format == SourceFormat::json;
      return source;
    });
  }
  auto document = Document::parse(std::move(bytes), options.read);
  if (!document) return tl::unexpected(std::move(document.error()));
  Source source;
  source.document = std::move(*document);
  source.is_of_games = true;
  return source;
}

}  // namespace mabkit::conversion
