#include "base/base64.hpp"

#include <gtest/gtest.h>

#include <string>

namespace mabkit::base {
namespace {

std::string decoded(std::string_view text) {
  const auto bytes = from_base64(text);
  if (!bytes) return "none";
  return {reinterpret_cast<const char*>(bytes->data()), bytes->size()};
}

TEST(Base64, DecodesTheVectorsOfTheStandard) {  // RFC 4648, section 10
  EXPECT_EQ(decoded(""), "");
  EXPECT_EQ(decoded("Zg=="), "f");
  EXPECT_EQ(decoded("Zm8="), "fo");
  EXPECT_EQ(decoded("Zm9v"), "foo");
  EXPECT_EQ(decoded("Zm9vYg=="), "foob");
  EXPECT_EQ(decoded("Zm9vYmE="), "fooba");
  EXPECT_EQ(decoded("Zm9vYmFy"), "foobar");
  EXPECT_EQ(decoded("Zm9vYg"), "foob");
  EXPECT_EQ(decoded("+/+/"), "\xFB\xFF\xBF");
}

TEST(Base64, RefusesWhatIsNone) {
  for (const char* const text : {"Z", "Zm9vY", "Zg===", "Z===", "Zm=v", "Zm9 ", "Zm9-", "===="}) {
    EXPECT_EQ(decoded(text), "none") << text;
  }
}

}  // namespace
}  // namespace mabkit::base
