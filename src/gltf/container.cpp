#include <limits>
#include <mabkit/gltf.hpp>
#include <string_view>
#include <utility>

#include "base/base64.hpp"
#include "base/bytes.hpp"

namespace mabkit {
namespace {

constexpr std::uint32_t glb_magic = 0x46546C67;  // "glTF"
constexpr std::uint32_t glb_version = 2;
constexpr std::uint32_t json_chunk = 0x4E4F534A;    // "JSON"
constexpr std::uint32_t binary_chunk = 0x004E4942;  // "BIN"
constexpr std::size_t header_size = 12;
constexpr std::size_t chunk_header_size = 8;
constexpr std::size_t alignment = 4;

/// How the JSON of an asset with a buffer ends: the buffer's object, the list, the asset.
constexpr std::string_view json_tail = "}]}";

tl::unexpected<Error> error(ErrorCode code, std::string message) {
  return tl::unexpected(Error{code, std::nullopt, {}, std::move(message)});
}

}  // namespace

Result<std::vector<std::byte>> write_glb(const GltfAsset& asset) {
  const std::uint64_t json_size = base::align_up(asset.json.size(), alignment);
  const std::uint64_t binary_size = base::align_up(asset.buffer.size(), alignment);
  const std::uint64_t size = header_size + chunk_header_size + json_size +
                             (binary_size == 0 ? 0 : chunk_header_size + binary_size);
  if (size > std::numeric_limits<std::uint32_t>::max()) {
    return error(ErrorCode::limit, "the asset is larger than the 4 GiB that a .glb can hold");
  }
  base::ByteWriter out;
  out.put(glb_magic);
  out.put(glb_version);
  out.put(static_cast<std::uint32_t>(size));
  out.put(static_cast<std::uint32_t>(json_size));
  out.put(json_chunk);
  out.put_bytes(std::as_bytes(std::span(asset.json)));
  while (out.size() % alignment != 0) out.put(' ');
  if (binary_size != 0) {
    out.put(static_cast<std::uint32_t>(binary_size));
    out.put(binary_chunk);
    out.put_bytes(asset.buffer);
    out.align(alignment);
  }
  return std::move(out).take();
}

Result<std::string> write_gltf(const GltfAsset& asset) {
  if (asset.buffer.empty()) return asset.json;
  if (!asset.json.ends_with(json_tail)) {
    return error(ErrorCode::bad_argument, "the asset's JSON does not end with its buffer");
  }
  std::string out = asset.json.substr(0, asset.json.size() - json_tail.size());
  out.append(R"(,"uri":"data:application/octet-stream;base64,)");
  out.append(base::base64(asset.buffer)).append("\"").append(json_tail);
  return out;
}

}  // namespace mabkit
