#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <mabkit/encode.hpp>
#include <mabkit/mab.hpp>
#include <mabkit/pose.hpp>
#include <mabkit/rig.hpp>

#include "mab/sparse_encode.hpp"
#include "mab/sparse_index.hpp"
#include "mab/sparse_keyed_tracks.hpp"
#include "support/fixtures.hpp"
#include "support/plain_sparse_decoder.hpp"
#include "support/random_banks.hpp"
#include "support/sparse_files.hpp"
#include "unit/mab/sparse_edits.hpp"

namespace mabkit::mab {
namespace {

TEST(SparseEditLimits, AClipWithoutTracksIsLeftAlone) {
  const auto bytes = test::read_fixture("spec/example_fc2.mab");
  const SparseMab file = test::parse_sparse(bytes);
  Bank bank = bank_of(file);
  for (Clip& clip : bank.clips) clip.tracks.clear();
  EXPECT_EQ(edited(file, bank).bytes, bytes);
}

TEST(SparseEditLimits, JointsThatTheEditLacksAreKeptWithANotice) {
  const auto bytes = test::read_fixture(cmu);
  const SparseMab file = test::parse_sparse(bytes);
  Bank bank = bank_of(file);
  Clip& clip = bank.clips.front();
  // Only the first three joints remain.
  clip.joints.resize(3);
  clip.tracks.erase(std::remove_if(clip.tracks.begin(), clip.tracks.end(),
                                   [](const Track& track) { return track.joint >= 3; }),
                    clip.tracks.end());
  const auto written = edited(file, bank);
  EXPECT_EQ(written.bytes, bytes);
  ASSERT_EQ(written.report.notices.size(), 1U);
  EXPECT_NE(written.report.notices[0].message.find("kept 28 joints"), std::string::npos)
      << written.report.notices[0].message;
}

TEST(SparseEditLimits, JointsThatTheTemplateLacksAreLeftOutWithANotice) {
  const auto bytes = test::read_fixture(cmu);
  const SparseMab file = test::parse_sparse(bytes);
  Bank bank = bank_of(file);
  Clip& clip = bank.clips.front();
  clip.joints.emplace_back();
  clip.joints.back().id = 150;
  test::add_rotations(clip, 31, TrackKind::constant, {0.0F}, {Quat{}});
  const auto written = edited(file, bank);
  EXPECT_EQ(written.bytes, bytes);
  ASSERT_EQ(written.report.notices.size(), 1U);
  EXPECT_NE(written.report.notices[0].message.find("bone id 150"), std::string::npos);
}

TEST(SparseEditLimits, NoJointInCommonIsAnErrorThatSaysWhatToDo) {
  const SparseMab file = test::parse_sparse(test::read_fixture("spec/example_fc2.mab"));
  Bank bank = bank_of(file);
  for (Joint& joint : bank.clips.front().joints) joint.id += 100;
  const auto written = file.with(bank, {});
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::bad_argument);
  EXPECT_EQ(written.error().path, "clip[0]");
  EXPECT_NE(written.error().message.find(".skeleton"), std::string::npos);
}

TEST(SparseEditLimits, ABankWithoutClipsIsAnError) {
  const SparseMab file = test::parse_sparse(test::read_fixture("spec/example_fc2.mab"));
  EXPECT_EQ(file.with({}, {}).error().code, ErrorCode::bad_argument);
}

TEST(SparseEditLimits, JointsAreFoundByNameThroughTheSkeleton) {
  const auto bytes = test::read_fixture(cmu);
  const SparseMab file = test::parse_sparse(bytes);
  const auto skeleton = parse_rig(test::read_fixture("motion/cmu_01_01.skeleton"));
  Bank bank = bank_of(file);
  bank.game.reset();
  Clip& clip = bank.clips.front();
  name_joints(clip, *skeleton, bind(clip, *skeleton, {}));
  const std::uint32_t id = keyed_words(bytes, 0)[5].bone;
  turn_track(clip, track_of_joint(clip, id, Channel::rotation), ten_degrees, 2.0F, 2.5F);
  // What another program hands back: names, and ids that are positions in another order.
  for (std::uint32_t i = 0; i < clip.joints.size(); ++i) {
    clip.joints[i].id = static_cast<std::uint32_t>(clip.joints.size()) - 1 - i;
    clip.joints[i].name_hash.reset();
  }
  EncodeOptions options;
  options.skeleton = &*skeleton;
  EXPECT_EQ(changed_bones(bytes, edited(file, bank, options).bytes, 0), std::vector{id});
}

TEST(SparseEditLimits, ALongerClipHasItsSectionsLaidOutAnew) {
  const auto bytes = test::read_fixture("spec/example_fc2.mab");
  const SparseMab file = test::parse_sparse(bytes);
  Bank bank = bank_of(file);
  Clip& clip = bank.clips.front();
  // Bone 1 turns on at 10 degrees a frame, up to frame 20.
  Track& track = track_of_joint(clip, 1, Channel::rotation);
  track.keys = {clip.times.size(), clip.values.size(), 21};
  for (unsigned frame = 0; frame <= 20; ++frame) {
    clip.times.push_back(static_cast<float>(frame / 30.0));
    const Quat q = test::turn({1, 0, 0}, ten_degrees * frame);
    for (const float c : {q.x, q.y, q.z, q.w}) clip.values.push_back(c);
  }
  const auto decoded = test::decode_plain_sparse(edited(file, bank).bytes);
  ASSERT_EQ(decoded.size(), 2U);
  EXPECT_EQ(decoded[0].last_frame, 20U);
  EXPECT_FLOAT_EQ(decoded[0].duration, 20.0F / 30.0F);
  for (unsigned frame = 0; frame <= 20; ++frame) {
    const Quat q = test::turn({1, 0, 0}, ten_degrees * frame);
    EXPECT_LE(test::plain_angle(decoded[0].rotation(1, frame), {q.x, q.y, q.z, q.w}), 8.8e-4);
    // Bone 2 holds what it had at frame 9: -45 degrees about y.
    const Quat held = test::turn({0, 1, 0}, -0.5 * ten_degrees * std::min(frame, 9U));
    EXPECT_LE(test::plain_angle(decoded[0].rotation(2, frame), {held.x, held.y, held.z, held.w}),
              8.8e-4);
    EXPECT_NEAR(decoded[0].translation(0, frame)[2], 1.0 + 0.01 * std::min(frame, 9U), 1e-6);
    EXPECT_NEAR(decoded[0].trajectory_translation.at(frame)[1], 0.1 * std::min(frame, 9U), 1e-6);
  }
  EXPECT_EQ(decoded[0].tags.at(0).clip_at, decoded[1].at);
  EXPECT_EQ(decoded[1].last_frame, 0U);
}

TEST(SparseEditLimits, AShorterClipIsCut) {
  const SparseMab file = test::parse_sparse(test::read_fixture("spec/example_fc2.mab"));
  Bank bank = bank_of(file);
  Clip& clip = bank.clips.front();
  clip.duration = 4.0F / 30.0F;
  for (Track& track : clip.tracks) {
    while (track.keys.count > 1 && clip.times_of(track.keys).back() > clip.duration + 1e-3F) {
      --track.keys.count;
    }
  }
  const auto decoded = test::decode_plain_sparse(edited(file, bank).bytes);
  EXPECT_EQ(decoded[0].last_frame, 4U);
  EXPECT_FLOAT_EQ(decoded[0].duration, 4.0F / 30.0F);
  EXPECT_EQ(decoded[0].animated_translations.at(0).size(), 5U);
  EXPECT_EQ(decoded[0].trajectory_rotation.size(), 5U);
  const Quat q = test::turn({1, 0, 0}, 4 * ten_degrees);
  EXPECT_LE(test::plain_angle(decoded[0].rotation(1, 4), {q.x, q.y, q.z, q.w}), 8.8e-4);
}

TEST(SparseEditLimits, BitSevenOfUntouchedTracksStays) {
  const auto bytes = test::read_fixture(cmu);
  auto noisy = test::fields_of(bytes);
  for (GroupFields& group : noisy.clips[0].keyed_rotations->groups) {
    for (std::uint8_t& presence : group.presence) presence |= 0x80;
  }
  const auto before = test::file_of(noisy);
  const SparseMab file = test::parse_sparse(before);
  Bank bank = bank_of(file);
  Clip& clip = bank.clips.front();
  const std::uint32_t id = keyed_words(before, 0)[5].bone;
  turn_track(clip, track_of_joint(clip, id, Channel::rotation), ten_degrees, 2.0F, 2.5F);
  EXPECT_EQ(changed_bones(before, edited(file, bank).bytes, 0), std::vector{id});
}

TEST(SparseEditLimits, TheFilesOwnPresenceOrderIsWritten) {
  const auto bytes = test::with_other_order(test::read_fixture(cmu));
  ReadOptions msb;
  msb.presence_order = PresenceOrder::msb;
  const SparseMab file = test::parse_sparse(bytes, msb);
  Bank bank = bank_of(file);
  Clip& clip = bank.clips.front();
  const std::uint32_t id = keyed_words(bytes, 0)[5].bone;
  const Track track = track_of_joint(clip, id, Channel::rotation);
  turn_track(clip, track, ten_degrees, 0.0F, 100.0F);
  const Bank decoded = bank_of(test::parse_sparse(edited(file, bank).bytes, msb));
  for (unsigned frame = 0; frame <= 300; ++frame) {
    const auto time = static_cast<float>(frame / 30.0);
    Clip written = decoded.clips.front();
    const Quat a = sample_rotation(clip, track.keys, time);
    const Quat b =
        sample_rotation(written, track_of_joint(written, id, Channel::rotation).keys, time);
    ASSERT_LE(test::plain_angle({a.x, a.y, a.z, a.w}, {b.x, b.y, b.z, b.w}), 8.8e-4) << frame;
  }
}

/// A Far Cry 3 file with a keyed and, at bone 1, a constant rotation.
std::vector<std::byte> far_cry_3_file() {
  auto fields = test::keyed_file({{{{0, test::turn({1, 0, 0}, 0.0)},
                                    {8, test::turn({1, 0, 0}, 0.8)},
                                    {12, test::turn({1, 0, 0}, 1.2)}}}},
                                 12);
  fields.clips[0].masks[0][0] |= 2U;
  fields.clips[0].constant_rotations->rotations.push_back(test::pack(Quat{}));
  fields.clips[0].constant_rotations->header.count = 1;
  return test::file_of(test::as_far_cry_3(fields, 9));
}

TEST(SparseEditLimits, FarCry3TakesEditsThatKeepItsCounts) {
  const auto bytes = far_cry_3_file();
  const SparseMab file = test::parse_sparse(bytes);
  ASSERT_EQ(file.game(), Game::fc3);
  Bank bank = bank_of(file);
  Clip& clip = bank.clips.front();
  turn_track(clip, track_of_joint(clip, 0, Channel::rotation), ten_degrees, 0.0F, 1.0F);
  const auto written = edited(file, bank).bytes;
  ASSERT_EQ(written.size(), bytes.size());
  // The header, 0xE0 bytes, and the arrays before slot 3 stay.
  EXPECT_TRUE(std::equal(bytes.begin(), bytes.begin() + 0x10 + 0xE0, written.begin()));
  const Bank decoded = bank_of(test::parse_sparse(written));
  Clip after = decoded.clips.front();
  const Quat a = clip.rotation(track_of_joint(clip, 0, Channel::rotation).keys, 1);
  const Quat b = after.rotation(track_of_joint(after, 0, Channel::rotation).keys, 1);
  EXPECT_LE(test::plain_angle({a.x, a.y, a.z, a.w}, {b.x, b.y, b.z, b.w}), 1.5e-4);
}

TEST(SparseEditLimits, FarCry3RefusesEditsThatChangeItsCounts) {
  const SparseMab file = test::parse_sparse(far_cry_3_file());
  Bank bank = bank_of(file);
  Clip& clip = bank.clips.front();
  Track& track = track_of_joint(clip, 1, Channel::rotation);
  track.kind = TrackKind::animated;
  track.keys = {clip.times.size(), clip.values.size(), 2};
  clip.times.insert(clip.times.end(), {0.0F, 0.4F});
  clip.values.insert(clip.values.end(), {0, 0, 0, 1, 1, 0, 0, 0});
  const auto written = file.with(bank, {});
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::unsupported);
  EXPECT_NE(written.error().message.find("how many tracks"), std::string::npos);
}

TEST(SparseEditLimits, AClipWhoseBonesAreUnknownCantBeEdited) {
  auto fields = test::fields_of(far_cry_3_file());
  fields.clips[0].masks[0][0] |= 0x10U;  // names one more than the section has: still lawful
  fields.clips[0].masks[1][0] |= 0x20U;  // this one is not
  const SparseMab file = test::parse_sparse(test::file_of(fields));
  Bank bank = bank_of(file);
  EXPECT_EQ(edited(file, bank).bytes, test::file_of(fields));
  Clip& clip = bank.clips.front();
  for (const Track& track : clip.tracks) turn_track(clip, track, ten_degrees, 0.0F, 1.0F);
  const auto written = file.with(bank, {});
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::unsupported);
}

TEST(SparseEditLimits, ExtraClipsAreLeftOutWithANotice) {
  const auto bytes = test::read_fixture("spec/example_fc2.mab");
  const SparseMab file = test::parse_sparse(bytes);
  Bank bank = bank_of(file);
  bank.clips.push_back(bank.clips.back());
  const auto written = edited(file, bank);
  EXPECT_EQ(written.bytes, bytes);
  EXPECT_EQ(written.report.notices.size(), 1U);
}

TEST(SparseEditLimits, UnexplainedBytesBehindASectionThatGrowsStay) {
  auto fields = test::fields_of(test::read_fixture("spec/example_fc2.mab"));
  // 10 bytes of slot 3's padding, then 16 that no rule explains.
  std::vector<std::byte> unexplained(8 + 16, std::byte{0});
  for (std::size_t i = 8; i < unexplained.size(); ++i) unexplained[i] = std::byte{0xAB};
  fields.clips[0].unexplained[keyed_rotations] = unexplained;
  const auto bytes = test::file_of(fields);
  const SparseMab file = test::parse_sparse(bytes);
  Bank bank = bank_of(file);
  Clip& clip = bank.clips.front();
  Track& track = track_of_joint(clip, 1, Channel::rotation);
  track.keys = {clip.times.size(), clip.values.size(), 10};
  for (unsigned frame = 0; frame < 10; ++frame) {
    clip.times.push_back(static_cast<float>(frame / 30.0));
    const Quat q = test::turn({1, 0, 0}, frame % 2 == 0 ? 0.0 : 0.5);
    for (const float c : {q.x, q.y, q.z, q.w}) clip.values.push_back(c);
  }
  const auto written = edited(file, bank).bytes;
  EXPECT_GT(written.size(), bytes.size());
  EXPECT_EQ(written.size() % 16, 0U);
  const auto marked =
      static_cast<std::size_t>(std::count(written.begin(), written.end(), std::byte{0xAB}));
  EXPECT_EQ(marked, 16U);
  EXPECT_EQ(test::decode_plain_sparse(written).size(), 2U);
}

TEST(SparseEditLimits, AClipThatLostItsTracksIsToldToBeKept) {
  const SparseMab file = test::parse_sparse(test::read_fixture("spec/example_fc2.mab"));
  Bank bank = bank_of(file);
  bank.clips[0].tracks.clear();
  const auto notices = edited(file, bank).report.notices;
  ASSERT_EQ(notices.size(), 1U);
  EXPECT_EQ(notices[0].path, "clip[0]");
  EXPECT_NE(notices[0].message.find("no tracks"), std::string::npos);
}

TEST(SparseEditLimits, RootMotionOfAClipWithoutTracksIsWritten) {
  const auto bytes = test::read_fixture("spec/example_fc2.mab");
  const SparseMab file = test::parse_sparse(bytes);
  Bank bank = bank_of(file);
  Clip& clip = bank.clips[0];
  clip.tracks.clear();
  const Keys keys = *clip.root_motion->translation;
  for (std::uint32_t i = 0; i < keys.count; ++i) clip.values[keys.first_value + 3 * i] += 1.0F;
  const auto before = test::decode_plain_sparse(bytes);
  const auto after = test::decode_plain_sparse(edited(file, bank).bytes);
  ASSERT_EQ(before[0].trajectory_translation.size(), after[0].trajectory_translation.size());
  for (std::size_t i = 0; i < after[0].trajectory_translation.size(); ++i) {
    EXPECT_NEAR(after[0].trajectory_translation[i][0], before[0].trajectory_translation[i][0] + 1.0,
                1e-6);
  }
  EXPECT_EQ(before[0].keyed_rotations, after[0].keyed_rotations);
}

TEST(SparseEditLimits, EditedEventsAreToldToStay) {
  const auto made = encode_sparse(
      [] {
        Bank bank;
        bank.game = Game::fc2;
        Clip& clip = bank.clips.emplace_back();
        clip.duration = 1.0F;
        clip.joints.emplace_back();
        test::add_rotations(clip, 0, TrackKind::constant, {0.0F}, {Quat{}});
        clip.events.push_back({0.5F, 2U, std::nullopt, std::vector<std::byte>(3)});
        return bank;
      }(),
      Game::fc2, {});
  ASSERT_TRUE(made);
  const SparseMab file = test::parse_sparse(made->bytes);
  Bank bank = bank_of(file);
  EXPECT_TRUE(edited(file, bank).report.notices.empty());
  bank.clips[0].events[0].time = 0.75F;
  const auto written = edited(file, bank);
  EXPECT_EQ(written.bytes, made->bytes);
  ASSERT_EQ(written.report.notices.size(), 1U);
  EXPECT_NE(written.report.notices[0].message.find("events stay"), std::string::npos);
  // A bank that has none says nothing of them: most formats have no events.
  bank.clips[0].events.clear();
  EXPECT_TRUE(edited(file, bank).report.notices.empty());
}

TEST(SparseEditLimits, RestIsToldByTheBoundOfEachChannel) {
  const auto skeleton = parse_rig(test::read_fixture("motion/cmu_01_01.skeleton"));
  ASSERT_TRUE(skeleton);
  // A file that only moves the first bone, and an edit that turns it as little as the rig's rest.
  auto fields = test::keyed_file({}, 0);
  fields.clips[0].masks[2][0] |= 1U;
  fields.clips[0].constant_translations->components.assign(3, 0);
  fields.clips[0].constant_translations->header.count = 1;
  const SparseMab file = test::parse_sparse(test::file_of(fields));
  const auto root = std::find_if(skeleton->bones.begin(), skeleton->bones.end(),
                                 [](const Bone& bone) { return bone.id == 0U; });
  ASSERT_NE(root, skeleton->bones.end());
  EncodeOptions options;
  options.skeleton = &*skeleton;
  const auto notices = [&](double angle) {
    Bank bank = bank_of(file);
    test::add_rotations(bank.clips[0], 0, TrackKind::constant, {0.0F},
                        {multiply(root->rotation, test::turn({1, 0, 0}, angle))});
    return test::texts(edited(file, bank, options).report.notices);
  };
  EXPECT_EQ(notices(5e-4), "");  // below 8.7e-4 radians, though above 1e-4 metres
  EXPECT_NE(notices(2e-3).find("left out turning"), std::string::npos);
}

}  // namespace
}  // namespace mabkit::mab
