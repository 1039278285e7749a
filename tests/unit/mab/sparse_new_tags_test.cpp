#include <gtest/gtest.h>

#include <mabkit/encode.hpp>
#include <stdexcept>
#include <string>

#include "mab/sparse_encode.hpp"
#include "support/plain_sparse_decoder.hpp"
#include "support/random_banks.hpp"

/// The records of participants in new files.
namespace mabkit::mab {
namespace {

EncodedFile encoded(const Bank& bank) {
  auto file = encode_sparse(bank, Game::fc2, {});
  if (!file) throw std::runtime_error(describe("bank", file.error()));
  return std::move(*file);
}

Error refusal(const Bank& bank) {
  auto file = encode_sparse(bank, Game::fc2, {});
  if (file) throw std::runtime_error("was encoded");
  return file.error();
}

/// Two clips of one joint that holds still.
Bank two_clips() {
  Bank bank;
  bank.game = Game::fc2;
  Clip& clip = bank.clips.emplace_back();
  clip.joints.emplace_back();
  test::add_rotations(clip, 0, TrackKind::constant, {0.0F}, {Quat{}});
  bank.clips.push_back(bank.clips[0]);
  return bank;
}

TEST(SparseNewTags, AParticipantsNameOf32CharactersIsAnError) {
  Bank bank = two_clips();
  bank.clips[1].name = std::string(31, 'n');
  EXPECT_EQ(test::decode_plain_sparse(encoded(bank).bytes)[0].tags.at(0).name, bank.clips[1].name);
  bank.clips[1].name = std::string(32, 'n');
  const Error error = refusal(bank);
  EXPECT_EQ(error.code, ErrorCode::limit);
  EXPECT_EQ(error.path, "clip[1].name");
}

TEST(SparseNewTags, ALongNameIsQuotedInPart) {
  Bank bank = two_clips();
  bank.clips[1].name = std::string(100000, 'n');
  EXPECT_LT(refusal(bank).message.size(), 200U);
}

/// Two clips; the second belongs to a participant.
Bank bank_with_participant() {
  Bank bank = two_clips();
  Participant& prop = bank.participants.emplace_back();
  prop.kind = 9;
  prop.name = "Camera";
  prop.clip = 1;
  bank.clips[1].participant = 0;
  return bank;
}

TEST(SparseNewTags, AParticipantsKindIsAByte) {
  Bank bank = bank_with_participant();
  bank.participants[0].kind = 255;
  EXPECT_EQ(test::decode_plain_sparse(encoded(bank).bytes)[0].tags.at(0).kind, 255U);
  bank.participants[0].kind = 256;
  const Error error = refusal(bank);
  EXPECT_EQ(error.code, ErrorCode::limit);
  EXPECT_EQ(error.path, "clip[1].participant.kind");
}

TEST(SparseNewTags, AParticipantThatNamesItsClipIsFound) {
  Bank bank = bank_with_participant();
  bank.clips[1].participant.reset();
  const auto file = encoded(bank);
  EXPECT_EQ(test::decode_plain_sparse(file.bytes)[0].tags.at(0).kind, 9U);
  EXPECT_EQ(test::decode_plain_sparse(file.bytes)[0].tags.at(0).name, "Camera");
  EXPECT_TRUE(file.report.notices.empty());
}

TEST(SparseNewTags, ParticipantsThatNoRecordHoldsAreTold) {
  Bank bank = bank_with_participant();
  bank.participants.push_back(bank.participants[0]);  // of the same clip: a clip has one record
  const auto notices = encoded(bank).report.notices;
  ASSERT_EQ(notices.size(), 1U);
  EXPECT_NE(notices[0].message.find("left out 1 participants"), std::string::npos);
}

TEST(SparseNewTags, TargetsOfParticipantsAreToldToBeLeftOut) {
  Bank bank = bank_with_participant();
  bank.participants[0].target = 0xFFFFFFFF;  // any: nothing is lost
  EXPECT_TRUE(encoded(bank).report.notices.empty());
  bank.participants[0].target = 0xB021FD58;
  const auto notices = encoded(bank).report.notices;
  ASSERT_EQ(notices.size(), 1U);
  EXPECT_NE(notices[0].message.find("target"), std::string::npos);
}

}  // namespace
}  // namespace mabkit::mab
