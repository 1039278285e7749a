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

template <class To>
std::vector<To> narrowed(std::span<const std::uint32_t> values) {
  std::vector<To> out;
  out.reserve(values.size());
  for (const std::uint32_t value : values) out.push_back(static_cast<To>(value));
  return out;
}

}  // namespace

void BufferBuilder::begin_view(Purpose purpose) {
  buffer_.resize(base::align_up(buffer_.size(), alignment));
  views_.push_back({purpose, buffer_.size(), 0});
}

std::uint32_t BufferBuilder::add(Purpose purpose, Accessor accessor,
                                 std::span<const std::byte> bytes) {
  const bool continues =
      purpose == Purpose::animation && !views_.empty() && views_.back().purpose == purpose;
  if (!continues) begin_view(purpose);
  View& view = views_.back();
  accessor.view = static_cast<std::uint32_t>(views_.size() - 1);
  accessor.offset = view.size;
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
  view.size += bytes.size();
  accessors_.push_back(accessor);
  return static_cast<std::uint32_t>(accessors_.size() - 1);
}

std::uint32_t BufferBuilder::add_times(std::span<const float> times) {
  const auto bytes = std::as_bytes(times);
  const std::uint32_t hash = base::crc32(bytes);
  const auto [first, last] = times_by_hash_.equal_range(hash);
  for (auto found = first; found != last; ++found) {
    const Accessor& accessor = accessors_[found->second];
    const std::byte* stored = &buffer_[views_[accessor.view].offset + accessor.offset];
    if (accessor.count == times.size() && std::memcmp(stored, bytes.data(), bytes.size()) == 0) {
      return found->second;
    }
  }
  Accessor accessor{.count = static_cast<std::uint32_t>(times.size())};
  accessor.bounds = 1;
  accessor.min[0] = times.front();
  accessor.max[0] = times.back();
  const std::uint32_t position = add(Purpose::animation, accessor, bytes);
  times_by_hash_.emplace(hash, position);
  return position;
}

std::uint32_t BufferBuilder::add_curve(std::string_view type, std::span<const float> values) {
  const std::size_t count = values.size() / (type == "VEC4" ? 4 : 3);
  return add(Purpose::animation, {.type = type, .count = static_cast<std::uint32_t>(count)},
             std::as_bytes(values));
}

std::uint32_t BufferBuilder::add_matrices(std::span<const float> values) {
  const auto count = static_cast<std::uint32_t>(values.size() / 16);
  return add(Purpose::matrices, {.type = "MAT4", .count = count}, std::as_bytes(values));
}

std::uint32_t BufferBuilder::add_positions(std::span<const Vec3> positions) {
  Accessor accessor{.type = "VEC3", .count = static_cast<std::uint32_t>(positions.size())};
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
  return add(Purpose::vertices, accessor, std::as_bytes(positions));
}

std::array<std::uint32_t, 2> BufferBuilder::add_rigid_skinning(
    std::span<const std::uint32_t> joint_of_vertex, std::size_t joint_count) {
  std::vector<std::uint32_t> joints(4 * joint_of_vertex.size());
  std::vector<float> weights(joints.size());
  for (std::size_t vertex = 0; vertex < joint_of_vertex.size(); ++vertex) {
    joints[4 * vertex] = joint_of_vertex[vertex];
    weights[4 * vertex] = 1.0F;
  }
  Accessor accessor{.type = "VEC4", .count = static_cast<std::uint32_t>(joint_of_vertex.size())};
  const std::uint32_t weights_accessor =
      add(Purpose::vertices, accessor, std::as_bytes(std::span(weights)));
  if (joint_count <= max_u8_joints) {
    accessor.component = Component::u8;
    const auto narrow = narrowed<std::uint8_t>(joints);
    return {add(Purpose::vertices, accessor, std::as_bytes(std::span(narrow))), weights_accessor};
  }
  accessor.component = Component::u16;
  const auto narrow = narrowed<std::uint16_t>(joints);
  return {add(Purpose::vertices, accessor, std::as_bytes(std::span(narrow))), weights_accessor};
}

std::uint32_t BufferBuilder::add_indices(std::span<const std::uint32_t> indices,
                                         std::size_t vertex_count) {
  Accessor accessor{.count = static_cast<std::uint32_t>(indices.size())};
  if (vertex_count <= max_u16_vertices) {
    accessor.component = Component::u16;
    const auto narrow = narrowed<std::uint16_t>(indices);
    return add(Purpose::indices, accessor, std::as_bytes(std::span(narrow)));
  }
  accessor.component = Component::u32;
  return add(Purpose::indices, accessor, std::as_bytes(indices));
}

void BufferBuilder::write_json(JsonText& json) const {
  if (accessors_.empty()) return;
  json.key("accessors");
  json.begin_array();
  for (const Accessor& accessor : accessors_) write_accessor(json, accessor);
  json.end_array();
  json.key("bufferViews");
  json.begin_array();
  for (const View& view : views_) write_view(json, view);
  json.end_array();
  json.key("buffers");
  json.begin_array();
  json.begin_object();
  json.member("byteLength", buffer_.size());
  json.end_object();
  json.end_array();
}

void BufferBuilder::write_accessor(JsonText& json, const Accessor& accessor) const {
  json.begin_object();
  json.member("bufferView", accessor.view);
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

void BufferBuilder::write_view(JsonText& json, const View& view) const {
  json.begin_object();
  json.member("buffer", 0U);
  if (view.offset != 0) json.member("byteOffset", view.offset);
  json.member("byteLength", view.size);
  if (view.purpose == Purpose::vertices) json.member("target", array_buffer);
  if (view.purpose == Purpose::indices) json.member("target", element_array_buffer);
  json.end_object();
}

}  // namespace mabkit::gltf
