#include "convert/parts.hpp"

#include <gtest/gtest.h>

#include <mabkit/convert.hpp>

namespace mabkit::conversion {
namespace {

Clip clip_named(std::optional<std::string> name) {
  Clip clip;
  clip.name = std::move(name);
  return clip;
}

TEST(PartInfix, HasThePositionAndTheName) {
  EXPECT_EQ(part_infix(0, clip_named(std::nullopt)), ".0");
  EXPECT_EQ(part_infix(1, clip_named("")), ".1");
  EXPECT_EQ(part_infix(2, clip_named("prop_A-1")), ".2-prop_A-1");
}

TEST(PartInfix, KeepsNothingThatAFileSystemMinds) {
  EXPECT_EQ(part_infix(3, clip_named("../a\\b:c*\"d\n.glb")), ".3-___a_b_c__d__glb");
  EXPECT_EQ(part_infix(3, clip_named(std::string(500, 'x'))).size(), 43U);
}

TEST(SingleClip, KeepsParticipantsAndPointsThemAtTheClip) {
  Bank bank;
  bank.clips = {clip_named("hero"), clip_named("prop")};
  bank.participants.resize(2);
  bank.participants[0].clip = 1;
  bank.clips[1].participant = 0;

  const Bank prop = single_clip(bank, 1);
  ASSERT_EQ(prop.clips.size(), 1U);
  EXPECT_EQ(prop.clips[0].name, "prop");
  EXPECT_EQ(prop.participants[0].clip, 0U);
  const Bank hero = single_clip(bank, 0);
  EXPECT_EQ(hero.participants.size(), 2U);
  EXPECT_FALSE(hero.participants[0].clip);
}

TEST(OutputFormat, IsReadFromAnExtensionOfAnyCase) {
  EXPECT_EQ(output_format(".GLB"), OutputFormat::glb);
  EXPECT_EQ(output_format("json"), OutputFormat::json);
  EXPECT_FALSE(output_format(".gl"));
  EXPECT_FALSE(output_format(""));
  EXPECT_FALSE(output_format(".glbx"));
}

}  // namespace
}  // namespace mabkit::conversion
