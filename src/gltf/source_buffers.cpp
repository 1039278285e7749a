#include "gltf/source_buffers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "base/base64.hpp"
#include "base/bytes.hpp"

namespace mabkit::gltf {
namespace {

// Component types of accessors, by OpenGL's numbers.
constexpr std::uint64_t type_i8 = 5120;
constexpr std::uint64_t type_u8 = 5121;
constexpr std::uint64_t type_i16 = 5122;
constexpr std::uint64_t type_u16 = 5123;
constexpr std::uint64_t type_u32 = 5125;
constexpr std::uint64_t type_f32 = 5126;

constexpr std::uint64_t largest_stride = 252;
constexpr std::size_t longest_uri_in_a_message = 80;

std::size_t component_size(std::uint64_t type) {
  switch (type) {
    case type_i8:
    case type_u8:
      return 1;
    case type_i16:
    case type_u16:
      return 2;
    case type_u32:
    case type_f32:
      return 4;
    default:
      return 0;
  }
}

std::string_view type_of_width(std::size_t width) {
  return width == 1 ? "SCALAR" : width == 3 ? "VEC3" : "VEC4";
}

/// A normalised integer as glTF defines it, or a float as it is.
float component_at(std::span<const std::byte> bytes, std::size_t at, std::uint64_t type) {
  switch (type) {
    case type_i8:
      return std::max(static_cast<float>(base::load<std::int8_t>(bytes, at)) / 127.0F, -1.0F);
    case type_u8:
      return static_cast<float>(base::load<std::uint8_t>(bytes, at)) / 255.0F;
    case type_i16:
      return std::max(static_cast<float>(base::load<std::int16_t>(bytes, at)) / 32767.0F, -1.0F);
    case type_u16:
      return static_cast<float>(base::load<std::uint16_t>(bytes, at)) / 65535.0F;
    default:
      return base::load<float>(bytes, at);
  }
}

std::uint32_t index_at(std::span<const std::byte> bytes, std::size_t at, std::uint64_t type) {
  switch (type) {
    case type_u8:
      return base::load<std::uint8_t>(bytes, at);
    case type_u16:
      return base::load<std::uint16_t>(bytes, at);
    default:
      return base::load<std::uint32_t>(bytes, at);
  }
}

/// Member `name`, a whole number; `otherwise` where there is none.
Result<std::uint64_t> whole(const Json& object, const char* name, const std::string& path,
                            std::optional<std::uint64_t> otherwise) {
  const auto member = object.find(name);
  if (member == object.end() && otherwise) return *otherwise;
  if (member == object.end() || !member->is_number_unsigned()) {
    return error(ErrorCode::bad_value, path + "." + name, "is not a whole number from 0");
  }
  return member->get<std::uint64_t>();
}

/// Entry `position` of the document's list `name`, an object.
Result<const Json*> entry(const Json& document, const char* name, std::uint64_t position,
                          const std::string& path) {
  const auto list = document.find(name);
  const std::size_t count =
      list != document.end() && list->is_array() ? list->size() : std::size_t{0};
  if (position >= count) {
    return error(ErrorCode::out_of_range, path,
                 fmt::format("is {}, and there are {} {}", position, count, name));
  }
  const Json& found = (*list)[static_cast<std::size_t>(position)];
  if (!found.is_object()) {
    return error(ErrorCode::bad_value, fmt::format("{}[{}]", name, position), "is not an object");
  }
  return &found;
}

Error truncated(std::string path, std::uint64_t needed, std::uint64_t there) {
  return {ErrorCode::truncated, std::nullopt, std::move(path),
          fmt::format("needs {} bytes, and there are {}", needed, there)};
}

/// The bytes of a `data:` URI in base64.
Result<std::vector<std::byte>> from_data_uri(std::string_view uri, const std::string& path) {
  const std::size_t comma = uri.find(',');
  if (comma == std::string_view::npos || !uri.substr(0, comma).ends_with(";base64")) {
    return error(ErrorCode::unsupported, path, "is a data: URI that is not in base64");
  }
  auto bytes = base::from_base64(uri.substr(comma + 1));
  if (!bytes) return error(ErrorCode::bad_value, path, "is no valid base64");
  return std::move(*bytes);
}

}  // namespace

SourceBuffers::SourceBuffers(const Json& document, std::optional<std::span<const std::byte>> binary,
                             const BufferSource& buffers_from, const ReadLimits& limits)
    : document_(document), binary_(binary), buffers_from_(buffers_from), limits_(limits) {
  const auto buffers = document.find("buffers");
  if (buffers != document.end() && buffers->is_array()) loaded_.resize(buffers->size());
}

Result<std::vector<std::byte>> SourceBuffers::load(const std::string& uri,
                                                   const std::string& path) {
  if (uri.starts_with("data:")) return from_data_uri(uri, path);
  if (!buffers_from_) {
    return error(ErrorCode::unsupported, path,
                 fmt::format("the buffer is another file, \"{}\", which is not read from here",
                             uri.substr(0, longest_uri_in_a_message)));
  }
  auto bytes = buffers_from_(uri);
  if (bytes) return bytes;
  Error problem = std::move(bytes.error());
  if (problem.path.empty()) problem.path = path;
  return tl::unexpected(std::move(problem));
}

Result<std::span<const std::byte>> SourceBuffers::buffer(std::uint64_t position,
                                                         const std::string& path) {
  const auto json = entry(document_, "buffers", position, path + ".buffer");
  if (!json) return tl::unexpected(json.error());
  const std::string buffer_path = fmt::format("buffers[{}]", position);
  const auto size = whole(**json, "byteLength", buffer_path, std::nullopt);
  if (!size) return tl::unexpected(size.error());

  std::span<const std::byte> bytes;
  const auto uri = (*json)->find("uri");
  if (uri == (*json)->end()) {
    if (position != 0 || !binary_) {
      return error(ErrorCode::bad_value, buffer_path, "has no uri, and the file has no buffer");
    }
    bytes = *binary_;
  } else {
    if (!uri->is_string()) {
      return error(ErrorCode::bad_value, buffer_path + ".uri", "is not a text");
    }
    auto& loaded = loaded_[static_cast<std::size_t>(position)];
    if (!loaded) {
      auto read = load(uri->get_ref<const std::string&>(), buffer_path + ".uri");
      if (!read) return tl::unexpected(read.error());
      // Many buffers may name one file.
      loaded_bytes_ += read->size();
      if (loaded_bytes_ > limits_.max_file_size) {
        return error(ErrorCode::limit, buffer_path,
                     fmt::format("the buffers have {} bytes up to here, more than the limit of {}",
                                 loaded_bytes_, limits_.max_file_size));
      }
      loaded = std::move(*read);
    }
    bytes = *loaded;
  }
  if (*size > bytes.size()) {
    return tl::unexpected(truncated(buffer_path + ".byteLength", *size, bytes.size()));
  }
  return bytes.first(static_cast<std::size_t>(*size));
}

/// The view that `owner` refers to.
Result<SourceBuffers::View> SourceBuffers::view(const Json& owner, const std::string& path) {
  const auto position = whole(owner, "bufferView", path, std::nullopt);
  if (!position) return tl::unexpected(position.error());
  const auto json = entry(document_, "bufferViews", *position, path + ".bufferView");
  if (!json) return tl::unexpected(json.error());
  const std::string view_path = fmt::format("bufferViews[{}]", *position);
  const auto extensions = (*json)->find("extensions");
  if (extensions != (*json)->end() && extensions->is_object() &&
      extensions->contains("EXT_meshopt_compression")) {
    return error(ErrorCode::unsupported, view_path,
                 "is compressed with EXT_meshopt_compression; save the file without it");
  }
  const auto buffer_position = whole(**json, "buffer", view_path, std::nullopt);
  if (!buffer_position) return tl::unexpected(buffer_position.error());
  const auto offset = whole(**json, "byteOffset", view_path, 0);
  if (!offset) return tl::unexpected(offset.error());
  const auto size = whole(**json, "byteLength", view_path, std::nullopt);
  if (!size) return tl::unexpected(size.error());
  const auto stride = whole(**json, "byteStride", view_path, 0);
  if (!stride) return tl::unexpected(stride.error());
  if (*stride > largest_stride) {
    return error(ErrorCode::bad_value, view_path + ".byteStride",
                 fmt::format("is {}, more than {}", *stride, largest_stride));
  }
  const auto bytes = buffer(*buffer_position, view_path);
  if (!bytes) return tl::unexpected(bytes.error());
  if (!base::fits(*offset, *size, bytes->size())) {
    return error(
        ErrorCode::truncated, view_path,
        fmt::format("has {} bytes from {}, and its buffer has {}", *size, *offset, bytes->size()));
  }
  return View{bytes->subspan(static_cast<std::size_t>(*offset), static_cast<std::size_t>(*size)),
              static_cast<std::size_t>(*stride)};
}

/// The part of the view of `owner` that begins with its first element and holds all of them.
Result<SourceBuffers::View> SourceBuffers::elements(const Json& owner, std::uint64_t count,
                                                    std::size_t element_size,
                                                    const std::string& path) {
  auto found = view(owner, path);
  if (!found) return found;
  const auto offset = whole(owner, "byteOffset", path, 0);
  if (!offset) return tl::unexpected(offset.error());
  if (found->stride == 0) found->stride = element_size;
  if (found->stride < element_size) {
    return error(
        ErrorCode::bad_value, path,
        fmt::format("has elements of {} bytes every {} bytes", element_size, found->stride));
  }
  const std::uint64_t needed = (count - 1) * found->stride + element_size;
  if (!base::fits(*offset, needed, found->bytes.size())) {
    return error(ErrorCode::truncated, path,
                 fmt::format("needs {} bytes from {}, and its buffer view has {}", needed, *offset,
                             found->bytes.size()));
  }
  found->bytes = found->bytes.subspan(static_cast<std::size_t>(*offset));
  return found;
}

Result<std::vector<float>> SourceBuffers::floats(std::uint32_t accessor, std::size_t width,
                                                 std::size_t max_count, const std::string& path) {
  const auto json = entry(document_, "accessors", accessor, path);
  if (!json) return tl::unexpected(json.error());
  const std::string at = fmt::format("accessors[{}]", accessor);
  const auto type = (*json)->find("type");
  if (type == (*json)->end() || *type != type_of_width(width)) {
    return error(ErrorCode::bad_value, at + ".type",
                 fmt::format("is not {}, which {} needs", type_of_width(width), path));
  }
  Element element{.width = width};
  const auto component = whole(**json, "componentType", at, std::nullopt);
  if (!component) return tl::unexpected(component.error());
  element.component = *component;
  const auto normalised = (*json)->find("normalized");
  element.is_normalised = normalised != (*json)->end() && *normalised == true;
  const bool is_lawful =
      element.component == type_f32 || (element.is_normalised && element.component != type_u32 &&
                                        component_size(element.component) != 0);
  if (!is_lawful) {
    return error(
        ErrorCode::bad_value, at + ".componentType",
        fmt::format("is {}, which holds neither floats nor normalised numbers", element.component));
  }
  const auto count = whole(**json, "count", at, std::nullopt);
  if (!count) return tl::unexpected(count.error());
  if (*count == 0) return error(ErrorCode::bad_value, at + ".count", "is 0");
  if (*count > max_count) {
    return error(ErrorCode::limit, at + ".count",
                 fmt::format("is {}, more than the limit of {}", *count, max_count));
  }
  decoded_ += *count * width * sizeof(float);
  if (decoded_ > limits_.max_decoded_bytes) {
    return error(ErrorCode::limit, at,
                 fmt::format("the animations need more memory than the limit of {} bytes",
                             limits_.max_decoded_bytes));
  }

  std::vector<float> out;
  if ((*json)->contains("bufferView")) {
    const std::size_t size = component_size(element.component);
    const auto stored = elements(**json, *count, size * width, at);
    if (!stored) return tl::unexpected(stored.error());
    out.reserve(static_cast<std::size_t>(*count) * width);
    for (std::size_t i = 0; i < *count; ++i) {
      for (std::size_t j = 0; j < width; ++j) {
        out.push_back(
            component_at(stored->bytes, i * stored->stride + j * size, element.component));
      }
    }
  } else {
    out.resize(static_cast<std::size_t>(*count) * width);  // zeros, as glTF says
  }
  if (auto applied = apply_sparse(**json, element, *count, out, at); !applied) {
    return tl::unexpected(applied.error());
  }
  return out;
}

/// Replaces the elements that `sparse` names.
Result<void> SourceBuffers::apply_sparse(const Json& accessor, const Element& element,
                                         std::uint64_t count, std::vector<float>& out,
                                         const std::string& path) {
  const auto sparse = accessor.find("sparse");
  if (sparse == accessor.end()) return {};
  const std::string at = path + ".sparse";
  const auto has_part = [&](const char* name) {
    return sparse->is_object() && sparse->contains(name) && (*sparse)[name].is_object();
  };
  if (!has_part("indices") || !has_part("values")) {
    return error(ErrorCode::bad_value, at, "has no indices or no values");
  }
  const Json& indices = (*sparse)["indices"];
  const Json& values = (*sparse)["values"];
  const auto replaced = whole(*sparse, "count", at, std::nullopt);
  if (!replaced) return tl::unexpected(replaced.error());
  if (*replaced == 0 || *replaced > count) {
    return error(ErrorCode::bad_value, at + ".count",
                 fmt::format("is {}, and the accessor has {} elements", *replaced, count));
  }
  const auto type = whole(indices, "componentType", at + ".indices", std::nullopt);
  if (!type) return tl::unexpected(type.error());
  if (*type != type_u8 && *type != type_u16 && *type != type_u32) {
    return error(ErrorCode::bad_value, at + ".indices.componentType",
                 fmt::format("is {}, which is no type of index", *type));
  }
  const std::size_t size = component_size(element.component);
  const auto index_view = elements(indices, *replaced, component_size(*type), at + ".indices");
  if (!index_view) return tl::unexpected(index_view.error());
  const auto value_view = elements(values, *replaced, size * element.width, at + ".values");
  if (!value_view) return tl::unexpected(value_view.error());
  for (std::size_t i = 0; i < *replaced; ++i) {
    const std::uint64_t index = index_at(index_view->bytes, i * index_view->stride, *type);
    if (index >= count) {
      return error(ErrorCode::out_of_range, fmt::format("{}.indices[{}]", at, i),
                   fmt::format("is {}, and the accessor has {} elements", index, count));
    }
    for (std::size_t j = 0; j < element.width; ++j) {
      out[static_cast<std::size_t>(index) * element.width + j] =
          component_at(value_view->bytes, i * value_view->stride + j * size, element.component);
    }
  }
  return {};
}

}  // namespace mabkit::gltf
