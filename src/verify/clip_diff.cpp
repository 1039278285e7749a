#include "verify/clip_diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mabkit/names.hpp>
#include <map>
#include <numbers>
#include <utility>

#include "verify/curve_diff.hpp"

namespace mabkit::verification {
namespace {

/// What identifies a joint across files: its hash where it has one, else its id.
using JointKey = std::pair<bool, std::uint32_t>;

JointKey key_of(const Joint& joint) {
  return joint.name_hash ? JointKey{true, *joint.name_hash} : JointKey{false, joint.id};
}

std::string text_of(const Joint& joint) {
  if (joint.name) return *joint.name;
  if (joint.name_hash) return hash_text(*joint.name_hash);
  return fmt::format("#{}", joint.id);
}

/// The curves that drive each joint of a clip.
struct JointCurves {
  std::optional<Keys> rotation;
  std::optional<Keys> translation;
};

std::vector<JointCurves> curves_by_joint(const Clip& clip) {
  std::vector<JointCurves> curves(clip.joints.size());
  for (const Track& track : clip.tracks) {
    JointCurves& joint = curves[track.joint];
    (track.channel == Channel::rotation ? joint.rotation : joint.translation) = track.keys;
  }
  return curves;
}

std::map<JointKey, std::uint32_t> joints_by_key(const Clip& clip) {
  std::map<JointKey, std::uint32_t> joints;
  for (std::uint32_t i = 0; i < clip.joints.size(); ++i) joints.emplace(key_of(clip.joints[i]), i);
  return joints;
}

void raise(WorstDifference& worst, std::string& worst_joint, const WorstDifference& candidate,
           const std::string& joint) {
  if (candidate.amount <= worst.amount) return;
  worst = candidate;
  worst_joint = joint;
}

/// Compares the joints that both clips have.
class JointComparison {
 public:
  JointComparison(const Clip& a, const Clip& b, const DiffOptions& options, ClipDifference& out)
      : a_(a),
        b_(b),
        options_(options),
        out_(out),
        curves_a_(curves_by_joint(a)),
        curves_b_(curves_by_joint(b)) {}

  void compare(std::uint32_t joint_a, std::uint32_t joint_b) {
    const JointCurves& a = curves_a_[joint_a];
    const JointCurves& b = curves_b_[joint_b];
    JointDifference found;
    found.name = text_of(a_.joints[joint_a]);
    if (const auto worst =
            worst_difference({a_, a.rotation}, {b_, b.rotation}, Channel::rotation)) {
      found.angle = *worst;
    }
    if (const auto worst =
            worst_difference({a_, a.translation}, {b_, b.translation}, Channel::translation)) {
      found.distance = *worst;
    }
    remark_on_keys(found.remarks, "rotation", {a_, a.rotation}, {b_, b.rotation},
                   options_.max_time);
    remark_on_keys(found.remarks, "translation", {a_, a.translation}, {b_, b.translation},
                   options_.max_time);

    ++out_.compared_joints;
    raise(out_.worst_angle, out_.worst_angle_joint, found.angle, found.name);
    raise(out_.worst_distance, out_.worst_distance_joint, found.distance, found.name);
    if (!found.remarks.empty() || !(found.angle.amount <= options_.max_angle) ||
        !(found.distance.amount <= options_.max_distance)) {
      out_.joints.push_back(std::move(found));
    }
  }

 private:
  const Clip& a_;
  const Clip& b_;
  const DiffOptions& options_;
  ClipDifference& out_;
  std::vector<JointCurves> curves_a_;
  std::vector<JointCurves> curves_b_;
};

void compare_joints(ClipDifference& out, const Clip& a, const Clip& b, const DiffOptions& options) {
  const auto in_a = joints_by_key(a);
  const auto in_b = joints_by_key(b);
  JointComparison comparison(a, b, options, out);
  for (std::uint32_t i = 0; i < a.joints.size(); ++i) {
    const auto found = in_b.find(key_of(a.joints[i]));
    if (found == in_b.end()) {
      out.joints_only_in_a.push_back(text_of(a.joints[i]));
    } else {
      comparison.compare(i, found->second);
    }
  }
  for (const Joint& joint : b.joints) {
    if (!in_a.contains(key_of(joint))) out.joints_only_in_b.push_back(text_of(joint));
  }
}

void compare_numbers(std::vector<std::string>& remarks, std::string_view name, float a, float b,
                     double tolerance) {
  if (std::abs(static_cast<double>(a) - b) <= tolerance) return;
  remarks.push_back(fmt::format("{}: {} in A, {} in B", name, a, b));
}

void compare_root_curve(std::vector<std::string>& remarks, const CurveOf& a, const CurveOf& b,
                        Channel channel, const DiffOptions& options) {
  const bool is_rotation = channel == Channel::rotation;
  remark_on_keys(remarks, is_rotation ? "root rotation" : "root translation", a, b,
                 options.max_time);
  const auto worst = worst_difference(a, b, channel);
  if (!worst || worst->amount <= (is_rotation ? options.max_angle : options.max_distance)) return;
  remarks.push_back(is_rotation ? fmt::format("root rotation: {:.4f} degrees apart at {} s",
                                              worst->amount * 180.0 / std::numbers::pi, worst->time)
                                : fmt::format("root translation: {:.3f} mm apart at {} s",
                                              worst->amount * 1000.0, worst->time));
}

void compare_root_motion(std::vector<std::string>& remarks, const Clip& a, const Clip& b,
                         const DiffOptions& options) {
  if (a.root_motion.has_value() != b.root_motion.has_value()) {
    remarks.push_back(fmt::format("root motion only in {}", a.root_motion ? "A" : "B"));
    return;
  }
  if (!a.root_motion) return;
  const RootMotion& ra = *a.root_motion;
  const RootMotion& rb = *b.root_motion;
  compare_root_curve(remarks, {a, ra.translation}, {b, rb.translation}, Channel::translation,
                     options);
  compare_root_curve(remarks, {a, ra.rotation}, {b, rb.rotation}, Channel::rotation, options);
  if (ra.reference != rb.reference) remarks.emplace_back("root motion reference differs");
  if (ra.loop != rb.loop) remarks.emplace_back("root motion loop differs");
}

bool is_same_event(const Event& a, const Event& b, double max_time) {
  return std::abs(static_cast<double>(a.time) - b.time) <= max_time && a.type == b.type &&
         a.class_name == b.class_name && a.payload == b.payload;
}

void compare_events(std::vector<std::string>& remarks, const Clip& a, const Clip& b,
                    const DiffOptions& options) {
  if (a.events.size() != b.events.size()) {
    remarks.push_back(fmt::format("events: {} in A, {} in B", a.events.size(), b.events.size()));
    return;
  }
  for (std::size_t i = 0; i < a.events.size(); ++i) {
    if (is_same_event(a.events[i], b.events[i], options.max_time)) continue;
    remarks.push_back(fmt::format("event {} at {} s in A, {} s in B differs", i, a.events[i].time,
                                  b.events[i].time));
  }
}

}  // namespace

ClipDifference diff_clips(const Clip& a, const Clip& b, const DiffOptions& options) {
  ClipDifference found;
  if (a.name != b.name) {
    found.remarks.push_back(
        fmt::format("name: {} in A, {} in B", a.name.value_or("none"), b.name.value_or("none")));
  }
  compare_numbers(found.remarks, "duration", a.duration, b.duration, options.max_time);
  compare_numbers(found.remarks, "frame rate", a.frame_rate, b.frame_rate, options.max_time);
  compare_joints(found, a, b, options);
  compare_root_motion(found.remarks, a, b, options);
  compare_events(found.remarks, a, b, options);
  return found;
}

}  // namespace mabkit::verification
