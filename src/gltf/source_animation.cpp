#include "gltf/source_animation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace mabkit::gltf {
namespace {

/// Scales this near to those at rest do not count.
constexpr double scale_tolerance = 1e-3;
/// Seconds that a key may lie off a grid.
constexpr double grid_tolerance = 1e-4;
/// Seconds; longer ones are damage, and frames between keys could not be counted.
constexpr float longest_animation = 1e6F;
/// Splines are sampled at least this often a second.
constexpr double spline_rate = 120.0;
/// The likelier first: a grid of 30 also fits one of 60.
constexpr std::array frame_rates{30.0, 24.0, 25.0, 60.0, 120.0, 50.0, 48.0, 100.0};

/// A curve before it is brought to linear interpolation.
struct RawChannel {
  std::uint32_t node = 0;
  SourceCurve curve;
  std::string path;
};

bool lies_on_grid(const std::vector<RawChannel>& channels, double rate) {
  for (const RawChannel& channel : channels) {
    for (const float time : channel.curve.times) {
      const double frame = time * rate;
      if (std::abs(frame - std::round(frame)) > grid_tolerance * rate) return false;
    }
  }
  return true;
}

/// The first rate whose frames hold all keys, where there is one.
std::optional<double> find_frame_rate(const std::vector<RawChannel>& channels) {
  for (const double rate : frame_rates) {
    if (lies_on_grid(channels, rate)) return rate;
  }
  return std::nullopt;
}

class AnimationReader {
 public:
  AnimationReader(const std::vector<SourceNode>& nodes, const std::vector<bool>& matters,
                  SourceBuffers& buffers, const ReadLimits& limits)
      : nodes_(nodes), matters_(matters), buffers_(buffers), limits_(limits) {}

  Result<SourceAnimation> read(const Json& json, std::string path) && {
    path_ = std::move(path);
    if (!json.is_object()) return error(ErrorCode::bad_value, path_, "is not an object");
    read_name(json);
    const auto channels = json.find("channels");
    const auto samplers = json.find("samplers");
    if (channels == json.end() || !channels->is_array() || channels->empty()) {
      return error(ErrorCode::bad_value, path_ + ".channels",
                   "is empty: an animation moves something");
    }
    if (samplers == json.end() || !samplers->is_array()) {
      return error(ErrorCode::bad_value, path_ + ".samplers", "is not a list");
    }
    for (std::size_t i = 0; i < channels->size(); ++i) {
      const auto done =
          read_channel((*channels)[i], *samplers, fmt::format("{}.channels[{}]", path_, i));
      if (!done) return tl::unexpected(done.error());
    }
    if (auto done = make_linear(); !done) return tl::unexpected(done.error());
    return std::move(out_);
  }

 private:
  using Step = Result<void>;

  void read_name(const Json& json) {
    const auto name = json.find("name");
    if (name != json.end() && name->is_string()) out_.name = name->get<std::string>();
    const auto extras = json.find("extras");
    if (extras == json.end() || !extras->is_object()) return;
    const auto clip = extras->find("clip");
    if (clip == extras->end() || !clip->is_number_unsigned()) return;
    const auto position = clip->get<std::uint64_t>();
    if (position <= std::numeric_limits<std::uint32_t>::max()) {
      out_.clip = static_cast<std::uint32_t>(position);
    }
  }

  Step read_channel(const Json& json, const Json& samplers, const std::string& path) {
    if (!json.is_object()) return error(ErrorCode::bad_value, path, "is not an object");
    const auto target = json.find("target");
    if (target == json.end() || !target->is_object()) {
      return error(ErrorCode::bad_value, path + ".target", "is not an object");
    }
    const auto property = target->find("path");
    if (property == target->end() || !property->is_string()) {
      return error(ErrorCode::bad_value, path + ".target.path", "is not a text");
    }
    const auto node = target->find("node");
    if (node != target->end() &&
        (!node->is_number_unsigned() || node->get<std::uint64_t>() >= nodes_.size())) {
      return error(ErrorCode::out_of_range, path + ".target.node",
                   fmt::format("is not one of the {} nodes", nodes_.size()));
    }
    // glTF lets extensions name other targets than nodes.
    const std::uint32_t position = node == target->end() ? no_node : node->get<std::uint32_t>();
    const auto& what = property->get_ref<const std::string&>();
    const bool is_scale = what == "scale";
    const bool is_known = is_scale || what == "rotation" || what == "translation";
    if (position == no_node || !matters_[position] || !is_known) {
      ++out_.channels_elsewhere;
      return {};
    }

    const auto sampler = json.find("sampler");
    if (sampler == json.end() || !sampler->is_number_unsigned() ||
        sampler->get<std::uint64_t>() >= samplers.size()) {
      return error(ErrorCode::out_of_range, path + ".sampler",
                   fmt::format("is not one of the {} samplers", samplers.size()));
    }
    const auto sampler_position = sampler->get<std::size_t>();
    const std::string sampler_path = fmt::format("{}.samplers[{}]", path_, sampler_position);
    const Channel channel = what == "rotation" ? Channel::rotation : Channel::translation;
    auto curve = read_sampler(samplers[sampler_position], channel, sampler_path);
    if (!curve) return tl::unexpected(curve.error());
    if (is_scale) return check_scale(*curve, position, path);

    bool& is_driven = (channel == Channel::rotation ? has_rotation_ : has_translation_)[position];
    if (std::exchange(is_driven, true)) {
      return error(
          ErrorCode::inconsistent, path,
          fmt::format("drives the {} of node \"{}\" a second time", what, nodes_[position].name));
    }
    raw_.push_back({position, std::move(*curve), sampler_path});
    return {};
  }

  Result<SourceCurve> read_sampler(const Json& json, Channel channel, const std::string& path) {
    if (!json.is_object()) return error(ErrorCode::bad_value, path, "is not an object");
    SourceCurve curve;
    curve.channel = channel;
    const auto interpolation = json.find("interpolation");
    if (interpolation != json.end()) {
      if (*interpolation == "STEP") {
        curve.interpolation = Interpolation::step;
      } else if (*interpolation == "CUBICSPLINE") {
        curve.interpolation = Interpolation::cubic;
      } else if (*interpolation != "LINEAR") {
        return error(ErrorCode::bad_value, path + ".interpolation",
                     "is none of LINEAR, STEP and CUBICSPLINE");
      }
    }
    auto times = floats(json, "input", 1, limits_.max_keys, path);
    if (!times) return tl::unexpected(times.error());
    if (auto checked = check_times(*times, path + ".input"); !checked) {
      return tl::unexpected(checked.error());
    }
    const std::size_t entries = curve.interpolation == Interpolation::cubic ? 3 : 1;
    const std::size_t width = value_width(channel);
    auto values = floats(json, "output", width, entries * limits_.max_keys, path);
    if (!values) return tl::unexpected(values.error());
    if (values->size() != entries * width * times->size()) {
      return error(ErrorCode::inconsistent, path + ".output",
                   fmt::format("has {} values for {} keys, which take {}", values->size() / width,
                               times->size(), entries * times->size()));
    }
    curve.times = std::move(*times);
    curve.values = std::move(*values);
    return curve;
  }

  Result<std::vector<float>> floats(const Json& sampler, const char* name, std::size_t width,
                                    std::size_t max_count, const std::string& path) {
    const auto accessor = sampler.find(name);
    if (accessor == sampler.end() || !accessor->is_number_unsigned() ||
        accessor->get<std::uint64_t>() > std::numeric_limits<std::uint32_t>::max()) {
      return error(ErrorCode::bad_value, fmt::format("{}.{}", path, name),
                   "is no position of an accessor");
    }
    return buffers_.floats(accessor->get<std::uint32_t>(), width, max_count,
                           fmt::format("{}.{}", path, name));
  }

  static Step check_times(const std::vector<float>& times, const std::string& path) {
    for (std::size_t i = 0; i < times.size(); ++i) {
      if (!(times[i] >= 0.0F && times[i] <= longest_animation)) {
        return error(
            ErrorCode::bad_value, path,
            fmt::format("has a key at {} s; 0 to {} are possible", times[i], longest_animation));
      }
      if (i != 0 && !(times[i] > times[i - 1])) {
        return error(ErrorCode::bad_value, path,
                     fmt::format("has a key at {} s after one at {} s", times[i], times[i - 1]));
      }
    }
    return {};
  }

  /// The engines have no scale: channels that keep that of the rest pose say nothing.
  Step check_scale(const SourceCurve& curve, std::uint32_t node, const std::string& path) const {
    const Vec3& rest = nodes_[node].trs.scale;
    const std::array<float, 3> expected{rest.x, rest.y, rest.z};
    const bool is_cubic = curve.interpolation == Interpolation::cubic;
    for (std::size_t i = 0; i < curve.values.size(); ++i) {
      if (is_cubic && i / 3 % 3 != 1) continue;  // a tangent
      const double want = expected[i % 3];
      if (std::abs(curve.values[i] - want) <= scale_tolerance * std::abs(want)) continue;
      return error(ErrorCode::unsupported, path,
                   fmt::format("scales node \"{}\" to {} where {} is its scale at rest; the games' "
                               "clips have no scale",
                               nodes_[node].name, curve.values[i], want));
    }
    return {};
  }

  Step make_linear() {
    const auto rate = find_frame_rate(raw_);
    out_.has_grid = rate.has_value();
    out_.frames_per_second = rate.value_or(frame_rates.front());
    const double spline = out_.frames_per_second * std::ceil(spline_rate / out_.frames_per_second);
    out_.first_time = raw_.empty() ? 0.0F : longest_animation;
    for (RawChannel& raw : raw_) {
      out_.first_time = std::min(out_.first_time, raw.curve.times.front());
      out_.last_time = std::max(out_.last_time, raw.curve.times.back());
      const Channel channel = raw.curve.channel;
      auto linear = to_linear(std::move(raw.curve), spline, limits_.max_keys, raw.path);
      if (!linear) return tl::unexpected(linear.error());
      NodeCurves& curves = out_.nodes[raw.node];
      (channel == Channel::rotation ? curves.rotation : curves.translation) = std::move(*linear);
    }
    return {};
  }

  const std::vector<SourceNode>& nodes_;
  const std::vector<bool>& matters_;
  SourceBuffers& buffers_;
  const ReadLimits& limits_;
  std::string path_;
  std::map<std::uint32_t, bool> has_rotation_;
  std::map<std::uint32_t, bool> has_translation_;
  std::vector<RawChannel> raw_;
  SourceAnimation out_;
};

}  // namespace

Result<std::vector<SourceAnimation>> read_animations(const Json& document,
                                                     const std::vector<SourceNode>& nodes,
                                                     const std::vector<bool>& matters,
                                                     SourceBuffers& buffers,
                                                     const ReadLimits& limits) {
  std::vector<SourceAnimation> out;
  const auto list = document.find("animations");
  if (list == document.end()) return out;
  if (!list->is_array()) return error(ErrorCode::bad_value, "animations", "is not a list");
  if (list->size() > limits.max_clips) {
    return error(
        ErrorCode::limit, "animations",
        fmt::format("there are {}, more than the limit of {}", list->size(), limits.max_clips));
  }
  for (std::size_t i = 0; i < list->size(); ++i) {
    auto read = AnimationReader(nodes, matters, buffers, limits)
                    .read((*list)[i], fmt::format("animations[{}]", i));
    if (!read) return tl::unexpected(read.error());
    out.push_back(std::move(*read));
  }
  return out;
}

}  // namespace mabkit::gltf
