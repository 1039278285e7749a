#include "base/bits.hpp"

#include <gtest/gtest.h>

#include "support/fixtures.hpp"

namespace mabkit::base {
namespace {

TEST(BitReader, TakesTheLeastSignificantBitFirst) {
  const auto bytes = test::bytes({0b1010'0110, 0b0000'0011});
  BitReader in(bytes);
  EXPECT_EQ(in.take(3), 0b110U);
  EXPECT_EQ(in.take(7), 0b1110100U);
  EXPECT_FALSE(in.overran());
}

TEST(BitReader, RemembersThatItReadPastTheEnd) {
  const auto bytes = test::bytes({0xFF});
  BitReader in(bytes);
  EXPECT_EQ(in.take(12), 0xFFU);
  EXPECT_TRUE(in.overran());
}

TEST(BitWriter, WritesWhatTheReaderReads) {
  BitWriter out;
  for (unsigned count = 0; count <= 24; ++count) out.put(0x00A5A5A5U >> (24 - count), count);
  const auto bytes = std::move(out).take();
  BitReader in(bytes);
  for (unsigned count = 0; count <= 24; ++count) {
    EXPECT_EQ(in.take(count), (0x00A5A5A5U >> (24 - count)) & ((1U << count) - 1U));
  }
}

}  // namespace
}  // namespace mabkit::base
