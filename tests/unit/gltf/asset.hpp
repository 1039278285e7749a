#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <mabkit/gltf.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace mabkit::test {

/// An asset as a program that knows glTF only sees it.
class Asset {
 public:
  explicit Asset(const GltfAsset& asset)
      : json_(nlohmann::json::parse(asset.json)), buffer_(asset.buffer) {}

  [[nodiscard]] const nlohmann::json& json() const { return json_; }

  /// The floats of an accessor.
  [[nodiscard]] std::vector<float> floats(std::size_t accessor) const {
    const auto& found = json_.at("accessors").at(accessor);
    EXPECT_EQ(found.at("componentType"), 5126);
    const std::string type = found.at("type");
    const std::size_t width = type == "SCALAR" ? 1 : type == "VEC3" ? 3 : type == "VEC4" ? 4 : 16;
    std::vector<float> values(found.at("count").get<std::size_t>() * width);
    std::memcpy(values.data(), buffer_.data() + offset(found), values.size() * sizeof(float));
    return values;
  }

  /// Index into `nodes` of the only node of that name.
  [[nodiscard]] std::size_t node(const std::string& name) const {
    std::optional<std::size_t> found;
    const auto& nodes = json_.at("nodes");
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (nodes[i].at("name") != name) continue;
      EXPECT_FALSE(found) << "two nodes are called " << name;
      found = i;
    }
    EXPECT_TRUE(found) << "no node is called " << name;
    return found.value_or(0);
  }

  /// Name of the parent of a node.
  [[nodiscard]] std::string parent(const std::string& name) const {
    const std::size_t child = node(name);
    for (const auto& candidate : json_.at("nodes")) {
      const auto children = candidate.value("children", std::vector<std::size_t>{});
      for (const std::size_t i : children) {
        if (i == child) return candidate.at("name");
      }
    }
    return {};
  }

  struct Curve {
    std::vector<float> times;
    std::vector<float> values;
  };

  /// The only curve of an animation that drives `path` of a node, or nothing.
  [[nodiscard]] std::optional<Curve> curve(std::size_t animation, const std::string& node_name,
                                           const std::string& path) const {
    std::optional<Curve> found;
    const std::size_t target = node(node_name);
    const auto& of = json_.at("animations").at(animation);
    for (const auto& channel : of.at("channels")) {
      if (channel.at("target").at("node") != target || channel.at("target").at("path") != path) {
        continue;
      }
      EXPECT_FALSE(found) << node_name << "." << path << " is driven twice";
      const auto& sampler = of.at("samplers").at(channel.at("sampler").get<std::size_t>());
      EXPECT_EQ(sampler.at("interpolation"), "LINEAR");
      found = Curve{floats(sampler.at("input")), floats(sampler.at("output"))};
    }
    return found;
  }

  [[nodiscard]] const nlohmann::json& extras() const {
    return json_.at("asset").at("extras").at("mabkit");
  }

 private:
  [[nodiscard]] std::size_t offset(const nlohmann::json& accessor) const {
    const auto& view = json_.at("bufferViews").at(accessor.at("bufferView").get<std::size_t>());
    return view.value("byteOffset", std::size_t{0}) + accessor.value("byteOffset", std::size_t{0});
  }

  nlohmann::json json_;
  std::vector<std::byte> buffer_;
};

/// Builds an asset; fails the test where that fails.
inline Asset build(const Bank& bank, const Skeleton* skeleton, const GltfOptions& options = {}) {
  const auto asset = build_gltf(bank, skeleton, options);
  EXPECT_TRUE(asset) << (asset ? "" : asset.error().message);
  return Asset(*asset);
}

}  // namespace mabkit::test
