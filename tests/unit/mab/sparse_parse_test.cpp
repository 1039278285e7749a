#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <limits>

#include "support/fixtures.hpp"
#include "support/sparse_files.hpp"

namespace mabkit {
namespace {

// Places in spec/example_fc2.mab (spec mab-sparse, 7).
constexpr std::size_t clip_tag_at = 0x80;
constexpr std::size_t duration_at = 0x84;
constexpr std::size_t table_at = 0x88;
constexpr std::size_t pointer_at = 0xAC;
constexpr std::size_t record_at = 0x274;

std::vector<std::byte> example() {
  return test::read_fixture("spec/example_fc2.mab");
}

Error error_of(const std::vector<std::byte>& bytes, const ReadOptions& options = {}) {
  auto file = SparseMab::parse(bytes, options);
  return file ? Error{} : file.error();
}

std::string warnings(const std::vector<std::byte>& bytes) {
  return test::texts(test::parse_sparse(bytes).diagnostics());
}

TEST(SparseParse, OtherVersionsAreUnknown) {
  auto bytes = example();
  test::poke(bytes, 0, std::uint16_t{0x46AF});
  EXPECT_EQ(error_of(bytes).code, ErrorCode::unknown_format);
  EXPECT_EQ(error_of({}).code, ErrorCode::truncated);
}

TEST(SparseParse, AFileWithoutTheClipTagIsUnknown) {
  auto bytes = example();
  test::poke(bytes, clip_tag_at, std::uint32_t{0});
  const Error error = error_of(bytes);
  EXPECT_EQ(error.code, ErrorCode::unknown_format);
  EXPECT_EQ(error.offset, clip_tag_at);
  EXPECT_EQ(error.path, "clip[0].tag");
}

TEST(SparseParse, SizeAndClipLimitsHold) {
  ReadOptions options;
  options.limits.max_file_size = 1000;
  EXPECT_EQ(error_of(example(), options).code, ErrorCode::limit);
  options = {};
  options.limits.max_clips = 1;
  EXPECT_EQ(error_of(example(), options).code, ErrorCode::limit);
  options = {};
  options.limits.max_keys = 9;
  EXPECT_EQ(error_of(example(), options).code, ErrorCode::limit);
  options.limits.max_keys = 10;
  EXPECT_TRUE(SparseMab::parse(example(), options));
}

struct BadOffset {
  const char* name;
  std::uint32_t slot;
  std::int32_t value;
  ErrorCode code;
  const char* path;
};

class SparseSectionOffset : public testing::TestWithParam<BadOffset> {};

TEST_P(SparseSectionOffset, IsRefused) {
  auto bytes = example();
  test::poke(bytes, table_at + 4 * GetParam().slot, GetParam().value);
  const Error error = error_of(bytes);
  EXPECT_EQ(error.code, GetParam().code) << error.message;
  EXPECT_EQ(error.path, GetParam().path) << error.message;
  EXPECT_TRUE(error.offset);
}

INSTANTIATE_TEST_SUITE_P(
    Examples, SparseSectionOffset,
    testing::Values(
        BadOffset{"all_ones", 3, -1, ErrorCode::bad_value, "clip[0].section_offset[3]"},
        BadOffset{"lowest", 3, std::numeric_limits<std::int32_t>::min(), ErrorCode::bad_value,
                  "clip[0].section_offset[3]"},
        BadOffset{"in_the_header", 2, 0x9C, ErrorCode::bad_value, "clip[0].section_offset[2]"},
        BadOffset{"past_the_clip", 5, 0x310, ErrorCode::bad_value, "clip[0].section_offset[5]"},
        BadOffset{"on_another", 4, 0x180, ErrorCode::inconsistent, "clip[0].section_offset[3]"},
        BadOffset{"inside_another", 4, 0x1A0, ErrorCode::inconsistent,
                  "clip[0].section[3].group_table[1]"},
        BadOffset{"next_clip_is_itself", 8, 0x10, ErrorCode::bad_value,
                  "clip[0].section_offset[8]"},
        BadOffset{"next_clip_past_the_end", 8, 0x411, ErrorCode::truncated,
                  "clip[0].section_offset[8]"},
        BadOffset{"next_clip_backwards", 8, -0x310, ErrorCode::bad_value,
                  "clip[0].section_offset[8]"}),
    [](const auto& test) { return test.param.name; });

TEST(SparseParse, ACountThatNeedsMoreBytesThanFollowIsRefused) {
  for (const std::size_t section : {0x180U, 0x1E0U, 0x1F0U, 0x270U}) {
    auto bytes = example();
    test::poke(bytes, section, std::uint16_t{0xFFF});
    const Error error = error_of(bytes);
    EXPECT_EQ(error.offset, section) << error.message;
    EXPECT_EQ(error.code, ErrorCode::inconsistent);
  }
}

TEST(SparseParse, CountsOfAllOnesAreRefused) {
  auto bytes = example();
  test::poke(bytes, 0x270, std::uint32_t{0xFFFFFFFF});
  EXPECT_EQ(error_of(bytes).path, "clip[0].section[6]");
  bytes = example();
  test::poke(bytes, 0x1F0, std::uint32_t{0xFFFFFFFF});
  EXPECT_EQ(error_of(bytes).path, "clip[0].section[5].count");
}

TEST(SparseParse, KeyedMasksMustMatchTheirSections) {
  auto bytes = example();
  test::poke(bytes, 0x24, std::uint32_t{0x0E});
  EXPECT_EQ(error_of(bytes).code, ErrorCode::inconsistent);
  EXPECT_EQ(error_of(bytes).path, "clip[0].section[3].count");
  bytes = example();
  test::poke(bytes, 0x4C, std::uint32_t{0x03});
  EXPECT_EQ(error_of(bytes).path, "clip[0].section[5].count");
}

TEST(SparseParse, AConstantMaskThatNamesMoreBonesLeavesThemAtRest) {
  auto bytes = example();
  test::poke(bytes, 0x10, std::uint32_t{0x81});
  const SparseMab file = test::parse_sparse(bytes);
  EXPECT_NE(test::texts(file.diagnostics()).find("names 2 bones, but the section has 1"),
            std::string::npos);
  const Bank bank = file.bank().value();
  ASSERT_EQ(bank.clips[0].joints.size(), 3U) << "bone 7 has no track and no joint";
  EXPECT_EQ(file.summary().clips[0].census.undriven, 1U);
}

TEST(SparseParse, ARuntimePointerIsKeptWithAWarning) {
  auto bytes = example();
  test::poke(bytes, pointer_at, std::uint32_t{0x1234});
  EXPECT_NE(warnings(bytes).find("clip[0].runtime_pointer"), std::string::npos);
  EXPECT_EQ(test::parse_sparse(bytes).rebuild().value(), bytes);
}

TEST(SparseParse, DurationsThatAreNoNumbersGiveWayToTheLastFrame) {
  for (const float duration :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), -1.0F}) {
    auto bytes = example();
    test::poke(bytes, duration_at, duration);
    EXPECT_NE(warnings(bytes).find("clip[0].duration"), std::string::npos);
    EXPECT_EQ(test::parse_sparse(bytes).bank().value().clips[0].duration, 0.3F);
    EXPECT_EQ(test::parse_sparse(bytes).rebuild().value(), bytes);
  }
}

TEST(SparseParse, ADurationLongerThanTheFramesIsWarnedOf) {
  auto bytes = example();
  test::poke(bytes, duration_at, 10.0F / 30.0F);
  EXPECT_EQ(warnings(bytes), "");
  test::poke(bytes, duration_at, 11.0F / 30.0F);
  EXPECT_NE(warnings(bytes).find("longer than 10 frames"), std::string::npos);
}

TEST(SparseParse, BytesAfterTheLastClipAreKeptWithAWarning) {
  auto bytes = example();
  for (const int value : {1, 2, 3}) bytes.push_back(static_cast<std::byte>(value));
  const SparseMab file = test::parse_sparse(bytes);
  EXPECT_NE(test::texts(file.diagnostics()).find("trailing: 3 bytes"), std::string::npos);
  const ByteRun last = file.runs().back();
  EXPECT_EQ(last.kind, RunKind::preserved);
  EXPECT_EQ(last.size, 3U);
  EXPECT_EQ(file.rebuild().value(), bytes);
}

TEST(SparseParse, BytesWherePaddingShouldBeAreKeptWithAWarning) {
  for (const std::size_t at : {0xF8U, 0x1DFU, 0x418U}) {
    auto bytes = example();
    bytes[at] = std::byte{7};
    const SparseMab file = test::parse_sparse(bytes);
    EXPECT_NE(test::texts(file.diagnostics()).find("no rule explains"), std::string::npos);
    EXPECT_EQ(file.rebuild().value(), bytes);
  }
}

TEST(SparseParse, TextThatContradictsItsHashIsWarnedOfOnce) {
  auto bytes = example();
  bytes[record_at + 0x1C] = std::byte{'P'};
  bytes[record_at + 0x40] = std::byte{'L'};
  const std::string found = warnings(bytes);
  EXPECT_NE(found.find("record[0].name_hash: the hash 0xAF6EC5EA"), std::string::npos) << found;
  EXPECT_NE(found.find("(and 1 more like it)"), std::string::npos) << found;
  EXPECT_EQ(std::count(found.begin(), found.end(), '\n'), 1);
}

TEST(SparseParse, ARecordThatLeadsElsewhereIsWarnedOf) {
  auto bytes = example();
  test::poke(bytes, record_at + 0x0C, std::int32_t{0xA0});
  EXPECT_NE(warnings(bytes).find("record[0].clip_offset"), std::string::npos);
  EXPECT_EQ(test::parse_sparse(bytes).bank().value().participants[0].clip, 1U);
}

TEST(SparseParse, ARecordWhoseClipIsCutOffIsAnError) {
  auto bytes = example();
  bytes.resize(0x320);
  const Error error = error_of(bytes);
  EXPECT_EQ(error.code, ErrorCode::truncated);
  EXPECT_EQ(error.path, "clip[0].section[6].record[0].clip_offset");
}

TEST(SparseParse, ARecordWithoutAClipIsAParticipantAllTheSame) {
  mab::SparseFields fields = test::fields_of(example());
  fields.clips.pop_back();
  fields.clips[0].tags->front().clip_offset = -0x200;
  const SparseMab file = test::parse_sparse(test::file_of(fields));
  EXPECT_NE(test::texts(file.diagnostics()).find("belongs to no clip"), std::string::npos);
  const Bank bank = file.bank().value();
  ASSERT_EQ(bank.participants.size(), 1U);
  EXPECT_FALSE(bank.participants[0].clip);
  EXPECT_EQ(bank.participants[0].name, "prop");
}

TEST(SparseParse, AChainedClipWithoutARecordIsWarnedOf) {
  mab::SparseFields fields = test::fields_of(example());
  test::add_empty_clip(fields);
  const SparseMab file = test::parse_sparse(test::file_of(fields));
  EXPECT_NE(test::texts(file.diagnostics()).find("2 chained clips, but 1 tag records"),
            std::string::npos);
  const Bank bank = file.bank().value();
  ASSERT_EQ(bank.clips.size(), 3U);
  EXPECT_FALSE(bank.clips[2].name);
  EXPECT_FALSE(bank.clips[2].participant);
}

TEST(SparseParse, ATagTableInAChainedClipIsKeptAsItIs) {
  mab::SparseFields fields = test::fields_of(example());
  fields.clips[1].unknown_tags = std::vector<std::byte>(32, std::byte{5});
  const auto bytes = test::file_of(fields);
  const SparseMab file = test::parse_sparse(bytes);
  EXPECT_NE(test::texts(file.diagnostics()).find("kept but not understood"), std::string::npos);
  EXPECT_EQ(file.bank().value().participants.size(), 1U);
  EXPECT_EQ(file.rebuild().value(), bytes);
  EXPECT_EQ(file.runs().back().kind, RunKind::preserved);
}

mab::SparseFields chain_of(std::size_t clips) {
  mab::SparseFields fields = test::keyed_file({}, 0);
  while (fields.clips.size() < clips) test::add_empty_clip(fields);
  return fields;
}

TEST(SparseParse, ChainsAreReadToTheirEnd) {
  EXPECT_EQ(test::parse_sparse(test::file_of(chain_of(35))).summary().clips.size(), 35U);
  EXPECT_EQ(test::parse_sparse(test::file_of(chain_of(256))).summary().clips.size(), 256U);
}

TEST(SparseParse, ChainsOfMoreThan256ClipsAreRefused) {
  const Error error = error_of(test::file_of(chain_of(257)));
  EXPECT_EQ(error.code, ErrorCode::limit);
  EXPECT_EQ(error.path, "clip[256]");
}

TEST(SparseParse, AClipThatSaysNoEndIsTheLast) {
  auto bytes = test::file_of(chain_of(1));
  test::poke(bytes, table_at + 4 * 8, std::int32_t{0});
  EXPECT_NE(warnings(bytes).find("read as the last one"), std::string::npos);
  EXPECT_EQ(test::parse_sparse(bytes).summary().clips.size(), 1U);
}

TEST(SparseParse, SectionsInAnotherOrderReadButDoNotLayOut) {
  // Sections 4 and 5 of the last clip trade places; both are empty arrays of 16 bytes.
  auto bytes = test::file_of(chain_of(1));
  const auto swap = [&](std::uint32_t a, std::uint32_t b) {
    for (std::size_t i = 0; i < 4; ++i)
      std::swap(bytes[table_at + 4 * a + i], bytes[table_at + 4 * b + i]);
  };
  swap(4, 5);
  const SparseMab file = test::parse_sparse(bytes);
  EXPECT_TRUE(file.bank());
  ASSERT_FALSE(file.rebuild());
  EXPECT_EQ(file.rebuild().error().code, ErrorCode::unsupported);
}

TEST(SparseParse, OverlappingSectionsDoNotMultiplyTheWork) {
  // Every slot at the one large section of dense translations.
  mab::SparseFields fields = test::keyed_file({}, 60000);
  fields.clips[0].masks[3][0] = 0xFFFFFFFF;
  fields.clips[0].animated_translations->header.count = 32;
  fields.clips[0].animated_translations->components.resize(std::size_t{3} * 32 * 60001);
  auto bytes = test::file_of(fields);
  ASSERT_TRUE(SparseMab::parse(bytes, {}));
  std::int32_t offset = 0;
  std::memcpy(&offset, bytes.data() + table_at + 4 * 5, sizeof(offset));
  for (std::uint32_t slot = 0; slot < 8; ++slot) test::poke(bytes, table_at + 4 * slot, offset);
  EXPECT_EQ(error_of(bytes).code, ErrorCode::inconsistent);
}

TEST(SparseParse, DecodedValuesStayWithinTheLimit) {
  ReadOptions options;
  options.limits.max_decoded_bytes = 100;
  const SparseMab file = test::parse_sparse(example(), options);
  const auto bank = file.bank();
  ASSERT_FALSE(bank);
  EXPECT_EQ(bank.error().code, ErrorCode::limit);
}

TEST(SparseParse, CopiesOutliveTheOriginal) {
  std::optional<SparseMab> copy;
  {
    const SparseMab original = test::parse_sparse(example());
    copy = original;
  }
  EXPECT_EQ(copy->bank().value().clips.size(), 2U);
}

}  // namespace
}  // namespace mabkit
