#include <gtest/gtest.h>

#include <algorithm>
#include <mabkit/mab.hpp>
#include <string>

#include "mab/chunked_fields.hpp"
#include "support/fixtures.hpp"

namespace mabkit {
namespace {

using test::read_fixture;

/// Every fixture of the chunked family.
std::vector<std::string> chunked_fixtures() {
  std::vector<std::string> names = test::mab_fixtures();
  std::erase_if(names, [](const std::string& name) {
    const std::string stem = name.substr(name.find('/') + 1);
    return stem.starts_with("fc2") || stem.starts_with("fc3") ||
           stem.find("_fc2") != std::string::npos;
  });
  return names;
}

class ChunkedFixture : public testing::TestWithParam<std::string> {
 protected:
  ChunkedMab document_ = ChunkedMab::parse(read_fixture(GetParam()), {}).value();
};
INSTANTIATE_TEST_SUITE_P(All, ChunkedFixture, testing::ValuesIn(chunked_fixtures()),
                         test::fixture_test_name);

TEST_P(ChunkedFixture, BytesAreThoseThatWereRead) {
  const auto bytes = document_.bytes();
  EXPECT_EQ(std::vector(bytes.begin(), bytes.end()), read_fixture(GetParam()));
}

TEST_P(ChunkedFixture, ReadsWithoutWarning) {
  for (const Diagnostic& diagnostic : document_.diagnostics()) {
    ADD_FAILURE() << describe(GetParam(), diagnostic);
  }
  const Bank bank = document_.bank().value();
  for (const Diagnostic& diagnostic : bank.diagnostics) {
    ADD_FAILURE() << describe(GetParam(), diagnostic);
  }
}

TEST_P(ChunkedFixture, IsRebuiltFromItsFieldsAlone) {
  EXPECT_EQ(document_.rebuild().value(), read_fixture(GetParam()));
}

TEST_P(ChunkedFixture, RunsTileTheFile) {
  std::uint64_t position = 0;
  for (const ByteRun& run : document_.runs()) {
    EXPECT_EQ(run.offset, position) << run.path;
    EXPECT_GT(run.size, 0U) << run.path;
    position = run.offset + run.size;
  }
  EXPECT_EQ(position, document_.bytes().size());
}

/// Only the markup section, whose content nobody knows, is preserved without being understood.
TEST_P(ChunkedFixture, PreservesNothingButOpaqueMarkup) {
  for (const ByteRun& run : document_.runs()) {
    if (run.kind == RunKind::preserved) {
      EXPECT_TRUE(run.path.ends_with("section[9].Markup")) << run.path;
    }
  }
}

TEST_P(ChunkedFixture, MatchesItsExpectedBank) {
  std::string expected = GetParam();
  expected.replace(expected.rfind(".mab"), 4, ".json");
  const auto bank = document_.bank();
  ASSERT_TRUE(bank.has_value()) << describe(GetParam(), bank.error());
  if (GetParam().starts_with("spec/")) GTEST_SKIP() << "its values are in ChunkedExample";
  for (const std::string& difference :
       test::differences(*bank, test::read_fixture_json(expected))) {
    ADD_FAILURE() << difference;
  }
}

}  // namespace
}  // namespace mabkit
