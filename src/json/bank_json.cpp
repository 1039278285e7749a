#include <mabkit/json.hpp>
#include <mabkit/names.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/base64.hpp"

namespace mabkit {
namespace {

/// Ordered keys, and `float` numbers: the shortest text that reads back to the same float.
using Json = nlohmann::basic_json<nlohmann::ordered_map, std::vector, std::string, bool,
                                  std::int64_t, std::uint64_t, float>;

template <class T>
Json optional(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json optional_hash(const std::optional<std::uint32_t>& hash) {
  return hash ? Json(hash_text(*hash)) : Json(nullptr);
}

Json quaternion(const Quat& q) {
  return Json::array({q.x, q.y, q.z, q.w});
}

void add_keys(Json& out, const Clip& clip, const Keys& keys, Channel channel) {
  const auto times = clip.times_of(keys);
  out["times"] = Json::array();
  for (const float time : times) out["times"].push_back(time);

  const std::size_t width = value_width(channel);
  const auto values = clip.values_of(keys, channel);
  out["values"] = Json::array();
  for (std::size_t first = 0; first < values.size(); first += width) {
    Json value = Json::array();
    for (const float component : values.subspan(first, width)) value.push_back(component);
    out["values"].push_back(std::move(value));
  }
}

Json joint_json(const Joint& joint) {
  return {{"id", joint.id},
          {"hash", optional_hash(joint.name_hash)},
          {"name", optional(joint.name)},
          {"parent", optional(joint.parent)}};
}

Json track_json(const Clip& clip, const Track& track) {
  Json out{{"joint", track.joint},
           {"channel", track.channel == Channel::rotation ? "rotation" : "translation"},
           {"kind", track.kind == TrackKind::constant ? "constant" : "animated"}};
  add_keys(out, clip, track.keys, track.channel);
  return out;
}

Json root_channel(const Clip& clip, const std::optional<Keys>& keys, Channel channel) {
  if (!keys) return nullptr;
  Json out = Json::object();
  add_keys(out, clip, *keys, channel);
  return out;
}

Json root_motion_json(const Clip& clip) {
  if (!clip.root_motion) return nullptr;
  const RootMotion& motion = *clip.root_motion;
  return {{"translation", root_channel(clip, motion.translation, Channel::translation)},
          {"rotation", root_channel(clip, motion.rotation, Channel::rotation)},
          {"reference", motion.reference ? quaternion(*motion.reference) : Json(nullptr)},
          {"loop", motion.loop ? quaternion(*motion.loop) : Json(nullptr)}};
}

Json event_json(const Event& event) {
  return {{"time", event.time},
          {"type", optional(event.type)},
          {"class", optional(event.class_name)},
          {"payload_size", event.payload.size()},
          {"payload", base::base64(event.payload)}};
}

Json participant_json(const Participant& participant) {
  return {{"kind", participant.kind},
          {"start", participant.start},
          {"end", participant.end},
          {"child", hash_text(participant.child)},
          {"parent", hash_text(participant.parent)},
          {"target", hash_text(participant.target)},
          {"name", optional(participant.name)},
          {"reference", optional(participant.reference)},
          {"clip", optional(participant.clip)}};
}

/// Text that is not UTF-8 comes from files that strangers made: it is replaced, not refused.
std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// A list with one entry a line, so that a text diff shows the track that changed.
template <class Range, class Function>
void write_list(std::string& out, std::string_view key, const Range& range, Function&& entry) {
  out.append("\"").append(key).append("\":[");
  bool is_first = true;
  for (const auto& item : range) {
    out.append(is_first ? "\n  " : ",\n  ").append(dump(entry(item)));
    is_first = false;
  }
  out.append("]");
}

void write_clip(std::string& out, const Bank& bank, const Clip& clip) {
  out.append("\n {\"name\":").append(dump(optional(clip.name)));
  out.append(",\"parent\":").append(dump(optional(clip.parent)));
  out.append(",\"duration\":").append(dump(clip.duration));
  out.append(",\"frame_rate\":").append(dump(clip.frame_rate)).append(",\n ");
  write_list(out, "joints", clip.joints, joint_json);
  out.append(",\n ");
  write_list(out, "tracks", clip.tracks,
             [&](const Track& track) { return track_json(clip, track); });
  out.append(",\n \"root_motion\":").append(dump(root_motion_json(clip))).append(",\n ");
  write_list(out, "events", clip.events, event_json);
  out.append(",\n \"participant\":");
  out.append(clip.participant ? dump(participant_json(bank.participants[*clip.participant]))
                              : "null");
  out.append("}");
}

}  // namespace

std::string write_json(const Bank& bank) {
  std::string out = R"({"schema":"mabkit.bank/1","format":)";
  out.append(dump(Json(bank.format)));
  out.append(",\"game\":");
  out.append(bank.game ? dump(Json(std::string(short_name(*bank.game)))) : "null");
  out.append(",\n\"clips\":[");
  for (const Clip& clip : bank.clips) {
    if (&clip != &bank.clips.front()) out.append(",");
    write_clip(out, bank, clip);
  }
  out.append("],\n");
  write_list(out, "participants", bank.participants, participant_json);
  out.append("}\n");
  return out;
}

}  // namespace mabkit
