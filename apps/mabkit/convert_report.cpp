#include "convert_report.hpp"

#include <fmt/format.h>

#include <mabkit/file.hpp>

namespace mabkit::cli {
namespace {

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

Json outputs_json(const FileOutcome& outcome) {
  Json out = Json::array();
  for (const WrittenFile& file : outcome.outputs) {
    out.push_back(Json{{"path", path_json(file.path)}, {"size", file.size}});
  }
  return out;
}

void add_conversion(Json& out, const Conversion& conversion, const ConvertOptions& options) {
  out["game"] = short_name(conversion.game);
  out["clips"] = conversion.clips;
  out["joints"] = conversion.joints;
  out["keys"] = conversion.keys;
  out["duration"] = conversion.duration;
  out["rig"] = rig_json(conversion, options);
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
  std::string line =
      fmt::format("{}{} -> {} ({}, {} joints, {} keys, {:.7g} s", is_dry_run ? "would write: " : "",
                  path_text(outcome.input), outputs, short_name(conversion.game), conversion.joints,
                  conversion.keys, conversion.duration);
  if (conversion.rig) {
    line += fmt::format("; {} of {} joints in {}", conversion.rig->matched, conversion.rig->joints,
                        path_text(options.rigs[conversion.rig->rig].file.filename()));
  }
  return line + ")";
}

void ConvertReport::add(const FileOutcome& outcome) {
  ++(outcome.error ? failed_ : done_);
  Json file{{"input", path_json(outcome.input)},
            {"status", outcome.error ? "failed" : "done"},
            {"outputs", outputs_json(outcome)},
            {"game", nullptr},
            {"clips", nullptr},
            {"joints", nullptr},
            {"keys", nullptr},
            {"duration", nullptr},
            {"rig", nullptr},
            {"warnings", Json::array()},
            {"error", error_json(outcome.error)},
            {"error_file", outcome.error ? path_json(outcome.error_file) : Json(nullptr)}};
  if (outcome.conversion) add_conversion(file, *outcome.conversion, options_);
  if (!file["warnings"].empty()) ++warned_;
  files_.push_back(std::move(file));
}

std::string ConvertReport::text() const {
  const Json report{{"schema", "mabkit.convert/1"},
                    {"summary", {{"done", done_}, {"failed", failed_}, {"with_warnings", warned_}}},
                    {"files", files_}};
  return dump(report) + "\n";
}

}  // namespace mabkit::cli
