/// Random lawful files of every row: what is laid out reads back, to the byte and to the value.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <mabkit/mab.hpp>
#include <random>

#include "support/chunked_files.hpp"
#include "support/fixtures.hpp"

namespace mabkit {
namespace {

using namespace mab;

class ChunkedRow : public testing::TestWithParam<std::size_t> {
 protected:
  static constexpr int rounds = 60;
  const ChunkedLayout& layout_ = chunked_layouts()[GetParam()];
  std::mt19937 random_{static_cast<std::mt19937::result_type>(4711 + GetParam())};
};
INSTANTIATE_TEST_SUITE_P(Games, ChunkedRow,
                         testing::Range(std::size_t{0}, chunked_layouts().size()),
                         [](const auto& test) {
                           return std::string(short_name(chunked_layouts()[test.param].game));
                         });

TEST_P(ChunkedRow, RandomFilesReadBackToTheByte) {
  for (int round = 0; round < rounds; ++round) {
    const auto bytes = test::laid_out(test::random_file(random_, layout_));
    const auto document = ChunkedMab::parse(bytes, {});
    ASSERT_TRUE(document.has_value()) << describe("", document.error());
    EXPECT_EQ(document->game(), layout_.game);
    EXPECT_EQ(document->rebuild().value(), bytes);
    for (const Diagnostic& note : document->diagnostics()) ADD_FAILURE() << describe("", note);
    for (const ByteRun& run : document->runs()) EXPECT_NE(run.kind, RunKind::preserved) << run.path;
  }
}

/// A key of a stream by the formula of spec mab-chunked, 2.2, in exact arithmetic.
double component_value(const codec::ComponentBlock& component, unsigned bits, unsigned key) {
  if (component.is_constant) return component.word / 32767.5 - 1.0;
  const double scale = bits < 2 ? 0.0 : 1.0 / ((1U << bits) - 1U);
  return component.base / 127.0 - 1.0 + component.raws[key] * (component.slope / 127.5) * scale;
}

void expect_rotation(const codec::JointBlock& block, unsigned bits, unsigned key, const Quat& q) {
  std::array<double, 3> stored{};
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    stored[i] = component_value(block.components[i], bits, key);
    sum += stored[i] * stored[i];
  }
  std::array<double, 4> want{};
  std::size_t next = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    if (i == block.implicit) continue;
    want[i] = sum > 1 ? stored[next] / std::sqrt(sum) : stored[next];
    ++next;
  }
  if (sum <= 1) {
    const bool is_negative = block.has_signs && (block.signs >> key & 1U) != 0;
    want[block.implicit] = (is_negative ? -1 : 1) * std::sqrt(1 - sum);
  }
  const std::array<float, 4> have{q.x, q.y, q.z, q.w};
  for (std::size_t i = 0; i < 4; ++i) {
    // Cancellation makes a small recovered component large in error (tests/fixtures/README.md).
    const double tolerance = std::max(2e-6, std::min(1e-3, 5e-7 / std::abs(want[i])));
    EXPECT_NEAR(have[i], want[i], tolerance);
  }
}

TEST_P(ChunkedRow, AnimatedRotationsFollowTheFormula) {
  for (int round = 0; round < rounds; ++round) {
    const ChunkedFields fields = test::random_file(random_, layout_);
    if (!fields.main.joint_rotations) continue;
    const auto bank = ChunkedMab::parse(test::laid_out(fields), {}).value().bank();
    ASSERT_TRUE(bank.has_value()) << describe("", bank.error());
    const StreamFields& stream = *fields.main.joint_rotations;
    std::size_t joint = 0;
    for (const Track& track : bank->clips[0].tracks) {
      if (track.channel != Channel::rotation || track.kind == TrackKind::constant) continue;
      for (std::uint32_t key = 0; key < track.keys.count; ++key) {
        expect_rotation(stream.chunks[key / 8][joint], stream.bits[joint], key % 8,
                        bank->clips[0].rotation(track.keys, key));
      }
      ++joint;
    }
    EXPECT_EQ(joint, stream.bits.size());
  }
}

TEST_P(ChunkedRow, TimesAreTicksOverTheRate) {
  const ChunkedFields fields = test::random_file(random_, layout_);
  const auto bank = ChunkedMab::parse(test::laid_out(fields), {}).value().bank().value();
  const double rate = layout_.ticks_per_second > 0 ? layout_.ticks_per_second : 24.0;
  for (const Track& track : bank.clips[0].tracks) {
    if (track.kind == TrackKind::constant) continue;
    const auto times = bank.clips[0].times_of(track.keys);
    for (std::size_t key = 0; key < times.size(); ++key) {
      EXPECT_EQ(times[key], static_cast<float>(fields.main.ticks[key] / rate));
    }
  }
}

}  // namespace
}  // namespace mabkit
