#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <mabkit/encode.hpp>
#include <mabkit/mab.hpp>
#include <mabkit/pose.hpp>
#include <string>

#include "mab/chunked_fields.hpp"
#include "motion/difference.hpp"
#include "support/chunked_banks.hpp"
#include "support/fixtures.hpp"

namespace mabkit {
namespace {

using test::read_fixture;

ChunkedMab parsed(std::vector<std::byte> bytes) {
  auto mab = ChunkedMab::parse(std::move(bytes), {});
  if (!mab) throw std::runtime_error(describe("", mab.error()));
  return std::move(*mab);
}

constexpr double degree = 0.017453292519943295;

Quat about_x(double angle) {
  return {static_cast<float>(std::sin(angle / 2)), 0, 0, static_cast<float>(std::cos(angle / 2))};
}

/// Turns key `key` of a rotation track by `angle`.
void turn(Clip& clip, const Track& track, std::size_t key, double angle) {
  const Quat q = multiply(clip.rotation(track.keys, key), about_x(angle));
  float* const out = clip.values.data() + track.keys.first_value + 4 * key;
  out[0] = q.x;
  out[1] = q.y;
  out[2] = q.z;
  out[3] = q.w;
}

/// Position of the first track of the kind, in any clip.
struct Place {
  std::size_t clip = 0;
  std::size_t track = 0;
};
std::optional<Place> find_track(const Bank& bank, Channel channel, TrackKind kind,
                                std::size_t first_clip = 0) {
  for (std::size_t clip = first_clip; clip < bank.clips.size(); ++clip) {
    for (std::size_t track = 0; track < bank.clips[clip].tracks.size(); ++track) {
      const Track& candidate = bank.clips[clip].tracks[track];
      if (candidate.channel == channel && candidate.kind == kind) return Place{clip, track};
    }
  }
  return std::nullopt;
}

/// Where the decoded values of two banks differ: `clip.track` of each.
std::vector<std::string> changed_tracks(const Bank& before, const Bank& after) {
  std::vector<std::string> changed;
  if (before.clips.size() != after.clips.size()) return {"clips"};
  for (std::size_t c = 0; c < before.clips.size(); ++c) {
    const Clip& a = before.clips[c];
    const Clip& b = after.clips[c];
    if (a.tracks.size() != b.tracks.size()) return {"tracks of clip " + std::to_string(c)};
    for (std::size_t t = 0; t < a.tracks.size(); ++t) {
      const auto u = a.values_of(a.tracks[t].keys, a.tracks[t].channel);
      const auto v = b.values_of(b.tracks[t].keys, b.tracks[t].channel);
      if (!std::equal(u.begin(), u.end(), v.begin(), v.end())) {
        changed.push_back(std::to_string(c) + "." + std::to_string(t));
      }
    }
  }
  return changed;
}

std::string name_of(const Place& place) {
  return std::to_string(place.clip) + "." + std::to_string(place.track);
}

class EditedFixture : public testing::TestWithParam<std::string> {
 protected:
  std::vector<std::byte> bytes_ = read_fixture(GetParam());
  ChunkedMab mab_ = parsed(bytes_);
  Bank bank_ = mab_.bank().value();
};
INSTANTIATE_TEST_SUITE_P(All, EditedFixture, testing::ValuesIn(test::chunked_fixtures()),
                         test::fixture_test_name);

TEST_P(EditedFixture, WithoutAnEditIsTheSameBytes) {
  const auto file = mab_.with(bank_, {});
  ASSERT_TRUE(file) << describe("", file.error());
  EXPECT_EQ(file->bytes, bytes_);
  for (const ClipReport& clip : file->report.clips) {
    for (const TrackReport& track : clip.tracks) EXPECT_TRUE(track.is_kept);
  }
}

TEST_P(EditedFixture, WithTheNoiseOfAnotherToolIsTheSameBytes) {
  for (Clip& clip : bank_.clips) {
    for (const Track& track : clip.tracks) {
      if (track.channel != Channel::rotation) continue;
      for (std::size_t key = 0; key < track.keys.count; ++key) turn(clip, track, key, 1e-5);
    }
    clip.events.clear();
  }
  bank_.participants.clear();
  const auto file = mab_.with(bank_, {});
  ASSERT_TRUE(file) << describe("", file.error());
  EXPECT_EQ(file->bytes, bytes_);
}

TEST_P(EditedFixture, OneAnimatedJointChangesAlone) {
  const auto place = find_track(bank_, Channel::rotation, TrackKind::animated);
  if (!place) GTEST_SKIP() << "has no animated rotation";
  Bank edited = bank_;
  Clip& clip = edited.clips[place->clip];
  const Track& track = clip.tracks[place->track];
  for (std::size_t key = track.keys.count / 2; key < track.keys.count; ++key) {
    turn(clip, track, key, 10 * degree);
  }
  const auto file = mab_.with(edited, {});
  ASSERT_TRUE(file) << describe("", file.error());
  const ChunkedMab written = parsed(file->bytes);
  const Bank after = written.bank().value();
  EXPECT_EQ(changed_tracks(bank_, after), std::vector{name_of(*place)});
  const Clip& decoded = after.clips[place->clip];
  const Track& now = decoded.tracks[place->track];
  ASSERT_EQ(now.keys.count, track.keys.count);
  for (std::size_t key = 0; key < now.keys.count; ++key) {
    EXPECT_LE(
        motion::angle_between(decoded.rotation(now.keys, key), clip.rotation(track.keys, key)),
        0.0501 * degree);
  }
  // Laid out as a writer would: nothing but what follows from the track is new.
  EXPECT_EQ(written.rebuild().value(), file->bytes);
  EXPECT_EQ(written.diagnostics().size(), mab_.diagnostics().size());
}

/// Keys of a chunk that did not change keep their stored integers where the depth stays.
TEST_P(EditedFixture, OnlyTheChunkThatChangedHasNewBits) {
  const auto place = find_track(bank_, Channel::rotation, TrackKind::animated);
  if (!place || place->clip != 0) GTEST_SKIP() << "has no animated rotation in clip 0";
  Bank edited = bank_;
  Clip& clip = edited.clips[0];
  const Track& track = clip.tracks[place->track];
  turn(clip, track, track.keys.count - 1, 3 * degree);
  const auto file = mab_.with(edited, {});
  ASSERT_TRUE(file) << describe("", file.error());
  const Bank after = parsed(file->bytes).bank().value();
  const TrackReport& report =
      *std::find_if(file->report.clips[0].tracks.begin(), file->report.clips[0].tracks.end(),
                    [](const TrackReport& r) { return !r.is_kept; });
  const std::size_t last_chunk = (track.keys.count - 1) / 8 * 8;
  const auto before_values = bank_.clips[0].values_of(track.keys, Channel::rotation);
  const auto after_values =
      after.clips[0].values_of(after.clips[0].tracks[place->track].keys, Channel::rotation);
  const unsigned stored_bits = [&] {
    const auto same = mab_.with(bank_, {}).value();
    for (const TrackReport& r : same.report.clips[0].tracks) {
      if (r.joint == report.joint && r.channel == Channel::rotation) return r.bits;
    }
    return 0U;
  }();
  if (report.bits != stored_bits) GTEST_SKIP() << "the edit took a greater depth";
  EXPECT_TRUE(std::equal(before_values.begin(),
                         before_values.begin() + static_cast<long>(4 * last_chunk),
                         after_values.begin()));
}

TEST_P(EditedFixture, AConstantThatMovesBecomesAnimated) {
  const auto place = find_track(bank_, Channel::rotation, TrackKind::constant);
  if (!place) GTEST_SKIP() << "has no constant rotation";
  Bank edited = bank_;
  Clip& clip = edited.clips[place->clip];
  if (clip.duration < 0.2F) GTEST_SKIP() << "is too short to move";
  Track& track = clip.tracks[place->track];
  const Quat start = clip.rotation(track.keys, 0);
  const Quat end = multiply(start, about_x(20 * degree));
  track.kind = TrackKind::animated;
  track.keys = {clip.times.size(), clip.values.size(), 2};
  clip.times.insert(clip.times.end(), {0.0F, clip.duration});
  clip.values.insert(clip.values.end(),
                     {start.x, start.y, start.z, start.w, end.x, end.y, end.z, end.w});
  const auto file = mab_.with(edited, {});
  ASSERT_TRUE(file) << describe("", file.error());
  const ChunkedMab written = parsed(file->bytes);
  const Bank after = written.bank().value();
  EXPECT_EQ(changed_tracks(bank_, after), std::vector{name_of(*place)});
  const Clip& decoded = after.clips[place->clip];
  const Track& now = decoded.tracks[place->track];
  EXPECT_EQ(now.kind, TrackKind::animated);
  for (const float time : {0.0F, clip.duration / 3, clip.duration}) {
    EXPECT_LE(motion::angle_between(sample_rotation(decoded, now.keys, time),
                                    sample_rotation(clip, track.keys, time)),
              0.0501 * degree);
  }
  EXPECT_EQ(written.diagnostics().size(), mab_.diagnostics().size());
}

TEST_P(EditedFixture, ALongerClipHasNewKeysAndDuration) {
  Bank edited = bank_;
  Clip& clip = edited.clips[0];
  if (clip.tracks.empty()) GTEST_SKIP() << "has no tracks";
  const float longer = clip.duration + 0.5F;
  clip.duration = longer;
  const auto file = mab_.with(edited, {});
  ASSERT_TRUE(file) << describe("", file.error());
  const Bank after = parsed(file->bytes).bank().value();
  EXPECT_NEAR(after.clips[0].duration, longer, 0.5 / 30);
  ASSERT_EQ(after.clips[0].tracks.size(), bank_.clips[0].tracks.size());
  for (std::size_t t = 0; t < after.clips[0].tracks.size(); ++t) {
    const Track& was = bank_.clips[0].tracks[t];
    const Track& now = after.clips[0].tracks[t];
    if (was.channel != Channel::rotation) continue;
    for (const float time : bank_.clips[0].times_of(was.keys)) {
      EXPECT_LE(motion::angle_between(sample_rotation(bank_.clips[0], was.keys, time),
                                      sample_rotation(after.clips[0], now.keys, time)),
                0.0501 * degree);
    }
  }
}

/// A byte that nobody understands, in a place of every fixture: what is around it is edited, the
/// byte stays, and no reader of the file sees a difference but the edit.
TEST_P(EditedFixture, UnknownBytesStayAndOffsetsFollow) {
  const auto place = find_track(bank_, Channel::rotation, TrackKind::animated);
  if (!place) GTEST_SKIP() << "has no animated rotation";
  std::size_t tried = 0;
  for (const ByteRun& run : mab_.runs()) {
    if (run.kind != RunKind::padding || run.path == "tail") continue;
    auto odd_bytes = bytes_;
    odd_bytes[run.offset] = std::byte{0xA5};
    const auto odd = ChunkedMab::parse(odd_bytes, {});
    if (!odd) continue;
    const auto same = odd->with(bank_, {});
    ASSERT_TRUE(same) << describe(run.path, same.error());
    EXPECT_EQ(same->bytes, odd_bytes);
    ++tried;

    Bank edited = bank_;
    Clip& clip = edited.clips[place->clip];
    const Track& track = clip.tracks[place->track];
    EncodeOptions options;
    options.max_rotation_error = 1e-5;  // takes more bits, so that what follows moves
    for (std::size_t key = 0; key < track.keys.count; ++key) turn(clip, track, key, 5 * degree);
    auto file = odd->with(edited, options);
    if (!file) {
      options.max_rotation_error = 1e-3;
      file = odd->with(edited, options);
    }
    ASSERT_TRUE(file) << describe(run.path, file.error());
    const auto written = ChunkedMab::parse(file->bytes, {});
    ASSERT_TRUE(written) << describe(run.path, written.error());
    EXPECT_EQ(changed_tracks(bank_, written->bank().value()), std::vector{name_of(*place)});
    EXPECT_NE(std::find(file->bytes.begin(), file->bytes.end(), std::byte{0xA5}),
              file->bytes.end());
    // Events are looked for in unknown bytes only, so the list of runs has them all.
    const Bank after = written->bank().value();
    ASSERT_EQ(after.participants.size(), bank_.participants.size());
    for (std::size_t i = 0; i < after.participants.size(); ++i) {
      EXPECT_EQ(after.participants[i].name, bank_.participants[i].name);
      EXPECT_EQ(after.participants[i].clip, bank_.participants[i].clip);
    }
    ASSERT_EQ(after.clips[0].events.size(), bank_.clips[0].events.size());
  }
  if (tried == 0) GTEST_SKIP() << "has no padding";
}

TEST_P(EditedFixture, ReencodesWithinTheBoundAsANewFile) {
  const Game game = mab_.game();
  const bool needs_template = game == Game::fc4 || game == Game::fcp;
  const auto file = encode_mab(bank_, needs_template ? Game::fc5 : game, {});
  ASSERT_TRUE(file) << describe("", file.error());
  const auto clips = test::decode_chunked_plainly(file->bytes);
  ASSERT_EQ(clips.size(), bank_.clips.size());
  for (const ClipReport& report : file->report.clips) {
    EXPECT_LE(report.rotation.worst, EncodeOptions{}.max_rotation_error);
    EXPECT_LE(report.translation.worst, EncodeOptions{}.max_translation_error);
  }
  const double rate = game == Game::wd1 ? 120.0 : clips[0].frame_rate.value_or(30.0F);
  const auto errors = test::plain_errors(bank_.clips[0], clips[0], rate);
  EXPECT_LE(errors.rotation, EncodeOptions{}.max_rotation_error * 1.0001 + 2e-7);
  EXPECT_LE(errors.translation, EncodeOptions{}.max_translation_error * 1.0001 + 2e-7);
  // The new file is a template of its own.
  const ChunkedMab written = parsed(file->bytes);
  EXPECT_EQ(written.with(written.bank().value(), {})->bytes, file->bytes);
}

}  // namespace
}  // namespace mabkit
