#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <mabkit/encode.hpp>
#include <mabkit/mab.hpp>
#include <mabkit/pose.hpp>
#include <mabkit/rig.hpp>

#include "mab/sparse_index.hpp"
#include "mab/sparse_keyed_tracks.hpp"
#include "support/fixtures.hpp"
#include "support/plain_sparse_decoder.hpp"
#include "support/random_banks.hpp"
#include "support/sparse_files.hpp"

namespace mabkit::mab {
namespace {

constexpr double ten_degrees = 0.17453292519943295;

Bank bank_of(const SparseMab& file) {
  auto bank = file.bank();
  if (!bank) throw std::runtime_error(bank.error().message);
  return std::move(*bank);
}

EncodedFile edited(const SparseMab& file, const Bank& bank, const EncodeOptions& options = {}) {
  auto written = file.with(bank, options);
  if (!written) throw std::runtime_error(describe("edit", written.error()));
  return std::move(*written);
}

Track& track_of_joint(Clip& clip, std::uint32_t id, Channel channel) {
  for (Track& track : clip.tracks) {
    if (clip.joints[track.joint].id == id && track.channel == channel) return track;
  }
  throw std::runtime_error("no such track");
}

/// Turns a rotation track by an angle about x at its keys from `first` to `last` seconds.
void turn_track(Clip& clip, const Track& track, double angle, float first, float last) {
  for (std::uint32_t i = 0; i < track.keys.count; ++i) {
    const float time = clip.times_of(track.keys)[i];
    if (time < first || time > last) continue;
    const Quat q = multiply(clip.rotation(track.keys, i), test::turn({1, 0, 0}, angle));
    float* const at = clip.values.data() + track.keys.first_value + 4 * std::size_t{i};
    at[0] = q.x;
    at[1] = q.y;
    at[2] = q.z;
    at[3] = q.w;
  }
}

/// What tells the words of one track in a clip from another's.
struct TrackWords {
  std::uint32_t bone = 0;
  KeyedTrackFields groups;
};

std::vector<TrackWords> keyed_words(const std::vector<std::byte>& bytes, std::size_t clip) {
  const auto index = index_sparse(bytes, {});
  const auto all = fields(bytes, *index);
  const auto tracks = split_tracks(*all->clips[clip].keyed_rotations);
  const auto bones = index->clips[clip].mask(MaskKind::keyed_rotation).bones();
  std::vector<TrackWords> out;
  for (std::size_t i = 0; i < tracks.size(); ++i) out.push_back({bones[i], tracks[i]});
  return out;
}

bool are_equal(const KeyedTrackFields& a, const KeyedTrackFields& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.first_key == y.first_key && x.presence == y.presence &&
           x.further_keys == y.further_keys;
  });
}

/// Bones whose keyed words differ between two files.
std::vector<std::uint32_t> changed_bones(const std::vector<std::byte>& a,
                                         const std::vector<std::byte>& b, std::size_t clip) {
  const auto before = keyed_words(a, clip);
  const auto after = keyed_words(b, clip);
  std::vector<std::uint32_t> bones;
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(before[i].bone, after[i].bone);
    if (!are_equal(before[i].groups, after[i].groups)) bones.push_back(before[i].bone);
  }
  return bones;
}

constexpr const char* cmu = "motion/cmu_01_01_fc2.mab";

TEST(SparseEdit, OneTurnedJointChangesOnlyItsWords) {
  const auto bytes = test::read_fixture(cmu);
  const SparseMab file = test::parse_sparse(bytes);
  Bank bank = bank_of(file);
  Clip& clip = bank.clips.front();
  const std::uint32_t id = keyed_words(bytes, 0)[5].bone;
  turn_track(clip, track_of_joint(clip, id, Channel::rotation), ten_degrees, 2.0F, 2.5F);
  const auto written = edited(file, bank);

  EXPECT_EQ(changed_bones(bytes, written.bytes, 0), std::vector{id});
  // Everything in front of the keyed rotations, and what follows them, is untouched.
  const auto before = test::fields_of(bytes);
  const auto after = test::fields_of(written.bytes);
  EXPECT_EQ(before.clips[0].masks, after.clips[0].masks);
  EXPECT_EQ(before.clips[0].constant_rotations->rotations,
            after.clips[0].constant_rotations->rotations);
  EXPECT_EQ(before.clips[0].animated_translations->components,
            after.clips[0].animated_translations->components);
  EXPECT_EQ(before.clips[0].trajectory_rotation->rotations,
            after.clips[0].trajectory_rotation->rotations);
  EXPECT_EQ(before.clips[0].duration, after.clips[0].duration);
}

TEST(SparseEdit, WordsOutsideTheEditedHalfSecondStay) {
  const auto bytes = test::read_fixture(cmu);
  const SparseMab file = test::parse_sparse(bytes);
  Bank bank = bank_of(file);
  Clip& clip = bank.clips.front();
  const auto words = keyed_words(bytes, 0);
  const std::uint32_t id = words[5].bone;
  turn_track(clip, track_of_joint(clip, id, Channel::rotation), ten_degrees, 2.0F, 2.5F);
  const auto after = keyed_words(edited(file, bank).bytes, 0);
  // Frames 60 to 75 at 30 a second: groups 7 to 9, and their neighbours by interpolation.
  for (std::size_t g = 0; g < words[5].groups.size(); ++g) {
    if (g >= 6 && g <= 10) continue;
    EXPECT_EQ(words[5].groups[g].first_key, after[5].groups[g].first_key) << g;
    EXPECT_EQ(words[5].groups[g].further_keys, after[5].groups[g].further_keys) << g;
  }
}

TEST(SparseEdit, TheTurnedJointDecodesToWhatWasAskedFor) {
  const SparseMab file = test::parse_sparse(test::read_fixture(cmu));
  Bank bank = bank_of(file);
  Clip& clip = bank.clips.front();
  const std::uint32_t id = keyed_words(test::read_fixture(cmu), 0)[5].bone;
  const Track& track = track_of_joint(clip, id, Channel::rotation);
  turn_track(clip, track, ten_degrees, 2.0F, 2.5F);
  EncodeOptions options;
  options.max_rotation_error = 3e-4;
  const auto written = edited(file, bank, options);
  const auto decoded = test::decode_plain_sparse(written.bytes);
  for (unsigned frame = 0; frame <= decoded[0].last_frame; ++frame) {
    const Quat q = sample_rotation(clip, track.keys, static_cast<float>(frame / 30.0));
    EXPECT_LE(test::plain_angle(decoded[0].rotation(id, frame), {q.x, q.y, q.z, q.w}), 3.01e-4);
  }
}

TEST(SparseEdit, TheReportSaysWhatWasKept) {
  const SparseMab file = test::parse_sparse(test::read_fixture(cmu));
  Bank bank = bank_of(file);
  Clip& clip = bank.clips.front();
  const std::uint32_t id = keyed_words(test::read_fixture(cmu), 0)[5].bone;
  turn_track(clip, track_of_joint(clip, id, Channel::rotation), ten_degrees, 2.0F, 2.5F);
  const auto report = edited(file, bank).report;
  ASSERT_EQ(report.clips.size(), 1U);
  ASSERT_EQ(report.clips[0].tracks.size(), clip.tracks.size());
  for (const TrackReport& track : report.clips[0].tracks) {
    const bool is_edited = clip.joints[track.joint].id == id && track.channel == Channel::rotation;
    EXPECT_EQ(track.is_kept, !is_edited);
    EXPECT_GT(track.bytes, 0U);
  }
  EXPECT_GT(report.clips[0].rotation.worst, 0.0);
  EXPECT_LE(report.clips[0].rotation.worst, EncodeOptions{}.max_rotation_error);
}

TEST(SparseEdit, ABoundInObjectSpaceIsMetWhereOnlyALeafIsTurned) {
  const SparseMab file = test::parse_sparse(test::read_fixture(cmu));
  const auto skeleton = parse_rig(test::read_fixture("motion/cmu_01_01.skeleton"));
  ASSERT_TRUE(skeleton);
  Bank bank = bank_of(file);
  Clip& clip = bank.clips.front();
  const auto head = std::find_if(skeleton->bones.begin(), skeleton->bones.end(),
                                 [](const Bone& bone) { return bone.name == "Head"; });
  ASSERT_NE(head, skeleton->bones.end());
  turn_track(clip, track_of_joint(clip, *head->id, Channel::rotation), ten_degrees, 2.0F, 2.5F);
  EncodeOptions options;
  options.skeleton = &*skeleton;
  const auto report = edited(file, bank, options).report;
  ASSERT_TRUE(report.clips[0].object);
  EXPECT_LE(report.clips[0].object->worst, options.max_object_error);
  EXPECT_GT(report.clips[0].object->worst, 0.0);
  EXPECT_TRUE(report.notices.empty());
}

TEST(SparseEdit, ABoundThatKeptTracksForbidIsANoticeWithTheFigure) {
  const SparseMab file = test::parse_sparse(test::read_fixture(cmu));
  const auto skeleton = parse_rig(test::read_fixture("motion/cmu_01_01.skeleton"));
  Bank bank = bank_of(file);
  Clip& clip = bank.clips.front();
  turn_track(clip, track_of_joint(clip, 0, Channel::rotation), ten_degrees, 2.0F, 4.0F);
  EncodeOptions options;
  options.skeleton = &*skeleton;
  options.max_object_error = 1e-6;
  const auto report = edited(file, bank, options).report;
  ASSERT_FALSE(report.notices.empty());
  EXPECT_NE(report.notices.back().message.find("not kept"), std::string::npos);
}

TEST(SparseEdit, AConstantThatMovesBecomesKeyedAndNothingElseChanges) {
  const auto bytes = test::read_fixture("spec/example_fc2.mab");
  const SparseMab file = test::parse_sparse(bytes);
  Bank bank = bank_of(file);
  Clip& clip = bank.clips.front();
  // Bone 0 of clip 0 is a constant identity (spec mab-sparse, section 7).
  Track& track = track_of_joint(clip, 0, Channel::rotation);
  ASSERT_EQ(track.kind, TrackKind::constant);
  const auto times = test::frame_times(9, 30.0F);
  track.kind = TrackKind::animated;
  track.keys = {clip.times.size(), clip.values.size(), 10};
  clip.times.insert(clip.times.end(), times.begin(), times.end());
  for (int i = 0; i < 10; ++i) {
    const Quat q = test::turn({0, 0, 1}, 0.1 * i);
    for (const float c : {q.x, q.y, q.z, q.w}) clip.values.push_back(c);
  }
  const auto written = edited(file, bank).bytes;
  const auto decoded = test::decode_plain_sparse(written);
  ASSERT_EQ(decoded.size(), 2U);
  EXPECT_TRUE(decoded[0].constant_rotations.empty());
  ASSERT_EQ(decoded[0].keyed_rotations.count(0), 1U);
  for (unsigned frame = 0; frame < 10; ++frame) {
    const Quat q = test::turn({0, 0, 1}, 0.1 * frame);
    EXPECT_LE(test::plain_angle(decoded[0].rotation(0, frame), {q.x, q.y, q.z, q.w}), 8.8e-4);
  }
  // Bones 1 and 2 keep their words behind the new track.
  const auto before = keyed_words(bytes, 0);
  const auto after = keyed_words(written, 0);
  ASSERT_EQ(after.size(), 3U);
  EXPECT_TRUE(are_equal(before[0].groups, after[1].groups));
  EXPECT_TRUE(are_equal(before[1].groups, after[2].groups));
  // The tag record leads to where the second clip went.
  EXPECT_EQ(decoded[0].tags.at(0).clip_at, decoded[1].at);
  EXPECT_NE(decoded[1].at, 0x320U);
  EXPECT_EQ(decoded[1].constant_rotations.size(), 1U);
}

TEST(SparseEdit, AConstantThatIsAnotherConstantStaysOne) {
  const auto bytes = test::read_fixture("spec/example_fc2.mab");
  const SparseMab file = test::parse_sparse(bytes);
  Bank bank = bank_of(file);
  Clip& clip = bank.clips[1];
  turn_track(clip, track_of_joint(clip, 0, Channel::rotation), ten_degrees, 0.0F, 0.0F);
  auto written = edited(file, bank).bytes;
  ASSERT_EQ(written.size(), bytes.size());
  // Clip 1's one constant stands at 0x3C8 (spec mab-sparse, section 7); only its six bytes differ.
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const bool is_word = i >= 0x3C8 && i < 0x3CE;
    EXPECT_TRUE(is_word || bytes[i] == written[i]) << i;
  }
  EXPECT_NE(bytes, written);
}

TEST(SparseEdit, ATranslationChangesOnlyItsFrames) {
  const auto bytes = test::read_fixture("spec/example_fc2.mab");
  const SparseMab file = test::parse_sparse(bytes);
  Bank bank = bank_of(file);
  Clip& clip = bank.clips.front();
  const Track& track = track_of_joint(clip, 0, Channel::translation);
  clip.values[track.keys.first_value + 3 * 4] = 0.25F;
  auto expected = bytes;
  // Frame 4's x of the only animated translation: 0x1F8 + 12 * 4 (spec mab-sparse, section 7).
  test::poke(expected, 0x1F8 + 12 * 4, 0.25F);
  EXPECT_EQ(edited(file, bank).bytes, expected);
}

TEST(SparseEdit, RootMotionChangesOnlyItsFrames) {
  const auto bytes = test::read_fixture("spec/example_fc2.mab");
  const SparseMab file = test::parse_sparse(bytes);
  Bank bank = bank_of(file);
  Clip& clip = bank.clips.front();
  clip.values[clip.root_motion->translation->first_value + 3 * 2 + 1] = 0.75F;
  clip.root_motion->loop = Quat{0, 0, 1, 0};
  auto expected = bytes;
  test::poke(expected, 0x108 + 12 * 2 + 4, 0.75F);  // slot 0, frame 2, y
  test::poke(expected, 0x70, Quat{0, 0, 1, 0});     // loop rotation
  EXPECT_EQ(edited(file, bank).bytes, expected);
}

TEST(SparseEdit, AClipWithoutTracksIsLeftAlone) {
  const auto bytes = test::read_fixture("spec/example_fc2.mab");
  const SparseMab file = test::parse_sparse(bytes);
  Bank bank = bank_of(file);
  for (Clip& clip : bank.clips) clip.tracks.clear();
  EXPECT_EQ(edited(file, bank).bytes, bytes);
}

TEST(SparseEdit, JointsThatTheEditLacksAreKeptWithANotice) {
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

TEST(SparseEdit, JointsThatTheTemplateLacksAreLeftOutWithANotice) {
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
  EXPECT_NE(written.report.notices[0].message.find("#150"), std::string::npos);
}

TEST(SparseEdit, NoJointInCommonIsAnErrorThatSaysWhatToDo) {
  const SparseMab file = test::parse_sparse(test::read_fixture("spec/example_fc2.mab"));
  Bank bank = bank_of(file);
  for (Joint& joint : bank.clips.front().joints) joint.id += 100;
  const auto written = file.with(bank, {});
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::bad_argument);
  EXPECT_EQ(written.error().path, "clip[0]");
  EXPECT_NE(written.error().message.find(".skeleton"), std::string::npos);
}

TEST(SparseEdit, ABankWithoutClipsIsAnError) {
  const SparseMab file = test::parse_sparse(test::read_fixture("spec/example_fc2.mab"));
  EXPECT_EQ(file.with({}, {}).error().code, ErrorCode::bad_argument);
}

TEST(SparseEdit, JointsAreFoundByNameThroughTheSkeleton) {
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

TEST(SparseEdit, ALongerClipHasItsSectionsLaidOutAnew) {
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

TEST(SparseEdit, AShorterClipIsCut) {
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

TEST(SparseEdit, BitSevenOfUntouchedTracksStays) {
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

TEST(SparseEdit, TheFilesOwnPresenceOrderIsWritten) {
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

TEST(SparseEdit, FarCry3TakesEditsThatKeepItsCounts) {
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

TEST(SparseEdit, FarCry3RefusesEditsThatChangeItsCounts) {
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

TEST(SparseEdit, AClipWhoseBonesAreUnknownCantBeEdited) {
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

TEST(SparseEdit, ExtraClipsAreLeftOutWithANotice) {
  const auto bytes = test::read_fixture("spec/example_fc2.mab");
  const SparseMab file = test::parse_sparse(bytes);
  Bank bank = bank_of(file);
  bank.clips.push_back(bank.clips.back());
  const auto written = edited(file, bank);
  EXPECT_EQ(written.bytes, bytes);
  EXPECT_EQ(written.report.notices.size(), 1U);
}

TEST(SparseEdit, UnexplainedBytesBehindASectionThatGrowsStay) {
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

}  // namespace
}  // namespace mabkit::mab
