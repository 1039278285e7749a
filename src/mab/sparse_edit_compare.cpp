#include "mab/sparse_edit_compare.hpp"

#include <algorithm>
#include <cmath>
#include <mabkit/pose.hpp>

#include "motion/precise.hpp"
#include "motion/resample.hpp"

namespace mabkit::mab {
namespace {

double angle_between(const Quat& a, const Quat& b) {
  return motion::angle_between(motion::precise(a), motion::precise(b));
}

/// Two curves that may be the same.
class CurvePair {
 public:
  CurvePair(const Clip& stored, const Keys& stored_keys, const Clip& edited,
            const Keys& edited_keys, const KeepTolerance& tolerance)
      : stored_(stored),
        stored_keys_(stored_keys),
        edited_(edited),
        edited_keys_(edited_keys),
        tolerance_(tolerance) {}

  [[nodiscard]] bool are_same() const {
    const auto times = stored_.times_of(stored_keys_);
    for (std::size_t i = 0; i < times.size(); ++i) {
      if (!agree(times[i], 0.0)) return false;
      if (i != 0 && !agree(0.5F * (times[i - 1] + times[i]), 0.0)) return false;
    }
    for (const float time : edited_.times_of(edited_keys_)) {
      if (!agree(time, blend_difference(time))) return false;
    }
    return true;
  }

 private:
  [[nodiscard]] bool agree(float time, double more) const {
    double difference = 0.0;
    if (tolerance_.channel == Channel::rotation) {
      difference = angle_between(sample_rotation(stored_, stored_keys_, time),
                                 sample_rotation(edited_, edited_keys_, time));
    } else {
      difference = motion::length(motion::precise(sample_translation(stored_, stored_keys_, time)) -
                                  motion::precise(sample_translation(edited_, edited_keys_, time)));
    }
    // Not `>`: what is no number is a change.
    return difference <= tolerance_.amount + more;
  }

  /// Angle between the stored curve and what blending the components of its keys gives.
  [[nodiscard]] double blend_difference(float time) const {
    if (tolerance_.channel != Channel::rotation) return 0.0;
    const auto times = stored_.times_of(stored_keys_);
    const auto after = std::upper_bound(times.begin(), times.end(), time);
    if (after == times.begin() || after == times.end()) return 0.0;
    const auto key = static_cast<std::size_t>(after - times.begin());
    const double fraction = (static_cast<double>(time) - times[key - 1]) /
                            (static_cast<double>(*after) - times[key - 1]);
    const Quat a = stored_.rotation(stored_keys_, key - 1);
    Quat b = stored_.rotation(stored_keys_, key);
    if (a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0.0F) b = {-b.x, -b.y, -b.z, -b.w};
    const auto mix = [fraction](float from, float to) {
      return static_cast<float>(from + fraction * (static_cast<double>(to) - from));
    };
    return angle_between(slerp(a, b, fraction),
                         {mix(a.x, b.x), mix(a.y, b.y), mix(a.z, b.z), mix(a.w, b.w)});
  }

  const Clip& stored_;
  const Keys& stored_keys_;
  const Clip& edited_;
  const Keys& edited_keys_;
  const KeepTolerance& tolerance_;
};

/// Moves the times of one curve onto the frames that they are near, as long as they rise.
void snap(const Keys& keys, double rate, Clip& clip) {
  float* const times = clip.times.data() + keys.first_time;
  for (std::uint32_t i = 0; i < keys.count; ++i) {
    const double frame = std::round(static_cast<double>(times[i]) * rate);
    const auto on_grid = static_cast<float>(frame / rate);
    const bool is_near =
        std::abs(frame / rate - static_cast<double>(times[i])) <= frame_tolerance(rate);
    const bool rises =
        (i == 0 || on_grid > times[i - 1]) && (i + 1 == keys.count || on_grid < times[i + 1]);
    if (is_near && rises) times[i] = on_grid;
  }
}

}  // namespace

double frame_tolerance(double rate) {
  constexpr double most_of_a_frame = 0.25;
  return std::min(motion::grid_tolerance, most_of_a_frame / rate);
}

Clip snapped(const Clip& clip, double rate) {
  Clip out = clip;
  for (const Track& track : clip.tracks) snap(track.keys, rate, out);
  if (clip.root_motion) {
    if (clip.root_motion->translation) snap(*clip.root_motion->translation, rate, out);
    if (clip.root_motion->rotation) snap(*clip.root_motion->rotation, rate, out);
  }
  return out;
}

bool is_unchanged(const Clip& stored, const Keys& stored_keys, const Clip& edited,
                  const Keys& edited_keys, const KeepTolerance& tolerance) {
  return CurvePair(stored, stored_keys, edited, edited_keys, tolerance).are_same();
}

}  // namespace mabkit::mab
