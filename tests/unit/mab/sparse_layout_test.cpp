#include "mab/sparse_layout.hpp"

#include <gtest/gtest.h>

namespace mabkit::mab {
namespace {

/// Spec mab-sparse, 1.1: version, header size, file offsets of duration and section table.
struct SpecRow {
  Game game;
  std::uint16_t version;
  std::uint32_t header_size;
  std::uint32_t duration_in_file;
  std::uint32_t table_in_file;
};
constexpr std::array spec_rows{SpecRow{Game::fc2, 0x4C, 0xA0, 0x84, 0x88},
                               SpecRow{Game::fc3, 0x61, 0xE0, 0xC4, 0xC8},
                               SpecRow{Game::fc3bd, 0x62, 0xE0, 0xC4, 0xC8}};

TEST(SparseLayout, RowsAreThoseOfTheSpec) {
  ASSERT_EQ(sparse_games.size(), spec_rows.size());
  for (const SpecRow& row : spec_rows) {
    const SparseLayout* layout = find_sparse_layout(row.version);
    ASSERT_NE(layout, nullptr);
    EXPECT_EQ(layout->game, row.game);
    EXPECT_EQ(layout->header_size, row.header_size);
    EXPECT_EQ(layout->duration + file_header_size, row.duration_in_file);
    EXPECT_EQ(layout->section_table + file_header_size, row.table_in_file);
  }
}

TEST(SparseLayout, HeaderFieldsFollowEachOther) {
  for (const SparseLayout& row : sparse_games) {
    EXPECT_EQ(row.loop, row.reference + 16);
    EXPECT_EQ(row.tag, row.loop + 16);
    EXPECT_EQ(row.duration, row.tag + 4);
    EXPECT_EQ(row.section_table, row.duration + 4);
    EXPECT_EQ(row.runtime_pointer, row.section_table + 4 * slot_count);
    EXPECT_EQ(row.header_size, row.runtime_pointer + 4);
    EXPECT_LE(4 * 4 * row.most_mask_words, row.reference) << "four masks fit before the rotations";
    EXPECT_LE(row.most_mask_words, most_mask_words);
  }
}

TEST(SparseLayout, VersionsOfTheOtherFamilyHaveNoRow) {
  for (const unsigned version : {0x81U, 0x82U, 0xB0U, 0xB6U, 0x329BU, 0x46AFU, 0x46B4U}) {
    EXPECT_EQ(find_sparse_layout(static_cast<std::uint16_t>(version)), nullptr) << version;
  }
}

}  // namespace
}  // namespace mabkit::mab
