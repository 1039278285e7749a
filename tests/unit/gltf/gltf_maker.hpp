#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "base/base64.hpp"

namespace mabkit::test {

/// Makes a glTF text with animations, its buffer in base64.
class GltfMaker {
 public:
  nlohmann::json json{{"asset", {{"version", "2.0"}}}};

  /// An accessor of its own view; returns its position.
  template <class T>
  std::size_t add(const std::vector<T>& values, const char* type, std::size_t count, int component,
                  bool is_normalised = false) {
    const auto view = add_view(values);
    nlohmann::json accessor{
        {"bufferView", view}, {"componentType", component}, {"count", count}, {"type", type}};
    if (is_normalised) accessor["normalized"] = true;
    json["accessors"].push_back(accessor);
    return json["accessors"].size() - 1;
  }
  std::size_t add_floats(const std::vector<float>& values, const char* type) {
    const std::string name = type;
    const std::size_t width = name == "SCALAR" ? 1 : name == "VEC3" ? 3 : 4;
    return add(values, type, values.size() / width, 5126);
  }
  template <class T>
  std::size_t add_view(const std::vector<T>& values) {
    const auto bytes = std::as_bytes(std::span(values));
    json["bufferViews"].push_back(
        {{"buffer", 0}, {"byteOffset", buffer.size()}, {"byteLength", bytes.size()}});
    buffer.insert(buffer.end(), bytes.begin(), bytes.end());
    return json["bufferViews"].size() - 1;
  }

  /// A channel of the animation called `name`, which is made where it is not there.
  void add_channel(const std::string& name, std::size_t node, const char* path, std::size_t input,
                   std::size_t output, const char* interpolation = "LINEAR") {
    if (!json.contains("animations") || json["animations"].back()["name"] != name) {
      json["animations"].push_back({{"name", name},
                                    {"channels", nlohmann::json::array()},
                                    {"samplers", nlohmann::json::array()}});
    }
    nlohmann::json& animation = json["animations"].back();
    animation["channels"].push_back(
        {{"sampler", animation["samplers"].size()}, {"target", {{"node", node}, {"path", path}}}});
    animation["samplers"].push_back(
        {{"input", input}, {"output", output}, {"interpolation", interpolation}});
  }
  void add_curve(std::size_t node, const char* path, const std::vector<float>& times,
                 const std::vector<float>& values, const char* interpolation = "LINEAR") {
    const char* const type = std::string(path) == "rotation" ? "VEC4" : "VEC3";
    const std::size_t input = add_floats(times, "SCALAR");
    add_channel("take", node, path, input, add_floats(values, type), interpolation);
  }

  [[nodiscard]] std::string text() const {
    nlohmann::json out = json;
    if (!buffer.empty()) {
      out["buffers"] = {{{"byteLength", buffer.size()},
                         {"uri", "data:application/octet-stream;base64," + base::base64(buffer)}}};
    }
    return out.dump();
  }

  std::vector<std::byte> buffer;
};

/// Nodes `Hips` and, below it, `Spine`.
inline GltfMaker two_joints() {
  GltfMaker maker;
  maker.json["nodes"] = {{{"name", "Hips"}, {"children", {1}}},
                         {{"name", "Spine"}, {"translation", {0, 1, 0}}}};
  return maker;
}

}  // namespace mabkit::test
