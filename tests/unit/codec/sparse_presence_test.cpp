#include "codec/sparse_presence.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/sparse_files.hpp"

namespace mabkit::codec {
namespace {

PresenceEvidence evidence_of(const std::vector<std::byte>& file) {
  const auto index = mab::index_sparse(file, {.limits = {}, .presence_order = PresenceOrder::lsb});
  PresenceEvidence found;
  for (const mab::SparseClip& clip : index->clips) {
    const SparseGroups groups = mab::groups_of(clip, file);
    count_range(groups, found);
    count_votes(groups, found);
  }
  return found;
}

Quat about_x(double angle) {
  return {static_cast<float>(std::sin(angle / 2)), 0.0F, 0.0F,
          static_cast<float>(std::cos(angle / 2))};
}

/// A joint that turns evenly, `turn` radians a frame, with keys at these frames.
test::KeyedTrack even_track(double turn, const std::vector<std::uint32_t>& frames) {
  test::KeyedTrack track;
  for (const std::uint32_t frame : frames) track.keys.push_back({frame, about_x(turn * frame)});
  return track;
}

TEST(PresenceRange, CountsKeysPastTheLastFrameUnderEachOrder) {
  const auto file = test::file_of(test::keyed_file({even_track(0.1, {0, 1, 3})}, 3));
  const PresenceEvidence found = evidence_of(file);
  EXPECT_EQ(found.past_last_lsb, 0U);
  EXPECT_EQ(found.past_last_msb, 2U);  // frames 7 and 5
}

TEST(PresenceRange, CannotTellWhereTheLastGroupIsFullOrEmpty) {
  const auto full = evidence_of(test::file_of(test::keyed_file({even_track(0.1, {0, 1, 7})}, 7)));
  EXPECT_EQ(full.past_last_lsb, 0U);
  EXPECT_EQ(full.past_last_msb, 0U);
  const auto empty = evidence_of(test::file_of(test::keyed_file({even_track(0.1, {0, 1, 8})}, 8)));
  EXPECT_EQ(empty.past_last_lsb, 0U);
  EXPECT_EQ(empty.past_last_msb, 0U);
}

TEST(PresenceVote, EvenMotionVotesForTheOrderThatItWasStoredIn) {
  const auto lsb = test::file_of(test::keyed_file({even_track(0.1, {0, 1, 3, 8, 10, 16})}, 16));
  EXPECT_EQ(evidence_of(lsb).votes_lsb, 2U);
  EXPECT_EQ(evidence_of(lsb).votes_msb, 0U);
  const auto msb = test::with_other_order(lsb);
  EXPECT_EQ(evidence_of(msb).votes_lsb, 0U);
  EXPECT_EQ(evidence_of(msb).votes_msb, 2U);
}

TEST(PresenceVote, SymmetricGroupsDoNotVote) {
  const auto file =
      test::file_of(test::keyed_file({even_track(0.1, {0, 4, 8, 9, 15, 16, 24})}, 24));
  const PresenceEvidence found = evidence_of(file);
  EXPECT_EQ(found.votes_lsb + found.votes_msb, 0U);
}

TEST(PresenceVote, TheLastGroupDoesNotVote) {
  const auto file = test::file_of(test::keyed_file({even_track(0.1, {0, 8, 9, 11, 15})}, 15));
  const PresenceEvidence found = evidence_of(file);
  EXPECT_EQ(found.votes_lsb + found.votes_msb, 0U);
}

TEST(PresenceVote, ATurnOfMoreThanAQuarterBetweenKeysHasNoSpeed) {
  const auto slow = test::file_of(test::keyed_file({even_track(0.2, {0, 1, 8})}, 8));  // 1.4 rad
  EXPECT_EQ(evidence_of(slow).votes_lsb, 1U);
  const auto fast = test::file_of(test::keyed_file({even_track(0.25, {0, 1, 8})}, 8));  // 1.75 rad
  EXPECT_EQ(evidence_of(fast).votes_lsb, 0U);
  EXPECT_EQ(evidence_of(fast).votes_msb, 0U);
}

TEST(PresenceVote, SignsOfStoredQuaternionsDoNotMatter) {
  test::KeyedTrack track = even_track(0.1, {0, 1, 3, 8});
  for (std::size_t i = 0; i < track.keys.size(); i += 2) {
    Quat& q = track.keys[i].rotation;
    q = {-q.x, -q.y, -q.z, -q.w};
  }
  EXPECT_EQ(evidence_of(test::file_of(test::keyed_file({track}, 8))).votes_lsb, 1U);
}

}  // namespace
}  // namespace mabkit::codec
