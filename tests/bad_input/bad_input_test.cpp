/// What becomes of files that are cut short or have bytes and words replaced: an error with a
/// place, or a document that still accounts for every byte of its input. Nothing else. Run it under
/// the sanitizers (preset `asan`), where every byte is tried; elsewhere it takes a sample.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <mabkit/document.hpp>
#include <span>
#include <string>
#include <vector>

#include "bad_input/peak_memory.hpp"
#include "support/fixtures.hpp"

namespace mabkit {
namespace {

using Bytes = std::vector<std::byte>;

/// Bytes that a file may cost beyond its size.
constexpr std::size_t memory_allowance = 64ULL << 20U;

void expect_placed(const Error& error, const std::string& context) {
  EXPECT_TRUE(error.offset.has_value()) << context << ": " << describe("", error);
  EXPECT_FALSE(error.path.empty()) << context << ": " << describe("", error);
  EXPECT_FALSE(error.message.empty()) << context;
}

void expect_tiled(const Document& document, const std::string& context) {
  std::uint64_t position = 0;
  for (const ByteRun& run : document.runs()) {
    ASSERT_EQ(run.offset, position) << context << ": " << run.path;
    ASSERT_GT(run.size, 0U) << context << ": " << run.path;
    position = run.offset + run.size;
  }
  ASSERT_EQ(position, document.bytes().size()) << context;
}

/// Returns whether the bytes were read.
bool try_file(const Bytes& bytes, const std::string& context) {
  test::reset_peak_memory();
  const auto document = Document::parse(bytes);
  if (!document) {
    expect_placed(document.error(), context);
  } else {
    const auto kept = document->bytes();
    EXPECT_TRUE(std::equal(kept.begin(), kept.end(), bytes.begin(), bytes.end())) << context;
    expect_tiled(*document, context);
    if (const auto bank = document->bank(); !bank) expect_placed(bank.error(), context);
    EXPECT_EQ(document->summary().format, "mab") << context;
    // May differ or be refused for a file that no writer would make; must not crash.
    static_cast<void>(document->rebuild());
  }
  EXPECT_LE(test::peak_memory(), bytes.size() + memory_allowance) << context;
  return document.has_value();
}

/// Every byte of small fixtures, a sample of the long ones.
class BadInput : public testing::TestWithParam<std::string> {
 protected:
  [[nodiscard]] std::size_t step() const {
    const bool is_long = GetParam().starts_with("motion/");
    return std::size_t{is_long ? 211U : 1U} * MABKIT_BAD_INPUT_STEP;
  }
  Bytes original_ = test::read_fixture(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Fixtures, BadInput, testing::ValuesIn(test::mab_fixtures()),
                         test::fixture_test_name);

/// Zero bytes after the data that a reader does without (spec mab-chunked, 1.2): Legion's and
/// Watch Dogs 2's.
std::size_t declared_slack(const std::string& fixture) {
  const bool has_slack =
      fixture.find("wdl") != std::string::npos || fixture.find("wd2") != std::string::npos;
  return has_slack ? 3 : 0;
}

TEST_P(BadInput, TruncationIsAnError) {
  const std::size_t least = original_.size() - declared_slack(GetParam());
  for (std::size_t size = 0; size < original_.size(); size += step()) {
    const Bytes cut(original_.begin(), original_.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_EQ(try_file(cut, "cut to " + std::to_string(size)), size >= least) << size;
  }
}

using Replacement = std::byte (*)(std::byte);

void try_replaced_bytes(const Bytes& original, std::size_t step,
                        std::span<const Replacement> replacements) {
  Bytes bytes = original;
  for (std::size_t at = 0; at < bytes.size(); at += step) {
    for (const Replacement& replacement : replacements) {
      bytes[at] = replacement(original[at]);
      try_file(bytes, "byte " + std::to_string(at) + " is " +
                          std::to_string(std::to_integer<int>(bytes[at])));
    }
    bytes[at] = original[at];
  }
}

TEST_P(BadInput, ByteOfZerosOnesOrFlippedIsAnErrorOrKept) {
  constexpr std::array<Replacement, 3> replacements{[](std::byte) { return std::byte{0x00}; },
                                                    [](std::byte) { return std::byte{0xFF}; },
                                                    [](std::byte old) { return ~old; }};
  try_replaced_bytes(original_, step(), replacements);
}

/// Counts and offsets that are off by one; words that are as large as can be. A sample, with a step
/// that meets every byte of a word.
constexpr std::size_t sample = 7;

TEST_P(BadInput, ByteOffByOneIsAnErrorOrKept) {
  constexpr std::array<Replacement, 2> replacements{
      [](std::byte old) { return static_cast<std::byte>(std::to_integer<int>(old) + 1); },
      [](std::byte old) { return static_cast<std::byte>(std::to_integer<int>(old) - 1); }};
  try_replaced_bytes(original_, sample * step(), replacements);
}

TEST_P(BadInput, ReplacedWordIsAnErrorOrKept) {
  const std::array<std::uint32_t, 5> words{0, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF,
                                           static_cast<std::uint32_t>(original_.size())};
  // Headers stand at the beginning, where every word is tried.
  constexpr std::size_t headers_end = 0x140;
  Bytes bytes = original_;
  for (std::size_t at = 0; at + 4 <= bytes.size();
       at += at < headers_end ? 4 : 4 * sample * step()) {
    for (const std::uint32_t word : words) {
      std::memcpy(bytes.data() + at, &word, sizeof(word));
      try_file(bytes, "word " + std::to_string(at) + " is " + std::to_string(word));
    }
    std::memcpy(bytes.data() + at, original_.data() + at, sizeof(std::uint32_t));
  }
}

TEST(BadInput, EmptyFileSaysSo) {
  const auto document = Document::parse({});
  ASSERT_FALSE(document.has_value());
  EXPECT_EQ(describe("x.mab", document.error()), "x.mab: offset 0x0: magic: the file is empty");
}

TEST(BadInput, WrongMagicSaysWhatStandsThere) {
  Bytes bytes(64, std::byte{0x5A});
  const auto document = Document::parse(bytes);
  ASSERT_FALSE(document.has_value());
  EXPECT_EQ(document.error().code, ErrorCode::unknown_format);
  EXPECT_NE(document.error().message.find("0x5A5A5A5A"), std::string::npos);
}

}  // namespace
}  // namespace mabkit
