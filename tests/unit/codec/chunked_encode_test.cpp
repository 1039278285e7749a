#include "codec/chunked_encode.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "codec/chunked_arithmetic.hpp"
#include "codec/chunked_block_encode.hpp"
#include "mab/chunked_index.hpp"
#include "support/chunked_files.hpp"
#include "support/fixtures.hpp"

namespace mabkit::codec {
namespace {

constexpr double degree = 0.017453292519943295;

Quat about(double x, double y, double z, double angle) {
  const double length = std::sqrt(x * x + y * y + z * z);
  const double sine = std::sin(angle / 2) / length;
  return {static_cast<float>(x * sine), static_cast<float>(y * sine), static_cast<float>(z * sine),
          static_cast<float>(std::cos(angle / 2))};
}

/// Rotation angle between two quaternions, from the definition.
double angle_between(const Quat& a, const Quat& b) {
  const double w = double{a.w} * b.w + double{a.x} * b.x + double{a.y} * b.y + double{a.z} * b.z;
  const double x = double{a.w} * b.x - double{a.x} * b.w - double{a.y} * b.z + double{a.z} * b.y;
  const double y = double{a.w} * b.y + double{a.x} * b.z - double{a.y} * b.w - double{a.z} * b.x;
  const double z = double{a.w} * b.z - double{a.x} * b.y + double{a.y} * b.x - double{a.z} * b.w;
  return 2 * std::atan2(std::sqrt(x * x + y * y + z * z), std::abs(w));
}

/// A smooth random swing.
std::vector<Quat> swing(std::mt19937& random, std::size_t keys, double width) {
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  const double phase = 3 * unit(random);
  const double x = unit(random);
  const double y = unit(random);
  const double z = unit(random) + 1.1;
  std::vector<Quat> out;
  for (std::size_t key = 0; key < keys; ++key) {
    const double t = static_cast<double>(key);
    out.push_back(about(x + 0.2 * std::sin(t / 5), y, z, phase + width * std::sin(t / 4)));
  }
  return out;
}

TrackToEncode rotation_track(std::vector<Quat> keys) {
  TrackToEncode track;
  track.rotations = std::move(keys);
  return track;
}

/// The track's keys, read back from the bits of a stream.
std::vector<Quat> read_back(const EncodedTrack& track, std::uint32_t keys) {
  std::vector<Quat> out;
  for (std::uint32_t chunk = 0; chunk < chunk_count(keys); ++chunk) {
    const unsigned count = keys_of_chunk(keys, chunk);
    base::BitWriter bits;
    write_block(bits, track.chunks[chunk], BlockKind::rotation, track.bits, count);
    EXPECT_EQ(bits.size(), block_bits(track.chunks[chunk], BlockKind::rotation, track.bits, count));
    const auto bytes = std::move(bits).take();
    base::BitReader in(bytes);
    std::array<float, 32> values{};
    decode_rotation_block(in, track.bits, count, values);
    for (unsigned key = 0; key < count; ++key) {
      out.push_back(
          {values[4 * key], values[4 * key + 1], values[4 * key + 2], values[4 * key + 3]});
    }
  }
  return out;
}

TEST(ChunkedEncode, EveryKeyIsWithinTheTolerance) {
  std::mt19937 random(3);
  for (const double tolerance : {1 * degree, 0.05 * degree, 0.005 * degree}) {
    for (int trial = 0; trial < 40; ++trial) {
      const auto keys = swing(random, 1 + random() % 40, trial < 20 ? 0.1 : 1.5);
      const auto track = encode_track(rotation_track(keys), tolerance);
      ASSERT_TRUE(track) << track.error().message;
      const auto decoded = read_back(*track, static_cast<std::uint32_t>(keys.size()));
      EXPECT_EQ(decoded, decode_rotation_track(*track, static_cast<std::uint32_t>(keys.size())));
      double worst = 0.0;
      for (std::size_t key = 0; key < keys.size(); ++key) {
        worst = std::max(worst, angle_between(decoded[key], keys[key]));
      }
      EXPECT_LE(worst, tolerance * (1 + 1e-6));
      EXPECT_NEAR(worst, track->worst_error, 1e-6);
    }
  }
}

TEST(ChunkedEncode, TakesTheSmallestDepthThatMeetsTheTolerance) {
  std::mt19937 random(4);
  const auto keys = swing(random, 40, 1.0);
  const auto track = encode_track(rotation_track(keys), 0.05 * degree).value();
  ASSERT_GT(track.bits, 2U);
  double worst = 0.0;
  for (std::size_t first = 0; first < keys.size(); first += 8) {
    const auto block =
        encode_rotation_block(std::span(keys).subspan(first, 8), track.bits - 1, 0.05 * degree);
    worst = std::max(worst, block.error);
  }
  EXPECT_GT(worst, 0.05 * degree);
}

/// Spec mab-chunked, section 7: a component's error is at most (R + 1/127 + 1/127.5) / (2 (2^n -
/// 1)); the search is never worse than the plain choice that this bounds.
TEST(ChunkedEncode, VaryingComponentsStayUnderTheSpecsBound) {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> unit(-1.0F, 1.0F);
  for (unsigned bits = 2; bits <= 16; ++bits) {
    for (int trial = 0; trial < 50; ++trial) {
      std::vector<Vec3> keys(8);
      for (Vec3& key : keys) key = {0.3F * unit(random), 0.01F * unit(random), 0.9F};
      const std::uint32_t units = scale_units_for(keys);
      const double scale = translation_scale(units);
      const auto block = encode_translation_block(keys, bits, units, 0.0);
      const double step = 2 * ((1U << bits) - 1.0);
      const double first = scale * (0.6 / scale + 1 / 127.0 + 1 / 127.5) / step;
      const double second = scale * (0.02 / scale + 1 / 127.0 + 1 / 127.5) / step;
      const double rounding = 3e-5 * scale;
      EXPECT_LE(block.error, std::hypot(first, second) + rounding) << bits;
    }
  }
}

TEST(ChunkedEncode, ComponentsThatStandStillAreConstant) {
  std::vector<Quat> keys;
  for (int key = 0; key < 8; ++key) keys.push_back(about(1, 0, 0, 0.4 + 0.05 * key));
  const auto block = encode_rotation_block(keys, 12, 0.01 * degree);
  EXPECT_EQ(block.block.implicit, 3);
  EXPECT_FALSE(block.block.components[0].is_constant);
  EXPECT_TRUE(block.block.components[1].is_constant);
  EXPECT_TRUE(block.block.components[2].is_constant);
  EXPECT_EQ(block.size, 6U + 16 + 8 * 12 + 16 + 16);
}

TEST(ChunkedEncode, NoSignBitsWhereTheChunkCanBeTurned) {
  std::vector<Quat> keys;
  for (int key = 0; key < 8; ++key) {
    const Quat q = about(0, 0, 1, 0.1 * key);
    keys.push_back({-q.x, -q.y, -q.z, -q.w});
  }
  const auto block = encode_rotation_block(keys, 12, 0.05 * degree);
  EXPECT_FALSE(block.block.has_signs);
  EXPECT_LE(block.error, 0.05 * degree);
}

TEST(ChunkedEncode, AFullTurnWithinAChunkIsKept) {
  std::vector<Quat> keys;
  for (int key = 0; key < 8; ++key) keys.push_back(about(1, 2, 3, key * 0.9));
  const auto track = encode_track(rotation_track(keys), 0.05 * degree);
  ASSERT_TRUE(track);
  const auto decoded = decode_rotation_track(*track, 8);
  for (std::size_t key = 0; key < 8; ++key) {
    EXPECT_LE(angle_between(decoded[key], keys[key]), 0.05 * degree);
  }
}

TEST(ChunkedEncode, AnUnreachableToleranceNamesTheBestError) {
  std::mt19937 random(6);
  const auto track = encode_track(rotation_track(swing(random, 30, 2.0)), 1e-9);
  ASSERT_FALSE(track);
  EXPECT_EQ(track.error().code, ErrorCode::bad_argument);
  EXPECT_NE(track.error().message.find("best that is reachable"), std::string::npos);
}

TEST(ChunkedEncode, ValuesThatAreNoRotationAreRefused) {
  EXPECT_EQ(encode_track(rotation_track({{0, 0, 0, 0}}), 0.1).error().code, ErrorCode::bad_value);
  EXPECT_EQ(encode_track(rotation_track({{NAN, 0, 0, 1}}), 0.1).error().code, ErrorCode::bad_value);
  EXPECT_EQ(encode_track(rotation_track({}), 0.1).error().code, ErrorCode::bad_argument);
}

/// Spec mab-chunked, section 8: 1.0502 m is stored with U = 3524.
TEST(ChunkedEncode, ScaleIsTheSmallestThatReaches) {
  const std::vector<Vec3> keys{{0.0F, -1.0502F, 0.5F}};
  EXPECT_EQ(scale_units_for(keys), 3524U);
  EXPECT_EQ(scale_units_for(std::vector<Vec3>{{}}), 1U);
}

TEST(ChunkedEncode, TranslationsBeyondTheScaleAreRefused) {
  TrackToEncode track;
  track.channel = Channel::translation;
  track.translations = {{6000.0F, 0, 0}};
  EXPECT_EQ(encode_track(track, 1.0).error().code, ErrorCode::limit);
}

TEST(ChunkedEncode, BlocksDecodeWithoutBitsAsWithThem) {
  std::mt19937 random(7);
  for (unsigned bits = 1; bits <= 16; ++bits) {
    const auto stream = test::random_stream(random, BlockKind::rotation, 21, {bits, bits});
    for (std::uint32_t chunk = 0; chunk < 3; ++chunk) {
      const unsigned count = keys_of_chunk(21, chunk);
      for (const JointBlock& block : stream.chunks[chunk]) {
        base::BitWriter out;
        write_block(out, block, BlockKind::rotation, bits, count);
        const auto bytes = std::move(out).take();
        base::BitReader in(bytes);
        std::array<float, 32> expected{};
        std::array<float, 32> decoded{};
        decode_rotation_block(in, bits, count, expected);
        decode_rotations(block, bits, count, decoded);
        EXPECT_EQ(decoded, expected);
      }
    }
  }
}

// Re-encoding what was decoded, at its own keys and shape.

std::vector<std::string> chunked_fixtures() {
  std::vector<std::string> names = test::mab_fixtures();
  std::erase_if(names, [](const std::string& name) {
    return name.find("fc2") != std::string::npos || name.find("fc3") != std::string::npos;
  });
  return names;
}

void erase_raws(JointBlock& block) {
  for (ComponentBlock& component : block.components) component.raws = {};
}

class ReencodedFixture : public testing::TestWithParam<std::string> {
 protected:
  struct Stored {
    EncodedTrack track;
    Channel channel = Channel::rotation;
    std::uint32_t keys = 0;
  };

  void SetUp() override { collect(test::fields_of(GetParam()).main); }

  void collect(const mab::BlockFields& block) {
    if (block.joint_rotations) collect(block, *block.joint_rotations);
    if (block.joint_translations) collect(block, *block.joint_translations);
    for (const mab::BlockFields& child : block.children) collect(child);
  }
  void collect(const mab::BlockFields& block, const mab::StreamFields& stream) {
    const std::size_t first_entry = block.translation_table.size() - stream.bits.size();
    for (std::size_t joint = 0; joint < stream.bits.size(); ++joint) {
      Stored& stored = stored_.emplace_back();
      stored.keys = stream.keys;
      stored.track.bits = stream.bits[joint];
      if (stream.kind == BlockKind::translation) {
        stored.channel = Channel::translation;
        stored.track.scale_units = block.translation_table[first_entry + joint] >> 8U;
      }
      for (const auto& chunk : stream.chunks) stored.track.chunks.push_back(chunk[joint]);
    }
  }

  std::vector<Stored> stored_;
};
INSTANTIATE_TEST_SUITE_P(All, ReencodedFixture, testing::ValuesIn(chunked_fixtures()),
                         test::fixture_test_name);

TEST_P(ReencodedFixture, HasTheSameValuesAtNoMoreBits) {
  for (const Stored& stored : stored_) {
    const bool is_rotation = stored.channel == Channel::rotation;
    const BlockKind kind = is_rotation ? BlockKind::rotation : BlockKind::translation;
    TrackToEncode track;
    track.channel = stored.channel;
    track.start_bits = stored.track.bits;
    track.start_shape = {stored.track.scale_units, stored.track.chunks};
    if (is_rotation) track.rotations = decode_rotation_track(stored.track, stored.keys);
    if (!is_rotation) track.translations = decode_translation_track(stored.track, stored.keys);
    const auto encoded = encode_track(track, 0.0);
    ASSERT_TRUE(encoded) << encoded.error().message;
    EXPECT_EQ(encoded->bits, stored.track.bits);
    if (is_rotation) {
      EXPECT_EQ(decode_rotation_track(*encoded, stored.keys), track.rotations);
    } else {
      EXPECT_EQ(decode_translation_track(*encoded, stored.keys), track.translations);
    }
    for (std::uint32_t chunk = 0; chunk < stored.track.chunks.size(); ++chunk) {
      const unsigned count = keys_of_chunk(stored.keys, chunk);
      EXPECT_LE(block_bits(encoded->chunks[chunk], kind, encoded->bits, count),
                block_bits(stored.track.chunks[chunk], kind, stored.track.bits, count));
    }
  }
}

/// Rounding alone finds the raws, but for keys whose stored three were renormalised.
TEST_P(ReencodedFixture, FindsTheRawsByRounding) {
  for (const Stored& stored : stored_) {
    if (stored.channel != Channel::rotation) continue;
    const auto keys = decode_rotation_track(stored.track, stored.keys);
    for (std::uint32_t chunk = 0; chunk < stored.track.chunks.size(); ++chunk) {
      const auto targets = std::span(keys).subspan(8 * chunk, keys_of_chunk(stored.keys, chunk));
      JointBlock shape = stored.track.chunks[chunk];
      const unsigned implicit = shape.implicit;
      const bool is_renormalised =
          std::any_of(targets.begin(), targets.end(), [implicit](const Quat& q) {
            return std::array{q.x, q.y, q.z, q.w}[implicit] == 0.0F;
          });
      if (is_renormalised) continue;
      erase_raws(shape);
      EXPECT_TRUE(reproduce_rotation_block(targets, stored.track.bits, shape)) << chunk;
    }
  }
}

}  // namespace
}  // namespace mabkit::codec
