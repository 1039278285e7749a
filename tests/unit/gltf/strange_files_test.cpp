#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mabkit/gltf.hpp>
#include <string>

#include "unit/gltf/clips.hpp"
#include "unit/gltf/gltf_maker.hpp"

namespace mabkit {
namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The models of Debian's package assimp-testmodels, many of them malformed on purpose.
class StrangeGltf : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(folder)) GTEST_SKIP() << "assimp-testmodels is not installed";
  }

  static Result<ImportedMotion> read(const std::filesystem::path& path) {
    const std::string text = text_of(path);
    return read_gltf_motion(std::as_bytes(std::span(text)), {}, [&](std::string_view uri) {
      const std::string bytes = text_of(path.parent_path() / uri);
      const auto view = std::as_bytes(std::span(bytes));
      return Result<std::vector<std::byte>>(std::vector<std::byte>(view.begin(), view.end()));
    });
  }

  static inline const std::filesystem::path folder{"/usr/share/assimp/models"};
};

TEST_F(StrangeGltf, IsReadOrRefusedWithAReason) {
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const auto extension = entry.path().extension();
    if (extension != ".gltf" && extension != ".glb") continue;
    ++files;
    const auto result = read(entry.path());
    EXPECT_TRUE(result || !result.error().message.empty()) << entry.path();
  }
  EXPECT_GT(files, 30);
}

TEST_F(StrangeGltf, NodesInACycleAreRefused) {
  const auto result = read(folder / "glTF2/RecursiveNodes/RecursiveNodes.gltf");
  ASSERT_FALSE(result);
  EXPECT_TRUE(result.error().path.starts_with("nodes[")) << result.error().path;
}

TEST_F(StrangeGltf, ABufferThatIsAbsentIsSaid) {
  const std::string text = text_of(folder / "glTF2/simple_skin/simple_skin.gltf");
  const auto result = read_gltf_motion(std::as_bytes(std::span(text)));
  EXPECT_TRUE(result || !result.error().path.empty());
}

TEST(ReadGltfMotion, EveryTruncationIsAnError) {
  test::GltfMaker maker = test::two_joints();
  maker.add_curve(0, "translation", {0, 1}, {1, 2, 3, 4, 5, 6});
  const std::string text = maker.text();
  for (std::size_t size = 0; size < text.size(); ++size) {
    EXPECT_FALSE(read_gltf_motion(std::as_bytes(std::span(text).first(size)))) << size;
  }
  Clip clip;
  clip.duration = 1.0F;
  test::add_joint(clip, "Hips");
  test::add_track(clip, 0, Channel::translation, TrackKind::animated, {0, 1}, {1, 2, 3, 4, 5, 6});
  const auto glb = write_glb(*build_gltf(test::bank_of({clip}), nullptr, {}));
  ASSERT_TRUE(glb);
  // The last bytes are the proxy mesh's, which no animation needs.
  for (std::size_t size = 0; size < glb->size(); ++size) {
    const auto result = read_gltf_motion(std::span(*glb).first(size));
    EXPECT_FALSE(result) << size;
  }
}

TEST(ReadGltfMotion, DamagedBytesGiveAMotionOrAnError) {
  test::GltfMaker maker = test::two_joints();
  maker.add_curve(0, "translation", {0, 1}, {1, 2, 3, 4, 5, 6});
  const std::string original = maker.text();
  for (const char damage : {'\0', '9', '"', ']', '-'}) {
    for (std::size_t at = 0; at < original.size(); ++at) {
      std::string text = original;
      text[at] = damage;
      const auto result = read_gltf_motion(std::as_bytes(std::span(text)));
      EXPECT_TRUE(result || !result.error().message.empty()) << at;
    }
  }
}

}  // namespace
}  // namespace mabkit
