#include "gltf/json_text.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

namespace mabkit::gltf {
namespace {

std::string text_of(std::string_view value) {
  JsonText json;
  json.text(value);
  return std::move(json).take();
}

TEST(JsonText, PutsCommasBetweenMembersAndElements) {
  JsonText json;
  json.begin_object();
  json.member("a", 1U);
  json.key("b");
  json.begin_array();
  json.number(2U);
  json.begin_object();
  json.end_object();
  json.text("x");
  json.end_array();
  json.member("c", true);
  json.end_object();
  EXPECT_EQ(std::move(json).take(), R"({"a":1,"b":[2,{},"x"],"c":true})");
}

TEST(JsonText, WritesTheShortestTextOfAFloat) {
  JsonText json;
  json.numbers(std::array<float, 4>{0.1F, 1.0F, 1e-7F, 16777216.0F});
  const std::string text = std::move(json).take();
  EXPECT_NE(text.find("0.1,"), std::string::npos) << text;
  const auto parsed = nlohmann::json::parse(text);
  EXPECT_EQ(parsed[2].get<float>(), 1e-7F);
  EXPECT_EQ(parsed[3].get<float>(), 16777216.0F);
}

TEST(JsonText, NumbersThatJsonLacksAreNull) {
  JsonText json;
  json.numbers(std::array<float, 2>{std::numeric_limits<float>::infinity(),
                                    std::numeric_limits<float>::quiet_NaN()});
  EXPECT_EQ(std::move(json).take(), "[null,null]");
}

TEST(JsonText, EscapesWhatJsonReserves) {
  EXPECT_EQ(text_of("a\"b\\c\n\x01"), R"("a\"b\\c\u000a\u0001")");
}

TEST(JsonText, KeepsUtf8AndReplacesTheRest) {
  EXPECT_EQ(text_of("\xC3\xA9\xE2\x82\xAC\xF0\x9F\xA6\xB4"),
            "\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\xA6\xB4\"");
  const std::string replacement = "\xEF\xBF\xBD";
  EXPECT_EQ(text_of("a\xFFz"), "\"a" + replacement + "z\"");
  EXPECT_EQ(text_of("\xE2\x82"), "\"" + replacement + replacement + "\"") << "cut off";
  EXPECT_EQ(text_of("\xC0\x80"), "\"" + replacement + replacement + "\"") << "overlong";
  EXPECT_EQ(text_of("\xED\xA0\x80"), "\"" + replacement + replacement + replacement + "\"")
      << "surrogate";
}

}  // namespace
}  // namespace mabkit::gltf
