#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mabkit/math.hpp>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gltf/json_text.hpp"

namespace mabkit::gltf {

/// What a stretch of the buffer holds: one buffer view a kind, in this order, so that an accessor
/// costs a line of JSON and no view of its own. Elements of every kind are multiples of 4 bytes,
/// but for indices, which come last.
enum class View : std::uint8_t {
  times,
  rotations,
  translations,
  inverse_binds,
  positions,
  weights,
  joints,
  indices,
};
inline constexpr std::size_t view_count = 8;

/// `componentType` values of glTF 2.0.
enum class Component : std::uint16_t { u8 = 5121, u16 = 5123, u32 = 5125, f32 = 5126 };

struct Accessor {
  View view = View::times;
  Component component = Component::f32;
  std::string_view type = "SCALAR";  ///< a glTF accessor type
  std::uint32_t count = 0;
  std::size_t offset = 0;  ///< bytes from the start of the view
  std::size_t bounds = 0;  ///< components in `min` and `max`, 0 where they are not written
  std::array<float, 3> min{};
  std::array<float, 3> max{};
};

/// Collects the values of an asset and the accessors over them.
class BufferBuilder {
 public:
  /// Key times, rising and not empty; equal ones share an accessor. Returns the accessor's
  /// position.
  std::uint32_t add_times(std::span<const float> times);
  /// `values` as elements of `type`.
  std::uint32_t add_floats(View view, std::string_view type, std::span<const float> values);
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
  [[nodiscard]] std::vector<std::byte> take_buffer() &&;

 private:
  std::uint32_t add(Accessor accessor, std::span<const std::byte> bytes);
  void write_views(JsonText& json) const;

  std::array<std::vector<std::byte>, view_count> views_;
  std::vector<Accessor> accessors_;
  std::unordered_multimap<std::uint32_t, std::uint32_t> times_by_hash_;
};

}  // namespace mabkit::gltf
