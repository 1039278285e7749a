#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <mabkit/document.hpp>
#include <mabkit/json.hpp>
#include <string>
#include <string_view>

#include "support/fixtures.hpp"
#include "support/whole_banks.hpp"

namespace mabkit {
namespace {

using nlohmann::json;

Result<ImportedMotion> read(std::string_view text, const ReadLimits& limits = {}) {
  ImportOptions options;
  options.limits = limits;
  return read_json(std::as_bytes(std::span(text)), options);
}

bool has_same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

void expect_error(const Result<ImportedMotion>& result, ErrorCode code, const std::string& path) {
  ASSERT_FALSE(result) << path;
  EXPECT_EQ(result.error().code, code) << result.error().message;
  EXPECT_EQ(result.error().path, path) << result.error().message;
  EXPECT_FALSE(result.error().message.empty());
}

json small() {
  return json::parse(R"({"schema":"mabkit.bank/1","format":"mab","game":"wd1","clips":[
    {"name":"walk","parent":null,"duration":1.0,"frame_rate":30.0,
     "joints":[{"id":4,"hash":"0xb021fd58","name":"Pelvis","parent":null},
               {"id":5,"hash":null,"name":null,"parent":0}],
     "tracks":[{"joint":0,"channel":"rotation","kind":"constant","times":[0.0],"values":[[0,0,0,1]]},
               {"joint":1,"channel":"translation","kind":"animated","times":[0.0,1.0],
                "values":[[1,2,3],[4,5,6]]}],
     "root_motion":{"translation":{"times":[0.0],"values":[[7,8,9]]},"rotation":null,
                    "reference":[0,0,0,1],"loop":null},
     "events":[{"time":0.5,"type":2,"class":"PlaySound","payload_size":3,"payload":"AQID"}],
     "participant":null}],
    "participants":[{"kind":1,"start":0.0,"end":1.0,"child":"0x00000001","parent":"0xffffffff",
      "target":"0x00000002","name":"prop","reference":null,"clip":0}]})");
}

class ReadJsonFixture : public testing::TestWithParam<std::string> {};

TEST_P(ReadJsonFixture, IsTheInverseOfWriting) {
  const auto document = Document::parse(test::read_fixture(GetParam()));
  ASSERT_TRUE(document);
  const auto bank = document->bank();
  ASSERT_TRUE(bank);
  const std::string text = write_json(*bank);
  const auto again = read(text);
  ASSERT_TRUE(again) << again.error().path << ": " << again.error().message;
  EXPECT_EQ(write_json(again->bank), text);
  EXPECT_TRUE(again->skeleton.bones.empty());
  EXPECT_FALSE(again->are_takes);
  ASSERT_EQ(again->bank.clips.size(), bank->clips.size());
  for (std::size_t i = 0; i < bank->clips.size(); ++i) {
    const Clip& clip = bank->clips[i];
    const Clip& other = again->bank.clips[i];
    EXPECT_EQ(other.participant, clip.participant);
    ASSERT_EQ(other.tracks.size(), clip.tracks.size());
    for (std::size_t track = 0; track < clip.tracks.size(); ++track) {
      const Track& a = clip.tracks[track];
      const Track& b = other.tracks[track];
      const auto values = clip.values_of(a.keys, a.channel);
      const auto times = clip.times_of(a.keys);
      const auto other_values = other.values_of(b.keys, b.channel);
      const auto other_times = other.times_of(b.keys);
      EXPECT_TRUE(has_same_bits({values.begin(), values.end()},
                                {other_values.begin(), other_values.end()}));
      EXPECT_TRUE(
          has_same_bits({times.begin(), times.end()}, {other_times.begin(), other_times.end()}));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, ReadJsonFixture, testing::ValuesIn(test::mab_fixtures()),
                         test::fixture_test_name);

TEST(ReadJson, SubsetsOfTheKeysAreRead) {
  for (const char* const folder : {"mab", "mac", "motion"}) {
    for (const std::string& name : test::fixtures(folder, ".json")) {
      const auto bytes = test::read_fixture(name);
      const auto motion = read_json(bytes);
      ASSERT_TRUE(motion) << name << ": " << motion.error().path << ": " << motion.error().message;
      json expected = test::read_fixture_json(name);
      for (json& clip : expected.at("clips")) {
        // Only the sizes of payloads are there, not the payloads.
        if (clip.contains("events")) {
          for (json& event : clip.at("events")) event.erase("payload_size");
        }
      }
      const auto found = test::differences(motion->bank, expected);
      EXPECT_TRUE(found.empty()) << name << ": " << found.front();
    }
  }
}

TEST(ReadJson, GivesEveryField) {
  const auto motion = read(small().dump());
  ASSERT_TRUE(motion) << motion.error().message;
  EXPECT_TRUE(motion->notices.empty());
  const Bank& bank = motion->bank;
  EXPECT_EQ(bank.format, "mab");
  EXPECT_EQ(bank.game, Game::wd1);
  const Clip& clip = bank.clips.at(0);
  EXPECT_EQ(clip.name, "walk");
  EXPECT_EQ(clip.duration, 1.0F);
  EXPECT_EQ(clip.joints.at(0).id, 4U);
  EXPECT_EQ(clip.joints.at(0).name_hash, 0xB021FD58U);
  EXPECT_EQ(clip.joints.at(1).parent, 0U);
  EXPECT_EQ(clip.joints.at(1).name, std::nullopt);
  EXPECT_EQ(clip.tracks.at(0).kind, TrackKind::constant);
  EXPECT_EQ(clip.translation(clip.tracks.at(1).keys, 1), (Vec3{4, 5, 6}));
  ASSERT_TRUE(clip.root_motion);
  EXPECT_EQ(clip.translation(*clip.root_motion->translation, 0), (Vec3{7, 8, 9}));
  EXPECT_FALSE(clip.root_motion->rotation);
  EXPECT_EQ(clip.root_motion->reference, Quat{});
  EXPECT_EQ(clip.events.at(0).payload, test::bytes({1, 2, 3}));
  EXPECT_EQ(bank.participants.at(0).parent, 0xFFFFFFFFU);
  EXPECT_EQ(bank.participants.at(0).clip, 0U);
}

TEST(ReadJson, FloatsComeBackToTheBit) {
  Bank bank;
  bank.format = "mab";
  Clip& clip = bank.clips.emplace_back();
  clip.joints.resize(1);
  std::uint32_t state = 12345;
  constexpr std::uint32_t keys = 5000;
  for (std::uint32_t i = 0; i < keys; ++i) {
    clip.times.push_back(static_cast<float>(i) / 120.0F);
    for (int j = 0; j < 3; ++j) {
      float value = 0.0F;
      do {
        state = state * 1664525U + 1013904223U;
        std::memcpy(&value, &state, sizeof value);
      } while (!std::isfinite(value));
      clip.values.push_back(value);
    }
  }
  clip.values[0] = -0.0F;
  clip.values[1] = std::numeric_limits<float>::denorm_min();
  clip.values[2] = std::numeric_limits<float>::max();
  clip.tracks.push_back({0, Channel::translation, TrackKind::animated, {0, 0, keys}});
  const auto again = read(write_json(bank));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE(has_same_bits(again->bank.clips[0].values, clip.values));
  EXPECT_TRUE(has_same_bits(again->bank.clips[0].times, clip.times));
}

TEST(ReadJson, NullNumbersAreNotFiniteAndSaid) {
  json document = small();
  document["clips"][0]["tracks"][1]["values"][0][1] = nullptr;
  document["clips"][0]["duration"] = nullptr;
  const auto motion = read(document.dump());
  ASSERT_TRUE(motion) << motion.error().message;
  EXPECT_TRUE(std::isnan(motion->bank.clips[0].values[5]));
  EXPECT_TRUE(std::isnan(motion->bank.clips[0].duration));
  ASSERT_EQ(motion->notices.size(), 2U);
  EXPECT_EQ(motion->notices[0].path, "clips[0].duration");
  EXPECT_EQ(motion->notices[1].path, "clips[0].tracks[1].values");
}

TEST(ReadJson, UnknownKeysAreSaid) {
  json document = small();
  document["clips"][0]["joints"][1]["colour"] = {{"deep", {1, 2}}};
  const auto motion = read(document.dump());
  ASSERT_TRUE(motion) << motion.error().message;
  ASSERT_EQ(motion->notices.size(), 1U);
  EXPECT_EQ(motion->notices[0].path, "clips[0].joints[1].colour");
}

TEST(ReadJson, AbsentKeysHaveDefaults) {
  const auto motion = read(R"({"schema":"mabkit.bank/1","clips":[{"joints":[{"name":"A"},{}],
    "tracks":[{"joint":1,"channel":"translation","times":[0,2],"values":[[0,0,0],[1,1,1]]},
              {"joint":0,"channel":"translation","times":[0],"values":[[0,0,0]]}]}]})");
  ASSERT_TRUE(motion) << motion.error().message;
  EXPECT_EQ(motion->bank.format, "json");
  EXPECT_EQ(motion->bank.game, std::nullopt);
  const Clip& clip = motion->bank.clips.at(0);
  EXPECT_EQ(clip.duration, 2.0F);
  EXPECT_EQ(clip.frame_rate, 30.0F);
  EXPECT_EQ(clip.joints.at(1).id, 1U);
  EXPECT_EQ(clip.tracks.at(0).kind, TrackKind::animated);
  EXPECT_EQ(clip.tracks.at(1).kind, TrackKind::constant);
}

TEST(ReadJson, EveryProblemNamesItsPlace) {
  struct Case {
    const char* pointer;
    json value;
    ErrorCode code;
    const char* path;
  };
  const std::vector<Case> cases{
      {"/schema", "mabkit.bank/2", ErrorCode::unknown_format, "schema"},
      {"/format", 3, ErrorCode::bad_value, "format"},
      {"/game", "fc1", ErrorCode::bad_value, "game"},
      {"/clips", json::array(), ErrorCode::bad_value, "clips"},
      {"/clips", 1, ErrorCode::bad_value, "clips"},
      {"/clips/0", "x", ErrorCode::bad_value, "clips[0]"},
      {"/clips/0/name", 1, ErrorCode::bad_value, "clips[0].name"},
      {"/clips/0/duration", "1", ErrorCode::bad_value, "clips[0].duration"},
      {"/clips/0/joints/1/id", -1, ErrorCode::bad_value, "clips[0].joints[1].id"},
      {"/clips/0/joints/1/id", 4294967296, ErrorCode::bad_value, "clips[0].joints[1].id"},
      {"/clips/0/joints/1/hash", "pelvis", ErrorCode::bad_value, "clips[0].joints[1].hash"},
      {"/clips/0/joints/1/parent", 2, ErrorCode::out_of_range, "clips[0].joints[1].parent"},
      {"/clips/0/joints/0/parent", 1, ErrorCode::inconsistent, "clips[0].joints[0].parent"},
      {"/clips/0/tracks/1/joint", 2, ErrorCode::out_of_range, "clips[0].tracks[1].joint"},
      {"/clips/0/tracks/1/joint", nullptr, ErrorCode::out_of_range, "clips[0].tracks[1].joint"},
      {"/clips/0/tracks/1/channel", "scale", ErrorCode::bad_value, "clips[0].tracks[1].channel"},
      {"/clips/0/tracks/1/kind", "fast", ErrorCode::bad_value, "clips[0].tracks[1].kind"},
      {"/clips/0/tracks/1/times", json::array(), ErrorCode::bad_value, "clips[0].tracks[1].times"},
      {"/clips/0/tracks/1/times/1", 0, ErrorCode::bad_value, "clips[0].tracks[1].times[1]"},
      {"/clips/0/tracks/1/times/0", nullptr, ErrorCode::bad_value, "clips[0].tracks[1].times[0]"},
      {"/clips/0/tracks/1/times/0", "0", ErrorCode::bad_value, "clips[0].tracks[1].times[0]"},
      {"/clips/0/tracks/1/values",
       {{1, 2, 3}},
       ErrorCode::inconsistent,
       "clips[0].tracks[1].values"},
      {"/clips/0/tracks/1/values/1", {1, 2}, ErrorCode::bad_value, "clips[0].tracks[1].values[1]"},
      {"/clips/0/tracks/1/values/1/0", "1", ErrorCode::bad_value, "clips[0].tracks[1].values[1]"},
      {"/clips/0/root_motion", 1, ErrorCode::bad_value, "clips[0].root_motion"},
      {"/clips/0/root_motion/reference",
       {1, 2, 3},
       ErrorCode::bad_value,
       "clips[0].root_motion.reference"},
      {"/clips/0/root_motion/translation/values", 1, ErrorCode::bad_value,
       "clips[0].root_motion.translation.values"},
      {"/clips/0/events/0/payload", "A?==", ErrorCode::bad_value, "clips[0].events[0].payload"},
      {"/clips/0/events/0/payload_size", 4, ErrorCode::inconsistent,
       "clips[0].events[0].payload_size"},
      {"/participants/0/child", 1, ErrorCode::bad_value, "participants[0].child"},
      {"/participants/0/clip", 1, ErrorCode::out_of_range, "participants[0].clip"},
  };
  for (const Case& item : cases) {
    json document = small();
    document[json::json_pointer(item.pointer)] = item.value;
    expect_error(read(document.dump()), item.code, item.path);
  }
}

TEST(ReadJson, ErrorsOfSyntaxHaveTheByteOffset) {
  const auto wrong = read(R"({"schema": nul})");
  expect_error(wrong, ErrorCode::bad_value, "");
  EXPECT_EQ(wrong.error().offset, 14U);
  expect_error(read("{\"schema\": \"\xFF\"}"), ErrorCode::bad_value, "");
  expect_error(read(R"({"schema": 1e999})"), ErrorCode::bad_value, "");
  expect_error(read("[1,2]"), ErrorCode::unknown_format, "");
  expect_error(read("{}"), ErrorCode::unknown_format, "");
  expect_error(read("{} {}"), ErrorCode::bad_value, "");
}

TEST(ReadJson, EveryTruncationIsAnError) {
  const std::string text = small().dump();
  for (std::size_t size = 0; size < text.size(); ++size) {
    const auto result = read(std::string_view(text).substr(0, size));
    ASSERT_FALSE(result) << size;
    EXPECT_EQ(result.error().code, ErrorCode::truncated) << size;
  }
}

TEST(ReadJson, DamagedBytesGiveABankOrAnError) {
  const std::string original = small().dump();
  for (const char damage : {'\0', '"', ']', '9', '-', '\xFF'}) {
    for (std::size_t at = 0; at < original.size(); ++at) {
      std::string text = original;
      text[at] = damage;
      const auto result = read(text);
      if (result) {
        test::expect_whole(result->bank);
      } else {
        test::expect_told(result.error(), text.size());
      }
      if (HasFailure())
        FAIL() << "damage 0x" << std::hex << int{damage} << " at " << std::dec << at;
    }
  }
}

TEST(ReadJson, NestingHasALimit) {
  for (const char* const bracket : {"[", "{\"a\":"}) {
    std::string deep;
    for (int i = 0; i < 100000; ++i) deep += bracket;
    expect_error(read(R"({"schema":"mabkit.bank/1","x":)" + deep), ErrorCode::limit, "");
  }
}

TEST(ReadJson, KeepsItsLimits) {
  const std::string text = small().dump();
  ReadLimits limits;
  limits.max_file_size = text.size() - 1;
  expect_error(read(text, limits), ErrorCode::limit, "");
  limits = {};
  limits.max_joints = 1;
  expect_error(read(text, limits), ErrorCode::limit, "clips[0].joints");
  limits = {};
  limits.max_keys = 1;
  expect_error(read(text, limits), ErrorCode::limit, "clips[0].tracks[1].times");
  limits = {};
  limits.max_clips = 0;
  expect_error(read(text, limits), ErrorCode::limit, "clips");
  limits = {};
  limits.max_decoded_bytes = 1000;
  expect_error(read(text, limits), ErrorCode::limit, "");
}

TEST(ReadJson, MembersThatStandTwiceAreErrors) {
  const std::string text = small().dump();
  expect_error(read(R"({"schema":"mabkit.bank/1","clips":[],)" + text.substr(1)),
               ErrorCode::bad_value, "");
  const auto twice = read(R"({"schema":"mabkit.bank/1","game":null,"game":"wd1"})");
  ASSERT_FALSE(twice);
  EXPECT_NE(twice.error().message.find("\"game\" twice"), std::string::npos);
}

TEST(ReadJson, NullsInRotationsOfRootMotionAreTold) {
  json bank = small();
  bank["clips"][0]["root_motion"]["reference"] = {0, nullptr, 0, 1};
  const auto motion = read(bank.dump());
  ASSERT_TRUE(motion);
  EXPECT_TRUE(std::isnan(motion->bank.clips[0].root_motion->reference->y));
  ASSERT_EQ(motion->notices.size(), 1U);
  EXPECT_EQ(motion->notices[0].path, "clips[0].root_motion.reference");
}

TEST(ReadJson, NoticesHaveALimit) {
  json bank = small();
  json& clip = bank["clips"][0];
  for (int i = 0; i < 200; ++i) {
    clip["tracks"].push_back({{"joint", 1},
                              {"channel", "translation"},
                              {"times", {0.0}},
                              {"values", {{0, nullptr, 0}}}});
    clip["events"].push_back({{"time", 0.0}, {"payload_size", 3}});
  }
  const auto motion = read(bank.dump());
  ASSERT_TRUE(motion) << motion.error().message;
  EXPECT_EQ(motion->notices.size(), 64U);
}

}  // namespace
}  // namespace mabkit
