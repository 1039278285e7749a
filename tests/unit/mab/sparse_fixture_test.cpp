#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/fixtures.hpp"
#include "support/sparse_files.hpp"

namespace mabkit {
namespace {

class SparseFixture : public testing::TestWithParam<std::string> {};

class SparseExpectation : public testing::TestWithParam<std::string> {};

TEST_P(SparseExpectation, DecodesToItsExpectedBank) {
  const SparseMab file = test::parse_sparse(test::read_fixture(GetParam()));
  const auto bank = file.bank();
  ASSERT_TRUE(bank) << describe(GetParam(), bank.error());
  const std::string expected = GetParam().substr(0, GetParam().find('.')) + ".json";
  EXPECT_EQ(test::differences(*bank, test::read_fixture_json(expected)),
            std::vector<std::string>{});
}

TEST_P(SparseFixture, KeepsItsBytes) {
  const auto bytes = test::read_fixture(GetParam());
  const SparseMab file = test::parse_sparse(bytes);
  EXPECT_EQ(std::vector(file.bytes().begin(), file.bytes().end()), bytes);
}

TEST_P(SparseFixture, LaysOutAgainFromItsFieldsAlone) {
  const auto bytes = test::read_fixture(GetParam());
  mab::SparseFields fields;
  {
    auto original = bytes;
    fields = test::fields_of(original);
    std::fill(original.begin(), original.end(), std::byte{0xCC});
  }
  EXPECT_EQ(test::file_of(fields), bytes);
  const auto rebuilt = test::parse_sparse(bytes).rebuild();
  ASSERT_TRUE(rebuilt);
  EXPECT_EQ(*rebuilt, bytes);
}

TEST_P(SparseFixture, HasNothingThatNoRuleExplains) {
  const auto bytes = test::read_fixture(GetParam());
  const mab::SparseFields fields = test::fields_of(bytes);
  EXPECT_TRUE(fields.trailing.empty());
  for (const mab::ClipFields& clip : fields.clips) {
    EXPECT_FALSE(clip.unknown_tags);
    for (const auto& unexplained : clip.unexplained) EXPECT_FALSE(unexplained);
  }
}

TEST_P(SparseFixture, RunsTileTheFileAndAreUnderstood) {
  const auto bytes = test::read_fixture(GetParam());
  std::uint64_t position = 0;
  for (const ByteRun& run : test::parse_sparse(bytes).runs()) {
    EXPECT_EQ(run.offset, position) << run.path;
    EXPECT_GT(run.size, 0U) << run.path;
    EXPECT_FALSE(run.path.empty());
    EXPECT_EQ(run.value.empty(), run.kind != RunKind::field) << run.path;
    EXPECT_NE(run.kind, RunKind::preserved) << run.path;
    position = run.offset + run.size;
  }
  EXPECT_EQ(position, bytes.size());
}

TEST_P(SparseFixture, SummaryAgreesWithTheBank) {
  const SparseMab file = test::parse_sparse(test::read_fixture(GetParam()));
  const FileSummary summary = file.summary();
  const Bank bank = file.bank().value();
  EXPECT_EQ(summary.family, "sparse");
  EXPECT_EQ(summary.game, file.game());
  ASSERT_EQ(summary.clips.size(), bank.clips.size());
  for (std::size_t i = 0; i < bank.clips.size(); ++i) {
    const ClipSummary& said = summary.clips[i];
    const Clip& clip = bank.clips[i];
    EXPECT_EQ(said.joints, clip.joints.size());
    EXPECT_EQ(said.duration, clip.duration);
    EXPECT_EQ(said.frame_rate, clip.frame_rate);
    EXPECT_EQ(said.events, clip.events.size());
    EXPECT_EQ(said.name, clip.name);
    EXPECT_EQ(said.has_root_motion, clip.root_motion.has_value());
    const JointCensus& census = said.census;
    EXPECT_EQ(census.constant_rotations + census.animated_rotations + census.constant_translations +
                  census.animated_translations,
              clip.tracks.size());
  }
}

TEST_P(SparseFixture, WarnsOnlyOfMasksThatNameTooMany) {
  const SparseMab file = test::parse_sparse(test::read_fixture(GetParam()));
  for (const Diagnostic& diagnostic : file.diagnostics()) {
    EXPECT_NE(diagnostic.message.find("the last ones stay at rest"), std::string::npos)
        << describe(GetParam(), diagnostic);
  }
  const Bank bank = file.bank().value();
  for (const Diagnostic& diagnostic : bank.diagnostics) {
    ADD_FAILURE() << describe(GetParam(), diagnostic);
  }
}

/// The worked example has no expected file; its values are in a test of their own.
std::vector<std::string> fixtures_with_banks() {
  std::vector<std::string> names = test::sparse_fixtures();
  std::erase(names, "spec/example_fc2.mab");
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, SparseExpectation, testing::ValuesIn(fixtures_with_banks()),
                         test::fixture_test_name);
INSTANTIATE_TEST_SUITE_P(All, SparseFixture, testing::ValuesIn(test::sparse_fixtures()),
                         test::fixture_test_name);

}  // namespace
}  // namespace mabkit
