#include "support/whole_banks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace mabkit::test {
namespace {

void expect_curve(const Clip& clip, const Keys& keys, Channel channel) {
  ASSERT_GE(keys.count, 1U);
  ASSERT_LE(keys.first_time + keys.count, clip.times.size());
  ASSERT_LE(keys.first_value + keys.count * value_width(channel), clip.values.size());
  const auto times = clip.times_of(keys);
  for (std::size_t i = 1; i < times.size(); ++i) EXPECT_LT(times[i - 1], times[i]);
}

void expect_joints(const Clip& clip) {
  for (const Joint& joint : clip.joints) {
    EXPECT_LT(joint.parent.value_or(0), clip.joints.size());
  }
}

}  // namespace

void expect_whole(const Bank& bank) {
  EXPECT_FALSE(bank.clips.empty());
  for (const Clip& clip : bank.clips) {
    expect_joints(clip);
    for (const Track& track : clip.tracks) {
      EXPECT_LT(track.joint, clip.joints.size());
      expect_curve(clip, track.keys, track.channel);
    }
    if (clip.participant) {
      EXPECT_LT(*clip.participant, bank.participants.size());
    }
    if (!clip.root_motion) continue;
    if (const auto& keys = clip.root_motion->translation) {
      expect_curve(clip, *keys, Channel::translation);
    }
    if (const auto& keys = clip.root_motion->rotation) {
      expect_curve(clip, *keys, Channel::rotation);
    }
  }
  for (const Participant& participant : bank.participants) {
    EXPECT_LT(participant.clip.value_or(0), bank.clips.size());
  }
}

void expect_told(const Error& error, std::uint64_t size) {
  constexpr std::array of_content{ErrorCode::truncated,      ErrorCode::bad_value,
                                  ErrorCode::out_of_range,   ErrorCode::inconsistent,
                                  ErrorCode::unknown_format, ErrorCode::limit};
  EXPECT_NE(std::find(of_content.begin(), of_content.end(), error.code), of_content.end());
  EXPECT_FALSE(error.message.empty());
  EXPECT_LE(error.offset.value_or(0), size);
}

}  // namespace mabkit::test
