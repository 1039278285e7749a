#include <gtest/gtest.h>

#include <cstring>
#include <mabkit/gltf.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "support/fixtures.hpp"
#include "unit/gltf/clips.hpp"

namespace mabkit {
namespace {

std::uint32_t word(const std::vector<std::byte>& bytes, std::size_t at) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

TEST(Glb, HasAHeaderAndTwoPaddedChunks) {
  const GltfAsset asset{R"({"a":1})", test::bytes({1, 2, 3, 4, 5}), {}};
  const auto glb = write_glb(asset);
  ASSERT_TRUE(glb);
  ASSERT_EQ(glb->size(), 12U + 8U + 8U + 8U + 8U);
  EXPECT_EQ(std::memcmp(glb->data(), "glTF", 4), 0);
  EXPECT_EQ(word(*glb, 4), 2U);
  EXPECT_EQ(word(*glb, 8), glb->size());
  EXPECT_EQ(word(*glb, 12), 8U);
  EXPECT_EQ(std::memcmp(glb->data() + 16, "JSON{\"a\":1} ", 12), 0);
  EXPECT_EQ(word(*glb, 28), 8U);
  EXPECT_EQ(std::memcmp(glb->data() + 32, "BIN\0\1\2\3\4\5\0\0\0", 12), 0);
}

TEST(Glb, WithoutABufferHasOneChunk) {
  const auto glb = write_glb({R"({"a":12})", {}, {}});
  ASSERT_TRUE(glb);
  EXPECT_EQ(glb->size(), 12U + 8U + 8U);
}

TEST(Gltf, EmbedsTheBuffer) {
  Clip clip;
  test::add_joint(clip, "Hips");
  const auto asset = build_gltf(test::bank_of({clip}), nullptr, {});
  ASSERT_TRUE(asset);
  const auto text = write_gltf(*asset);
  ASSERT_TRUE(text);
  const auto json = nlohmann::json::parse(*text);
  const std::string uri = json.at("buffers").at(0).at("uri");
  const std::string head = "data:application/octet-stream;base64,";
  ASSERT_TRUE(uri.starts_with(head));
  EXPECT_EQ(uri.size() - head.size(), (asset->buffer.size() + 2) / 3 * 4);
  EXPECT_EQ(json.at("buffers").at(0).at("byteLength"), asset->buffer.size());
}

TEST(Gltf, RefusesJsonThatDoesNotEndWithItsBuffer) {
  const auto text = write_gltf({R"({"a":1})", test::bytes({1}), {}});
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::bad_argument);
}

}  // namespace
}  // namespace mabkit
