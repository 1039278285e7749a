#include "codec/sparse_curves.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/fixtures.hpp"

namespace mabkit::codec {
namespace {

TEST(SparseCurves, DenseTranslationsAreStoredFrameByFrame) {
  constexpr std::uint32_t tracks = 3;
  constexpr std::uint32_t frames = 37;  // more than two blocks
  std::vector<float> stored;
  for (std::uint32_t frame = 0; frame < frames; ++frame) {
    for (std::uint32_t track = 0; track < tracks; ++track) {
      for (const float axis : {0.0F, 0.25F, 0.5F}) {
        stored.push_back(static_cast<float>(1000 * track + frame) + axis);
      }
    }
  }
  std::vector<float> out(stored.size());
  decode_dense_translations(std::as_bytes(std::span(stored)), tracks, frames, out);
  for (std::uint32_t track = 0; track < tracks; ++track) {
    for (std::uint32_t frame = 0; frame < frames; ++frame) {
      const std::size_t first = 3 * (std::size_t{track} * frames + frame);
      EXPECT_EQ(out[first], static_cast<float>(1000 * track + frame));
      EXPECT_EQ(out[first + 2], static_cast<float>(1000 * track + frame) + 0.5F);
    }
  }
}

TEST(SparseCurves, RadicandJustBelowZeroIsARotation) {
  // 0.70710679, 0.70710679 and 0.0111: 1 minus their squares is -1.2e-4.
  const auto rotation = decode_rotation(test::bytes({0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x41}), 0);
  ASSERT_TRUE(rotation);
  EXPECT_EQ(rotation->w, 0.0F);
  EXPECT_NEAR(rotation->x, 0.70706F, 1e-5F);
}

TEST(SparseCurves, RadicandFarBelowZeroIsNone) {
  const auto stored = test::bytes({0xFF, 0xBF, 0xFF, 0xBF, 0xFF, 0x3F,  //
                                   0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F});
  EXPECT_TRUE(decode_rotation(stored, 0));
  EXPECT_FALSE(decode_rotation(stored, 1));
}

}  // namespace
}  // namespace mabkit::codec
