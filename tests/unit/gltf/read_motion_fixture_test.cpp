#include <gtest/gtest.h>

#include <algorithm>
#include <mabkit/document.hpp>
#include <mabkit/gltf.hpp>
#include <mabkit/json.hpp>
#include <mabkit/rig.hpp>

#include "support/fixtures.hpp"

// Every fixture becomes glTF and comes back.

namespace mabkit {
namespace {

Bank bank_of(const std::string& name) {
  const auto document = Document::parse(test::read_fixture(name));
  EXPECT_TRUE(document);
  auto bank = document->bank();
  EXPECT_TRUE(bank);
  return *bank;
}

ImportedMotion round_trip(const Bank& bank, const Skeleton* rig, const GltfOptions& options = {}) {
  const auto asset = build_gltf(bank, rig, options);
  EXPECT_TRUE(asset);
  const auto glb = write_glb(*asset);
  EXPECT_TRUE(glb);
  auto motion = read_gltf_motion(*glb);
  EXPECT_TRUE(motion) << motion.error().path << ": " << motion.error().message;
  return motion.value_or(ImportedMotion{});
}

/// Equal but for the sign of rotations and of zeros.
void expect_same_curve(const Clip& a, const Keys& keys, const Clip& b, const Keys& other,
                       Channel channel, bool is_constant) {
  const std::uint32_t count = is_constant ? 1 : keys.count;
  ASSERT_EQ(other.count, count);
  for (std::uint32_t key = 0; key < count; ++key) {
    EXPECT_EQ(b.times_of(other)[key], a.times_of(keys)[key]);
    if (channel == Channel::translation) {
      EXPECT_EQ(b.translation(other, key), a.translation(keys, key));
      continue;
    }
    const Quat q = a.rotation(keys, key);
    const Quat r = b.rotation(other, key);
    EXPECT_TRUE(r == q || r == (Quat{-q.x, -q.y, -q.z, -q.w})) << "key " << key;
  }
}

void expect_same_root_motion(const Clip& a, const Clip& b) {
  ASSERT_EQ(b.root_motion.has_value(), a.root_motion.has_value());
  if (!a.root_motion) return;
  const RootMotion& motion = *a.root_motion;
  const RootMotion& other = *b.root_motion;
  EXPECT_EQ(other.reference, motion.reference);
  EXPECT_EQ(other.loop, motion.loop);
  ASSERT_EQ(other.translation.has_value(), motion.translation.has_value());
  ASSERT_EQ(other.rotation.has_value(), motion.rotation.has_value());
  if (motion.translation) {
    expect_same_curve(a, *motion.translation, b, *other.translation, Channel::translation, false);
  }
  if (motion.rotation) {
    expect_same_curve(a, *motion.rotation, b, *other.rotation, Channel::rotation, false);
  }
}

void expect_same_clip(const Clip& a, const Clip& b) {
  EXPECT_EQ(b.name, a.name);
  EXPECT_EQ(b.parent, a.parent);
  EXPECT_EQ(b.duration, a.duration);
  EXPECT_EQ(b.frame_rate, a.frame_rate);
  EXPECT_EQ(b.participant, a.participant);
  ASSERT_EQ(b.joints.size(), a.joints.size());
  for (std::size_t i = 0; i < a.joints.size(); ++i) {
    EXPECT_EQ(b.joints[i].id, a.joints[i].id);
    EXPECT_EQ(b.joints[i].name_hash, a.joints[i].name_hash);
    EXPECT_EQ(b.joints[i].name, a.joints[i].name);
    EXPECT_EQ(b.joints[i].parent, a.joints[i].parent);
  }
  ASSERT_EQ(b.tracks.size(), a.tracks.size());
  for (std::size_t i = 0; i < a.tracks.size(); ++i) {
    const Track& track = a.tracks[i];
    const Track& other = b.tracks[i];
    EXPECT_EQ(other.joint, track.joint);
    EXPECT_EQ(other.channel, track.channel);
    EXPECT_EQ(other.kind, track.kind);
    expect_same_curve(a, track.keys, b, other.keys, track.channel,
                      track.kind == TrackKind::constant);
  }
  expect_same_root_motion(a, b);
  ASSERT_EQ(b.events.size(), a.events.size());
  for (std::size_t i = 0; i < a.events.size(); ++i) {
    EXPECT_EQ(b.events[i].time, a.events[i].time);
    EXPECT_EQ(b.events[i].type, a.events[i].type);
    EXPECT_EQ(b.events[i].class_name, a.events[i].class_name);
    EXPECT_EQ(b.events[i].payload, a.events[i].payload);
  }
}

void expect_same_bank(const Bank& a, const Bank& b) {
  EXPECT_EQ(b.format, a.format);
  EXPECT_EQ(b.game, a.game);
  ASSERT_EQ(b.clips.size(), a.clips.size());
  for (std::size_t i = 0; i < a.clips.size(); ++i) {
    SCOPED_TRACE(testing::Message() << "clip " << i);
    expect_same_clip(a.clips[i], b.clips[i]);
  }
  Bank records;
  records.participants = a.participants;
  Bank other_records;
  other_records.participants = b.participants;
  EXPECT_EQ(write_json(other_records), write_json(records));
}

class ReadGltfFixture : public testing::TestWithParam<std::string> {};

TEST_P(ReadGltfFixture, ComesBackAsItWas) {
  const Bank bank = bank_of(GetParam());
  const ImportedMotion motion = round_trip(bank, nullptr);
  EXPECT_FALSE(motion.are_takes);
  EXPECT_TRUE(motion.notices.empty());
  expect_same_bank(bank, motion.bank);
}

INSTANTIATE_TEST_SUITE_P(All, ReadGltfFixture, testing::ValuesIn(test::mab_fixtures()),
                         test::fixture_test_name);

TEST(ReadGltfMotion, ComesBackOnARig) {
  const std::vector<std::pair<const char*, const char*>> clips{
      {"motion/cmu_01_01_fc2.mab", "motion/cmu_01_01.skeleton"},
      {"motion/cmu_01_01_wd1.mab", "motion/cmu_01_01_fc5.xbg"}};
  for (const auto& [clip, rig_name] : clips) {
    const Bank bank = bank_of(clip);
    const auto rig = parse_rig(test::read_fixture(rig_name));
    ASSERT_TRUE(rig);
    const ImportedMotion motion = round_trip(bank, &*rig);
    expect_same_bank(bank, motion.bank);
    ASSERT_EQ(motion.skeleton.bones.size(), rig->bones.size());
    for (std::size_t i = 0; i < rig->bones.size(); ++i) {
      const Bone& a = rig->bones[i];
      const Bone& b = motion.skeleton.bones[i];
      EXPECT_EQ(b.name, a.name);
      EXPECT_EQ(b.name_hash, a.name_hash);
      EXPECT_EQ(b.id, a.id);
      EXPECT_EQ(b.parent, a.parent);
      EXPECT_EQ(b.rotation, a.rotation);
      EXPECT_EQ(b.translation, a.translation);
      EXPECT_EQ(b.scale, a.scale);
    }
  }
}

TEST(ReadGltfMotion, RootMotionThatBecameTheJointsStaysThere) {
  const Bank bank = bank_of("mab/fc2_1.mab");
  for (const RootMotionTarget target : {RootMotionTarget::joint, RootMotionTarget::ignore}) {
    GltfOptions options;
    options.root_motion = target;
    const ImportedMotion motion = round_trip(bank, nullptr, options);
    ASSERT_FALSE(motion.bank.clips.empty());
    ASSERT_TRUE(motion.bank.clips[0].root_motion);
    EXPECT_FALSE(motion.bank.clips[0].root_motion->translation);
    EXPECT_EQ(motion.bank.clips[0].root_motion->loop, bank.clips[0].root_motion->loop);
    bool is_said = false;
    for (const Diagnostic& notice : motion.notices) {
      is_said = is_said || notice.path == "clip[0].root_motion";
    }
    EXPECT_TRUE(is_said);
  }
}

/// As Blender writes a clip of 30 frames a second in a scene of `rate`: a key a frame.
bool says_rate(float rate) {
  Bank bank = bank_of("motion/cmu_01_01_fc2.mab");
  for (float& time : bank.clips[0].times) time *= 30.0F / rate;
  bank.clips[0].duration *= 30.0F / rate;
  const ImportedMotion motion = round_trip(bank, nullptr);
  return std::any_of(motion.notices.begin(), motion.notices.end(),
                     [](const Diagnostic& notice) { return notice.path == "clip[0].frame_rate"; });
}

TEST(ReadGltfMotion, AnotherFrameRateThanTheClipsIsSaid) {
  EXPECT_TRUE(says_rate(24.0F));
  EXPECT_TRUE(says_rate(25.0F));
  EXPECT_FALSE(says_rate(30.0F));
  // Has all frames of the clip.
  EXPECT_FALSE(says_rate(60.0F));
  // Lies on no grid.
  EXPECT_FALSE(says_rate(29.3F));
}

TEST(ReadGltfMotion, OneClipOfABankComesBackAlone) {
  const Bank bank = bank_of("mab/fc2_1.mab");
  ASSERT_GT(bank.clips.size(), 1U);
  GltfOptions options;
  options.clip = 1;
  const ImportedMotion motion = round_trip(bank, nullptr, options);
  ASSERT_EQ(motion.bank.clips.size(), 1U);
  expect_same_clip(bank.clips[1], motion.bank.clips[0]);
  EXPECT_EQ(motion.notices.back().path, "clips");
  for (std::size_t i = 0; i < bank.participants.size(); ++i) {
    const bool is_this = bank.participants[i].clip == 1U;
    EXPECT_EQ(motion.bank.participants[i].clip, is_this ? std::optional(0U) : std::nullopt);
  }
}

}  // namespace
}  // namespace mabkit
