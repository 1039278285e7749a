#include <fmt/format.h>
#include <gtest/gtest.h>

#include "mab/sparse_index.hpp"
#include "support/fixtures.hpp"
#include "support/sparse_files.hpp"

namespace mabkit {
namespace {

constexpr const char* cmu = "motion/cmu_01_01_fc2.mab";

std::string evidence(const std::vector<std::byte>& bytes) {
  return test::parse_sparse(bytes).summary().presence_order;
}

/// What every clip decodes to, as numbers.
std::vector<std::vector<float>> numbers(const std::vector<std::byte>& bytes) {
  std::vector<std::vector<float>> out;
  const Bank bank = test::parse_sparse(bytes).bank().value();
  for (const Clip& clip : bank.clips) {
    out.push_back(clip.times);
    out.push_back(clip.values);
  }
  return out;
}

/// The same file without the keys between the first and the last frame of every last group, and
/// with that first frame as the last one: no order puts a key past it.
std::vector<std::byte> without_range(const std::vector<std::byte>& bytes) {
  mab::SparseFields fields = test::fields_of(bytes);
  for (mab::ClipFields& clip : fields.clips) {
    if (!clip.keyed_rotations || clip.keyed_rotations->groups.empty()) continue;
    auto& section = *clip.keyed_rotations;
    section.header.last_frame = static_cast<std::uint16_t>(section.header.last_frame / 8 * 8);
    for (std::uint8_t& presence : section.groups.back().presence) presence = 0;
    section.groups.back().further_keys.clear();
  }
  return test::file_of(fields);
}

TEST(PresenceOrder, TheOtherOrderReadAsItIsGivesTheSameBank) {
  for (const std::string& name : test::sparse_fixtures()) {
    const auto original = test::read_fixture(name);
    const auto other = test::with_other_order(original);
    ReadOptions msb;
    msb.presence_order = PresenceOrder::msb;
    const SparseMab file = test::parse_sparse(other, msb);
    EXPECT_EQ(file.summary().presence_order, "msb: as asked");
    const Bank bank = file.bank().value();
    const Bank expected = test::parse_sparse(original).bank().value();
    ASSERT_EQ(bank.clips.size(), expected.clips.size());
    for (std::size_t i = 0; i < bank.clips.size(); ++i) {
      EXPECT_EQ(bank.clips[i].times, expected.clips[i].times) << name;
      EXPECT_EQ(bank.clips[i].values, expected.clips[i].values) << name;
    }
  }
}

TEST(PresenceOrder, RangeDecidesTheMotionFixtureInEitherOrder) {
  const auto original = test::read_fixture(cmu);
  const auto other = test::with_other_order(original);
  EXPECT_EQ(evidence(original), "lsb: range (0 keys past the last frame, 72 the other way)");
  EXPECT_EQ(evidence(other), "msb: range (0 keys past the last frame, 72 the other way)");
  EXPECT_EQ(numbers(other), numbers(original));
}

TEST(PresenceOrder, VoteDecidesTheMotionFixtureInEitherOrder) {
  const auto original = without_range(test::read_fixture(cmu));
  const auto other = test::with_other_order(original);
  EXPECT_TRUE(evidence(original).starts_with("lsb: vote (")) << evidence(original);
  EXPECT_TRUE(evidence(other).starts_with("msb: vote (")) << evidence(other);
  EXPECT_EQ(numbers(other), numbers(original));
}

TEST(PresenceOrder, RangeDecidesEveryFixtureWhereItCanTellInEitherOrder) {
  std::size_t decided = 0;
  for (const std::string& name : test::sparse_fixtures()) {
    const auto original = test::read_fixture(name);
    const std::string found = evidence(original);
    const std::string found_other = evidence(test::with_other_order(original));
    if (found.find(": range") != std::string::npos) {
      ++decided;
      EXPECT_TRUE(found.starts_with("lsb: range")) << name << ": " << found;
      EXPECT_TRUE(found_other.starts_with("msb: range")) << name << ": " << found_other;
    } else {
      EXPECT_TRUE(found.starts_with("lsb: undecided")) << name << ": " << found;
      EXPECT_TRUE(found_other.starts_with("lsb: undecided")) << name << ": " << found_other;
    }
  }
  EXPECT_GE(decided, 9U);  // as many as have a last frame that is no multiple of 8, nor one less
}

TEST(PresenceOrder, RandomRotationsOfTheFixturesDoNotFoolTheVote) {
  for (const std::string& name : test::sparse_fixtures()) {
    if (!name.starts_with("mab/")) continue;
    const auto original = without_range(test::read_fixture(name));
    EXPECT_TRUE(evidence(original).starts_with("lsb: undecided")) << name;
    EXPECT_TRUE(evidence(test::with_other_order(original)).starts_with("lsb: undecided")) << name;
  }
}

/// Random rotations at random frames, and at 0, 8, ... and the last.
std::vector<test::KeyedTrack> random_tracks(std::mt19937& random, std::size_t count,
                                            std::uint32_t last_frame, double density) {
  std::bernoulli_distribution has_key(density);
  std::vector<test::KeyedTrack> tracks(count);
  for (test::KeyedTrack& track : tracks) {
    for (std::uint32_t frame = 0; frame <= last_frame; ++frame) {
      if (frame % 8 == 0 || frame == last_frame || has_key(random)) {
        track.keys.push_back({frame, test::random_rotation(random)});
      }
    }
  }
  return tracks;
}

TEST(PresenceOrder, GeneratedRandomClipsDoNotFoolTheVote) {
  std::mt19937 random(20240607);
  for (const std::uint16_t last_frame : {std::uint16_t{8}, std::uint16_t{15}, std::uint16_t{16},
                                         std::uint16_t{39}, std::uint16_t{64}}) {
    for (const double density : {0.05, 0.15, 0.5, 0.9}) {
      const auto file = test::file_of(
          test::keyed_file(random_tracks(random, 150, last_frame, density), last_frame));
      const std::string at = fmt::format("last frame {}, density {}", last_frame, density);
      EXPECT_TRUE(evidence(file).starts_with("lsb: undecided")) << at << ": " << evidence(file);
      const std::string other = evidence(test::with_other_order(file));
      EXPECT_TRUE(other.starts_with("lsb: undecided")) << at << ": " << other;
    }
  }
}

TEST(PresenceOrder, IsDecidedOnceForAllClips) {
  const test::KeyedTrack blind{{{0, {}}, {1, {}}, {8, {}}}};
  const test::KeyedTrack telling{{{0, {}}, {1, {}}, {2, {}}}};
  mab::SparseFields fields = test::keyed_file({blind}, 8);
  fields.clips.push_back(test::keyed_file({telling}, 2).clips.front());
  const auto other = test::with_other_order(test::file_of(fields));
  EXPECT_TRUE(evidence(other).starts_with("msb: range")) << evidence(other);
  const Bank bank = test::parse_sparse(other).bank().value();
  const auto times = bank.clips[0].times_of(bank.clips[0].tracks[0].keys);
  ASSERT_EQ(times.size(), 3U);
  EXPECT_EQ(times[1], 1.0F / 30.0F);
}

TEST(PresenceOrder, WithoutEvidenceIsTheDefaultAndSaysSo) {
  const test::KeyedTrack still{{{0, {}}, {1, {}}, {8, {}}}};
  EXPECT_EQ(evidence(test::file_of(test::keyed_file({still}, 8))),
            "lsb: undecided (no evidence), the default");
}

TEST(PresenceOrder, KeysPastTheLastFrameInBothOrdersLeaveItToTheVote) {
  // Bits 0 and 6 of a group that ends at its first frame.
  const test::KeyedTrack track{{{0, {}}, {1, {}}, {7, {}}}};
  mab::SparseFields fields = test::keyed_file({track}, 7);
  fields.clips[0].keyed_rotations->header.last_frame = 0;
  EXPECT_EQ(evidence(test::file_of(fields)),
            "lsb: undecided (2 keys past the last frame, 2 the other way), the default");
}

TEST(PresenceOrder, AskedForIsTakenAgainstTheEvidence) {
  ReadOptions msb;
  msb.presence_order = PresenceOrder::msb;
  const SparseMab file = test::parse_sparse(test::read_fixture(cmu), msb);
  EXPECT_EQ(file.summary().presence_order, "msb: as asked");
  const Bank bank = file.bank().value();
  EXPECT_NE(test::texts(bank.diagnostics).find("72 keys lie past the last frame 300"),
            std::string::npos);
  EXPECT_EQ(bank.diagnostics.size(), 1U);
}

}  // namespace
}  // namespace mabkit
