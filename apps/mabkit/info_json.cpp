#include "file_info.hpp"

namespace mabkit::cli {
namespace {

Json hash_json(std::uint32_t hash, const NameDictionary& names) {
  const auto name = names.find(hash);
  return {{"hash", hash_text(hash)}, {"name", name ? Json(std::string(*name)) : Json(nullptr)}};
}

Json census_json(const JointCensus& census) {
  return {{"constant_rotations", census.constant_rotations},
          {"animated_rotations", census.animated_rotations},
          {"constant_translations", census.constant_translations},
          {"animated_translations", census.animated_translations},
          {"undriven", census.undriven}};
}

Json section_json(const SectionSummary& section) {
  return {{"name", section.name},
          {"index", section.index},
          {"offset", section.offset},
          {"size", section.size},
          {"entries", section.entries}};
}

Json quaternion_json(const std::optional<Quat>& q) {
  return q ? Json::array({q->x, q->y, q->z, q->w}) : Json(nullptr);
}

Json root_motion_json(const std::optional<RootMotion>& motion) {
  if (!motion) return nullptr;
  const auto count = [](const std::optional<Keys>& keys) {
    return keys ? Json(keys->count) : Json(nullptr);
  };
  return {{"translation_keys", count(motion->translation)},
          {"rotation_keys", count(motion->rotation)},
          {"reference", quaternion_json(motion->reference)},
          {"loop", quaternion_json(motion->loop)}};
}

Json event_json(const Event& event) {
  return {{"time", event.time},
          {"type", json_or_null(event.type)},
          {"class", json_or_null(event.class_name)},
          {"payload_size", event.payload.size()}};
}

Json participant_json(const Participant& participant, const NameDictionary& names) {
  return {{"kind", participant.kind},
          {"start", participant.start},
          {"end", participant.end},
          {"name", json_or_null(participant.name)},
          {"reference", json_or_null(participant.reference)},
          {"child", hash_json(participant.child, names)},
          {"parent", hash_json(participant.parent, names)},
          {"target", hash_json(participant.target, names)},
          {"clip", json_or_null(participant.clip)}};
}

Json clip_json(const ClipSummary& summary, const Clip* clip) {
  Json out{{"name", json_or_null(summary.name)},
           {"parent", clip != nullptr ? json_or_null(clip->parent) : Json(nullptr)},
           {"offset", summary.offset},
           {"size", summary.size},
           {"joints", summary.joints},
           {"keys", summary.keys},
           {"duration", summary.duration},
           {"frame_rate", summary.frame_rate},
           {"census", census_json(summary.census)},
           {"sections", Json::array()},
           {"root_motion", clip != nullptr ? root_motion_json(clip->root_motion) : Json(nullptr)},
           {"events", Json::array()}};
  for (const SectionSummary& section : summary.sections) {
    out["sections"].push_back(section_json(section));
  }
  if (clip == nullptr) return out;
  for (const Event& event : clip->events) out["events"].push_back(event_json(event));
  return out;
}

Json run_json(const ByteRun& run) {
  return {{"offset", run.offset},
          {"size", run.size},
          {"kind", run_kind_name(run.kind)},
          {"path", run.path},
          {"value", run.value}};
}

void add_summary(Json& out, const FileInfo& info, const NameDictionary& names) {
  const FileSummary& summary = info.summary;
  out["format"] = summary.format;
  out["family"] = summary.family;
  if (summary.game) {
    out["game"] = short_name(*summary.game);
    out["game_name"] = display_name(*summary.game);
  }
  if (!summary.inferred.empty()) out["inferred"] = summary.inferred;
  if (!summary.presence_order.empty()) out["presence_order"] = summary.presence_order;
  for (std::size_t i = 0; i < summary.clips.size(); ++i) {
    const bool is_decoded = info.bank && i < info.bank->clips.size();
    out["clips"].push_back(
        clip_json(summary.clips[i], is_decoded ? &info.bank->clips[i] : nullptr));
  }
  if (!info.bank) return;
  for (const Participant& participant : info.bank->participants) {
    out["participants"].push_back(participant_json(participant, names));
  }
}

}  // namespace

Json info_json(const FileInfo& info, const NameDictionary& names, bool with_runs) {
  Json out{{"file", path_json(info.file)},
           {"size", info.size},
           {"format", nullptr},
           {"family", nullptr},
           {"game", nullptr},
           {"game_name", nullptr},
           {"inferred", nullptr},
           {"presence_order", nullptr},
           {"clips", Json::array()},
           {"participants", Json::array()},
           {"warnings", Json::array()},
           {"error", error_json(info.error)}};
  if (info.is_readable) add_summary(out, info, names);
  for (const Diagnostic& found : info.diagnostics)
    out["warnings"].push_back(diagnostic_json(found));
  if (!with_runs) return out;
  out["runs"] = Json::array();
  for (const ByteRun& run : info.runs) out["runs"].push_back(run_json(run));
  return out;
}

}  // namespace mabkit::cli
