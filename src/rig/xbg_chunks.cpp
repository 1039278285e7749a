#include "rig/xbg_chunks.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "rig/field_reader.hpp"

namespace mabkit::rig {
namespace {

constexpr std::uint64_t chunk_count_at = 28;     // spec mab-sparse, 6.4
constexpr std::uint64_t first_chunk_at = 32;     // spec mab-sparse, 6.4
constexpr std::uint64_t chunk_header_size = 20;  // spec mab-sparse, 6.4

struct Chunk {
  std::uint32_t tag = 0;
  std::uint64_t begin = 0;
  std::uint64_t payload = 0;  ///< from here to `end`; chunks inside stand before it
  std::uint64_t end = 0;
  std::uint32_t chunks_inside = 0;
};

Result<Chunk> read_chunk(std::span<const std::byte> bytes, std::uint64_t begin, std::uint64_t end,
                         const std::string& path) {
  FieldReader in(bytes, begin, end, end == bytes.size() ? "file" : "chunk");
  in.enter(path);
  Chunk chunk{.begin = begin};
  chunk.tag = in.take<std::uint32_t>("tag");
  in.skip(sizeof(std::uint32_t), "unknown_0x04");
  const std::uint64_t size = in.take<std::uint32_t>("size");
  if (size < chunk_header_size) {
    in.fail(
        ErrorCode::bad_value, "size",
        fmt::format("is {}, less than the {} bytes of a chunk's header", size, chunk_header_size));
  } else if (size > end - begin) {
    in.fail(ErrorCode::truncated, "size",
            fmt::format("is {}, but only {} bytes are left", size, end - begin));
  }
  const std::uint64_t payload_size = in.take<std::uint32_t>("payload_size");
  if (payload_size > size - chunk_header_size) {
    in.fail(ErrorCode::inconsistent, "payload_size",
            fmt::format("is {}, more than fits in the chunk's {} bytes", payload_size, size));
  }
  chunk.chunks_inside = in.take<std::uint32_t>("chunk_count");
  if (in.error()) return tl::unexpected(*in.error());
  chunk.end = begin + size;
  chunk.payload = chunk.end - payload_size;
  return chunk;
}

class ChunkWalk {
 public:
  ChunkWalk(std::span<const std::byte> bytes, const ReadLimits& limits)
      : bytes_(bytes), limits_(limits) {}

  /// Visits `count` chunks from `begin`, each before the ones inside it.
  [[nodiscard]] Result<void> visit(std::uint64_t begin, std::uint64_t end, std::uint32_t count,
                                   const std::string& parent, std::uint32_t depth) {
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::string path = fmt::format("{}chunk[{}]", parent, i);
      auto chunk = read_chunk(bytes_, begin, end, path);
      if (!chunk) return tl::unexpected(std::move(chunk.error()));
      if (chunk->tag == xbg_node_chunk) note_nodes(*chunk, path);
      if (chunk->chunks_inside != 0) visit_inside(*chunk, path, depth);
      begin = chunk->end;
    }
    return {};
  }

  std::optional<XbgNodeChunk> nodes;
  std::optional<Diagnostic> repeated;  ///< the second node chunk
  std::optional<Diagnostic> broken;  ///< the first chunk inside another that does not hold together

 private:
  void note_nodes(const Chunk& chunk, const std::string& path) {
    if (!nodes) {
      nodes = XbgNodeChunk{chunk.payload, chunk.end, {}};
    } else if (!repeated) {
      repeated = Diagnostic{chunk.begin, path, "is another node chunk; only the first is read"};
    }
  }

  /// The outer chunk's size leads past whatever is wrong inside.
  void visit_inside(const Chunk& chunk, const std::string& path, std::uint32_t depth) {
    Result<void> inside{};
    if (depth >= limits_.max_depth) {
      inside = tl::unexpected(
          Error{ErrorCode::limit, chunk.begin, path, "nests chunks deeper than the limit"});
    } else {
      inside = visit(chunk.begin + chunk_header_size, chunk.payload, chunk.chunks_inside,
                     path + ".", depth + 1);
    }
    if (inside || broken) return;
    const Error& error = inside.error();
    broken = Diagnostic{error.offset, error.path, error.message + "; the chunk is passed over"};
  }

  std::span<const std::byte> bytes_;
  const ReadLimits& limits_;
};

}  // namespace

Result<XbgNodeChunk> find_node_chunk(std::span<const std::byte> bytes, const ReadLimits& limits) {
  FieldReader in(bytes, 0, bytes.size(), "file");
  in.skip(chunk_count_at, "header");
  const auto count = in.take<std::uint32_t>("chunk_count");
  if (in.error()) return tl::unexpected(*in.error());

  ChunkWalk walk(bytes, limits);
  const auto walked = walk.visit(first_chunk_at, bytes.size(), count, {}, 1);
  if (!walk.nodes) {
    if (!walked) return tl::unexpected(walked.error());
    return tl::unexpected(Error{ErrorCode::unsupported, chunk_count_at, "chunk_count",
                                fmt::format("none of the {} chunks holds nodes (EDON), so the "
                                            "model has no rig",
                                            count)});
  }
  XbgNodeChunk found = std::move(*walk.nodes);
  if (!walked) {
    found.diagnostics.push_back({walked.error().offset, walked.error().path,
                                 walked.error().message + "; the nodes stand before it"});
  }
  if (walk.broken) found.diagnostics.push_back(std::move(*walk.broken));
  if (walk.repeated) found.diagnostics.push_back(std::move(*walk.repeated));
  return found;
}

}  // namespace mabkit::rig
