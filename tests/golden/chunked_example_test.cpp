/// The worked examples of spec mab-chunked, section 8, value by value.
#include <gtest/gtest.h>

#include <mabkit/mab.hpp>
#include <stdexcept>
#include <string>

#include "support/fixtures.hpp"

namespace mabkit {
namespace {

class ChunkedExample : public testing::TestWithParam<const char*> {
 protected:
  ChunkedMab document_ =
      ChunkedMab::parse(test::read_fixture(std::string("spec/example_") + GetParam() + ".mab"), {})
          .value();
  Bank bank_ = document_.bank().value();
  const Clip& clip_ = bank_.clips.front();

  const Track& track(std::uint32_t joint, Channel channel) const {
    for (const Track& candidate : clip_.tracks) {
      if (candidate.joint == joint && candidate.channel == channel) return candidate;
    }
    throw std::runtime_error("no such track");
  }
};
INSTANTIATE_TEST_SUITE_P(Games, ChunkedExample, testing::Values("wd1", "fc5", "fc6", "wdl"),
                         [](const auto& test) { return std::string(test.param); });

TEST_P(ChunkedExample, NamesItsGame) {
  EXPECT_EQ(short_name(document_.game()), GetParam());
  EXPECT_EQ(document_.summary().inferred, "");
}

TEST_P(ChunkedExample, HasThreeJointsInFileOrder) {
  ASSERT_EQ(clip_.joints.size(), 3U);
  EXPECT_EQ(clip_.joints[0].name_hash, 0xB021FD58U);  // Pelvis
  EXPECT_EQ(clip_.joints[1].name_hash, 0x530EC1CBU);  // Spine
  EXPECT_EQ(clip_.joints[2].name_hash, 0x07C159A2U);  // Head
}

TEST_P(ChunkedExample, HasElevenKeysAThirtiethApart) {
  EXPECT_NEAR(clip_.duration, 1.0 / 3, 1e-7);
  EXPECT_EQ(clip_.frame_rate, 30.0F);
  const auto times = clip_.times_of(track(0, Channel::rotation).keys);
  ASSERT_EQ(times.size(), 11U);
  for (std::size_t key = 0; key < times.size(); ++key) {
    EXPECT_NEAR(times[key], static_cast<double>(key) / 30, 1e-7);
  }
}

TEST_P(ChunkedExample, HeadIsConstant) {
  const Track& translation = track(2, Channel::translation);
  EXPECT_EQ(translation.kind, TrackKind::constant);
  EXPECT_EQ(clip_.translation(translation.keys, 0), (Vec3{0.25F, 0.0F, -0.125F}));
  // Words C000 D76C C000: implicit w, levels 0x4000 0x576C 0x4000.
  const Quat q = clip_.rotation(track(2, Channel::rotation).keys, 0);
  const double step = 4.315969e-05;
  EXPECT_NEAR(q.x, 0x4000 * step - 0.7071068, 1e-6);
  EXPECT_NEAR(q.y, 0x576C * step - 0.7071068, 1e-6);
  EXPECT_NEAR(q.z, 0x4000 * step - 0.7071068, 1e-6);
}

TEST_P(ChunkedExample, PelvisRotatesByItsRaws) {
  // B = 127, S = 22, 12 bits: 0, 596, 1191, 1782, 2368, 2948, 3520, 4082.
  const Keys& keys = track(0, Channel::rotation).keys;
  const double unit = 22 / 127.5 / 4095;
  EXPECT_NEAR(clip_.rotation(keys, 0).x, 0.0, 2e-6);
  EXPECT_NEAR(clip_.rotation(keys, 1).x, 596 * unit, 2e-6);
  EXPECT_NEAR(clip_.rotation(keys, 7).x, 4082 * unit, 2e-6);
}

TEST_P(ChunkedExample, PelvisMovesByTheTable) {
  // n = 11, U = 3524; flags 010: x from B = 127, S = 7, y const 32768, z from B = 241, S = 10.
  const Keys& keys = track(0, Channel::translation).keys;
  const double scale = 3524 * 0.00029802325;
  const Vec3 first = clip_.translation(keys, 0);
  EXPECT_NEAR(first.x, 0.0, 2e-6);
  EXPECT_NEAR(first.y, (32768 / 32767.5 - 1) * scale, 2e-6);
  EXPECT_NEAR(first.z, (241 / 127.0 - 1 + 181 * (10 / 127.5) / 2047) * scale, 2e-6);
  EXPECT_NEAR(clip_.translation(keys, 7).z, (241 / 127.0 - 1 + 1920 * (10 / 127.5) / 2047) * scale,
              2e-6);
}

TEST_P(ChunkedExample, SpineIsNegativeInEveryKey) {
  const Keys& keys = track(1, Channel::rotation).keys;
  for (std::uint32_t key = 0; key < keys.count; ++key) {
    EXPECT_LT(clip_.rotation(keys, key).w, 0.0F);
  }
}

/// "Sections 1, 4..7 are byte-identical to WD1": so are the values.
TEST_P(ChunkedExample, HasTheValuesOfWatchDogs) {
  const Bank first =
      ChunkedMab::parse(test::read_fixture("spec/example_wd1.mab"), {}).value().bank().value();
  EXPECT_EQ(clip_.values, first.clips.front().values);
}

}  // namespace
}  // namespace mabkit
