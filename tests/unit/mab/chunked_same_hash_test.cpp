#include <gtest/gtest.h>

#include <mabkit/document.hpp>
#include <mabkit/encode.hpp>

#include "support/fixtures.hpp"

namespace mabkit {
namespace {

Document template_of(const std::string& name) {
  return *Document::parse(test::read_fixture(name));
}

TEST(JointsOfOneHash, ANewFileIsRefusedAndNamesBoth) {
  Bank bank = *template_of("spec/example_wd1.mab").bank();
  bank.clips[0].joints[2].name_hash = bank.clips[0].joints[0].name_hash;
  bank.clips[0].joints[0].name = "Pelvis";
  const auto file = encode_mab(bank, Game::wd1, {});
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::inconsistent);
  EXPECT_EQ(file.error().path, "clip[0].joint[2]");
  EXPECT_NE(file.error().message.find("Pelvis"), std::string::npos);
}

TEST(JointsOfOneHash, AnEditIsRefused) {
  const Document document = template_of("spec/example_wd1.mab");
  Bank bank = *document.bank();
  bank.clips[0].joints[2].name_hash = bank.clips[0].joints[0].name_hash;
  const auto file = document.with(bank, {});
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::inconsistent);
}

TEST(JointsOfOneHash, ATemplateThatHasThemStaysAsItIs) {
  auto bytes = test::read_fixture("spec/example_wd1.mab");
  // The second joint's hash over the third's (spec mab-chunked, section 8).
  std::copy_n(bytes.begin() + 0x64, 4, bytes.begin() + 0x68);
  const auto document = Document::parse(bytes);
  ASSERT_TRUE(document);
  const auto file = document->with(*document->bank(), {});
  ASSERT_TRUE(file);
  EXPECT_EQ(file->bytes, bytes);
}

}  // namespace
}  // namespace mabkit
