#pragma once

#include <cstddef>
#include <cstdint>
#include <mabkit/error.hpp>
#include <mabkit/gltf.hpp>
#include <mabkit/limits.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gltf/source_nodes.hpp"

namespace mabkit::gltf {

/// Reads accessors of a document that nobody has checked.
class SourceBuffers {
 public:
  /// All of them outlive the reader.
  SourceBuffers(const Json& document, std::optional<std::span<const std::byte>> binary,
                const BufferSource& buffers_from, const ReadLimits& limits);

  /// The `width` components of every element of an accessor, one after the other. Integers must be
  /// normalised. `path` is where the accessor is referred to. Fails above `max_count`
  /// elements.
  [[nodiscard]] Result<std::vector<float>> floats(std::uint32_t accessor, std::size_t width,
                                                  std::size_t max_count, const std::string& path);

 private:
  /// A buffer view, or the part of one that elements stand in.
  struct View {
    std::span<const std::byte> bytes;
    std::size_t stride = 0;  ///< 0 where elements follow each other
  };
  /// How an element of an accessor is stored.
  struct Element {
    std::uint64_t component = 0;  ///< glTF's number of the type
    bool is_normalised = false;
    std::size_t width = 0;  ///< components
  };

  Result<std::span<const std::byte>> buffer(std::uint64_t position, const std::string& path);
  Result<std::vector<std::byte>> load(const std::string& uri, const std::string& path);
  Result<View> view(const Json& owner, const std::string& path);
  Result<View> elements(const Json& owner, std::uint64_t count, std::size_t element_size,
                        const std::string& path);
  Result<void> apply_sparse(const Json& accessor, const Element& element, std::uint64_t count,
                            std::vector<float>& out, const std::string& path);

  const Json& document_;
  std::optional<std::span<const std::byte>> binary_;
  const BufferSource& buffers_from_;
  const ReadLimits& limits_;
  std::vector<std::optional<std::vector<std::byte>>> loaded_;
  std::uint64_t loaded_bytes_ = 0;  ///< of `loaded_`
  std::uint64_t decoded_ = 0;       ///< bytes given out
};

}  // namespace mabkit::gltf
