#include <gtest/gtest.h>

#include <mabkit/encode.hpp>
#include <mabkit/mab.hpp>
#include <mabkit/rig.hpp>
#include <random>

#include "support/fixtures.hpp"
#include "support/sparse_files.hpp"

/// A file with its own bank in place of its own bank is the same file.
namespace mabkit::mab {
namespace {

class SparseEditGolden : public testing::TestWithParam<std::string> {};

TEST_P(SparseEditGolden, NothingEditedGivesTheSameBytes) {
  const auto bytes = test::read_fixture(GetParam());
  const SparseMab file = test::parse_sparse(bytes);
  const auto bank = file.bank();
  ASSERT_TRUE(bank);
  const auto written = file.with(*bank, {});
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_EQ(written->bytes, bytes);
  EXPECT_EQ(written->report.bytes, bytes.size());
  for (const ClipReport& clip : written->report.clips) {
    for (const TrackReport& track : clip.tracks) EXPECT_TRUE(track.is_kept);
  }
}

TEST_P(SparseEditGolden, NoiseBelowTheKeepToleranceChangesNothing) {
  const auto bytes = test::read_fixture(GetParam());
  const SparseMab file = test::parse_sparse(bytes);
  auto bank = file.bank();
  ASSERT_TRUE(bank);
  std::mt19937 random(5);
  // Four components of 4e-6 turn a rotation by 1.6e-5 radians at most.
  std::uniform_real_distribution<float> noise(-4e-6F, 4e-6F);
  for (Clip& clip : bank->clips) {
    for (float& value : clip.values) value += noise(random);
  }
  const auto written = file.with(*bank, {});
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_EQ(written->bytes, bytes);
}

INSTANTIATE_TEST_SUITE_P(Fixtures, SparseEditGolden, testing::ValuesIn(test::sparse_fixtures()),
                         test::fixture_test_name);

}  // namespace
}  // namespace mabkit::mab
