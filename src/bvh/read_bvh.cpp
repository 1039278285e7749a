#include <fmt/format.h>

#include <array>
#include <cmath>
#include <mabkit/bvh.hpp>
#include <mabkit/names.hpp>
#include <numbers>
#include <utility>

#include "base/allocation.hpp"
#include "base/axes.hpp"
#include "bvh/document.hpp"
#include "bvh/rest_pose.hpp"

namespace mabkit {
namespace bvh {
namespace {

/// Frame times are written with few digits: 0.0083333 means 120 frames a second.
constexpr double rate_tolerance = 1e-3;

/// A quaternion in double, x y z w.
using Rotation = std::array<double, 4>;

Rotation multiply(const Rotation& a, const Rotation& b) {
  return {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
          a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
          a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
          a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
}

Rotation about(std::size_t axis, double degrees) {
  const double half = degrees * (std::numbers::pi / 360.0);
  Rotation out{0.0, 0.0, 0.0, std::cos(half)};
  out[axis] = std::sin(half);
  return out;
}

Quat to_float(const Rotation& q) {
  return {static_cast<float>(q[0]), static_cast<float>(q[1]), static_cast<float>(q[2]),
          static_cast<float>(q[3])};
}

double frames_per_second(double frame_time) {
  const double rate = 1.0 / frame_time;
  const double whole = std::round(rate);
  return whole >= 1.0 && std::abs(rate - whole) < rate_tolerance * whole ? whole : rate;
}

class Importer {
 public:
  Importer(const MotionDocument& document, const ImportOptions& options)
      : document_(document), limits_(options.limits) {
    out_.notices = document.notices;
    choose_space(options);
  }

  Result<ImportedMotion> import() && {
    out_.bank.format = "bvh";
    out_.are_takes = true;
    out_.skeleton.source = "bvh";
    for (const MotionJoint& joint : document_.joints) {
      Bone bone;
      bone.name = joint.name;
      bone.name_hash = name_hash(joint.name);
      bone.parent = joint.parent;
      bone.translation = place(joint.offset);
      out_.skeleton.bones.push_back(std::move(bone));
    }
    if (auto added = add_clip(); !added) return tl::unexpected(added.error());
    if (!are_places_finite()) {
      return tl::unexpected(
          Error{ErrorCode::bad_value, std::nullopt, "joint",
                fmt::format("with a unit of {} m a place is beyond float32", metres_)});
    }
    return std::move(out_);
  }

 private:
  void notice(std::string path, std::string message) {
    out_.notices.push_back({std::nullopt, std::move(path), std::move(message)});
  }

  void choose_space(const ImportOptions& options) {
    if (options.up) {
      up_ = *options.up;
    } else {
      ChosenUp chosen = infer_up(document_);
      up_ = chosen.up;
      notice("up", std::move(chosen.reason));
    }
    if (options.metres_per_unit) {
      metres_ = *options.metres_per_unit;
    } else {
      ChosenUnit chosen = infer_unit(document_);
      metres_ = chosen.metres;
      notice("unit", std::move(chosen.reason));
    }
  }

  [[nodiscard]] Vec3 place(const Point& point) const {
    const Vec3 v{static_cast<float>(point[0] * metres_), static_cast<float>(point[1] * metres_),
                 static_cast<float>(point[2] * metres_)};
    return up_ == UpAxis::y ? base::z_up_from_y_up(v) : v;
  }

  Result<void> add_clip() {
    std::uint64_t floats = document_.frames;
    for (const MotionJoint& joint : document_.joints) {
      if (has_channel(joint, true)) floats += std::uint64_t{4} * document_.frames;
      if (has_channel(joint, false)) floats += std::uint64_t{3} * document_.frames;
    }
    if (floats * sizeof(float) > limits_.max_decoded_bytes) {
      return tl::unexpected(Error{ErrorCode::limit, std::nullopt, "motion",
                                  fmt::format("its {} numbers need more memory than the limit of "
                                              "{} bytes",
                                              floats, limits_.max_decoded_bytes)});
    }
    Clip& clip = out_.bank.clips.emplace_back();
    clip.values.reserve(floats - document_.frames);
    add_times(clip);
    for (std::uint32_t i = 0; i < document_.joints.size(); ++i) add_joint(clip, i);
    return {};
  }

  [[nodiscard]] bool are_places_finite() const {
    for (const Bone& bone : out_.skeleton.bones) {
      const Vec3& v = bone.translation;
      if (!std::isfinite(v.x) || !std::isfinite(v.y) || !std::isfinite(v.z)) return false;
    }
    for (const float value : out_.bank.clips.front().values) {
      if (!std::isfinite(value)) return false;
    }
    return true;
  }

  void add_times(Clip& clip) {
    const double rate = frames_per_second(document_.frame_time);
    if (rate != 1.0 / document_.frame_time) {
      notice("motion.frame_time",
             fmt::format("a frame of {} s is taken as 1/{} s", document_.frame_time, rate));
    }
    clip.frame_rate = static_cast<float>(rate);
    clip.times.reserve(document_.frames);
    for (std::uint32_t frame = 0; frame < document_.frames; ++frame) {
      clip.times.push_back(static_cast<float>(frame / rate));
    }
    clip.duration = clip.times.back();
  }

  void add_joint(Clip& clip, std::uint32_t position) {
    const MotionJoint& source = document_.joints[position];
    clip.joints.push_back({.id = position,
                           .name_hash = name_hash(source.name),
                           .name = source.name,
                           .parent = source.parent});
    if (has_channel(source, true)) {
      add_track(clip, position, Channel::rotation);
      Quat previous;
      for (std::uint32_t frame = 0; frame < document_.frames; ++frame) {
        previous = rotation(source, frame, previous);
        clip.values.insert(clip.values.end(), {previous.x, previous.y, previous.z, previous.w});
      }
    }
    if (has_channel(source, false)) {
      add_track(clip, position, Channel::translation);
      for (std::uint32_t frame = 0; frame < document_.frames; ++frame) {
        const Vec3 v = translation(source, frame);
        clip.values.insert(clip.values.end(), {v.x, v.y, v.z});
      }
    }
  }

  /// All tracks share the clip's times.
  void add_track(Clip& clip, std::uint32_t joint, Channel channel) const {
    clip.tracks.push_back(
        {joint, channel, TrackKind::animated, Keys{0, clip.values.size(), document_.frames}});
  }

  static bool has_channel(const MotionJoint& joint, bool is_rotation) {
    for (const MotionChannel& channel : joint.channels) {
      if (channel.is_rotation == is_rotation) return true;
    }
    return false;
  }

  [[nodiscard]] double value(const MotionJoint& joint, std::uint32_t frame,
                             std::size_t channel) const {
    return document_.values[frame * document_.values_per_frame + joint.first_value + channel];
  }

  /// The first channel written is the outermost turn: each one turns the axes of the next. In the
  /// hemisphere of `previous`.
  [[nodiscard]] Quat rotation(const MotionJoint& joint, std::uint32_t frame,
                              const Quat& previous) const {
    Rotation turn{0.0, 0.0, 0.0, 1.0};
    for (std::size_t i = 0; i < joint.channels.size(); ++i) {
      if (!joint.channels[i].is_rotation) continue;
      turn = multiply(turn, about(joint.channels[i].axis, value(joint, frame, i)));
    }
    const Quat q = up_ == UpAxis::y ? base::z_up_from_y_up(to_float(turn)) : to_float(turn);
    const float dot = previous.x * q.x + previous.y * q.y + previous.z * q.z + previous.w * q.w;
    return dot < 0.0F ? Quat{-q.x, -q.y, -q.z, -q.w} : q;
  }

  /// Position channels replace OFFSET. The format's description only has them on roots, with
  /// OFFSET zero; on other joints Blender and assimp both take them as the local translation.
  [[nodiscard]] Vec3 translation(const MotionJoint& joint, std::uint32_t frame) const {
    Point point = joint.offset;
    for (std::size_t i = 0; i < joint.channels.size(); ++i) {
      if (!joint.channels[i].is_rotation) point[joint.channels[i].axis] = value(joint, frame, i);
    }
    return place(point);
  }

  const MotionDocument& document_;
  const ReadLimits& limits_;
  UpAxis up_ = UpAxis::y;
  double metres_ = 1.0;
  ImportedMotion out_;
};

Result<ImportedMotion> read(std::span<const std::byte> bytes, const ImportOptions& options) {
  if (options.metres_per_unit &&
      !(std::isfinite(*options.metres_per_unit) && *options.metres_per_unit > 0.0)) {
    return tl::unexpected(
        Error{ErrorCode::bad_argument,
              std::nullopt,
              {},
              fmt::format("a unit of {} m is no length", *options.metres_per_unit)});
  }
  const auto document = parse_document(bytes, options.limits);
  if (!document) return tl::unexpected(document.error());
  return Importer(*document, options).import();
}

}  // namespace
}  // namespace bvh

Result<ImportedMotion> read_bvh(std::span<const std::byte> bytes, const ImportOptions& options) {
  return base::with_allocation_errors([&] { return bvh::read(bytes, options); });
}

}  // namespace mabkit
