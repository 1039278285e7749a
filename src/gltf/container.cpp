#include <initializer_list>
#include <limits>
#include <mabkit/gltf.hpp>
#include <string_view>
#include <utility>

#include "base/allocation.hpp"
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

void append_words(std::vector<std::byte>& out, std::initializer_list<std::uint32_t> words) {
  for (const std::uint32_t word : words) {
    const auto bytes = std::as_bytes(std::span(&word, 1));
    out.insert(out.end(), bytes.begin(), bytes.end());
  }
}

/// Length with padding, type, bytes, padding.
void append_chunk(std::vector<std::byte>& out, std::uint32_t type, std::span<const std::byte> bytes,
                  std::byte padding) {
  const std::uint64_t size = base::align_up(bytes.size(), alignment);
  append_words(out, {static_cast<std::uint32_t>(size), type});
  out.insert(out.end(), bytes.begin(), bytes.end());
  out.insert(out.end(), static_cast<std::size_t>(size - bytes.size()), padding);
}

tl::unexpected<Error> error(ErrorCode code, std::string message) {
  return tl::unexpected(Error{code, std::nullopt, {}, std::move(message)});
}

Result<std::vector<std::byte>> to_glb(const GltfAsset& asset) {
  const std::uint64_t json_size = base::align_up(asset.json.size(), alignment);
  const std::uint64_t binary_size = base::align_up(asset.buffer.size(), alignment);
  const std::uint64_t size = header_size + chunk_header_size + json_size +
                             (binary_size == 0 ? 0 : chunk_header_size + binary_size);
  if (size > std::numeric_limits<std::uint32_t>::max()) {
    return error(ErrorCode::limit, "the asset is larger than the 4 GiB that a .glb can hold");
  }
  std::vector<std::byte> out;
  out.reserve(static_cast<std::size_t>(size));
  append_words(out, {glb_magic, glb_version, static_cast<std::uint32_t>(size)});
  append_chunk(out, json_chunk, std::as_bytes(std::span(asset.json)), std::byte{' '});
  if (binary_size != 0) append_chunk(out, binary_chunk, asset.buffer, std::byte{0});
  return out;
}

Result<std::string> to_gltf_text(const GltfAsset& asset) {
  if (asset.buffer.empty()) return asset.json;
  if (!asset.json.ends_with(json_tail)) {
    return error(ErrorCode::bad_argument, "the asset's JSON does not end with its buffer");
  }
  std::string out = asset.json.substr(0, asset.json.size() - json_tail.size());
  out.append(R"(,"uri":"data:application/octet-stream;base64,)");
  out.append(base::base64(asset.buffer)).append("\"").append(json_tail);
  return out;
}

}  // namespace

Result<std::vector<std::byte>> write_glb(const GltfAsset& asset) {
  return base::with_allocation_errors([&] { return to_glb(asset); });
}

Result<std::string> write_gltf(const GltfAsset& asset) {
  return base::with_allocation_errors([&] { return to_gltf_text(asset); });
}

}  // namespace mabkit
