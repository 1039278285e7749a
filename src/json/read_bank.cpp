#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <mabkit/json.hpp>
#include <utility>

#include "base/allocation.hpp"
#include "base/base64.hpp"
#include "base/json_document.hpp"
#include "json/fields.hpp"
#include "motion/hierarchy.hpp"

namespace mabkit {
namespace json {
namespace {

constexpr std::string_view schema_name = "mabkit.bank/1";
/// Document, clips, clip, tracks, track, values, value: 7 levels, and room for keys of others.
constexpr std::size_t deepest = 16;

using Step = Result<void>;

class BankReader {
 public:
  explicit BankReader(const ReadLimits& limits) : limits_(limits) {}

  Result<ImportedMotion> read(const Document& document) && {
    const Place place;
    if (auto checked = check_schema(document, place); !checked) {
      return tl::unexpected(checked.error());
    }
    Fields fields(document, place, {"schema", "format", "game", "clips", "participants"},
                  out_.notices);
    out_.bank.format = "json";
    fields.read("format", out_.bank.format);
    std::optional<std::string> game;
    fields.read("game", game);
    const Document* const clips = fields.list("clips");
    const Document* const participants = fields.list("participants");
    if (fields.problem()) return tl::unexpected(*fields.problem());
    if (game) {
      out_.bank.game = game_from_name(*game);
      if (!out_.bank.game) {
        return error(ErrorCode::bad_value, Place(place, "game"),
                     fmt::format("\"{}\" is no game that mabkit knows", *game));
      }
    }
    if (auto read = read_participants(participants, place); !read) {
      return tl::unexpected(read.error());
    }
    if (auto read = read_clips(clips, place); !read) return tl::unexpected(read.error());
    for (std::size_t i = 0; i < out_.bank.participants.size(); ++i) {
      const auto clip = out_.bank.participants[i].clip;
      if (clip && *clip >= out_.bank.clips.size()) {
        return error(ErrorCode::out_of_range, Place(Place(Place(place, "participants"), i), "clip"),
                     fmt::format("there is no clip {}", *clip));
      }
    }
    return std::move(out_);
  }

 private:
  static Step check_schema(const Document& document, const Place& place) {
    const auto schema = document.is_object() ? document.find("schema") : document.end();
    if (schema == document.end()) {
      return error(ErrorCode::unknown_format, place,
                   fmt::format(R"(is no bank: "schema" is not "{}")", schema_name));
    }
    if (!schema->is_string() || schema->get_ref<const std::string&>() != schema_name) {
      return error(ErrorCode::unknown_format, Place(place, "schema"),
                   fmt::format("is not \"{}\"", schema_name));
    }
    return {};
  }

  Step check_count(std::size_t count, std::size_t limit, const Place& place) const {
    if (count <= limit) return {};
    return error(ErrorCode::limit, place,
                 fmt::format("has {} entries, more than the limit of {}", count, limit));
  }

  Step read_participants(const Document* list, const Place& document) {
    if (list == nullptr) return {};
    const Place place(document, "participants");
    for (std::size_t i = 0; i < list->size(); ++i) {
      auto participant = read_participant((*list)[i], Place(place, i));
      if (!participant) return tl::unexpected(participant.error());
      out_.bank.participants.push_back(std::move(*participant));
    }
    return {};
  }

  Result<Participant> read_participant(const Document& json, const Place& place) {
    Fields fields(
        json, place,
        {"kind", "start", "end", "child", "parent", "target", "name", "reference", "clip"},
        out_.notices);
    Participant out;
    fields.read("kind", out.kind);
    fields.read("start", out.start);
    fields.read("end", out.end);
    fields.read_hash("child", out.child);
    fields.read_hash("parent", out.parent);
    fields.read_hash("target", out.target);
    fields.read("name", out.name);
    fields.read("reference", out.reference);
    fields.read("clip", out.clip);
    if (fields.problem()) return tl::unexpected(*fields.problem());
    return out;
  }

  Step read_clips(const Document* list, const Place& document) {
    const Place place(document, "clips");
    if (list == nullptr || list->empty()) {
      return error(ErrorCode::bad_value, place, "there is no clip");
    }
    if (auto checked = check_count(list->size(), limits_.max_clips, place); !checked)
      return checked;
    for (std::size_t i = 0; i < list->size(); ++i) {
      if (auto read = read_clip((*list)[i], Place(place, i)); !read) return read;
    }
    return {};
  }

  Step read_clip(const Document& json, const Place& place) {
    Fields fields(json, place,
                  {"name", "parent", "duration", "frame_rate", "joints", "tracks", "root_motion",
                   "events", "participant"},
                  out_.notices);
    Clip clip;
    fields.read("name", clip.name);
    fields.read("parent", clip.parent);
    fields.read("frame_rate", clip.frame_rate);
    const Document* const joints = fields.list("joints");
    const Document* const tracks = fields.list("tracks");
    const Document* const root_motion = fields.find("root_motion");
    const Document* const events = fields.list("events");
    const Document* const participant = fields.find("participant");
    const bool has_duration = !fields.problem() && json.contains("duration");
    fields.read("duration", clip.duration);
    if (fields.problem()) return tl::unexpected(*fields.problem());

    if (auto read = read_joints(joints, clip, Place(place, "joints")); !read) return read;
    if (auto read = read_tracks(tracks, clip, Place(place, "tracks")); !read) return read;
    if (root_motion != nullptr) {
      if (auto read = read_root_motion(*root_motion, clip, Place(place, "root_motion")); !read) {
        return read;
      }
    }
    if (auto read = read_events(events, clip, Place(place, "events")); !read) return read;
    if (participant != nullptr) {
      if (auto read = find_participant(*participant, clip, Place(place, "participant")); !read) {
        return read;
      }
    }
    if (!has_duration) clip.duration = last_time(clip);
    out_.bank.clips.push_back(std::move(clip));
    return {};
  }

  static float last_time(const Clip& clip) {
    float last = 0.0F;
    for (const float time : clip.times) last = time > last ? time : last;
    return last;
  }

  Step read_joints(const Document* list, Clip& clip, const Place& place) {
    if (list == nullptr) return {};
    if (auto checked = check_count(list->size(), limits_.max_joints, place); !checked) {
      return checked;
    }
    std::vector<std::optional<std::uint32_t>> parents;
    for (std::size_t i = 0; i < list->size(); ++i) {
      const Place at(place, i);
      Fields fields((*list)[i], at, {"id", "hash", "name", "parent"}, out_.notices);
      Joint joint;
      joint.id = static_cast<std::uint32_t>(i);
      fields.read("id", joint.id);
      fields.read_hash("hash", joint.name_hash);
      fields.read("name", joint.name);
      fields.read("parent", joint.parent);
      if (fields.problem()) return tl::unexpected(*fields.problem());
      if (joint.parent && *joint.parent >= list->size()) {
        return error(ErrorCode::out_of_range, Place(at, "parent"),
                     fmt::format("is {}, and there are {} joints", *joint.parent, list->size()));
      }
      parents.push_back(joint.parent);
      clip.joints.push_back(std::move(joint));
    }
    if (const auto rootless = motion::first_rootless(parents)) {
      return error(ErrorCode::inconsistent, Place(Place(place, *rootless), "parent"),
                   "its chain of parents is a cycle");
    }
    return {};
  }

  Step read_tracks(const Document* list, Clip& clip, const Place& place) {
    if (list == nullptr) return {};
    for (std::size_t i = 0; i < list->size(); ++i) {
      const Place at(place, i);
      Fields fields((*list)[i], at, {"joint", "channel", "kind", "times", "values"}, out_.notices);
      std::optional<std::uint32_t> joint;
      std::string channel;
      std::string kind;
      fields.read("joint", joint);
      fields.read("channel", channel);
      fields.read("kind", kind);
      const Document* const times = fields.list("times");
      const Document* const values = fields.list("values");
      if (fields.problem()) return tl::unexpected(*fields.problem());
      if (!joint || *joint >= clip.joints.size()) {
        return error(ErrorCode::out_of_range, Place(at, "joint"),
                     fmt::format("is none of the {} joints", clip.joints.size()));
      }
      if (channel != "rotation" && channel != "translation") {
        return error(ErrorCode::bad_value, Place(at, "channel"),
                     R"(is neither "rotation" nor "translation")");
      }
      if (!kind.empty() && kind != "constant" && kind != "animated") {
        return error(ErrorCode::bad_value, Place(at, "kind"),
                     R"(is neither "constant" nor "animated")");
      }
      Track track;
      track.joint = *joint;
      track.channel = channel == "rotation" ? Channel::rotation : Channel::translation;
      const auto keys = read_keys(times, values, track.channel, clip, at);
      if (!keys) return tl::unexpected(keys.error());
      track.keys = *keys;
      const bool is_constant = kind == "constant" || (kind.empty() && keys->count == 1);
      track.kind = is_constant ? TrackKind::constant : TrackKind::animated;
      clip.tracks.push_back(track);
    }
    return {};
  }

  /// Appends the keys of a curve to the clip's buffers.
  Result<Keys> read_keys(const Document* times, const Document* values, Channel channel, Clip& clip,
                         const Place& place) {
    const Place times_place(place, "times");
    const Place values_place(place, "values");
    if (times == nullptr || times->empty()) {
      return error(ErrorCode::bad_value, times_place, "has no keys");
    }
    if (auto checked = check_count(times->size(), limits_.max_keys, times_place); !checked) {
      return tl::unexpected(checked.error());
    }
    if (values == nullptr || values->size() != times->size()) {
      return error(ErrorCode::inconsistent, values_place,
                   fmt::format("has {} entries for {} times",
                               values == nullptr ? 0 : values->size(), times->size()));
    }
    Keys keys{clip.times.size(), clip.values.size(), static_cast<std::uint32_t>(times->size())};
    for (std::size_t i = 0; i < times->size(); ++i) {
      const float time = number((*times)[i]).value_or(std::numeric_limits<float>::quiet_NaN());
      const bool rises = i == 0 ? !std::isnan(time) : time > clip.times.back();
      if (!rises) {
        return error(ErrorCode::bad_value, Place(times_place, i),
                     "is no time later than the one before");
      }
      clip.times.push_back(time);
    }
    bool is_finite = true;
    for (std::size_t i = 0; i < values->size(); ++i) {
      const Document& value = (*values)[i];
      const std::size_t width = value_width(channel);
      bool is_lawful = value.is_array() && value.size() == width;
      for (std::size_t j = 0; is_lawful && j < width; ++j) {
        const std::optional<float> component = number(value[j]);
        is_lawful = component.has_value();
        clip.values.push_back(component.value_or(0.0F));
        is_finite = is_finite && std::isfinite(clip.values.back());
      }
      if (!is_lawful) {
        return error(ErrorCode::bad_value, Place(values_place, i),
                     fmt::format("is not a list of {} numbers", width));
      }
    }
    if (!is_finite) {
      add_notice(out_.notices, values_place, "has a null: a number without a value");
    }
    return keys;
  }

  Step read_root_motion(const Document& json, Clip& clip, const Place& place) {
    Fields fields(json, place, {"translation", "rotation", "reference", "loop"}, out_.notices);
    RootMotion motion;
    fields.read("reference", motion.reference);
    fields.read("loop", motion.loop);
    const Document* const translation = fields.find("translation");
    const Document* const rotation = fields.find("rotation");
    if (fields.problem()) return tl::unexpected(*fields.problem());
    const auto read = [&](const Document* curve, std::string_view key, Channel channel,
                          std::optional<Keys>& out) -> Step {
      if (curve == nullptr) return {};
      const Place at(place, key);
      Fields curve_fields(*curve, at, {"times", "values"}, out_.notices);
      const Document* const times = curve_fields.list("times");
      const Document* const values = curve_fields.list("values");
      if (curve_fields.problem()) return tl::unexpected(*curve_fields.problem());
      const auto keys = read_keys(times, values, channel, clip, at);
      if (!keys) return tl::unexpected(keys.error());
      out = *keys;
      return {};
    };
    if (auto done = read(translation, "translation", Channel::translation, motion.translation);
        !done) {
      return done;
    }
    if (auto done = read(rotation, "rotation", Channel::rotation, motion.rotation); !done) {
      return done;
    }
    clip.root_motion = motion;
    return {};
  }

  Step read_events(const Document* list, Clip& clip, const Place& place) {
    if (list == nullptr) return {};
    for (std::size_t i = 0; i < list->size(); ++i) {
      const Place at(place, i);
      Fields fields((*list)[i], at, {"time", "type", "class", "payload_size", "payload"},
                    out_.notices);
      Event event;
      std::optional<std::string> payload;
      std::optional<std::uint32_t> size;
      fields.read("time", event.time);
      fields.read("type", event.type);
      fields.read("class", event.class_name);
      fields.read("payload", payload);
      fields.read("payload_size", size);
      if (fields.problem()) return tl::unexpected(*fields.problem());
      if (payload) {
        auto bytes = base::from_base64(*payload);
        if (!bytes) return error(ErrorCode::bad_value, Place(at, "payload"), "is no base64");
        event.payload = std::move(*bytes);
        if (size && *size != event.payload.size()) {
          return error(
              ErrorCode::inconsistent, Place(at, "payload_size"),
              fmt::format("is {}, but the payload has {} bytes", *size, event.payload.size()));
        }
      } else if (size.value_or(0) != 0) {
        add_notice(out_.notices, Place(at, "payload"),
                   fmt::format("is absent: its {} bytes are lost", *size));
      }
      clip.events.push_back(std::move(event));
    }
    return {};
  }

  /// A clip repeats its participant's record; the bank has it once.
  Step find_participant(const Document& json, Clip& clip, const Place& place) {
    auto own = read_participant(json, place);
    if (!own) return tl::unexpected(own.error());
    const auto position = static_cast<std::uint32_t>(out_.bank.clips.size());
    auto& participants = out_.bank.participants;
    for (std::uint32_t i = 0; i < participants.size(); ++i) {
      if (!is_same(participants[i], *own)) continue;
      clip.participant = i;
      return {};
    }
    if (!own->clip) own->clip = position;
    clip.participant = static_cast<std::uint32_t>(participants.size());
    participants.push_back(std::move(*own));
    return {};
  }

  /// Two times that are not finite are the same.
  static bool is_same(const Participant& a, const Participant& b) {
    const auto same = [](float x, float y) { return x == y || (std::isnan(x) && std::isnan(y)); };
    return a.kind == b.kind && same(a.start, b.start) && same(a.end, b.end) && a.name == b.name &&
           a.child == b.child && a.parent == b.parent && a.target == b.target &&
           a.reference == b.reference && a.clip == b.clip;
  }

  const ReadLimits& limits_;
  ImportedMotion out_;
};

Result<ImportedMotion> read(std::span<const std::byte> bytes, const ReadLimits& limits) {
  if (bytes.size() > limits.max_file_size) {
    return error(
        ErrorCode::limit, Place(),
        fmt::format("has {} bytes, more than the limit of {}", bytes.size(), limits.max_file_size));
  }
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const auto document =
      base::parse_json<Document>(text, {deepest, base::DeepValues::refused,
                                        limits.max_decoded_bytes, base::RepeatedMembers::refused});
  if (!document) return tl::unexpected(document.error());
  return BankReader(limits).read(*document);
}

}  // namespace
}  // namespace json

Result<ImportedMotion> read_json(std::span<const std::byte> bytes, const ImportOptions& options) {
  return base::with_allocation_errors([&] { return json::read(bytes, options.limits); });
}

}  // namespace mabkit
