#include <gtest/gtest.h>

#include <mabkit/mab.hpp>
#include <random>

#include "mab/chunked_encode.hpp"
#include "support/chunked_banks.hpp"
#include "support/plain_chunked_decoder.hpp"

namespace mabkit {
namespace {

constexpr std::array written_games{Game::fc5, Game::fc6, Game::wd1, Game::wd2, Game::wdl};

double ticks_per_second(Game game) {
  return game == Game::wd1 ? 120.0 : 30.0;
}

class RandomBanks : public testing::TestWithParam<Game> {
 protected:
  std::mt19937 random_{static_cast<unsigned>(GetParam()) + 17};
};
INSTANTIATE_TEST_SUITE_P(Games, RandomBanks, testing::ValuesIn(written_games),
                         [](const auto& test) { return std::string(short_name(test.param)); });

TEST_P(RandomBanks, DecodeWithinTheBoundByThePlainDecoder) {
  for (int trial = 0; trial < 60; ++trial) {
    const Bank bank = test::random_bank(random_);
    EncodeOptions options;
    if (trial % 3 == 1) options.max_rotation_error /= 10;
    if (trial % 3 == 2) options.max_translation_error *= 20;
    const auto file = mab::encode_chunked(bank, GetParam(), options);
    ASSERT_TRUE(file) << describe("", file.error());
    const auto clips = test::decode_chunked_plainly(file->bytes);
    ASSERT_EQ(clips.size(), bank.clips.size());
    for (std::size_t clip = 0; clip < clips.size(); ++clip) {
      const auto errors =
          test::plain_errors(bank.clips[clip], clips[clip], ticks_per_second(GetParam()));
      EXPECT_LE(errors.rotation, options.max_rotation_error * 1.0001 + 2e-7);
      EXPECT_LE(errors.translation, options.max_translation_error * 1.0001 + 2e-7);
      EXPECT_LE(file->report.clips[clip].rotation.worst, options.max_rotation_error);
      EXPECT_LE(file->report.clips[clip].translation.worst, options.max_translation_error);
    }
    ASSERT_EQ(clips[0].records.size(), bank.participants.size());
    for (std::size_t i = 0; i < bank.participants.size(); ++i) {
      const Participant& participant = bank.participants[i];
      const test::PlainChunkedRecord& record = clips[0].records[i];
      EXPECT_EQ(record.name, participant.name);
      EXPECT_EQ(record.kind, static_cast<int>(participant.kind));
      EXPECT_EQ(record.start, participant.start);
      EXPECT_EQ(record.end, participant.end);
      EXPECT_EQ(record.child_bone, participant.child);
      EXPECT_EQ(record.parent_bone, participant.parent);
      EXPECT_EQ(record.target_bone, participant.target);
      EXPECT_EQ(record.clip.has_value(), participant.clip.has_value());
    }
  }
}

TEST_P(RandomBanks, EncodeTheSameEveryTimeAndWithinTheSizeBound) {
  for (int trial = 0; trial < 20; ++trial) {
    const Bank bank = test::random_bank(random_);
    const auto first = mab::encode_chunked(bank, GetParam(), {});
    ASSERT_TRUE(first) << describe("", first.error());
    EXPECT_EQ(mab::encode_chunked(bank, GetParam(), {})->bytes, first->bytes);
    EXPECT_LE(first->bytes.size(), mab::chunked_size_bound(bank, GetParam(), {}));
    EXPECT_EQ(first->report.bytes, first->bytes.size());
  }
}

TEST_P(RandomBanks, AreReadBackWithoutWarning) {
  for (int trial = 0; trial < 20; ++trial) {
    const auto file = mab::encode_chunked(test::random_bank(random_), GetParam(), {});
    ASSERT_TRUE(file);
    const auto mab = ChunkedMab::parse(file->bytes, {});
    ASSERT_TRUE(mab) << describe("", mab.error());
    EXPECT_EQ(mab->game(), GetParam());
    for (const Diagnostic& d : mab->diagnostics()) ADD_FAILURE() << describe("", d);
    const Bank bank = mab->bank().value();
    for (const Diagnostic& d : bank.diagnostics) ADD_FAILURE() << describe("", d);
    EXPECT_EQ(*mab->rebuild(), file->bytes);
  }
}

}  // namespace
}  // namespace mabkit
