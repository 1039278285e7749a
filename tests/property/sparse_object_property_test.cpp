#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <mabkit/document.hpp>
#include <mabkit/encode.hpp>
#include <mabkit/names.hpp>
#include <mabkit/rig.hpp>
#include <random>

#include "mab/sparse_encode.hpp"
#include "motion/resample.hpp"
#include "support/fixtures.hpp"
#include "support/plain_sparse_decoder.hpp"
#include "support/random_banks.hpp"
#include "support/sparse_files.hpp"

/// The bound in object space, measured by forward kinematics that share nothing with the encoder.
namespace mabkit::mab {
namespace {

using test::PlainQuat;
using test::PlainVec;

PlainVec rotated(const PlainQuat& q, const PlainVec& v) {
  // The matrix of a unit quaternion.
  const auto [x, y, z, w] = q;
  return {
      (1 - 2 * (y * y + z * z)) * v[0] + 2 * (x * y - z * w) * v[1] + 2 * (x * z + y * w) * v[2],
      2 * (x * y + z * w) * v[0] + (1 - 2 * (x * x + z * z)) * v[1] + 2 * (y * z - x * w) * v[2],
      2 * (x * z - y * w) * v[0] + 2 * (y * z + x * w) * v[1] + (1 - 2 * (x * x + y * y)) * v[2]};
}

/// A bone's vertices in object space: from the bone up to the root, one transform after the other.
template <class Rotation, class Translation>
std::array<PlainVec, 3> vertices(const Skeleton& skeleton, std::size_t bone, double distance,
                                 const Rotation& rotation, const Translation& translation) {
  std::array<PlainVec, 3> points{PlainVec{distance, 0, 0}, PlainVec{0, distance, 0},
                                 PlainVec{0, 0, distance}};
  for (std::optional<std::uint32_t> at = bone; at; at = skeleton.bones[*at].parent) {
    for (PlainVec& point : points) {
      const PlainVec turned = rotated(rotation(*at), point);
      const PlainVec offset = translation(*at);
      point = {turned[0] + offset[0], turned[1] + offset[1], turned[2] + offset[2]};
    }
  }
  return points;
}

/// Largest distance of any vertex, over all bones that the clip drives and all frames.
double object_error(const Clip& source, const test::PlainClip& written, const Skeleton& skeleton,
                    double distance) {
  const auto sampled =
      motion::sample_on_grid(source, {static_cast<double>(source.frame_rate), 1, true}, 65536);
  std::vector<const motion::SampledTrack*> turns(skeleton.bones.size());
  std::vector<const motion::SampledTrack*> moves(skeleton.bones.size());
  std::vector<bool> is_driven(skeleton.bones.size(), false);
  const auto bones = bind(source, skeleton, {}).bone_of_joint;
  for (const auto& bone : bones) is_driven[*bone] = true;
  for (const motion::SampledTrack& track : sampled->tracks) {
    (track.channel == Channel::rotation ? turns : moves)[*bones[track.joint]] = &track;
  }
  const auto at = [](const auto& values, unsigned frame) {
    return values[values.size() == 1 ? 0 : frame];
  };
  double worst = 0.0;
  for (unsigned frame = 0; frame <= written.last_frame; ++frame) {
    const auto wanted_turn = [&](std::size_t bone) {
      const Quat q = turns[bone] == nullptr ? skeleton.bones[bone].rotation
                                            : at(turns[bone]->rotations, frame);
      const double length = std::sqrt(static_cast<double>(q.x) * q.x + q.y * q.y + q.z * q.z +
                                      static_cast<double>(q.w) * q.w);
      return PlainQuat{q.x / length, q.y / length, q.z / length, q.w / length};
    };
    const auto wanted_place = [&](std::size_t bone) {
      const Vec3 v = moves[bone] == nullptr ? skeleton.bones[bone].translation
                                            : at(moves[bone]->translations, frame);
      return PlainVec{v.x, v.y, v.z};
    };
    const auto written_turn = [&](std::size_t bone) {
      return turns[bone] == nullptr ? wanted_turn(bone)
                                    : written.rotation(*skeleton.bones[bone].id, frame);
    };
    const auto written_place = [&](std::size_t bone) {
      return moves[bone] == nullptr ? wanted_place(bone)
                                    : written.translation(*skeleton.bones[bone].id, frame);
    };
    for (std::size_t bone = 0; bone < skeleton.bones.size(); ++bone) {
      if (!is_driven[bone]) continue;
      const auto a = vertices(skeleton, bone, distance, wanted_turn, wanted_place);
      const auto b = vertices(skeleton, bone, distance, written_turn, written_place);
      for (std::size_t i = 0; i < a.size(); ++i) {
        worst =
            std::max(worst, std::hypot(a[i][0] - b[i][0], a[i][1] - b[i][1], a[i][2] - b[i][2]));
      }
    }
  }
  return worst;
}

/// What single precision in the source's samples may add.
constexpr double rounding = 1e-6;

Skeleton cmu_skeleton() {
  return *parse_rig(test::read_fixture("motion/cmu_01_01.skeleton"));
}
Clip cmu_clip() {
  const auto file = Document::parse(test::read_fixture("motion/cmu_01_01_wdl.mab"));
  return file->bank()->clips.front();
}

TEST(SparseObjectProperty, CapturedMotionStaysWithinATenthOfAMillimetre) {
  const Skeleton skeleton = cmu_skeleton();
  Bank bank;
  bank.clips.push_back(cmu_clip());
  for (const double bound : {1e-4, 5e-4}) {
    EncodeOptions options;
    options.skeleton = &skeleton;
    options.max_object_error = bound;
    const auto file = encode_sparse(bank, Game::fc2, options);
    ASSERT_TRUE(file) << file.error().message;
    const auto written = test::decode_plain_sparse(file->bytes).front();
    const double worst = object_error(bank.clips.front(), written, skeleton, 0.03);
    EXPECT_LE(worst, bound + rounding);
    ASSERT_TRUE(file->report.clips[0].object);
    EXPECT_NEAR(file->report.clips[0].object->worst, worst, 2e-6);
    EXPECT_LE(file->report.clips[0].object->percentile_99, file->report.clips[0].object->worst);
    EXPECT_LE(file->bytes.size(), sparse_size_bound(bank));
  }
}

TEST(SparseObjectProperty, AHigherBoundTakesFewerBytes) {
  const Skeleton skeleton = cmu_skeleton();
  Bank bank;
  bank.clips.push_back(cmu_clip());
  std::size_t before = sparse_size_bound(bank);
  for (const double bound : {1e-4, 2e-4, 5e-4, 2e-3}) {
    EncodeOptions options;
    options.skeleton = &skeleton;
    options.max_object_error = bound;
    const auto file = encode_sparse(bank, Game::fc2, options);
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_LT(file->bytes.size(), before);
    before = file->bytes.size();
  }
}

TEST(SparseObjectProperty, ABoundOutOfReachIsAnErrorThatNamesTheBest) {
  const Skeleton skeleton = cmu_skeleton();
  Bank bank;
  bank.clips.push_back(cmu_clip());
  EncodeOptions options;
  options.skeleton = &skeleton;
  options.max_object_error = 1e-6;
  const auto file = encode_sparse(bank, Game::fc2, options);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::bad_argument);
  EXPECT_NE(file.error().message.find("is the best"), std::string::npos) << file.error().message;
}

/// A random tree of bones, each 0 to 0.4 m from its parent.
Skeleton random_skeleton(std::mt19937& random, std::uint32_t bones) {
  Skeleton skeleton;
  std::uniform_real_distribution<float> offset(-0.2F, 0.2F);
  for (std::uint32_t i = 0; i < bones; ++i) {
    Bone& bone = skeleton.bones.emplace_back();
    bone.name = "bone " + std::to_string(i);
    bone.name_hash = name_hash(bone.name);
    bone.id = i;
    if (i != 0) bone.parent = std::uniform_int_distribution<std::uint32_t>(i / 2, i - 1)(random);
    bone.rotation = test::random_rotation(random);
    bone.translation = {offset(random), offset(random), offset(random)};
  }
  return skeleton;
}

TEST(SparseObjectProperty, RandomRigsStayWithinTheBound) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    const Skeleton skeleton = random_skeleton(random, 9);
    Bank bank = test::random_sparse_bank(random, {.most_joints = 9, .most_frames = 40});
    bank.clips.resize(1);
    bank.participants.clear();
    Clip& clip = bank.clips.front();
    for (std::uint32_t i = 0; i < clip.joints.size(); ++i) clip.joints[i].id = i;
    EncodeOptions options;
    options.skeleton = &skeleton;
    options.max_object_error = seed % 2 == 0 ? 1e-3 : 5e-3;
    const auto file = encode_sparse(bank, Game::fc2, options);
    ASSERT_TRUE(file) << "seed " << seed << ": " << file.error().message;
    const auto written = test::decode_plain_sparse(file->bytes).front();
    const double worst = object_error(clip, written, skeleton, options.vertex_distance);
    EXPECT_LE(worst, options.max_object_error + rounding) << "seed " << seed;
  }
}

}  // namespace
}  // namespace mabkit::mab
