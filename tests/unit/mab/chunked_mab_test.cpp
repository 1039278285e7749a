/// What only some files of the chunked family have: detection against the magic, parts,
/// displacement, event records, tails; and what hostile ones have.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <mabkit/mab.hpp>
#include <random>
#include <string>

#include "base/crc32.hpp"
#include "mab/chunked_layout.hpp"
#include "support/chunked_files.hpp"
#include "support/fixtures.hpp"

namespace mabkit {
namespace {

using namespace mab;
using test::fields_of;
using test::laid_out;

template <class T>
void patch(std::vector<std::byte>& bytes, std::size_t offset, T value) {
  std::memcpy(bytes.data() + offset, &value, sizeof(value));
}

bool has_text(std::span<const Diagnostic> diagnostics, std::string_view text) {
  for (const Diagnostic& diagnostic : diagnostics) {
    if (describe("", diagnostic).find(text) != std::string::npos) return true;
  }
  return false;
}

ChunkedMab parse(std::vector<std::byte> bytes) {
  return ChunkedMab::parse(std::move(bytes), {}).value();
}

const ChunkedLayout& row(Game game) {
  for (const ChunkedLayout& layout : chunked_layouts()) {
    if (layout.game == game) return layout;
  }
  throw std::runtime_error("no row");
}

TEST(ChunkedLayoutTable, HeadersTileWithoutGapOrOverlap) {
  for (const ChunkedLayout& layout : chunked_layouts()) {
    std::uint32_t position = 0;
    for (const HeaderField& field : header_fields(layout)) {
      EXPECT_EQ(field.offset, position) << short_name(layout.game) << " " << field.name;
      position += field.size;
    }
    EXPECT_EQ(position, layout.header_size) << short_name(layout.game);
  }
}

TEST(ChunkedLayoutTable, HasARowForEveryGameOfTheFamily) {
  for (const Game game :
       {Game::fc4, Game::fcp, Game::fc5, Game::fc6, Game::wd1, Game::wd2, Game::wdl}) {
    EXPECT_EQ(layout_of_magic(row(game).magic)->game, game);
  }
}

// ---- detection (spec mab-chunked, 1.7)

TEST(ChunkedDetection, StructureOverrulesTheMagic) {
  auto bytes = test::read_fixture("mab/fc6_3.mab");
  patch(bytes, 0, std::uint32_t{0xB0});  // Far Cry 5's
  const ChunkedMab document = parse(bytes);
  EXPECT_EQ(document.game(), Game::fc6);
  EXPECT_NE(document.summary().inferred.find("inferred"), std::string::npos);
}

TEST(ChunkedDetection, UnknownMagicIsReadByTheLayoutThatFits) {
  for (const Game game : {Game::wdl, Game::fc5, Game::fc6, Game::wd1}) {
    const std::string name(short_name(game));
    auto bytes = test::read_fixture("mab/" + name + "_3.mab");
    patch(bytes, 0, std::uint32_t{0x7777});
    const ChunkedMab document = parse(bytes);
    EXPECT_EQ(document.game(), game);
    EXPECT_NE(document.summary().inferred.find("0x7777"), std::string::npos);
    EXPECT_TRUE(test::differences(document.bank().value(),
                                  test::read_fixture_json("mab/" + name + "_3.json"))
                    .empty());
  }
}

TEST(ChunkedDetection, WatchDogs2TakesTheLayoutThatFits) {
  for (const char* const name : {"mab/fc5_3", "mab/wd1_3"}) {
    auto bytes = test::read_fixture(std::string(name) + ".mab");
    patch(bytes, 0, row(Game::wd2).magic);
    const ChunkedMab document = parse(bytes);
    EXPECT_EQ(document.game(), Game::wd2);
    EXPECT_NE(document.summary().inferred.find("inferred"), std::string::npos);
  }
}

TEST(ChunkedDetection, UnknownMagicWithoutAFittingLayoutIsRefused) {
  auto bytes = test::read_fixture("mab/wdl_3.mab");
  patch(bytes, 0, std::uint32_t{0x7777});
  patch(bytes, 0x20, std::uint32_t{0});
  const auto document = ChunkedMab::parse(bytes, {});
  ASSERT_FALSE(document.has_value());
  EXPECT_EQ(document.error().code, ErrorCode::unknown_format);
}

TEST(ChunkedDetection, KeyTimesOffsetOfZeroMeansBehindTheFlags) {
  auto bytes = test::read_fixture("mab/fc5_3.mab");
  patch(bytes, 0x10 + 0x34, std::uint32_t{0});
  const ChunkedMab document = parse(bytes);
  EXPECT_TRUE(test::differences(document.bank().value(), test::read_fixture_json("mab/fc5_3.json"))
                  .empty());
  EXPECT_EQ(document.rebuild().value(), bytes);
}

// ---- parts (spec mab-chunked, 6.1 and 6.4 rules 2 and 8)

TEST(ChunkedParts, RecordsMayShareAChild) {
  ChunkedFields fields = fields_of("mab/wd1_2.mab");
  ASSERT_EQ(fields.main.parts->size(), 2U);
  (*fields.main.parts)[1].child = 0;
  fields.main.children.resize(1);
  const auto bytes = laid_out(fields);
  const ChunkedMab document = parse(bytes);
  const Bank bank = document.bank().value();
  EXPECT_EQ(bank.clips.size(), 2U);
  ASSERT_EQ(bank.participants.size(), 2U);
  EXPECT_EQ(bank.participants[0].clip, 1U);
  EXPECT_EQ(bank.participants[1].clip, 1U);
  EXPECT_EQ(bank.clips[1].name, "anchor0");
  EXPECT_EQ(document.rebuild().value(), bytes);
}

TEST(ChunkedParts, RecordWithoutAClipStaysAParticipant) {
  ChunkedFields fields = fields_of("mab/wd1_2.mab");
  (*fields.main.parts)[0].child.reset();
  (*fields.main.parts)[1].child = 0;
  fields.main.children.erase(fields.main.children.begin());
  const Bank bank = parse(laid_out(fields)).bank().value();
  EXPECT_EQ(bank.clips.size(), 2U);
  ASSERT_EQ(bank.participants.size(), 2U);
  EXPECT_FALSE(bank.participants[0].clip.has_value());
  EXPECT_EQ(bank.participants[0].name, "anchor0");
  EXPECT_EQ(bank.clips[1].name, "anchor1");
  EXPECT_EQ(bank.clips[1].participant, 1U);
}

TEST(ChunkedParts, ChildrenOfChildrenComeDepthFirst) {
  for (const char* const fixture : {"mab/wd1_2.mab", "mab/fc6_2.mab", "mab/wdl_2.mab"}) {
    ChunkedFields fields = fields_of(fixture);
    PartFields grandchild = fields.main.parts->front();
    grandchild.name = "grandchild";
    grandchild.child = 0;
    BlockFields& child = fields.main.children.front();
    child.parts = {grandchild};
    child.children = {fields.main.children.back()};
    const auto bytes = laid_out(fields);
    const ChunkedMab document = parse(bytes);
    const Bank bank = document.bank().value();
    EXPECT_EQ(bank.clips[2].name, "grandchild");
    EXPECT_EQ(bank.clips[3].name, fields.main.parts->at(1).name);
    EXPECT_EQ(bank.clips[2].values, bank.clips.back().values);
    EXPECT_EQ(document.rebuild().value(), bytes);
  }
}

TEST(ChunkedParts, ParentIsTheBoneOfClipZero) {
  ChunkedFields fields = fields_of("mab/wd1_2.mab");
  (*fields.main.parts)[0].parent_bone = fields.main.hashes[2];
  (*fields.main.parts)[1].parent_bone = 0xFFFFFFFF;
  const Bank bank = parse(laid_out(fields)).bank().value();
  ASSERT_TRUE(bank.clips[1].parent.has_value());
  EXPECT_FALSE(bank.clips[2].parent.has_value());
}

TEST(ChunkedParts, RecordSizeOfAnotherGameIsInferred) {
  ChunkedFields fields = fields_of("mab/wd1_2.mab");
  fields.part_record_size = 28;
  const auto bytes = laid_out(fields);
  const ChunkedMab document = parse(bytes);
  EXPECT_TRUE(has_text(document.diagnostics(), "28 bytes"));
  EXPECT_EQ(document.bank().value().clips.size(), 3U);
  EXPECT_EQ(document.rebuild().value(), bytes);
}

TEST(ChunkedParts, UnreadablePartsAreSearchedForBlocks) {
  // Offsets of relOff of both records: section 8 at file offset 0x150 (see its run list).
  auto bytes = test::read_fixture("mab/wd1_2.mab");
  patch(bytes, 0x158, std::uint32_t{0xFFFFFFFF});
  const ChunkedMab document = parse(bytes);
  EXPECT_TRUE(has_text(document.diagnostics(), "looked for by their signature"));
  const Bank bank = document.bank().value();
  EXPECT_EQ(bank.clips.size(), 3U);
  EXPECT_TRUE(bank.participants.empty());
  const auto kept = document.bytes();
  EXPECT_EQ(std::vector(kept.begin(), kept.end()), bytes);
}

TEST(ChunkedParts, ChildThatContainsItsOwnRecordIsNoChild) {
  // The child's own record says that its child is the child itself.
  ChunkedFields fields = fields_of("mab/wd1_2.mab");
  PartFields loop = fields.main.parts->front();
  loop.child.reset();
  fields.main.children.front().parts = {loop};
  auto bytes = laid_out(fields);
  const auto runs = parse(bytes).runs();
  for (const ByteRun& run : runs) {
    if (run.path != "clip[1].section[8].PartAnimations.record[0].relOff") continue;
    const std::uint64_t record = run.offset - 4;
    patch(bytes, run.offset, static_cast<std::uint32_t>(0x1A8 - record));  // wraps: backwards
  }
  const auto document = ChunkedMab::parse(bytes, {});
  ASSERT_TRUE(document.has_value());
  EXPECT_TRUE(has_text(document->diagnostics(), "record[0].child"));
}

TEST(ChunkedParts, NamesAreBounded) {
  ChunkedFields fields = fields_of("mab/wd1_2.mab");
  (*fields.main.parts)[0].name = std::string(255, 'x');
  EXPECT_EQ(parse(laid_out(fields)).bank().value().clips[1].name->size(), 255U);
  (*fields.main.parts)[0].name = std::string(256, 'x');
  const auto document = ChunkedMab::parse(laid_out(fields), {});
  ASSERT_FALSE(document.has_value());
  EXPECT_EQ(document.error().code, ErrorCode::limit);
}

TEST(ChunkedDetection, RecordsOfFarCry6TellItsLayoutFromFarCry5s) {
  auto bytes = test::read_fixture("mab/fc6_2.mab");  // one key: lastFrame is 0 in both layouts
  patch(bytes, 0, row(Game::wd2).magic);
  EXPECT_EQ(parse(bytes).bank().value().clips.size(), 3U);
}

// ---- displacement (spec mab-chunked, 3.4 and 6.4 rule 1)

ChunkedFields with_displacement(StreamFields orientations, StreamFields translations,
                                std::uint32_t keys) {
  ChunkedFields fields = fields_of("mab/wdl_3.mab");
  BlockFields& block = fields.main;
  block.ticks.resize(keys);
  for (std::uint32_t key = 0; key < keys; ++key) block.ticks[key] = static_cast<std::uint16_t>(key);
  std::mt19937 random(5);
  block.joint_rotations =
      test::random_stream(random, codec::BlockKind::rotation, keys, block.joint_rotations->bits);
  block.joint_translations = test::random_stream(random, codec::BlockKind::translation, keys,
                                                 block.joint_translations->bits);
  block.translation_table.insert(block.translation_table.begin(),
                                 translations.bits.front() | 3355U << 8U);  // about one metre
  block.displacement_orientations = std::move(orientations);
  block.displacement_translations = std::move(translations);
  const float duration = static_cast<float>(keys - 1) / 30.0F;
  std::uint32_t bits = 0;
  std::memcpy(&bits, &duration, sizeof(bits));
  test::set_header(block, *fields.layout, "duration", bits);
  return fields;
}

codec::JointBlock constant_block(std::uint16_t a, std::uint16_t b, std::uint16_t c) {
  codec::JointBlock block;
  const std::array words{a, b, c};
  for (std::size_t i = 0; i < 3; ++i) {
    block.components[i].is_constant = true;
    block.components[i].word = words[i];
  }
  return block;
}

TEST(ChunkedDisplacement, AnimatedStreamsAreDecodedAtTheDepthThatFits) {
  std::mt19937 random(3);
  auto orientations = test::random_stream(random, codec::BlockKind::rotation, 30, {9});
  for (auto& chunk : orientations.chunks) {
    for (auto& component : chunk[0].components) component.is_constant = false;
  }
  auto translations = test::random_stream(random, codec::BlockKind::translation, 30, {11});
  const auto bytes = laid_out(with_displacement(orientations, translations, 30));
  const ChunkedMab document = parse(bytes);
  EXPECT_TRUE(document.diagnostics().empty());
  const Bank bank = document.bank().value();
  const RootMotion& motion = bank.clips[0].root_motion.value();
  EXPECT_EQ(motion.rotation->count, 30U);
  EXPECT_EQ(motion.translation->count, 30U);
  EXPECT_FALSE(motion.reference.has_value());
  EXPECT_FALSE(motion.loop.has_value());
  const auto times = bank.clips[0].times_of(*motion.rotation);
  EXPECT_EQ(times.back(), static_cast<float>(29 / 30.0));
  EXPECT_EQ(document.rebuild().value(), bytes);
}

TEST(ChunkedDisplacement, ConstantStreamIsOneKeyAtTimeZero) {
  StreamFields orientations{codec::BlockKind::rotation, 1, {1}, {{constant_block(1, 2, 40000)}}};
  StreamFields translations{
      codec::BlockKind::translation, 1, {8}, {{constant_block(32768, 40000, 65535)}}};
  const Bank bank =
      parse(laid_out(with_displacement(orientations, translations, 30))).bank().value();
  const RootMotion& motion = bank.clips[0].root_motion.value();
  ASSERT_EQ(motion.translation->count, 1U);
  EXPECT_EQ(bank.clips[0].times_of(*motion.translation)[0], 0.0F);
  const double scale = 3355 * 0.00029802325;
  EXPECT_NEAR(bank.clips[0].translation(*motion.translation, 0).z, scale, 2e-6);
}

/// Every count of sign bits that a constant stream may carry is found.
TEST(ChunkedDisplacement, SignBitsOfAConstantStreamAreCountedByWhatFits) {
  for (const std::uint32_t count : {1U, 5U, 8U}) {
    codec::JointBlock block = constant_block(40000, 42000, 44000);
    block.has_signs = true;
    block.signs = static_cast<std::uint8_t>((1U << count) - 1U);
    block.implicit = 3;
    StreamFields orientations{codec::BlockKind::rotation, count, {1}, {{block}}};
    StreamFields translations{
        codec::BlockKind::translation, 1, {8}, {{constant_block(32768, 32768, 32768)}}};
    // Constant streams collapse to the one chunk of their keys.
    const std::uint32_t keys = count == 1 ? 30 : count;
    const auto bytes = laid_out(with_displacement(orientations, translations, keys));
    const ChunkedMab document = parse(bytes);
    const Bank bank = document.bank().value();
    const Quat q = bank.clips[0].rotation(*bank.clips[0].root_motion->rotation, 0);
    EXPECT_NEAR(q.x, 40000 / 32767.5 - 1, 2e-6) << count;
    EXPECT_NEAR(q.z, 44000 / 32767.5 - 1, 2e-6) << count;
    EXPECT_LT(q.w, 0.0F) << count;
    EXPECT_EQ(document.rebuild().value(), bytes) << count;
  }
}

TEST(ChunkedDisplacement, StreamThatNoDepthFitsIsKeptAndReported) {
  std::mt19937 random(3);
  auto orientations = test::random_stream(random, codec::BlockKind::rotation, 12, {9});
  StreamFields translations{
      codec::BlockKind::translation, 1, {8}, {{constant_block(32768, 32768, 32768)}}};
  // Chunks for 12 keys in a clip of 30.
  const auto bytes = laid_out(with_displacement(orientations, translations, 30));
  const ChunkedMab document = parse(bytes);
  EXPECT_TRUE(has_text(document.diagnostics(), "DisplacementOrientations is kept"));
  const Bank bank = document.bank().value();
  EXPECT_FALSE(bank.clips[0].root_motion->rotation.has_value());
  EXPECT_TRUE(bank.clips[0].root_motion->translation.has_value());
  const auto kept = document.bytes();
  EXPECT_EQ(std::vector(kept.begin(), kept.end()), bytes);
}

// ---- event records of Far Cry 4 (spec mab-chunked, 6.2)

/// An object of one value, the event's type name (spec mab-sparse, 1.10).
std::vector<std::byte> event_object(const std::string& type) {
  base::ByteWriter out;
  out.put_bytes(std::as_bytes(std::span("nbCF", 4)));
  out.put(std::uint16_t{2});
  out.put(std::uint16_t{0});
  out.put(std::uint32_t{1});
  out.put(std::uint32_t{1});
  out.put(std::uint8_t{0});            // children
  out.put(std::uint32_t{0x12345678});  // class
  out.put(std::uint8_t{1});            // values
  out.put(std::uint32_t{0x60534B32});
  out.put(static_cast<std::uint8_t>(type.size() + 1));
  out.put_bytes(std::as_bytes(std::span(type.c_str(), type.size() + 1)));
  return std::move(out).take();
}

TEST(FarCry4Markup, RecordsBecomeEvents) {
  ChunkedFields fields = fields_of("mab/fc4_1.mab");
  for (const char* const type : {"PlaySound", "SetFOV"}) {
    const auto object = event_object(type);
    fields.main.markup_records.push_back({base::crc32(object), 0.25F, 0xFFFFFFFF, 0, object});
  }
  const auto bytes = laid_out(fields);
  const ChunkedMab document = parse(bytes);
  const Bank bank = document.bank().value();
  ASSERT_EQ(bank.clips[0].events.size(), 2U);
  EXPECT_EQ(bank.clips[0].events[0].class_name, "PlaySound");
  EXPECT_EQ(bank.clips[0].events[1].class_name, "SetFOV");
  EXPECT_EQ(bank.clips[0].events[1].time, 0.25F);
  EXPECT_EQ(bank.clips[0].events[0].payload, event_object("PlaySound"));
  EXPECT_EQ(document.rebuild().value(), bytes);
}

TEST(FarCry4Markup, RecordWithAWrongChecksumIsKeptUnread) {
  ChunkedFields fields = fields_of("mab/fc4_1.mab");
  const auto object = event_object("PlaySound");
  fields.main.markup_records.push_back({base::crc32(object) + 1, 0.25F, 0, 0, object});
  const auto bytes = laid_out(fields);
  const ChunkedMab document = parse(bytes);
  EXPECT_TRUE(document.bank().value().clips[0].events.empty());
  EXPECT_EQ(document.runs().back().kind, RunKind::preserved);
  EXPECT_TRUE(has_text(document.diagnostics(), "CRC-32 differs"));
}

/// Only a cut behind a whole record leaves a file that looks whole.
TEST(FarCry4Markup, CutRecordIsAnErrorOrReported) {
  ChunkedFields fields = fields_of("mab/fc4_1.mab");
  const std::size_t bare = laid_out(fields).size();
  const auto object = event_object("PlaySound");
  fields.main.markup_records.push_back({base::crc32(object), 0.25F, 0, 0, object});
  const auto bytes = laid_out(fields);
  for (std::size_t size = bare + 1; size < bytes.size(); ++size) {
    const std::vector<std::byte> cut(bytes.begin(),
                                     bytes.begin() + static_cast<std::ptrdiff_t>(size));
    const auto document = ChunkedMab::parse(cut, {});
    const bool has_magic = size >= bare + 20;  // the record's header and the object's first word
    EXPECT_EQ(document.has_value(), !has_magic) << size;
    if (document) {
      EXPECT_TRUE(has_text(document->diagnostics(), "kept as they are")) << size;
    } else {
      EXPECT_EQ(document.error().path, "clip[0].markup[0]");
    }
  }
}

// ---- oddities that are read with a warning

TEST(ChunkedOddities, RepeatedTimesKeepTheLastKey) {
  auto bytes = test::read_fixture("spec/example_fc5.mab");
  patch(bytes, 0x88 + 2 * 3, std::uint16_t{4});  // keys 3 and 4 at tick 4
  const ChunkedMab document = parse(bytes);
  const Bank bank = document.bank().value();
  const Bank original = parse(test::read_fixture("spec/example_fc5.mab")).bank().value();
  const Keys& keys = bank.clips[0].tracks[0].keys;
  ASSERT_EQ(keys.count, 10U);
  EXPECT_TRUE(has_text(bank.diagnostics, "share the time"));
  EXPECT_EQ(bank.clips[0].rotation(keys, 3),
            original.clips[0].rotation(original.clips[0].tracks[0].keys, 4));
  EXPECT_EQ(bank.clips[0].rotation(keys, 9),
            original.clips[0].rotation(original.clips[0].tracks[0].keys, 10));
}

TEST(ChunkedOddities, DurationThatIsNoNumberIsReported) {
  for (const float duration : {std::numeric_limits<float>::quiet_NaN(), -1.0F, 0.0F,
                               std::numeric_limits<float>::infinity()}) {
    auto bytes = test::read_fixture("spec/example_wd1.mab");
    patch(bytes, 0x1C, duration);
    const ChunkedMab document = parse(bytes);
    EXPECT_TRUE(has_text(document.diagnostics(), "clip[0].duration"));
    EXPECT_TRUE(document.bank().has_value());
  }
}

TEST(ChunkedOddities, RateThatIsNoNumberGivesWayToTheMeasuredOne) {
  auto bytes = test::read_fixture("spec/example_fc5.mab");
  patch(bytes, 0x2C, std::numeric_limits<float>::quiet_NaN());
  const ChunkedMab document = parse(bytes);
  EXPECT_TRUE(has_text(document.diagnostics(), "animFrameRate"));
  const Bank bank = document.bank().value();
  EXPECT_NEAR(bank.clips[0].times_of(bank.clips[0].tracks[0].keys)[10], 1.0 / 3, 1e-6);
}

TEST(ChunkedOddities, MoreConstantsThanTheSectionHoldsStayAtRest) {
  auto bytes = test::read_fixture("spec/example_fc5.mab");
  bytes[0x84 + 1] = std::byte{0x30};  // Spine: constant as well, against the counts
  patch(bytes, 0x32 + 2 * 4, std::uint16_t{1});
  const ChunkedMab document = parse(bytes);
  EXPECT_TRUE(has_text(document.diagnostics(), "says 1 constant rotations"));
  const Bank bank = document.bank().value();
  std::size_t constant_rotations = 0;
  for (const Track& track : bank.clips[0].tracks) {
    if (track.channel == Channel::rotation && track.kind == TrackKind::constant) {
      ++constant_rotations;
      EXPECT_EQ(track.joint, 1U);  // the first takes the only entry
    }
  }
  EXPECT_EQ(constant_rotations, 1U);
}

TEST(ChunkedOddities, BytesBehindTheDataAreKept) {
  auto bytes = test::read_fixture("spec/example_fc5.mab");
  bytes.push_back(std::byte{42});
  const ChunkedMab document = parse(bytes);
  EXPECT_TRUE(has_text(document.diagnostics(), "kept as they are"));
  EXPECT_EQ(document.rebuild().value(), bytes);
}

TEST(ChunkedOddities, MissingSlackOfLegionIsReported) {
  auto bytes = test::read_fixture("spec/example_wdl.mab");
  bytes.resize(bytes.size() - 2);
  const ChunkedMab document = parse(bytes);
  EXPECT_TRUE(has_text(document.diagnostics(), "2 of the 3"));
  EXPECT_TRUE(document.bank().has_value());
}

TEST(ChunkedLimits, DecodedValuesAreBounded) {
  ReadOptions options;
  options.limits.max_decoded_bytes = 64;
  const auto document = ChunkedMab::parse(test::read_fixture("spec/example_wdl.mab"), options);
  const auto bank = document.value().bank();
  ASSERT_FALSE(bank.has_value());
  EXPECT_EQ(bank.error().code, ErrorCode::limit);
  EXPECT_EQ(bank.error().path, "clip[0]");
}

// ---- hostile headers

struct HostileWord {
  const char* name;
  std::size_t offset;
  std::uint32_t word;
  std::size_t width;
};

class HostileHeader : public testing::TestWithParam<HostileWord> {};

TEST_P(HostileHeader, IsRefusedWithItsPlace) {
  auto bytes = test::read_fixture("mab/wdl_0.mab");
  std::memcpy(bytes.data() + GetParam().offset, &GetParam().word, GetParam().width);
  const auto document = ChunkedMab::parse(bytes, {});
  ASSERT_FALSE(document.has_value());
  EXPECT_TRUE(document.error().offset.has_value());
  EXPECT_TRUE(document.error().path.starts_with("clip[0]")) << document.error().path;
  EXPECT_FALSE(document.error().message.empty());
}

constexpr std::size_t wdl_offsets = 0x10 + 0x38;
constexpr std::size_t wdl_counts = 0x10 + 0x22;
INSTANTIATE_TEST_SUITE_P(
    Words, HostileHeader,
    testing::Values(HostileWord{"data_size_huge", 0x24, 0xFFFFFFFF, 4},
                    HostileWord{"data_size_zero", 0x24, 0, 4}, HostileWord{"signature", 0x20, 0, 4},
                    HostileWord{"joints_4095", 0x30, 0xFFFF, 2},
                    HostileWord{"last_frame", 0x7C, 0xFFFF, 2},
                    HostileWord{"constant_rotations", wdl_counts + 4, 0xFFFF, 2},
                    HostileWord{"constant_translations", wdl_counts + 6, 0xFFFF, 2},
                    HostileWord{"table_entries", wdl_counts + 12, 0xFFFF, 2},
                    HostileWord{"key_times_in_header", wdl_offsets, 8, 4},
                    HostileWord{"rotations_far", wdl_offsets + 24, 0xFFFFFFFF, 4},
                    HostileWord{"rotations_in_header", wdl_offsets + 24, 4, 4},
                    HostileWord{"rotations_absent", wdl_offsets + 24, 0, 4},
                    HostileWord{"translations_in_rotations", wdl_offsets + 28, 0x118, 4},
                    HostileWord{"key_times_fall", 0x10 + 0xB8 + 4, 0, 2}),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace mabkit
