#include "convert_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mabkit/file.hpp>

namespace mabkit::cli {
namespace {

constexpr double degrees_per_radian = 57.29577951308232;
constexpr double millimetres = 1e3;  // in a metre

Json unmatched_json(const UnmatchedJoint& joint) {
  return {{"joint", joint.joint},
          {"id", joint.id},
          {"hash", joint.hash ? Json(hash_text(*joint.hash)) : Json(nullptr)},
          {"name", json_or_null(joint.name)},
          {"near", joint.near_names}};
}

Json rig_json(const Conversion& conversion, const ConvertOptions& options) {
  if (!conversion.rig) return nullptr;
  Json out{{"file", path_json(options.rigs[conversion.rig->rig].file)},
           {"matched", conversion.rig->matched},
           {"unmatched", Json::array()}};
  for (const UnmatchedJoint& joint : conversion.rig->unmatched) {
    out["unmatched"].push_back(unmatched_json(joint));
  }
  return out;
}

Json retarget_json(const Conversion& conversion) {
  if (!conversion.retarget) return nullptr;
  return {{"file", path_json(conversion.retarget->rig)},
          {"matched", conversion.retarget->matched},
          {"left_out", conversion.retarget->left_out},
          {"scale", static_cast<float>(conversion.retarget->scale)}};
}

/// Where an error is worst, by joint and time. `scale` turns it into the unit of the report.
Json figures_json(const ErrorFigures& figures, double scale) {
  return {{"worst", static_cast<float>(figures.worst * scale)},
          {"percentile_99", static_cast<float>(figures.percentile_99 * scale)},
          {"joint", figures.joint},
          {"time", figures.time}};
}

Json track_json(const TrackReport& track) {
  const bool is_rotation = track.channel == Channel::rotation;
  return {{"joint", track.joint},
          {"channel", is_rotation ? "rotation" : "translation"},
          {"kind", track.kind == TrackKind::constant ? "constant" : "animated"},
          {"kept", track.is_kept},
          {"bits", track.bits},
          {"keys", track.keys},
          {"bytes", track.bytes},
          {"worst", static_cast<float>(track.worst_error *
                                       (is_rotation ? degrees_per_radian : millimetres))}};
}

Json encoding_json(const Conversion& conversion) {
  if (!conversion.encoding) return nullptr;
  Json clips = Json::array();
  for (const ClipReport& clip : conversion.encoding->clips) {
    Json tracks = Json::array();
    for (const TrackReport& track : clip.tracks) tracks.push_back(track_json(track));
    clips.push_back({{"clip", clip.clip},
                     {"joints", clip.joints},
                     {"joint_names", clip.joint_names},
                     {"samples", clip.samples},
                     {"keys", clip.keys},
                     {"rotation_degrees", figures_json(clip.rotation, degrees_per_radian)},
                     {"translation_mm", figures_json(clip.translation, millimetres)},
                     {"object_mm", clip.object ? figures_json(*clip.object, millimetres) : nullptr},
                     {"tracks", std::move(tracks)}});
  }
  return {{"bytes", conversion.encoding->bytes}, {"clips", std::move(clips)}};
}

/// `; worst 0.098 mm (LeftHand, 3.2 s), 99 % below 0.07 mm; 2 of 60 tracks encoded`.
std::string encoding_text(const EncodeReport& report) {
  if (report.clips.empty()) return {};
  const ClipReport& clip = report.clips.front();
  std::string text = fmt::format("; {} keys in {} bytes", clip.keys, report.bytes);
  if (clip.object) {
    const std::uint32_t joint = clip.object->joint;
    text += fmt::format(", worst error {:.3g} mm ({}, {:.3g} s), 99 % within {:.3g} mm",
                        clip.object->worst * millimetres,
                        joint < clip.joint_names.size() ? clip.joint_names[joint] : "no joint",
                        clip.object->time, clip.object->percentile_99 * millimetres);
  } else {
    text +=
        fmt::format(", worst error {:.3g} degrees and {:.3g} mm",
                    clip.rotation.worst * degrees_per_radian, clip.translation.worst * millimetres);
  }
  std::size_t tracks = 0;
  std::size_t kept = 0;
  for (const ClipReport& of : report.clips) {
    tracks += of.tracks.size();
    kept += static_cast<std::size_t>(
        std::count_if(of.tracks.begin(), of.tracks.end(),
                      [](const TrackReport& track) { return track.is_kept; }));
  }
  if (kept > 0) text += fmt::format("; {} of {} tracks kept their bits", kept, tracks);
  return text;
}

Json outputs_json(const FileOutcome& outcome) {
  Json out = Json::array();
  for (const WrittenFile& file : outcome.outputs) {
    out.push_back(Json{{"path", path_json(file.path)}, {"size", file.size}});
  }
  return out;
}

void add_conversion(Json& out, const Conversion& conversion, const ConvertOptions& options) {
  out["game"] = conversion.game ? Json(short_name(*conversion.game)) : Json(nullptr);
  out["clips"] = conversion.clips;
  out["joints"] = conversion.joints;
  out["keys"] = conversion.keys;
  out["duration"] = conversion.duration;
  out["rig"] = rig_json(conversion, options);
  out["retarget"] = retarget_json(conversion);
  out["encoding"] = encoding_json(conversion);
  for (const Diagnostic& notice : conversion.notices) {
    out["notices"].push_back(diagnostic_json(notice));
  }
  for (const Diagnostic& warning : conversion.warnings) {
    out["warnings"].push_back(diagnostic_json(warning));
  }
}

}  // namespace

std::string outcome_line(const FileOutcome& outcome, const ConvertOptions& options,
                         bool is_dry_run) {
  std::string outputs;
  for (const WrittenFile& file : outcome.outputs) {
    outputs += fmt::format("{}{}", outputs.empty() ? "" : ", ", path_text(file.path));
  }
  const Conversion& conversion = *outcome.conversion;
  std::string line = fmt::format(
      "{}{} -> {} ({}, {} joints, {} keys, {:.7g} s", is_dry_run ? "would write: " : "",
      path_text(outcome.input), outputs, conversion.game ? short_name(*conversion.game) : "no game",
      conversion.joints, conversion.keys, conversion.duration);
  if (conversion.rig) {
    line += fmt::format("; {} of {} joints in {}", conversion.rig->matched, conversion.rig->joints,
                        path_text(options.rigs[conversion.rig->rig].file.filename()));
  }
  if (conversion.retarget) {
    line += fmt::format("; {} joints carried over to {}", conversion.retarget->matched,
                        path_text(conversion.retarget->rig.filename()));
  }
  if (conversion.encoding) line += encoding_text(*conversion.encoding);
  return line + ")";
}

void ConvertReport::add(const FileOutcome& outcome) {
  ++(outcome.error ? failed_ : done_);
  if (!has_text_) return;
  Json file{{"input", path_json(outcome.input)},
            {"status", outcome.error ? "failed" : "done"},
            {"outputs", outputs_json(outcome)},
            {"game", nullptr},
            {"clips", nullptr},
            {"joints", nullptr},
            {"keys", nullptr},
            {"duration", nullptr},
            {"rig", nullptr},
            {"retarget", nullptr},
            {"encoding", nullptr},
            {"notices", Json::array()},
            {"warnings", Json::array()},
            {"error", error_json(outcome.error)},
            {"error_file", outcome.error ? path_json(outcome.error_file) : Json(nullptr)}};
  if (outcome.conversion) add_conversion(file, *outcome.conversion, options_);
  if (!file["warnings"].empty()) ++warned_;
  files_.push_back(std::move(file));
}

std::string ConvertReport::text() const {
  if (!has_text_) return {};
  const Json report{{"schema", "mabkit.convert/1"},
                    {"summary", {{"done", done_}, {"failed", failed_}, {"with_warnings", warned_}}},
                    {"files", files_}};
  return dump(report) + "\n";
}

}  // namespace mabkit::cli
