#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <mabkit/fbx_file.hpp>
#include <mabkit/file.hpp>
#include <string>

namespace mabkit {
namespace {

using namespace std::chrono_literals;

/// A program that stands in for the importer: a script of its own for each test.
class ReadFbx : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() /
              ("mabkit-read-fbx-" + std::to_string(::getpid()) + "-" + test->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  Result<ImportedMotion> read_with(const std::string& script, FbxReadOptions options = {}) {
    const std::string text = "#!/bin/sh\n" + script + "\n";
    const auto importer = folder_ / "importer";
    if (!write_file(importer, std::as_bytes(std::span(text)))) ADD_FAILURE();
    std::filesystem::permissions(importer, std::filesystem::perms::owner_all);
    options.importer = importer;
    return read_fbx("walk.fbx", options);
  }

  static void expect_error(const Result<ImportedMotion>& motion, ErrorCode code,
                           const std::string& words) {
    ASSERT_FALSE(motion);
    EXPECT_EQ(motion.error().code, code) << motion.error().message;
    EXPECT_NE(motion.error().message.find(words), std::string::npos) << motion.error().message;
  }

  std::filesystem::path folder_;
};

TEST_F(ReadFbx, TheImportersAnswerBecomesMotion) {
  const auto motion = read_with(
      R"(cat <<'END'
{"schema":"mabkit.fbx-scene/1","up_axis":2,"up_axis_sign":1,"centimetres_per_unit":100,
 "nodes":[{"name":"R","parent":null,"is_limb":false,"matrix":[1,0,0,0,0,1,0,0,0,0,1,0]},
          {"name":"Hips","parent":0,"is_limb":true,"matrix":[1,0,0,1,0,1,0,2,0,0,1,3]}],
 "animations":[{"name":"a","ticks_per_second":30,"duration":30,"channels":[{"node":1,
   "translation":{"times":[0,30],"values":[1,2,3,1,2,4]},
   "rotation":{"times":[0],"values":[0,0,0,1]},"scale":{"times":[0],"values":[1,1,1]}}]}]}
END)");
  ASSERT_TRUE(motion) << motion.error().message;
  EXPECT_EQ(motion->skeleton.bones.at(0).translation, (Vec3{1, 2, 3}));
}

TEST_F(ReadFbx, TheFileIsHandedOverAsAnAbsolutePathWithTheLimits) {
  FbxReadOptions options;
  options.max_time = 2500ms;
  options.max_memory = 1000;
  const auto motion = read_with(R"(echo "$*" >&2; exit 1)", options);
  expect_error(motion, ErrorCode::bad_value, "/walk.fbx --memory 1000 --seconds 3 --output ");
}

TEST_F(ReadFbx, AFileThatIsRefusedSaysWhy) {
  expect_error(read_with("echo 'first line'; echo 'no FBX at all' >&2; exit 1"),
               ErrorCode::bad_value, "can't be read as FBX: no FBX at all");
}

TEST_F(ReadFbx, ACrashIsAnErrorOfTheFile) {
  expect_error(read_with("kill -SEGV $$"), ErrorCode::bad_value, "signal 11");
}

TEST_F(ReadFbx, ALimitThatTheImporterMeetsIsOne) {
  expect_error(read_with("echo 'needs more memory than it may have' >&2; exit 3"), ErrorCode::limit,
               "more memory");
}

TEST_F(ReadFbx, AnImporterThatHangsIsEnded) {
  FbxReadOptions options;
  options.max_time = 200ms;
  expect_error(read_with("sleep 60", options), ErrorCode::limit, "0.2 s");
}

TEST_F(ReadFbx, AnImporterThatWritesWithoutEndIsEnded) {
  FbxReadOptions options;
  options.max_output = 10'000;
  expect_error(read_with("yes", options), ErrorCode::limit, "10000 bytes");
}

TEST_F(ReadFbx, AFileThatIsTooLargeIsNotHandedOver) {
  const std::string text = "12345678";
  ASSERT_TRUE(write_file(folder_ / "large.fbx", std::as_bytes(std::span(text))));
  FbxReadOptions options;
  options.importer = "/bin/false";
  options.import.limits.max_file_size = 7;
  expect_error(read_fbx(folder_ / "large.fbx", options), ErrorCode::limit, "has 8 bytes");
}

TEST_F(ReadFbx, RubbishIsAnError) {
  expect_error(read_with("echo rubbish"), ErrorCode::bad_value, "importer's answer");
  expect_error(read_with("exit 0"), ErrorCode::bad_value, "importer's answer");
  expect_error(read_with("exit 42"), ErrorCode::bad_value, "code 42: without a reason");
}

TEST_F(ReadFbx, BytesOfAForeignFileDoNotReachTheTerminal) {
  const auto motion = read_with(R"(printf 'bad \033[31m name' >&2; exit 1)");
  expect_error(motion, ErrorCode::bad_value, "bad ?[31m name");
}

TEST_F(ReadFbx, WithoutTheImporterTheErrorSaysHowToGetIt) {
  FbxReadOptions options;
  options.importer = folder_ / "absent";
  expect_error(read_fbx("walk.fbx", options), ErrorCode::unsupported, "MABKIT_FBX=ON");
}

}  // namespace
}  // namespace mabkit
