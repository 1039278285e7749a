#include "gltf/source_curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "gltf/source_nodes.hpp"
#include "scene/values.hpp"

namespace mabkit::gltf {
namespace {

/// Two neighbouring keys and how far between them a time lies.
struct Segment {
  std::size_t first = 0;
  std::size_t second = 0;
  double fraction = 0.0;
};

Segment segment_at(std::span<const float> times, float time) {
  if (!(time > times.front())) return {0, 0, 0.0};
  if (time >= times.back()) return {times.size() - 1, times.size() - 1, 0.0};
  const auto after = std::upper_bound(times.begin(), times.end(), time);
  const auto second = static_cast<std::size_t>(after - times.begin());
  const double begin = times[second - 1];
  return {second - 1, second, (time - begin) / (times[second] - begin)};
}

class Linearizer {
 public:
  Linearizer(SourceCurve curve, double frames_per_second, std::size_t max_keys)
      : in_(std::move(curve)),
        width_(value_width(in_.channel)),
        frames_per_second_(frames_per_second),
        max_keys_(max_keys) {
    out_.channel = in_.channel;
  }

  Result<LinearCurve> run(const std::string& path) && {
    switch (in_.interpolation) {
      case Interpolation::linear:
        out_.times = std::move(in_.times);
        out_.values = std::move(in_.values);
        break;
      case Interpolation::step:
        step();
        break;
      case Interpolation::cubic:
        cubic();
        break;
    }
    if (out_.times.size() > max_keys_) {
      return error(ErrorCode::limit, path,
                   fmt::format("becomes more than {} keys, which is the limit", max_keys_));
    }
    if (auto checked = check_values(path); !checked) return tl::unexpected(checked.error());
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::span<const float> value(std::size_t entry) const {
    return std::span(in_.values).subspan(entry * width_, width_);
  }

  void add(float time, std::span<const float> components) {
    out_.times.push_back(time);
    out_.values.insert(out_.values.end(), components.begin(), components.end());
  }

  void step() {
    for (std::size_t key = 0; key < in_.times.size(); ++key) {
      if (key != 0 && !std::equal(value(key).begin(), value(key).end(), value(key - 1).begin())) {
        const float begin = in_.times[key - 1];
        const float end = in_.times[key];
        const float before = std::max(end - step_lead, begin + (end - begin) * 0.5F);
        if (before > begin && before < end) add(before, value(key - 1));
      }
      add(in_.times[key], value(key));
    }
  }

  void cubic() {
    for (std::size_t key = 0; key < in_.times.size(); ++key) {
      add(in_.times[key], value(3 * key + 1));
      if (key + 1 == in_.times.size()) return;
      const double begin = in_.times[key];
      const double end = in_.times[key + 1];
      double frame = std::floor(begin * frames_per_second_) + 1.0;
      for (; frame / frames_per_second_ < end; frame += 1.0) {
        const auto time = static_cast<float>(frame / frames_per_second_);
        if (!(time > out_.times.back() && time < in_.times[key + 1])) continue;
        if (out_.times.size() > max_keys_) return;
        add(time, spline(key, (time - begin) / (end - begin), end - begin));
      }
    }
  }

  /// glTF 2.0, appendix C: a Hermite spline whose tangents are a second's.
  [[nodiscard]] std::vector<float> spline(std::size_t key, double t, double seconds) const {
    const double t2 = t * t;
    const double t3 = t2 * t;
    const auto from = value(3 * key + 1);
    const auto out_tangent = value(3 * key + 2);
    const auto in_tangent = value(3 * key + 3);
    const auto to = value(3 * key + 4);
    std::vector<float> sum(width_);
    for (std::size_t i = 0; i < width_; ++i) {
      sum[i] = static_cast<float>(
          (2.0 * t3 - 3.0 * t2 + 1.0) * from[i] + seconds * (t3 - 2.0 * t2 + t) * out_tangent[i] +
          (3.0 * t2 - 2.0 * t3) * to[i] + seconds * (t3 - t2) * in_tangent[i]);
    }
    return sum;
  }

  Result<void> check_values(const std::string& path) {
    for (std::size_t key = 0; key < out_.times.size(); ++key) {
      float* const v = &out_.values[key * width_];
      if (!std::all_of(v, v + width_, [](float c) { return std::isfinite(c); })) {
        return error(ErrorCode::bad_value, path,
                     fmt::format("has a value at {} s that is not finite", out_.times[key]));
      }
      if (in_.channel != Channel::rotation) continue;
      const Quat q{v[0], v[1], v[2], v[3]};
      if (!scene::is_rotation(q)) {
        return error(ErrorCode::bad_value, path,
                     fmt::format("has a value at {} s that is no rotation: its length is 0",
                                 out_.times[key]));
      }
      const Quat unit = scene::normalised(q);
      v[0] = unit.x;
      v[1] = unit.y;
      v[2] = unit.z;
      v[3] = unit.w;
    }
    return {};
  }

  SourceCurve in_;
  LinearCurve out_;
  std::size_t width_;
  double frames_per_second_;
  std::size_t max_keys_;
};

}  // namespace

Quat LinearCurve::rotation(std::size_t key) const {
  const float* const v = &values[4 * key];
  return {v[0], v[1], v[2], v[3]};
}

Vec3 LinearCurve::translation(std::size_t key) const {
  const float* const v = &values[3 * key];
  return {v[0], v[1], v[2]};
}

Quat LinearCurve::rotation_at(float time) const {
  const Segment at = segment_at(times, time);
  if (at.fraction == 0.0) return rotation(at.first);
  return slerp(rotation(at.first), rotation(at.second), at.fraction);
}

Vec3 LinearCurve::translation_at(float time) const {
  const Segment at = segment_at(times, time);
  const Vec3 a = translation(at.first);
  if (at.fraction == 0.0) return a;
  const Vec3 b = translation(at.second);
  const auto blend = [&](float x, float y) {
    return static_cast<float>(x + at.fraction * (static_cast<double>(y) - x));
  };
  return {blend(a.x, b.x), blend(a.y, b.y), blend(a.z, b.z)};
}

Result<LinearCurve> to_linear(SourceCurve curve, double frames_per_second, std::size_t max_keys,
                              const std::string& path) {
  return Linearizer(std::move(curve), frames_per_second, max_keys).run(path);
}

}  // namespace mabkit::gltf
