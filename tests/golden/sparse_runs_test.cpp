#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "support/fixtures.hpp"
#include "support/sparse_files.hpp"

namespace mabkit {
namespace {

std::vector<std::string> golden_lines(const std::string& name) {
  std::ifstream in(std::string(MABKIT_GOLDEN) + "/" + name);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && !line.starts_with('#')) lines.push_back(line);
  }
  return lines;
}

std::string kind_name(RunKind kind) {
  const std::map<RunKind, std::string> names{{RunKind::field, "field"},
                                             {RunKind::section, "section"},
                                             {RunKind::padding, "padding"},
                                             {RunKind::preserved, "preserved"}};
  return names.at(kind);
}

TEST(SparseRuns, OfTheWorkedExampleAreThoseOfTheSpec) {
  std::vector<std::string> lines;
  for (const ByteRun& run : test::parse_sparse(test::read_fixture("spec/example_fc2.mab")).runs()) {
    lines.push_back(fmt::format("0x{:04X} {} {} {}{}{}", run.offset, run.size, kind_name(run.kind),
                                run.path, run.value.empty() ? "" : " = ", run.value));
  }
  EXPECT_EQ(lines, golden_lines("sparse_runs_example_fc2.txt"));
}

}  // namespace
}  // namespace mabkit
