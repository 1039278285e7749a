#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mabkit/math.hpp>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "gltf/json_text.hpp"

namespace mabkit::gltf {

/// What the bytes of a buffer view are for.
enum class Purpose : std::uint8_t {
  animation,  ///< times and values of every curve, in one view: an accessor then costs a line of
              ///< JSON and no view of its own
  matrices,   ///< inverse bind matrices
  vertices,   ///< an attribute of vertices, a view each
  indices,    ///< of triangles
};

/// `componentType` values of glTF 2.0.
enum class Component : std::uint16_t { u8 = 5121, u16 = 5123, u32 = 5125, f32 = 5126 };

struct Accessor {
  std::uint32_t view = 0;  ///< position in the list of views
  Component component = Component::f32;
  std::string_view type = "SCALAR";  ///< a glTF accessor type
  std::uint32_t count = 0;
  std::size_t offset = 0;  ///< bytes from the start of the view
  std::size_t bounds = 0;  ///< components in `min` and `max`, 0 where they are not written
  std::array<float, 3> min{};
  std::array<float, 3> max{};
};

/// Collects the values of an asset, view after view, and the accessors over them. Curves come
/// first.
class BufferBuilder {
 public:
  /// Makes room for what will probably come.
  void reserve(std::size_t bytes) { buffer_.reserve(bytes); }

  /// Key times, rising and not empty; equal ones share an accessor. Returns the accessor's
  /// position, as the others do.
  std::uint32_t add_times(std::span<const float> times);
  /// Values of a curve: `VEC3` or `VEC4`.
  std::uint32_t add_curve(std::string_view type, std::span<const float> values);
  /// 16 floats each, column by column.
  std::uint32_t add_matrices(std::span<const float> values);
  /// Positions of vertices, not empty, with their bounds.
  std::uint32_t add_positions(std::span<const Vec3> positions);
  /// One joint a vertex, with a weight of 1: accessors `JOINTS_0` and `WEIGHTS_0`.
  std::array<std::uint32_t, 2> add_rigid_skinning(std::span<const std::uint32_t> joint_of_vertex,
                                                  std::size_t joint_count);
  /// Indices of triangles over `vertex_count` vertices.
  std::uint32_t add_indices(std::span<const std::uint32_t> indices, std::size_t vertex_count);

  /// Members `accessors`, `bufferViews` and `buffers`, in this order; nothing where there are no
  /// accessors.
  void write_json(JsonText& json) const;
  [[nodiscard]] std::vector<std::byte> take_buffer() && { return std::move(buffer_); }

 private:
  struct View {
    Purpose purpose = Purpose::animation;
    std::size_t offset = 0;
    std::size_t size = 0;
  };

  std::uint32_t add(Purpose purpose, Accessor accessor, std::span<const std::byte> bytes);
  void begin_view(Purpose purpose);
  void write_accessor(JsonText& json, const Accessor& accessor) const;
  void write_view(JsonText& json, const View& view) const;

  std::vector<std::byte> buffer_;
  std::vector<View> views_;
  std::vector<Accessor> accessors_;
  std::unordered_multimap<std::uint32_t, std::uint32_t> times_by_hash_;
};

}  // namespace mabkit::gltf
