#include <fmt/format.h>
#include <gtest/gtest.h>

#include <mabkit/encode.hpp>
#include <mabkit/mab.hpp>
#include <mabkit/names.hpp>

#include "mab/sparse_encode.hpp"
#include "support/plain_sparse_decoder.hpp"
#include "support/random_banks.hpp"
#include "support/sparse_files.hpp"
#include "unit/mab/sparse_edits.hpp"

/// A few keys can ask for very many frames: what that takes is bounded before it is taken.
namespace mabkit::mab {
namespace {

/// Joints that turn from one key at the start to one at `last_frame`, 30 frames a second.
Clip two_key_clip(std::uint32_t joints, std::uint32_t last_frame) {
  Clip clip;
  clip.duration = static_cast<float>(last_frame) / 30.0F;
  for (std::uint32_t i = 0; i < joints; ++i) {
    clip.joints.emplace_back();
    clip.joints.back().id = i;
    test::add_rotations(clip, i, TrackKind::animated, {0.0F, clip.duration},
                        {Quat{}, test::turn({1, 0, 0}, 1.0)});
  }
  return clip;
}

TEST(SparseMemory, ABankThatWouldFillItIsRefused) {
  Bank bank;
  bank.game = Game::fc2;
  bank.clips.assign(256, two_key_clip(160, 65535));
  const auto file = encode_sparse(bank, Game::fc2, {});
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::limit);
  EXPECT_NE(file.error().message.find("split the bank"), std::string::npos);
}

TEST(SparseMemory, TheAskedRateCounts) {
  Bank bank;
  bank.game = Game::fc2;
  bank.clips.assign(256, two_key_clip(160, 60));
  EncodeOptions options;
  options.frames_per_second = 30000.0;
  EXPECT_EQ(encode_sparse(bank, Game::fc2, options).error().code, ErrorCode::limit);
}

TEST(SparseMemory, RootMotionCounts) {
  Clip clip;
  clip.root_motion.emplace();
  EXPECT_EQ(sampled_bytes(clip, 100), 100U * (16 + 12));
}

TEST(SparseMemory, AnEditThatWouldFillItIsRefused) {
  const std::vector<test::KeyedTrack> tracks(
      10, test::KeyedTrack{{{0, Quat{}}, {8, test::turn({1, 0, 0}, 0.5)}}});
  ReadOptions options;
  options.limits.max_decoded_bytes = 1U << 20U;
  const SparseMab file = test::parse_sparse(test::file_of(test::keyed_file(tracks, 8)), options);
  Bank bank = bank_of(file);
  bank.clips[0].duration = 20.0F;
  EXPECT_EQ(test::decode_plain_sparse(edited(file, bank).bytes)[0].last_frame, 600U);
  bank.clips[0].duration = 2000.0F;
  const auto written = file.with(bank, {});
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::limit);
  EXPECT_EQ(written.error().path, "clip[0]");
  // Before anything is made: the file would be refused when it is read back, too.
  EXPECT_NE(written.error().message.find("12 curves at 60001 frames"), std::string::npos)
      << written.error().message;
}

/// A chain of bones of which the first and the last have names that a clip knows.
Skeleton chain(std::uint32_t bones) {
  Skeleton skeleton;
  skeleton.bones.resize(bones);
  for (std::uint32_t i = 0; i < bones; ++i) {
    Bone& bone = skeleton.bones[i];
    bone.name = i == 0 ? "Root" : i + 1 == bones ? "Tip" : fmt::format("Link{}", i);
    bone.name_hash = name_hash(bone.name);
    if (i != 0) bone.parent = i - 1;
    if (i == 0) bone.id = 0;
    if (i + 1 == bones) bone.id = 1;
  }
  return skeleton;
}

Bank chain_bank(std::uint32_t last_frame) {
  Bank bank;
  Clip& clip = bank.clips.emplace_back(two_key_clip(2, last_frame));
  clip.joints[0].name = "Root";
  clip.joints[1].name = "Tip";
  return bank;
}

TEST(SparseMemory, PosesOfALongClipOnAHugeSkeletonAreRefused) {
  const Skeleton skeleton = chain(4095);
  EncodeOptions options;
  options.skeleton = &skeleton;
  const auto file = encode_sparse(chain_bank(65535), Game::fc2, options);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::limit);
  EXPECT_EQ(file.error().path, "clip[0]");
  EXPECT_NE(file.error().message.find("skeleton"), std::string::npos);
}

TEST(SparseMemory, AChainOfAnyDepthTakesNoStack) {
  const Skeleton skeleton = chain(100000);
  EncodeOptions options;
  options.skeleton = &skeleton;
  const auto file = encode_sparse(chain_bank(8), Game::fc2, options);
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_LE(file->report.clips[0].object->worst, options.max_object_error);
}

}  // namespace
}  // namespace mabkit::mab
