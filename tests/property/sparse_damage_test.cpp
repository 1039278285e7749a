#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "support/fixtures.hpp"
#include "support/sparse_files.hpp"

namespace mabkit {
namespace {

std::vector<std::string> small_fixtures() {
  std::vector<std::string> names;
  for (const std::string& name : test::sparse_fixtures()) {
    if (!name.starts_with("motion/")) names.push_back(name);
  }
  return names;
}

bool tile(const std::vector<ByteRun>& runs, std::size_t size) {
  std::uint64_t position = 0;
  for (const ByteRun& run : runs) {
    if (run.offset != position || run.size == 0 || run.path.empty()) return false;
    position += run.size;
  }
  return position == size;
}

/// What is wrong with how the reader takes these bytes; empty where it refuses them with a reason
/// and a place, or reads all of them.
std::string complaint(const std::vector<std::byte>& bytes) {
  const auto file = SparseMab::parse(bytes, {});
  if (!file) {
    const Error& error = file.error();
    const bool says_where = error.offset && !error.path.empty() && !error.message.empty();
    return says_where ? "" : "error without a place: " + describe("", error);
  }
  if (!std::equal(bytes.begin(), bytes.end(), file->bytes().begin(), file->bytes().end())) {
    return "bytes differ";
  }
  if (!tile(file->runs(), bytes.size())) return "runs don't tile";
  if (!file->bank()) return "no bank: " + describe("", file->bank().error());
  if (file->summary().clips.empty()) return "no clips in the summary";
  const auto rebuilt = file->rebuild();
  if (!rebuilt && rebuilt.error().code != ErrorCode::unsupported) {
    return "no rebuild: " + describe("", rebuilt.error());
  }
  if (file->diagnostics().size() > 60) return "floods of diagnostics";
  return "";
}

class SparseDamage : public testing::TestWithParam<std::string> {};

TEST_P(SparseDamage, EveryTruncationIsAnErrorWithItsPlace) {
  const auto whole = test::read_fixture(GetParam());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::vector bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    const auto file = SparseMab::parse(bytes, {});
    ASSERT_FALSE(file) << "cut to " << size;
    ASSERT_TRUE(file.error().offset) << "cut to " << size;
    ASSERT_FALSE(file.error().path.empty()) << "cut to " << size;
  }
}

TEST_P(SparseDamage, ADamagedByteIsRefusedOrReadWhole) {
  auto bytes = test::read_fixture(GetParam());
  ASSERT_EQ(complaint(bytes), "");
  constexpr std::size_t stride = 61;
  for (std::size_t i = 0; i < bytes.size(); i += stride) {
    const std::byte original = bytes[i];
    for (const std::byte damaged : {std::byte{0}, std::byte{0xFF}, original ^ std::byte{0xFF}}) {
      bytes[i] = damaged;
      ASSERT_EQ(complaint(bytes), "")
          << fmt::format("byte 0x{:X} set to 0x{:02X}", i, std::to_integer<unsigned>(damaged));
    }
    bytes[i] = original;
  }
}

TEST_P(SparseDamage, SeveralDamagedBytesAreRefusedOrReadWhole) {
  const auto whole = test::read_fixture(GetParam());
  std::mt19937 random(4711);
  // Headers and tables, where damage leads furthest, are as likely as all the rest.
  std::uniform_int_distribution<std::size_t> anywhere(0, whole.size() - 1);
  std::uniform_int_distribution<std::size_t> in_header(0, 0x1FF);
  std::uniform_int_distribution<unsigned> value(0, 255);
  for (int round = 0; round < 300; ++round) {
    auto bytes = whole;
    for (int i = 0; i < 2; ++i) {
      bytes[in_header(random)] = static_cast<std::byte>(value(random));
      bytes[anywhere(random)] = static_cast<std::byte>(value(random));
    }
    ASSERT_EQ(complaint(bytes), "") << "round " << round;
  }
}

INSTANTIATE_TEST_SUITE_P(All, SparseDamage, testing::ValuesIn(small_fixtures()),
                         test::fixture_test_name);

/// Every 32-bit word of the headers in turn becomes each of these: counts and offsets without end,
/// backwards, into the header, to itself.
TEST(SparseDamageOfHeaders, HostileWordsAreRefusedOrReadWhole) {
  for (const char* const name : {"spec/example_fc2.mab", "mab/fc3_1.mab"}) {
    auto bytes = test::read_fixture(name);
    for (std::size_t at = 0; at + 4 <= std::min<std::size_t>(bytes.size(), 0x420); at += 4) {
      const std::vector original(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                                 bytes.begin() + static_cast<std::ptrdiff_t>(at + 4));
      for (const std::uint32_t word : {0xFFFFFFFFU, 0x7FFFFFFFU, 0x80000000U, 0xFFFFU, 0x10U, 0xA0U,
                                       0xE0U, 0x170U, 0x7FC00000U}) {
        test::poke(bytes, at, word);
        ASSERT_EQ(complaint(bytes), "") << fmt::format("{}: 0x{:X} at 0x{:X}", name, word, at);
      }
      std::copy(original.begin(), original.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at));
    }
  }
}

}  // namespace
}  // namespace mabkit
