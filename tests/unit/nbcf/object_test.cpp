#include "nbcf/object.hpp"

#include <gtest/gtest.h>

#include "support/fixtures.hpp"

namespace mabkit::nbcf {
namespace {

const std::vector<std::byte> header =
    test::bytes({'n', 'b', 'C', 'F', 2, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0});

std::vector<std::byte> payload(std::initializer_list<int> object) {
  std::vector<std::byte> out = header;
  for (const std::byte b : test::bytes(object)) out.push_back(b);
  return out;
}

/// The first event of fixture mab/fc2_1: a PlaySound with one float.
const std::vector<std::byte> play_sound =
    payload({0,    0xE9, 0xE0, 0x9E, 0xED, 2,                                                  //
             0x32, 0x4B, 0x53, 0x60, 10,   'P',  'l',  'a',  'y', 'S', 'o', 'u', 'n', 'd', 0,  //
             0xBA, 0x21, 0xF7, 0xBE, 4,    0x8C, 0xB5, 0x8A, 0x42});

TEST(NbcfObject, HasItsClassAndValues) {
  const auto object = parse_object(play_sound, {});
  ASSERT_TRUE(object) << describe("", object.error());
  EXPECT_EQ(object->class_hash, 0xED9EE0E9U);
  ASSERT_EQ(object->values.size(), 2U);
  ASSERT_NE(object->find(type_name_hash), nullptr);
  EXPECT_EQ(text(*object->find(type_name_hash)), "PlaySound");
  ASSERT_NE(object->find(0xBEF721BA), nullptr);
  EXPECT_EQ(object->find(0xBEF721BA)->bytes.size(), 4U);
  EXPECT_EQ(object->find(1), nullptr);
}

TEST(NbcfObject, CountsOf255AreFollowedByTheRealOne) {
  const auto bytes = payload({0xFF, 0, 0, 0, 0,    1, 0, 0, 0, 0xFF, 1,  0, 0, 0,  //
                              7,    0, 0, 0, 0xFF, 2, 0, 0, 0, 'h',  'i'});
  const auto object = parse_object(bytes, {});
  ASSERT_TRUE(object) << describe("", object.error());
  ASSERT_EQ(object->values.size(), 1U);
  EXPECT_EQ(text(object->values[0]), "hi");
}

TEST(NbcfObject, HoldsItsChildrenInOrder) {
  const auto bytes = payload({2, 1, 0, 0, 0, 0,  //
                              1, 2, 0, 0, 0, 0,  //
                              0, 3, 0, 0, 0, 0,  //
                              0, 4, 0, 0, 0, 0});
  const auto object = parse_object(bytes, {});
  ASSERT_TRUE(object) << describe("", object.error());
  ASSERT_EQ(object->children.size(), 2U);
  EXPECT_EQ(object->children[0].class_hash, 2U);
  ASSERT_EQ(object->children[0].children.size(), 1U);
  EXPECT_EQ(object->children[0].children[0].class_hash, 3U);
  EXPECT_EQ(object->children[1].class_hash, 4U);
}

TEST(NbcfObject, EveryTruncationIsAnErrorWithItsPlace) {
  for (std::size_t size = 0; size < play_sound.size(); ++size) {
    const auto object = parse_object(std::span(play_sound).first(size), {});
    ASSERT_FALSE(object) << size;
    EXPECT_TRUE(object.error().offset) << size;
    EXPECT_FALSE(object.error().path.empty()) << size;
  }
}

TEST(NbcfObject, ErrorsNameTheValueAndTheChild) {
  const auto bytes = payload({1, 1, 0, 0, 0, 0,  //
                              0, 2, 0, 0, 0, 1,  //
                              7, 0, 0, 0, 9, 'h', 'i'});
  const auto object = parse_object(bytes, {});
  ASSERT_FALSE(object);
  EXPECT_EQ(object.error().code, ErrorCode::truncated);
  EXPECT_EQ(object.error().path, "child[0].value[0].size");
}

TEST(NbcfObject, NestingHasALimit) {
  std::vector<std::byte> nested = header;
  for (int depth = 0; depth < 200; ++depth) {
    for (const std::byte b : test::bytes({1, 1, 0, 0, 0, 0})) nested.push_back(b);
  }
  const auto object = parse_object(nested, {});
  ASSERT_FALSE(object);
  EXPECT_EQ(object.error().code, ErrorCode::limit);
}

TEST(NbcfObject, CountsBeyondTheBytesLeftAreRefused) {
  EXPECT_FALSE(parse_object(payload({0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1, 0, 0, 0, 0}), {}));
  EXPECT_FALSE(parse_object(payload({0, 1, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}), {}));
}

TEST(NbcfObject, OtherMagicsAndVersionsAreRefused) {
  auto other = play_sound;
  other[0] = std::byte{'x'};
  EXPECT_EQ(parse_object(other, {}).error().code, ErrorCode::unknown_format);
  other = play_sound;
  other[4] = std::byte{3};
  EXPECT_EQ(parse_object(other, {}).error().code, ErrorCode::unsupported);
}

}  // namespace
}  // namespace mabkit::nbcf
