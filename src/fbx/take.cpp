#include "fbx/take.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "fbx/chain_motion.hpp"
#include "scene/axes.hpp"

namespace mabkit::fbx {
namespace {

constexpr double default_frame_rate = 30.0;
/// Rates outside are no authoring grid: FBX files without a rate say 1.
constexpr double slowest_rate = 5.0;
constexpr double fastest_rate = 1000.0;
/// Seconds; longer takes are damage.
constexpr double longest_take = 1e6;
/// A translation this close to the bone's, in metres, is what exporters write on every bone.
constexpr float still_distance = 1e-5F;
/// Components of quaternions and metres that differ less are equal: rounding of the file's angles.
constexpr float rounding = 2e-6F;

/// The keys of one joint, in the bank's space.
struct JointKeys {
  std::vector<float> times;
  std::vector<Quat> rotations;
  std::vector<Vec3> translations;
};

bool are_close(const Vec3& a, const Vec3& b, float most) {
  return std::abs(a.x - b.x) <= most && std::abs(a.y - b.y) <= most && std::abs(a.z - b.z) <= most;
}

/// Whichever sign the quaternions have.
bool are_close(const Quat& a, const Quat& b, float most) {
  const float sign = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0.0F ? -1.0F : 1.0F;
  return std::abs(a.x - sign * b.x) <= most && std::abs(a.y - sign * b.y) <= most &&
         std::abs(a.z - sign * b.z) <= most && std::abs(a.w - sign * b.w) <= most;
}

template <class Value>
bool is_constant(const std::vector<Value>& values) {
  return std::all_of(values.begin(), values.end(), [&](const Value& value) {
    return are_close(value, values.front(), rounding);
  });
}

void append(std::vector<float>& out, const Quat& q) {
  out.insert(out.end(), {q.x, q.y, q.z, q.w});
}
void append(std::vector<float>& out, const Vec3& v) {
  out.insert(out.end(), {v.x, v.y, v.z});
}

class TakeReader {
 public:
  TakeReader(const ImportedScene& scene, const ImportedJoints& joints, std::size_t position,
             const Space& space, ImportedMotion& motion)
      : scene_(scene),
        joints_(joints),
        animation_(scene.animations[position]),
        space_(space),
        motion_(motion),
        path_(fmt::format("animation[{}]", position)) {}

  Result<std::optional<Clip>> read() && {
    channel_of_node_.assign(scene_.nodes.size(), nullptr);
    for (const ImportedChannel& channel : animation_.channels) {
      if (channel_of_node_[channel.node] == nullptr) channel_of_node_[channel.node] = &channel;
    }
    choose_rate();
    const double seconds = last_tick_ / ticks_per_second_;
    if (!(seconds <= longest_take)) {
      return tl::unexpected(
          Error{ErrorCode::bad_value, std::nullopt, path_,
                fmt::format("lasts {:.4g} s; up to {} are possible", seconds, longest_take)});
    }
    clip_.name = animation_.name;
    add_joints();
    std::vector<double> scales;
    for (std::uint32_t joint = 0; joint < joints_.joints.size(); ++joint) {
      if (auto done = add_tracks(joint, scales); !done) {
        return tl::unexpected(std::move(done.error()));
      }
    }
    if (auto done = add_root_motion(); !done) return tl::unexpected(std::move(done.error()));
    if (clip_.tracks.empty() && !clip_.root_motion) {
      notice(fmt::format("\"{}\" is left out: it moves no joint", animation_.name));
      return std::optional<Clip>();
    }
    finish();
    return std::optional<Clip>(std::move(clip_));
  }

 private:
  void notice(std::string message) {
    motion_.notices.push_back({std::nullopt, path_, std::move(message)});
  }

  /// Ticks become seconds, and the clip gets its grid.
  void choose_rate() {
    ticks_per_second_ = animation_.ticks_per_second;
    if (!(ticks_per_second_ > 0.0)) {
      ticks_per_second_ = default_frame_rate;
      notice("does not say how many ticks a second has; 30 are taken");
    }
    last_tick_ = animation_.duration > 0.0 ? animation_.duration : last_key();
    double rate = ticks_per_second_;
    if (rate < slowest_rate || rate > fastest_rate) {
      const double gap = smallest_gap() / ticks_per_second_;
      rate = gap > 0.0 ? std::round(1.0 / gap) : default_frame_rate;
      if (!(rate >= slowest_rate && rate <= fastest_rate)) rate = default_frame_rate;
      notice(fmt::format("has no frame rate; its keys suggest {} a second", rate));
    }
    clip_.frame_rate = static_cast<float>(rate);
  }

  template <class Visit>
  void for_each_key_list(Visit&& visit) const {
    for (const ImportedChannel& channel : animation_.channels) {
      for (const auto* keys : {&channel.translation, &channel.rotation, &channel.scale}) {
        visit(keys->times);
      }
    }
  }

  double last_key() const {
    double last = 0.0;
    for_each_key_list([&](const std::vector<double>& times) {
      if (!times.empty()) last = std::max(last, times.back());
    });
    return last;
  }

  double smallest_gap() const {
    double smallest = 0.0;
    for_each_key_list([&](const std::vector<double>& times) {
      for (std::size_t i = 1; i < times.size(); ++i) {
        const double gap = times[i] - times[i - 1];
        if (gap > 0.0 && (smallest == 0.0 || gap < smallest)) smallest = gap;
      }
    });
    return smallest;
  }

  void add_joints() {
    for (const Bone& bone : motion_.skeleton.bones) {
      clip_.joints.push_back({.id = static_cast<std::uint32_t>(clip_.joints.size()),
                              .name_hash = bone.name_hash,
                              .name = bone.name,
                              .parent = bone.parent});
    }
  }

  /// The times of a chain's keys within the take; what lies outside is cut at its ends.
  std::vector<double> times_within(const ChainMotion& chain) {
    // A tick is a frame or so; this much of it is rounding.
    constexpr double edge = 1e-6;
    std::vector<double> times = chain.times();
    const auto is_outside = [&](double t) { return t < -edge || t > last_tick_ + edge; };
    if (std::none_of(times.begin(), times.end(), is_outside)) return times;
    is_cut_ = true;
    times.erase(std::remove_if(times.begin(), times.end(), is_outside), times.end());
    times.push_back(0.0);
    times.push_back(last_tick_);
    std::sort(times.begin(), times.end());
    return times;
  }

  /// Samples a chain at its keys. `scale` is what the joints above leave to it; becomes what the
  /// chain leaves to those below.
  Result<JointKeys> sample(const ChainMotion& chain, std::string_view name, double& scale) {
    JointKeys keys;
    const double inherited = scale;
    for (const double tick : times_within(chain)) {
      const auto time = static_cast<float>(std::max(0.0, tick) / ticks_per_second_);
      if (!keys.times.empty() && !(time > keys.times.back())) continue;
      const Rigid rigid = take_apart(chain.at(tick));
      if (!rigid.part) return refused(name, rigid.problem);
      const double own = inherited * rigid.part->scale;
      if (keys.times.empty()) scale = own;
      if (std::abs(own - scale) > scale_tolerance * scale) {
        return refused(name, fmt::format("is scaled by {:.4g} at {:.4g} s and by {:.4g} at 0 s",
                                         own, time, scale));
      }
      keys.times.push_back(time);
      keys.rotations.push_back(space_.rotation(rigid.part->rotation));
      keys.translations.push_back(space_.translation(rigid.part->translation, inherited));
    }
    return keys;
  }

  tl::unexpected<Error> refused(std::string_view name, std::string_view problem) const {
    return tl::unexpected(
        Error{ErrorCode::unsupported, std::nullopt, path_, refusal(name, problem)});
  }

  Result<void> add_tracks(std::uint32_t joint, std::vector<double>& scales) {
    const ImportedJoint& source = joints_.joints[joint];
    const std::string& name = scene_.nodes[source.node].name;
    const ChainMotion chain(scene_, source.chain, channel_of_node_);
    double scale = source.parent ? scales[*source.parent] : 1.0;
    if (!chain.is_driven() || chain.times().empty()) {
      const Rigid rest = take_apart(chain.at(0.0));
      if (!rest.part) return refused(name, rest.problem);
      scales.push_back(scale * rest.part->scale);
      return {};
    }
    const auto keys = sample(chain, name, scale);
    if (!keys) return tl::unexpected(keys.error());
    scales.push_back(scale);
    const std::size_t first_time = clip_.times.size();
    add_track(joint, Channel::rotation, *keys, keys->rotations, first_time);
    const bool is_still = is_constant(keys->translations) &&
                          are_close(keys->translations.front(),
                                    motion_.skeleton.bones[joint].translation, still_distance);
    if (is_still) {
      ++still_joints_;
    } else {
      add_track(joint, Channel::translation, *keys, keys->translations, first_time);
    }
    return {};
  }

  template <class Value>
  void add_track(std::uint32_t joint, Channel channel, const JointKeys& keys,
                 const std::vector<Value>& values, std::size_t shared_times) {
    const bool has_one_value = is_constant(values);
    clip_.tracks.push_back({joint, channel,
                            has_one_value ? TrackKind::constant : TrackKind::animated,
                            add_keys(keys, values, has_one_value, shared_times)});
  }

  /// Keys that begin at `shared_times`, which both channels of a joint use.
  template <class Value>
  Keys add_keys(const JointKeys& keys, const std::vector<Value>& values, bool has_one_value,
                std::size_t shared_times) {
    Keys out{.first_time = shared_times,
             .first_value = clip_.values.size(),
             .count = has_one_value ? 1U : static_cast<std::uint32_t>(values.size())};
    if (has_one_value) {
      // Time 0, whenever the first key is.
      out.first_time = clip_.times.size();
      clip_.times.push_back(0.0F);
    } else if (shared_times + values.size() > clip_.times.size() ||
               !std::equal(keys.times.begin(), keys.times.end(),
                           clip_.times.begin() + static_cast<std::ptrdiff_t>(shared_times))) {
      out.first_time = clip_.times.size();
      clip_.times.insert(clip_.times.end(), keys.times.begin(), keys.times.end());
    }
    for (std::size_t i = 0; i < out.count; ++i) append(clip_.values, values[i]);
    return out;
  }

  /// What mabkit wrote as a node of its own is no joint, but the motion of the actor.
  Result<void> add_root_motion() {
    if (!joints_.root_motion) return {};
    const std::array<std::uint32_t, 1> node{*joints_.root_motion};
    const ChainMotion chain(scene_, node, channel_of_node_);
    if (!chain.is_driven() || chain.times().empty()) return {};
    double scale = 1.0;
    const auto keys = sample(chain, scene_.nodes[node.front()].name, scale);
    if (!keys) return tl::unexpected(keys.error());
    RootMotion motion;
    const bool moves = !is_constant(keys->translations) ||
                       !are_close(keys->translations.front(), Vec3{}, rounding);
    const bool turns =
        !is_constant(keys->rotations) || !are_close(keys->rotations.front(), Quat{}, rounding);
    const std::size_t first_time = clip_.times.size();
    if (moves) {
      motion.translation =
          add_keys(*keys, keys->translations, is_constant(keys->translations), first_time);
    }
    if (turns) {
      motion.rotation = add_keys(*keys, keys->rotations, is_constant(keys->rotations), first_time);
    }
    if (moves || turns) clip_.root_motion = motion;
    return {};
  }

  void finish() {
    clip_.duration = static_cast<float>(last_tick_ / ticks_per_second_);
    for (const float time : clip_.times) clip_.duration = std::max(clip_.duration, time);
    if (is_cut_) notice("has keys outside its span, which are left out");
    if (still_joints_ != 0) {
      notice(fmt::format("translations of {} joints that keep their bone's place are left out",
                         still_joints_));
    }
  }

  const ImportedScene& scene_;
  const ImportedJoints& joints_;
  const ImportedAnimation& animation_;
  const Space& space_;
  ImportedMotion& motion_;
  std::string path_;
  std::vector<const ImportedChannel*> channel_of_node_;
  double ticks_per_second_ = default_frame_rate;
  double last_tick_ = 0.0;
  bool is_cut_ = false;
  std::size_t still_joints_ = 0;
  Clip clip_;
};

}  // namespace

Quat Space::rotation(const Quat& q) const {
  return up == UpAxis::y ? scene::from_y_up(q) : q;
}

Vec3 Space::translation(const Vec3& v, double scale) const {
  const double factor = scale * metres_per_unit;
  const Vec3 metres{static_cast<float>(factor * v.x), static_cast<float>(factor * v.y),
                    static_cast<float>(factor * v.z)};
  return up == UpAxis::y ? scene::from_y_up(metres) : metres;
}

std::string refusal(std::string_view joint, std::string_view problem) {
  return fmt::format(
      "\"{}\" {}, which no game's animation can hold; apply the scale in the program that made the "
      "file",
      joint, problem);
}

Result<std::optional<Clip>> read_take(const ImportedScene& scene, const ImportedJoints& joints,
                                      std::size_t position, const Space& space,
                                      ImportedMotion& motion) {
  return TakeReader(scene, joints, position, space, motion).read();
}

}  // namespace mabkit::fbx
