/// Every byte of every fixture is what its golden run list says (tests/golden/runs/list_runs.py).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <mabkit/document.hpp>
#include <string>
#include <vector>

#include "support/fixtures.hpp"

namespace mabkit {
namespace {

/// The golden lists name sections and headers, not the fields and the padding within.
std::string coarse_name(const ByteRun& run) {
  if (run.kind == RunKind::preserved) return "preserved";
  const std::size_t section = run.path.find(".section[");
  const bool stands_within =
      section != std::string::npos && run.path.find(".padding") != run.path.find(']', section) + 1;
  if (run.kind == RunKind::padding && !stands_within) return "padding";
  if (section != std::string::npos) {
    const std::size_t slot_end = run.path.find(']', section) + 1;
    const bool is_named = run.path.size() > slot_end && std::isupper(run.path[slot_end + 1]) != 0;
    return is_named ? run.path.substr(0, run.path.find('.', slot_end + 1))
                    : run.path.substr(0, slot_end);
  }
  if (run.path.ends_with(".boneCRCs") || run.path.ends_with(".boneFlags")) return run.path;
  const std::size_t clip_end = run.path.find(']');
  return run.path.starts_with("clip[") ? run.path.substr(0, clip_end + 1) + ".header" : "header";
}

std::vector<std::string> coarse_list(const std::vector<ByteRun>& runs) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < runs.size();) {
    const std::string name = coarse_name(runs[i]);
    const std::uint64_t offset = runs[i].offset;
    std::uint64_t size = 0;
    for (; i < runs.size() && coarse_name(runs[i]) == name; ++i) size += runs[i].size;
    lines.push_back(fmt::format("{:06x} {} {}", offset, size, name));
  }
  return lines;
}

std::vector<std::string> golden_list(std::string fixture) {
  std::replace(fixture.begin(), fixture.end(), '/', '_');
  fixture.replace(fixture.rfind(".mab"), 4, ".txt");
  std::ifstream in(std::string(MABKIT_GOLDEN) + "/runs/" + fixture);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

class RunList : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Fixtures, RunList, testing::ValuesIn(test::mab_fixtures()),
                         test::fixture_test_name);

TEST_P(RunList, IsTheGoldenOne) {
  const auto document = Document::parse(test::read_fixture(GetParam())).value();
  EXPECT_EQ(coarse_list(document.runs()), golden_list(GetParam()));
}

}  // namespace
}  // namespace mabkit
