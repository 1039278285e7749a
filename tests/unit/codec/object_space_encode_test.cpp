#include "codec/object_space_encode.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "codec/chunked_encode.hpp"
#include "codec/object_depth_search.hpp"

namespace mabkit::codec {
namespace {

constexpr std::uint32_t keys = 83;  // ten chunks and three keys

/// A chain of joints 20 cm apart that swing smoothly about changing axes; the first one travels.
ObjectMotion swinging_chain(std::uint32_t joints, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> unit(-1.0F, 1.0F);
  ObjectMotion motion;
  motion.keys = keys;
  for (std::uint32_t j = 0; j < joints; ++j) {
    ObjectJoint joint;
    if (j > 0) joint.parent = j - 1;
    joint.expected.translation = {0.2F, 0.0F, 0.0F};
    joint.actual = joint.expected;
    joint.rotation = static_cast<std::uint32_t>(motion.tracks.size());
    TrackToEncode track;
    track.joint = j;
    const Vec3 axis{unit(random), unit(random), unit(random)};
    const float speed = 0.1F + 0.1F * unit(random);
    for (std::uint32_t key = 0; key < keys; ++key) {
      const float swing = std::sin(speed * static_cast<float>(key));
      const Quat q{axis.x * swing, axis.y * swing, axis.z * std::cos(speed * 0.7F), 1.5F};
      const float size = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
      track.rotations.push_back({q.x / size, q.y / size, q.z / size, q.w / size});
    }
    motion.tracks.push_back(std::move(track));
    motion.joints.push_back(joint);
  }
  motion.joints[0].translation = static_cast<std::uint32_t>(motion.tracks.size());
  TrackToEncode travel;
  travel.channel = Channel::translation;
  for (std::uint32_t key = 0; key < keys; ++key) {
    const auto t = static_cast<float>(key);
    travel.translations.push_back({0.03F * t, 0.1F * std::sin(0.2F * t), 0.9F});
  }
  motion.tracks.push_back(std::move(travel));
  motion.is_kept.assign(motion.tracks.size(), false);
  return motion;
}

/// Object-space poses at a key: the source's, or those of what was encoded.
std::vector<Transform> pose_at(const ObjectMotion& motion, std::uint32_t key,
                               const std::vector<EncodedTrack>* encoded) {
  std::vector<Transform> poses;
  for (const ObjectJoint& joint : motion.joints) {
    Transform local = encoded != nullptr ? joint.actual : joint.expected;
    if (joint.rotation) {
      const std::uint32_t track = *joint.rotation;
      local.rotation = encoded != nullptr && !motion.is_kept[track]
                           ? decode_rotation_track((*encoded)[track], motion.keys)[key]
                           : motion.tracks[track].rotations[key];
    }
    if (joint.translation) {
      const std::uint32_t track = *joint.translation;
      local.translation = encoded != nullptr && !motion.is_kept[track]
                              ? decode_translation_track((*encoded)[track], motion.keys)[key]
                              : motion.tracks[track].translations[key];
    }
    poses.push_back(joint.parent ? combine(poses[*joint.parent], local) : local);
  }
  return poses;
}

/// The largest distance of any virtual vertex from its place, in metres.
double worst_error(const ObjectMotion& motion, const std::vector<EncodedTrack>& encoded) {
  double worst = 0.0;
  const auto d = static_cast<float>(motion.vertex_distance);
  for (std::uint32_t key = 0; key < motion.keys; ++key) {
    const auto expected = pose_at(motion, key, nullptr);
    const auto actual = pose_at(motion, key, &encoded);
    for (std::size_t joint = 0; joint < expected.size(); ++joint) {
      for (const Vec3& vertex : {Vec3{d, 0, 0}, Vec3{0, d, 0}, Vec3{0, 0, d}}) {
        const Vec3 a = rotate(expected[joint].rotation, vertex);
        const Vec3 b = rotate(actual[joint].rotation, vertex);
        worst = std::max(
            worst, double{std::hypot(
                       a.x + expected[joint].translation.x - b.x - actual[joint].translation.x,
                       a.y + expected[joint].translation.y - b.y - actual[joint].translation.y,
                       a.z + expected[joint].translation.z - b.z - actual[joint].translation.z)});
      }
    }
  }
  return worst;
}

std::uint64_t size_in_bits(const ObjectMotion& motion, const std::vector<EncodedTrack>& encoded) {
  std::uint64_t bits = 0;
  for (std::size_t track = 0; track < encoded.size(); ++track) {
    const BlockKind kind = motion.tracks[track].channel == Channel::rotation
                               ? BlockKind::rotation
                               : BlockKind::translation;
    for (std::uint32_t chunk = 0; chunk < encoded[track].chunks.size(); ++chunk) {
      bits += block_bits(encoded[track].chunks[chunk], kind, encoded[track].bits,
                         keys_of_chunk(motion.keys, chunk));
    }
  }
  return bits;
}

/// What the poses of a chain lose in float32.
constexpr double slack = 1e-6;

class ObjectSpaceBound : public testing::TestWithParam<double> {};

TEST_P(ObjectSpaceBound, HoldsAtEveryVertexAndKey) {
  for (const unsigned seed : {1U, 2U, 3U}) {
    const ObjectMotion motion = swinging_chain(12, seed);
    const auto encoded = encode_in_object_space(motion, GetParam());
    ASSERT_TRUE(encoded);
    EXPECT_LE(worst_error(motion, *encoded), GetParam() + slack) << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Bounds, ObjectSpaceBound, testing::Values(5e-5, 1e-4, 1e-3, 1e-2));

/// Chunks that a search of a chain keeps, of all that it is given.
std::size_t searched_chunks(const ObjectMotion& motion) {
  const ObjectTree tree(motion);
  const std::vector<double> ones(motion.tracks.size(), 1.0);
  DepthSearch search(motion, tree, ones, ones, 1e-4);
  std::size_t taken = 0;
  for (std::uint32_t chunk = 0; chunk < chunk_count(motion.keys); ++chunk) {
    search.add_chunk(chunk);
    taken += search.has_chunk(chunk) ? 1U : 0U;
  }
  return taken;
}

TEST(DepthSearch, ARigOfManyJointsIsSearchedOverFewerChunks) {
  EXPECT_EQ(searched_chunks(swinging_chain(30, 1)), chunk_count(keys));
  // All that is known of a joint at a key, and of a track in a chunk, is kept for each of them.
  constexpr std::uint32_t joints = 8000;
  ObjectMotion crowd = swinging_chain(1, 1);
  crowd.joints[0].translation.reset();
  crowd.joints.assign(joints, ObjectJoint(crowd.joints[0]));
  crowd.tracks.assign(joints, TrackToEncode(crowd.tracks[0]));
  crowd.is_kept.assign(joints, false);
  for (std::uint32_t joint = 1; joint < joints; ++joint) {
    crowd.joints[joint].rotation = joint;
  }
  const std::size_t bytes = joints * (keys_in_chunk * sizeof(JointPose) + sizeof(TrackShape));
  const std::size_t taken = searched_chunks(crowd);
  EXPECT_GE(taken, 1U);
  EXPECT_LE(taken * bytes, std::size_t{1} << 27U);
}

TEST(ObjectSpaceEncode, BeatsTracksThatAreEncodedAlone) {
  constexpr double bound = 4e-4;
  const ObjectMotion motion = swinging_chain(8, 4);
  const auto together = encode_in_object_space(motion, bound);
  ASSERT_TRUE(together);
  // Alone, with the bound shared equally among the joints of the chain at their reach of 1.6 m.
  std::vector<EncodedTrack> alone;
  for (const TrackToEncode& track : motion.tracks) {
    const double share = bound / static_cast<double>(motion.tracks.size());
    const auto encoded =
        encode_track(track, track.channel == Channel::rotation ? share / 0.8 : share);
    ASSERT_TRUE(encoded);
    alone.push_back(*encoded);
  }
  EXPECT_LE(worst_error(motion, *together), bound + slack);
  EXPECT_LE(worst_error(motion, alone), bound + slack);
  EXPECT_LT(size_in_bits(motion, *together), size_in_bits(motion, alone) * 9 / 10);
}

TEST(ObjectSpaceEncode, MakesUpForConstantChannelsThatAreStoredInexactly) {
  ObjectMotion motion = swinging_chain(6, 5);
  // The first joint stands still, and is stored half a thousandth of a radian askew: 0.5 mm a
  // metre.
  motion.joints[0].rotation.reset();
  motion.joints[0].actual.rotation = {2.5e-4F, 0.0F, 0.0F, 1.0F};
  for (ObjectJoint& joint : motion.joints) {
    if (joint.rotation) --*joint.rotation;
    if (joint.translation) --*joint.translation;
  }
  motion.tracks.erase(motion.tracks.begin());
  motion.is_kept.pop_back();
  const auto encoded = encode_in_object_space(motion, 1.5e-4);
  ASSERT_TRUE(encoded) << encoded.error().message;
  EXPECT_LE(worst_error(motion, *encoded), 1.5e-4 + slack);
}

TEST(ObjectSpaceEncode, KeptTracksMoveTheirJointsAndAreNotEncoded) {
  ObjectMotion motion = swinging_chain(6, 6);
  motion.is_kept[2] = true;
  motion.is_kept[6] = true;
  const auto encoded = encode_in_object_space(motion, 1e-4);
  ASSERT_TRUE(encoded);
  EXPECT_TRUE((*encoded)[2].chunks.empty());
  EXPECT_TRUE((*encoded)[6].chunks.empty());
  EXPECT_EQ((*encoded)[1].chunks.size(), 11U);
  EXPECT_LE(worst_error(motion, *encoded), 1e-4 + slack);
}

TEST(ObjectSpaceEncode, TheSameMotionGivesTheSameBits) {
  const ObjectMotion motion = swinging_chain(8, 7);
  EXPECT_EQ(*encode_in_object_space(motion, 2e-4), *encode_in_object_space(motion, 2e-4));
}

TEST(ObjectSpaceEncode, ABoundOutOfReachNamesTheBestError) {
  const auto encoded = encode_in_object_space(swinging_chain(6, 8), 1e-9);
  ASSERT_FALSE(encoded);
  EXPECT_EQ(encoded.error().code, ErrorCode::bad_argument);
  EXPECT_NE(encoded.error().message.find("reaches 0.0"), std::string::npos)
      << encoded.error().message;
}

TEST(ObjectSpaceEncode, APoseThatIsHeldIsStoredAsExactlyAsAMovingOne) {
  // Every component is constant then: 16 bits each, and 25 joints to add up over.
  ObjectMotion motion = swinging_chain(25, 10);
  for (TrackToEncode& track : motion.tracks) {
    if (!track.rotations.empty()) track.rotations.assign(keys, track.rotations.front());
    if (!track.translations.empty()) track.translations.assign(keys, track.translations.front());
  }
  const auto encoded = encode_in_object_space(motion, 5e-5);
  ASSERT_TRUE(encoded) << encoded.error().message;
  EXPECT_LE(worst_error(motion, *encoded), 5e-5 + slack);
  for (const EncodedTrack& track : *encoded) {
    for (const JointBlock& block : track.chunks) {
      EXPECT_TRUE(block.components[0].is_constant);
    }
  }
}

TEST(ObjectSpaceEncode, OneKeyIsEnough) {
  ObjectMotion motion = swinging_chain(4, 9);
  motion.keys = 1;
  for (TrackToEncode& track : motion.tracks) {
    if (!track.rotations.empty()) track.rotations.resize(1);
    if (!track.translations.empty()) track.translations.resize(1);
  }
  const auto encoded = encode_in_object_space(motion, 1e-4);
  ASSERT_TRUE(encoded);
  EXPECT_LE(worst_error(motion, *encoded), 1e-4 + slack);
}

}  // namespace
}  // namespace mabkit::codec
