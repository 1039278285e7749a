#include "mab/chunked_report.hpp"

#include <algorithm>

#include "motion/clip_error.hpp"

namespace mabkit::mab {

ClipReport report_clip(std::uint32_t position, const motion::SampledClip& source,
                       std::vector<TrackReport> tracks, const Clip& decoded,
                       const std::vector<std::optional<std::uint32_t>>& joint_in_decoded,
                       const ErrorMeasure& measure) {
  const motion::ClipErrors errors =
      motion::measure_errors(source, decoded, joint_in_decoded, measure.skeleton, measure.binding,
                             measure.vertex_distance);
  ClipReport report;
  report.clip = position;
  report.joints = static_cast<std::uint32_t>(decoded.joints.size());
  report.samples = static_cast<std::uint32_t>(source.ticks.size());
  report.rotation = errors.rotation;
  report.translation = errors.translation;
  report.object = errors.object;
  report.tracks = std::move(tracks);
  for (std::size_t i = 0; i < report.tracks.size(); ++i) {
    report.tracks[i].worst_error = errors.worst_of_track[i];
    report.keys = std::max(report.keys, report.tracks[i].keys);
  }
  return report;
}

std::vector<std::optional<std::uint32_t>> same_joints(const Clip& clip) {
  std::vector<std::optional<std::uint32_t>> same(clip.joints.size());
  for (std::uint32_t joint = 0; joint < same.size(); ++joint) same[joint] = joint;
  return same;
}

}  // namespace mabkit::mab
