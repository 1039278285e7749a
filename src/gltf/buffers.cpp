#include "gltf/buffers.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/bytes.hpp"
#include "base/crc32.hpp"

namespace mabkit::gltf {
namespace {

constexpr std::uint32_t array_buffer = 34962;
constexpr std::uint32_t element_array_buffer = 34963;
constexpr std::size_t alignment = 4;
/// The largest value of an index type restarts primitives and is no vertex.
constexpr std::size_t max_u16_vertices = std::numeric_limits<std::uint16_t>::max();
constexpr std::size_t max_u8_joints = 256;

std::size_t component_count(std::string_view type) {
  if (type == "SCALAR") return 1;
  if (type == "VEC3") return 3;
  if (type == "VEC4") return 4;
  return 16;
}

/// The `target` of a view of vertex data, 0 of any other.
std::uint32_t target_of(View view) {
  switch (view) {
    case View::positions:
    case View::weights:
    case View::joints:
      return array_buffer;
    case View::indices:
      return element_array_buffer;
    default:
      return 0;
  }
}

template <class To>
std::vector<To> narrowed(std::span<const std::uint32_t> values) {
  std::vector<To> out;
  out.reserve(values.size());
  for (const std::uint32_t value : values) out.push_back(static_cast<To>(value));
  return out;
}

}  // namespace

std::uint32_t BufferBuilder::add(Accessor accessor, std::span<const std::byte> bytes) {
  auto& view = views_[static_cast<std::size_t>(accessor.view)];
  accessor.offset = view.size();
  view.insert(view.end(), bytes.begin(), bytes.end());
  accessors_.push_back(accessor);
  return static_cast<std::uint32_t>(accessors_.size() - 1);
}

std::uint32_t BufferBuilder::add_times(std::span<const float> times) {
  const auto bytes = std::as_bytes(times);
  const std::uint32_t hash = base::crc32(bytes);
  const auto [first, last] = times_by_hash_.equal_range(hash);
  for (auto found = first; found != last; ++found) {
    const Accessor& accessor = accessors_[found->second];
    const std::byte* stored =
        views_[static_cast<std::size_t>(View::times)].data() + accessor.offset;
    if (accessor.count == times.size() && std::memcmp(stored, bytes.data(), bytes.size()) == 0) {
      return found->second;
    }
  }
  Accessor accessor{.view = View::times, .count = static_cast<std::uint32_t>(times.size())};
  accessor.bounds = 1;
  accessor.min[0] = times.front();
  accessor.max[0] = times.back();
  const std::uint32_t position = add(accessor, bytes);
  times_by_hash_.emplace(hash, position);
  return position;
}

std::uint32_t BufferBuilder::add_floats(View view, std::string_view type,
                                        std::span<const float> values) {
  const std::size_t count = values.size() / component_count(type);
  return add({.view = view, .type = type, .count = static_cast<std::uint32_t>(count)},
             std::as_bytes(values));
}

std::uint32_t BufferBuilder::add_positions(std::span<const Vec3> positions) {
  Accessor accessor{.view = View::positions, .type = "VEC3"};
  accessor.count = static_cast<std::uint32_t>(positions.size());
  accessor.bounds = 3;
  const Vec3& first = positions.front();
  accessor.min = accessor.max = {first.x, first.y, first.z};
  for (const Vec3& position : positions) {
    const std::array<float, 3> components{position.x, position.y, position.z};
    for (std::size_t i = 0; i < 3; ++i) {
      accessor.min[i] = std::min(accessor.min[i], components[i]);
      accessor.max[i] = std::max(accessor.max[i], components[i]);
    }
  }
  return add(accessor, std::as_bytes(positions));
}

std::array<std::uint32_t, 2> BufferBuilder::add_rigid_skinning(
    std::span<const std::uint32_t> joint_of_vertex, std::size_t joint_count) {
  const auto count = static_cast<std::uint32_t>(joint_of_vertex.size());
  std::vector<std::uint32_t> joints(4 * joint_of_vertex.size());
  std::vector<float> weights(joints.size());
  for (std::size_t vertex = 0; vertex < joint_of_vertex.size(); ++vertex) {
    joints[4 * vertex] = joint_of_vertex[vertex];
    weights[4 * vertex] = 1.0F;
  }
  Accessor accessor{.view = View::joints, .type = "VEC4", .count = count};
  std::uint32_t joints_accessor = 0;
  if (joint_count <= max_u8_joints) {
    accessor.component = Component::u8;
    const auto narrow = narrowed<std::uint8_t>(joints);
    joints_accessor = add(accessor, std::as_bytes(std::span(narrow)));
  } else {
    accessor.component = Component::u16;
    const auto narrow = narrowed<std::uint16_t>(joints);
    joints_accessor = add(accessor, std::as_bytes(std::span(narrow)));
  }
  return {joints_accessor, add_floats(View::weights, "VEC4", weights)};
}

std::uint32_t BufferBuilder::add_indices(std::span<const std::uint32_t> indices,
                                         std::size_t vertex_count) {
  Accessor accessor{.view = View::indices, .count = static_cast<std::uint32_t>(indices.size())};
  if (vertex_count <= max_u16_vertices) {
    accessor.component = Component::u16;
    const auto narrow = narrowed<std::uint16_t>(indices);
    return add(accessor, std::as_bytes(std::span(narrow)));
  }
  accessor.component = Component::u32;
  return add(accessor, std::as_bytes(indices));
}

void BufferBuilder::write_json(JsonText& json) const {
  if (accessors_.empty()) return;
  std::array<std::uint32_t, view_count> position_of_view{};
  for (std::size_t view = 0, position = 0; view < view_count; ++view) {
    position_of_view[view] = static_cast<std::uint32_t>(position);
    if (!views_[view].empty()) ++position;
  }
  json.key("accessors");
  json.begin_array();
  for (const Accessor& accessor : accessors_) {
    json.begin_object();
    json.member("bufferView", position_of_view[static_cast<std::size_t>(accessor.view)]);
    if (accessor.offset != 0) json.member("byteOffset", accessor.offset);
    json.member("componentType", static_cast<std::uint32_t>(accessor.component));
    json.member("count", accessor.count);
    json.member("type", accessor.type);
    if (accessor.bounds != 0) {
      json.key("min");
      json.numbers(std::span(accessor.min).first(accessor.bounds));
      json.key("max");
      json.numbers(std::span(accessor.max).first(accessor.bounds));
    }
    json.end_object();
  }
  json.end_array();
  write_views(json);
}

void BufferBuilder::write_views(JsonText& json) const {
  std::size_t offset = 0;
  json.key("bufferViews");
  json.begin_array();
  for (std::size_t view = 0; view < view_count; ++view) {
    const std::size_t size = views_[view].size();
    if (size == 0) continue;
    json.begin_object();
    json.member("buffer", 0U);
    if (offset != 0) json.member("byteOffset", offset);
    json.member("byteLength", size);
    const std::uint32_t target = target_of(static_cast<View>(view));
    if (target != 0) json.member("target", target);
    json.end_object();
    offset += base::align_up(size, alignment);
  }
  json.end_array();
  json.key("buffers");
  json.begin_array();
  json.begin_object();
  json.member("byteLength", offset);
  json.end_object();
  json.end_array();
}

std::vector<std::byte> BufferBuilder::take_buffer() && {
  base::ByteWriter out;
  for (auto& view : views_) {
    out.put_bytes(view);
    out.align(alignment);
    view = {};
  }
  return std::move(out).take();
}

}  // namespace mabkit::gltf
