#include "codec/chunked_stream.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <random>

#include "support/fixtures.hpp"

namespace mabkit::codec {
namespace {

using base::BitReader;
using base::BitWriter;

std::vector<std::byte> write(const JointBlock& block, BlockKind kind, unsigned bits,
                             unsigned keys) {
  BitWriter out;
  write_block(out, block, kind, bits, keys);
  return std::move(out).take();
}

ComponentBlock constant(std::uint16_t word) {
  ComponentBlock component;
  component.is_constant = true;
  component.word = word;
  return component;
}

ComponentBlock varying(std::uint8_t base, std::uint8_t slope,
                       const std::array<std::uint16_t, keys_in_chunk>& raws) {
  ComponentBlock component;
  component.base = base;
  component.slope = slope;
  component.raws = raws;
  return component;
}

/// A random block that `write_block` can store.
JointBlock random_block(std::mt19937& random, BlockKind kind, unsigned bits, unsigned keys) {
  JointBlock block;
  if (kind == BlockKind::rotation) {
    block.has_signs = random() % 2 != 0;
    block.implicit = static_cast<std::uint8_t>(random() % 4);
    if (block.has_signs) block.signs = static_cast<std::uint8_t>(random() % (1U << keys));
  }
  for (ComponentBlock& component : block.components) {
    component.is_constant = random() % 3 == 0;
    if (component.is_constant) {
      component.word = static_cast<std::uint16_t>(random());
      continue;
    }
    component.base = static_cast<std::uint8_t>(random());
    component.slope = static_cast<std::uint8_t>(random());
    for (unsigned key = 0; key < keys; ++key) {
      component.raws[key] = static_cast<std::uint16_t>(random() % (1U << bits));
    }
  }
  return block;
}

/// The formula of spec mab-chunked, 2.2, in exact arithmetic.
double exact(const ComponentBlock& component, unsigned bits, unsigned key) {
  if (component.is_constant) return component.word / 32767.5 - 1.0;
  const double scale = bits < 2 ? 0.0 : 1.0 / ((1U << bits) - 1U);
  return component.base / 127.0 - 1.0 + component.raws[key] * (component.slope / 127.5) * scale;
}

TEST(ChunkedRotation, StoredComponentsFollowTheFormula) {
  // Pelvis of the worked example (spec mab-chunked, section 8): B = 127, S = 22, 12 bits.
  JointBlock block;
  block.implicit = 3;
  block.components = {varying(127, 22, {0, 596, 1191, 1782, 2368, 2948, 3520, 4082}),
                      constant(32768), constant(32768)};
  const auto bytes = write(block, BlockKind::rotation, 12, 8);
  BitReader in(bytes);
  std::array<float, 32> out{};
  decode_rotation_block(in, 12, 8, out);
  EXPECT_FALSE(in.overran());
  EXPECT_NEAR(out[0], 0.0, 1e-7);
  EXPECT_NEAR(out[4], 596 * (22 / 127.5) / 4095, 1e-7);
  EXPECT_NEAR(out[28], 4082 * (22 / 127.5) / 4095, 1e-7);
  EXPECT_NEAR(out[1], 32768 / 32767.5 - 1.0, 1e-7);
}

TEST(ChunkedRotation, ImplicitComponentStandsWhereItsIndexSays) {
  for (std::uint8_t implicit = 0; implicit < 4; ++implicit) {
    JointBlock block;
    block.implicit = implicit;
    block.components = {constant(36044), constant(39321), constant(42598)};  // about .1, .2, .3
    const auto bytes = write(block, BlockKind::rotation, 8, 1);
    BitReader in(bytes);
    std::array<float, 4> out{};
    decode_rotation_block(in, 8, 1, out);
    EXPECT_NEAR(out[implicit], std::sqrt(1 - .01 - .04 - .09), 1e-4);
    EXPECT_NEAR(out[implicit == 0 ? 1 : 0], .1, 1e-4);
    EXPECT_NEAR(out[implicit == 3 ? 2 : 3], .3, 1e-4);
  }
}

TEST(ChunkedRotation, SignBitNegatesItsKeyAlone) {
  JointBlock block;
  block.implicit = 3;
  block.has_signs = true;
  block.signs = 0b010;
  block.components = {constant(32768), constant(32768), constant(32768)};
  const auto bytes = write(block, BlockKind::rotation, 4, 3);
  BitReader in(bytes);
  std::array<float, 12> out{};
  decode_rotation_block(in, 4, 3, out);
  EXPECT_GT(out[3], 0.99F);
  EXPECT_LT(out[7], -0.99F);
  EXPECT_GT(out[11], 0.99F);
}

TEST(ChunkedRotation, RadicandAboveOneRenormalises) {
  JointBlock block;
  block.implicit = 1;
  block.has_signs = true;
  block.signs = 1;
  block.components = {constant(65535), constant(65535), constant(0)};  // 1, 1, -1
  const auto bytes = write(block, BlockKind::rotation, 4, 1);
  BitReader in(bytes);
  std::array<float, 4> out{};
  decode_rotation_block(in, 4, 1, out);
  EXPECT_NEAR(out[0], 1 / std::sqrt(3.0), 1e-6);
  EXPECT_EQ(out[1], 0.0F);
  EXPECT_NEAR(out[2], 1 / std::sqrt(3.0), 1e-6);
  EXPECT_NEAR(out[3], -1 / std::sqrt(3.0), 1e-6);
}

TEST(ChunkedRotation, OneBitCarriesNothing) {
  JointBlock block;
  block.components = {varying(150, 255, {1, 0, 1}), constant(32768), constant(32768)};
  block.implicit = 3;
  const auto bytes = write(block, BlockKind::rotation, 1, 3);
  BitReader in(bytes);
  std::array<float, 12> out{};
  decode_rotation_block(in, 1, 3, out);
  for (const std::size_t key : {0U, 1U, 2U}) EXPECT_NEAR(out[4 * key], 150 / 127.0 - 1, 1e-7);
}

TEST(ChunkedTranslation, IsScaledByTheTable) {
  JointBlock block;
  block.components = {constant(65535), constant(0), varying(127, 255, {0, 65535})};
  const auto bytes = write(block, BlockKind::translation, 16, 2);
  BitReader in(bytes);
  std::array<float, 6> out{};
  decode_translation_block(in, 16, 2, 2.5F, out);
  EXPECT_NEAR(out[0], 2.5, 1e-6);
  EXPECT_NEAR(out[1], -2.5, 1e-6);
  EXPECT_NEAR(out[2], 0.0, 1e-6);
  EXPECT_NEAR(out[5], 5.0, 1e-6);
}

TEST(ChunkedBlock, RandomBlocksReadAsWrittenAndDecodeByTheFormula) {
  std::mt19937 random(20261130);
  for (int round = 0; round < 4000; ++round) {
    const auto kind = round % 2 == 0 ? BlockKind::rotation : BlockKind::translation;
    const unsigned bits = 1 + random() % 16;
    const unsigned keys = 1 + random() % keys_in_chunk;
    const JointBlock block = random_block(random, kind, bits, keys);
    const auto bytes = write(block, kind, bits, keys);

    BitReader reader(bytes);
    EXPECT_EQ(read_block(reader, kind, bits, keys), block);
    BitReader skipper(bytes);
    EXPECT_EQ(skip_block(skipper, kind, bits, keys), reader.position());
    EXPECT_EQ((reader.position() + 7) / 8, bytes.size());

    BitReader decoder(bytes);
    std::array<float, 32> out{};
    if (kind == BlockKind::translation) {
      decode_translation_block(decoder, bits, keys, 1.0F, out);
      for (unsigned key = 0; key < keys; ++key) {
        for (unsigned axis = 0; axis < 3; ++axis) {
          EXPECT_NEAR(out[3 * key + axis], exact(block.components[axis], bits, key), 5e-7);
        }
      }
    } else {
      decode_rotation_block(decoder, bits, keys, out);
      for (unsigned key = 0; key < keys; ++key) {
        double sum = 0;
        for (unsigned i = 0; i < 4; ++i) sum += double{out[4 * key + i]} * out[4 * key + i];
        EXPECT_NEAR(sum, 1.0, 1e-6);
      }
    }
    EXPECT_EQ(decoder.position(), reader.position());
  }
}

TEST(ChunkedBlock, EndsOfBytesAreNoticed) {
  std::mt19937 random(7);
  const JointBlock block = random_block(random, BlockKind::rotation, 9, 8);
  auto bytes = write(block, BlockKind::rotation, 9, 8);
  bytes.pop_back();
  BitReader in(bytes);
  std::array<float, 32> out{};
  decode_rotation_block(in, 9, 8, out);
  EXPECT_TRUE(in.overran());
}

struct TableCase {
  const char* name;
  std::vector<std::uint32_t> words;
  std::size_t section_size;
  ErrorCode code;
  std::uint64_t offset;
};

class BadChunkTable : public testing::TestWithParam<TableCase> {};

TEST_P(BadChunkTable, IsRefusedWithItsPlace) {
  std::vector<std::byte> section(GetParam().section_size);
  for (std::size_t i = 0; i < GetParam().words.size(); ++i) {
    std::memcpy(section.data() + 4 * i, &GetParam().words[i], 4);
  }
  const auto table = read_chunk_table(section, 0x100, "clip[0].section[6]");
  ASSERT_FALSE(table.has_value());
  EXPECT_EQ(table.error().code, GetParam().code);
  EXPECT_EQ(table.error().offset, 0x100 + GetParam().offset);
  EXPECT_EQ(table.error().path, "clip[0].section[6]");
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, BadChunkTable,
    testing::Values(TableCase{"too_short", {4}, 4, ErrorCode::truncated, 0},
                    TableCase{"odd_first_entry", {9, 9}, 32, ErrorCode::bad_value, 0},
                    TableCase{"zero_first_entry", {0, 0}, 32, ErrorCode::bad_value, 0},
                    TableCase{"first_entry_past_the_end", {64, 64}, 32, ErrorCode::bad_value, 0},
                    TableCase{"falls", {12, 20, 16}, 32, ErrorCode::inconsistent, 8},
                    TableCase{"reaches_past_the_end", {12, 20, 33}, 32, ErrorCode::out_of_range, 8},
                    TableCase{
                        "huge", {12, 0xFFFFFFFF, 0xFFFFFFFF}, 32, ErrorCode::out_of_range, 4}),
    [](const auto& test) { return test.param.name; });

TEST(ChunkTable, GivesStartsAndSize) {
  std::vector<std::byte> section(32);
  const std::array<std::uint32_t, 3> words{12, 20, 31};
  std::memcpy(section.data(), words.data(), sizeof(words));
  const auto table = read_chunk_table(section, 0, "").value();
  EXPECT_EQ(table.chunks(), 2U);
  EXPECT_EQ(table.size(), 31U);
}

}  // namespace
}  // namespace mabkit::codec
