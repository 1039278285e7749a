#include "codec/sparse_encode.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <mabkit/pose.hpp>
#include <optional>
#include <random>

#include "support/random_banks.hpp"

namespace mabkit::codec {
namespace {

double angle_between(const Quat& a, const Quat& b) {
  const Quat d = multiply(conjugate(a), b);
  return 2.0 * std::asin(std::min(1.0, std::hypot(static_cast<double>(d.x), d.y, d.z)));
}

/// A track of turns about x, with the words of every frame.
struct Turns {
  std::vector<Quat> source;
  std::vector<std::vector<PackedQuaternion>> words;
  double tolerance = 0.0;

  explicit Turns(const std::vector<double>& angles, double tolerated) : tolerance(tolerated) {
    for (const double angle : angles) {
      source.push_back(test::turn({1, 0, 0}, angle));
      words.push_back({pack(source.back())});
    }
  }
  [[nodiscard]] FrameError error() const {
    return [this](std::uint32_t frame, const Quat& decoded) {
      return angle_between(source[frame], decoded) / tolerance;
    };
  }
  [[nodiscard]] std::vector<bool> none_required() const {
    return std::vector<bool>(source.size(), false);
  }
};

/// Whether the frames between the keys of a set (bit f: frame f) are tolerated.
bool is_tolerated(const Turns& turns, unsigned keys) {
  std::vector<Quat> decoded;
  for (const auto& words : turns.words) {
    decoded.push_back(unpack(words.front(), sparse_packed_half).rotation);
  }
  const auto last = static_cast<unsigned>(turns.source.size() - 1);
  for (unsigned frame = 0; frame <= last; ++frame) {
    if ((keys >> frame & 1U) != 0) continue;
    unsigned before = frame;
    unsigned after = frame;
    while ((keys >> before & 1U) == 0) --before;
    while ((keys >> after & 1U) == 0) ++after;
    const double fraction = static_cast<double>(frame - before) / (after - before);
    const Quat between = slerp(decoded[before], decoded[after], fraction);
    if (angle_between(turns.source[frame], between) > turns.tolerance) return false;
  }
  return true;
}

TEST(SparseKeySelection, NoSetOfKeysIsSmaller) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> step(-0.02, 0.05);
  for (int round = 0; round < 60; ++round) {
    std::vector<double> angles{0.0};
    while (angles.size() < 9) angles.push_back(angles.back() + step(random));
    const Turns turns(angles, 0.01);
    std::size_t fewest = 9;
    for (unsigned between = 0; between < 128; ++between) {
      const unsigned keys = 0x101U | between << 1;
      if (!is_tolerated(turns, keys)) continue;
      fewest = std::min(fewest, static_cast<std::size_t>(__builtin_popcount(keys)));
    }
    const SparseKeys keys = select_keys(turns.words, turns.none_required(), turns.error());
    EXPECT_EQ(keys.frames.size(), fewest) << "round " << round;
  }
}

TEST(SparseKeySelection, RequiredFramesAndGroupStartsAreKeys) {
  const Turns turns(std::vector<double>(21, 0.3), 0.01);
  auto required = turns.none_required();
  required[3] = true;
  required[17] = true;
  const SparseKeys keys = select_keys(turns.words, required, turns.error());
  EXPECT_EQ(keys.frames, (std::vector<std::uint32_t>{0, 3, 8, 16, 17, 20}));
}

TEST(SparseKeySelection, OneFrameIsOneKey) {
  const Turns turns({0.3}, 0.01);
  const SparseKeys keys = select_keys(turns.words, turns.none_required(), turns.error());
  EXPECT_EQ(keys.frames, std::vector<std::uint32_t>{0});
  EXPECT_EQ(keys.words, turns.words.front());
}

TEST(SparseKeySelection, OfSeveralWordsThatOneIsTakenThatSavesKeys) {
  // Frame 4 stands off the line from 0 to 8 by 0.015, frames 3 and 5 on it: with the words on the
  // source, 4 is a key and its neighbours are too. A word half-way makes them all tolerated.
  std::vector<double> angles(9, 0.0);
  angles[4] = 0.015;
  Turns turns(angles, 0.01);
  const SparseKeys plain = select_keys(turns.words, turns.none_required(), turns.error());
  EXPECT_GT(plain.frames.size(), 3U);
  turns.words[4].push_back(pack(test::turn({1, 0, 0}, 0.007)));
  const SparseKeys chosen = select_keys(turns.words, turns.none_required(), turns.error());
  EXPECT_EQ(chosen.frames, (std::vector<std::uint32_t>{0, 4, 8}));
  EXPECT_EQ(chosen.words[1], turns.words[4].back());
}

TEST(SparseKeySelection, AnIntolerableFrameTakesItsBestWord) {
  Turns turns({0.0, 0.1, 0.2}, 1e-9);
  turns.words[1] = {pack(test::turn({1, 0, 0}, 0.2)), pack(test::turn({1, 0, 0}, 0.11))};
  const SparseKeys keys = select_keys(turns.words, turns.none_required(), turns.error());
  ASSERT_EQ(keys.frames.size(), 3U);
  EXPECT_EQ(keys.words[1], turns.words[1].back());
}

TEST(SparseKeySelection, DecodedFramesAreKeysAndSlerpBetweenThemHeldAtTheEnd) {
  const PackedQuaternion first = pack(test::turn({1, 0, 0}, 0.0));
  const PackedQuaternion second = pack(test::turn({1, 0, 0}, 0.4));
  const auto frames = decode_frames({{0, 4}, {first, second}}, 7);
  ASSERT_EQ(frames.size(), 7U);
  EXPECT_EQ(frames[0], unpack(first, sparse_packed_half).rotation);
  EXPECT_EQ(frames[4], unpack(second, sparse_packed_half).rotation);
  EXPECT_EQ(frames[6], frames[4]);
  EXPECT_NEAR(angle_between(frames[1], test::turn({1, 0, 0}, 0.1)), 0.0, 1.5e-4);
}

}  // namespace
}  // namespace mabkit::codec
