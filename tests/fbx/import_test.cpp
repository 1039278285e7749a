// FBX through the real importer: our own files, assimp's models, files cut short.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <mabkit/diff.hpp>
#include <mabkit/document.hpp>
#include <mabkit/fbx.hpp>
#include <mabkit/fbx_file.hpp>
#include <mabkit/file.hpp>
#include <mabkit/pose.hpp>
#include <mabkit/rig.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/fixtures.hpp"
#include "unit/fbx/pivots.hpp"

namespace mabkit {
namespace {

constexpr std::uint64_t max_file_size = 1ULL << 30;

Bank read_bank(const std::string& fixture) {
  auto bank = Document::parse(test::read_fixture(fixture)).and_then([](const auto& document) {
    return document.bank();
  });
  if (!bank) throw std::runtime_error(bank.error().message);
  return std::move(*bank);
}

FbxOptions walk_options() {
  FbxOptions options;
  options.name = "walk";
  return options;
}

FbxReadOptions with_importer() {
  FbxReadOptions options;
  options.importer = MABKIT_FBX_IMPORTER;
  return options;
}

/// A file that is gone when the test is.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::span<const std::byte> bytes)
      : path_(std::filesystem::temp_directory_path() /
              ("mabkit-import-" + std::to_string(::getpid()) + ".fbx")) {
    if (!write_file(path_, bytes)) throw std::runtime_error("can't write " + path_.string());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { std::filesystem::remove(path_); }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

Result<ImportedMotion> read_bytes(std::span<const std::byte> bytes) {
  const TemporaryFile file(bytes);
  return read_fbx(file.path(), with_importer());
}

double angle_between(const Quat& a, const Quat& b) {
  const Quat d = multiply(conjugate(a), b);
  const double sine = std::sqrt(double{d.x} * d.x + double{d.y} * d.y + double{d.z} * d.z);
  return 2.0 * std::atan2(sine, std::abs(double{d.w}));
}

double distance(const Vec3& a, const Vec3& b) {
  return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z);
}

struct Posed {
  const char* clip;
  const char* rig;
};

class OwnFbx : public testing::TestWithParam<Posed> {};

TEST_P(OwnFbx, ComesBackAsTheSameMotion) {
  const Bank bank = read_bank(GetParam().clip);
  const auto skeleton = parse_rig(test::read_fixture(GetParam().rig));
  ASSERT_TRUE(skeleton);
  const auto file = write_fbx(bank, &*skeleton, walk_options());
  ASSERT_TRUE(file);
  const auto motion = read_bytes(file->bytes);
  ASSERT_TRUE(motion) << motion.error().message;
  ASSERT_EQ(motion->bank.clips.size(), 1U);
  const Clip& before = bank.clips[0];
  const Clip& after = motion->bank.clips[0];
  EXPECT_EQ(after.name, "walk");
  EXPECT_EQ(after.frame_rate, before.frame_rate);
  EXPECT_NEAR(after.duration, before.duration, 1e-6F);

  ASSERT_EQ(motion->skeleton.bones.size(), skeleton->bones.size());
  const Binding was = bind(before, *skeleton, {});
  const Binding is = bind(after, motion->skeleton, {});
  for (const float time : {0.0F, 1.0F / 30.0F, 0.42F, 5.0F, 9.99F, before.duration}) {
    const auto old_pose = local_pose(before, *skeleton, was, time);
    const auto new_pose = local_pose(after, motion->skeleton, is, time);
    for (std::size_t i = 0; i < skeleton->bones.size(); ++i) {
      const Bone& bone = skeleton->bones[i];
      std::size_t other = 0;
      while (other < skeleton->bones.size() && motion->skeleton.bones[other].name != bone.name) {
        ++other;
      }
      ASSERT_LT(other, skeleton->bones.size()) << bone.name;
      EXPECT_LT(angle_between(old_pose[i].rotation, new_pose[other].rotation), 1e-4)
          << bone.name << " at " << time;
      EXPECT_LT(distance(old_pose[i].translation, new_pose[other].translation), 1e-4)
          << bone.name << " at " << time;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Motion, OwnFbx,
    testing::Values(Posed{"motion/cmu_01_01_fc2.mab", "motion/cmu_01_01.skeleton"},
                    Posed{"motion/cmu_01_01_fc5.mab", "motion/cmu_01_01_fc5.xbg"},
                    Posed{"motion/cmu_01_01_wd1.mab", "motion/cmu_01_01_fc5.xbg"},
                    Posed{"motion/cmu_01_01_wdl.mab", "motion/cmu_01_01_fc5.xbg"}));

TEST(OwnFbxRootMotion, ComesBackAsRootMotion) {
  Bank bank;
  bank.format = "mab";
  Clip clip;
  clip.duration = 1.0F;
  clip.joints.push_back({.id = 0, .name_hash = {}, .name = "Hips", .parent = {}});
  clip.times = {0.0F, 1.0F};
  clip.values = {1, 2, 3, 4, 5, 6, 0, 0, 0, 1, 0, 0, 0.6F, 0.8F};
  clip.tracks.push_back({0, Channel::rotation, TrackKind::animated, {0, 6, 2}});
  clip.root_motion = RootMotion{};
  clip.root_motion->translation = Keys{0, 0, 2};
  bank.clips.push_back(clip);
  const auto file = write_fbx(bank, nullptr, walk_options());
  ASSERT_TRUE(file);
  const auto motion = read_bytes(file->bytes);
  ASSERT_TRUE(motion) << motion.error().message;
  ASSERT_EQ(motion->skeleton.bones.size(), 1U);
  const Clip& after = motion->bank.clips.at(0);
  ASSERT_TRUE(after.root_motion && after.root_motion->translation);
  EXPECT_FALSE(after.root_motion->rotation);
  EXPECT_LT(distance(after.translation(*after.root_motion->translation, 0), {1, 2, 3}), 1e-5);
  EXPECT_LT(distance(after.translation(*after.root_motion->translation, 1), {4, 5, 6}), 1e-5);
}

TEST(Pivots, AreBakedIntoTheJoint) {
  const auto motion = read_bytes(test::fbx_with_pivots());
  ASSERT_TRUE(motion) << motion.error().message;
  ASSERT_EQ(motion->skeleton.bones.size(), 2U);
  const Clip& clip = motion->bank.clips.at(0);
  for (const auto& [time, angle] : {std::pair{0.0F, 20.0}, std::pair{1.0F, 60.0}}) {
    const Transform expected = test::pivot_joint_at(angle);
    const auto pose = local_pose(clip, motion->skeleton, bind(clip, motion->skeleton, {}), time);
    EXPECT_LT(angle_between(pose[0].rotation, expected.rotation), 1e-5) << time;
    EXPECT_LT(distance(pose[0].translation, expected.translation), 1e-5) << time;
  }
}

std::vector<std::filesystem::path> models() {
  std::vector<std::filesystem::path> out;
  for (const char* folder : {"/usr/share/assimp/models", "/usr/share/assimp/models-nonbsd"}) {
    if (!std::filesystem::is_directory(folder)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      const std::string extension = entry.path().extension().string();
      if (extension == ".fbx" || extension == ".FBX") out.push_back(entry.path());
    }
  }
  return out;
}

TEST(Models, GiveMotionOrAReason) {
  const auto files = models();
  ASSERT_GT(files.size(), 10U) << "assimp-testmodels is absent";
  std::size_t read = 0;
  for (const auto& file : files) {
    const auto motion = read_fbx(file, with_importer());
    if (motion) {
      ++read;
      EXPECT_FALSE(motion->bank.clips.empty()) << file;
      EXPECT_FALSE(motion->skeleton.bones.empty()) << file;
    } else {
      EXPECT_NE(motion.error().code, ErrorCode::io) << file;
      EXPECT_EQ(motion.error().message.find("signal"), std::string::npos)
          << file << motion.error().message;
    }
  }
  EXPECT_GE(read, 2U);
}

TEST(Models, BlendersSkeletonHasItsSizeAndRate) {
  const auto motion = read_fbx("/usr/share/assimp/models/FBX/huesitos.fbx", with_importer());
  ASSERT_TRUE(motion) << motion.error().message;
  // Its armature is scaled by 100, its bones are in metres: Bone.001 is 70.5 cm along Bone.
  EXPECT_EQ(motion->skeleton.bones.at(1).name, "Bone.001");
  EXPECT_NEAR(distance(motion->skeleton.bones[1].translation, {}), 0.70501, 1e-5);
  EXPECT_EQ(motion->bank.clips.at(0).frame_rate, 25.0F);
}

TEST(Damage, FilesCutShortGiveMotionOrAReason) {
  const auto file = read_file("/usr/share/assimp/models/FBX/huesitos.fbx", max_file_size);
  ASSERT_TRUE(file);
  for (std::size_t part = 0; part < 24; ++part) {
    const auto bytes = std::span(*file).first(file->size() * part / 24);
    const auto motion = read_bytes(bytes);
    if (!motion) {
      EXPECT_FALSE(motion.error().message.empty());
    }
  }
}

TEST(Damage, OverwrittenWordsGiveMotionOrAReason) {
  const auto file =
      read_file("/usr/share/assimp/models/FBX/animation_with_skeleton.fbx", max_file_size);
  ASSERT_TRUE(file);
  std::uint32_t state = 1;
  for (int round = 0; round < 40; ++round) {
    std::vector<std::byte> bytes = *file;
    for (int word = 0; word < 8; ++word) {
      state = state * 1664525U + 1013904223U;
      const std::size_t at = state % (bytes.size() - 4);
      for (std::size_t i = 0; i < 4; ++i) bytes[at + i] = std::byte(round % 2 == 0 ? 0xFF : 0x7F);
    }
    const auto motion = read_bytes(bytes);
    if (!motion) {
      EXPECT_FALSE(motion.error().message.empty());
    }
  }
}

TEST(Limits, MemoryIsLimited) {
  FbxReadOptions options = with_importer();
  options.max_memory = 16ULL << 20;
  const auto motion = read_fbx("/usr/share/assimp/models/FBX/huesitos.fbx", options);
  ASSERT_FALSE(motion);
  EXPECT_EQ(motion.error().code, ErrorCode::limit) << motion.error().message;
}

TEST(Limits, AFileThatIsNotThereSaysSo) {
  const auto motion = read_fbx("/nonexistent/walk.fbx", with_importer());
  ASSERT_FALSE(motion);
  EXPECT_NE(motion.error().message.find("can't be opened"), std::string::npos)
      << motion.error().message;
}

}  // namespace
}  // namespace mabkit
