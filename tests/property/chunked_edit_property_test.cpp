#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <mabkit/encode.hpp>
#include <mabkit/mab.hpp>
#include <random>

#include "support/chunked_banks.hpp"
#include "support/fixtures.hpp"

namespace mabkit {
namespace {

/// Adds a little to every value of the first animated track; whether there is one.
bool nudge(Bank& bank) {
  for (Clip& clip : bank.clips) {
    for (const Track& track : clip.tracks) {
      if (track.kind != TrackKind::animated) continue;
      const std::size_t width = value_width(track.channel);
      for (std::size_t i = 0; i < width * track.keys.count; ++i) {
        clip.values[track.keys.first_value + i] += i % width == 0 ? 0.05F : 0.0F;
      }
      return true;
    }
  }
  return false;
}

class DamagedTemplate : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, DamagedTemplate, testing::ValuesIn(test::chunked_fixtures()),
                         test::fixture_test_name);

/// One wrong byte: whatever is read is written back as it was, and an edit gives a file that reads
/// or an error, and changes no other clip.
TEST_P(DamagedTemplate, StaysAsItIsUnlessEdited) {
  const auto bytes = test::read_fixture(GetParam());
  std::mt19937 random(static_cast<unsigned>(bytes.size()));
  const int trials = bytes.size() > 5000 ? 6 : 60;
  for (int trial = 0; trial < trials; ++trial) {
    auto damaged = bytes;
    // Headers are where most can go wrong.
    const std::size_t reach =
        trial % 2 == 0 ? std::min<std::size_t>(bytes.size(), 200) : bytes.size();
    damaged[random() % reach] = static_cast<std::byte>(random());
    const auto mab = ChunkedMab::parse(damaged, {});
    if (!mab) continue;
    const auto decoded = mab->bank();
    if (!decoded) continue;
    const Bank& bank = *decoded;
    const auto same = mab->with(bank, {});
    ASSERT_TRUE(same) << trial << " " << describe("", same.error());
    EXPECT_EQ(same->bytes, damaged) << trial;
    Bank edited = bank;
    if (!nudge(edited)) continue;
    const auto file = mab->with(edited, {});
    if (!file) continue;
    const auto written = ChunkedMab::parse(file->bytes, {});
    ASSERT_TRUE(written) << trial << " " << describe("", written.error());
    const auto after = written->bank();
    ASSERT_TRUE(after) << trial << " " << describe("", after.error());
    EXPECT_EQ(after->clips.size(), bank.clips.size()) << trial;
    EXPECT_EQ(after->participants.size(), bank.participants.size()) << trial;
  }
}

/// Edited, then edited back: the motion of the template, within the bound.
TEST(ChunkedEditProperty, RandomBanksTakeEachOthersMotion) {
  std::mt19937 random(77);
  for (int trial = 0; trial < 60; ++trial) {
    const Bank bank = test::random_bank(random);
    const auto file = encode_mab(bank, Game::wd1, {});
    ASSERT_TRUE(file) << describe("", file.error());
    const auto mab = ChunkedMab::parse(file->bytes, {}).value();
    Bank edited = mab.bank().value();
    for (Clip& clip : edited.clips) {
      for (const Track& track : clip.tracks) {
        if (random() % 2 == 0) continue;
        const std::size_t width = value_width(track.channel);
        for (std::size_t i = 0; i < width * track.keys.count; ++i) {
          clip.values[track.keys.first_value + i] += i % width == 1 ? 0.1F : 0.0F;
        }
      }
    }
    const auto changed = mab.with(edited, {});
    ASSERT_TRUE(changed) << describe("", changed.error());
    const auto clips = test::decode_chunked_plainly(changed->bytes);
    ASSERT_EQ(clips.size(), edited.clips.size());
    for (std::size_t clip = 0; clip < clips.size(); ++clip) {
      const auto errors = test::plain_errors(edited.clips[clip], clips[clip], 120.0);
      EXPECT_LE(errors.rotation, EncodeOptions{}.max_rotation_error * 1.0001 + 2e-7) << trial;
      EXPECT_LE(errors.translation, EncodeOptions{}.max_translation_error * 1.0001 + 2e-7) << trial;
    }
  }
}

}  // namespace
}  // namespace mabkit
