#include "mab/chunked_edit_root.hpp"

#include <fmt/format.h>

#include "mab/chunked_displacement_encode.hpp"
#include "mab/tick_curve.hpp"

namespace mabkit::mab {
namespace {

std::optional<TickCurve> curve_in(const Clip& clip, Channel channel, double ticks_per_second) {
  if (!clip.root_motion) return std::nullopt;
  const auto& keys =
      channel == Channel::rotation ? clip.root_motion->rotation : clip.root_motion->translation;
  if (!keys || keys->count == 0) return std::nullopt;
  return curve_of(clip, *keys, channel, ticks_per_second);
}

class RootEditor {
 public:
  explicit RootEditor(const RootToEdit& target) : target_(target) {}

  Result<EditedRoot> run() {
    out_.orientations = target_.fields.displacement_orientations;
    out_.translations = target_.fields.displacement_translations;
    return edit(Channel::rotation, out_.orientations)
        .and_then([this] { return edit(Channel::translation, out_.translations); })
        .map([this] { return std::move(out_); });
  }

 private:
  void note(std::string message) {
    out_.notices.push_back({std::nullopt, target_.path + ".root_motion", std::move(message)});
  }

  Result<void> edit(Channel channel, DisplacementFields& fields) {
    const char* const name = channel == Channel::rotation ? "turning" : "path";
    const auto stored = curve_in(target_.stored, channel, target_.ticks_per_second);
    const auto edited = curve_in(target_.edited, channel, target_.ticks_per_second);
    if (!stored) {
      if (edited) note(fmt::format("its {} is left out: the template's clip has none", name));
      return check_opaque(fields);
    }
    bool has_changed = false;
    if (edited) {
      std::vector<double> ticks;
      for (const std::uint16_t key : target_.keys) ticks.push_back(key);
      has_changed = !stays_within(*stored, *edited, ticks, target_.options.keep_tolerance);
    }
    const bool is_moving = stored->ticks.size() > 1;
    if (!has_changed && !(is_moving && target_.has_new_keys)) return {};
    return encode(channel, has_changed ? *edited : *stored, fields);
  }

  /// Displacement that is kept as bytes may have a chunk for every eight keys.
  [[nodiscard]] Result<void> check_opaque(const DisplacementFields& fields) const {
    if (!std::holds_alternative<std::vector<std::byte>>(fields) || !target_.has_new_keys) return {};
    return tl::unexpected(Error{
        ErrorCode::unsupported, std::nullopt, target_.path + ".root_motion",
        "the template's displacement is not understood, so that the clip's keys can't change; "
        "keep its keys (--keep-grid) and its duration"});
  }

  Result<void> encode(Channel channel, const TickCurve& curve, DisplacementFields& fields) {
    const bool is_rotation = channel == Channel::rotation;
    motion::SampledTrack track{0, channel, TrackKind::animated, {}, {}};
    if (curve.ticks.size() == 1) track.kind = TrackKind::constant;
    for (const std::uint16_t key : target_.keys) {
      if (is_rotation) track.rotations.push_back(curve.rotation_at(key));
      if (!is_rotation) track.translations.push_back(curve.translation_at(key));
      if (track.kind == TrackKind::constant) break;
    }
    const double bound = target_.tolerance_of(curve);
    auto encoded =
        encode_displacement(track, static_cast<std::uint32_t>(target_.keys.size()), bound);
    if (!encoded) {
      encoded.error().path = fmt::format("{}.{}", target_.path, encoded.error().path);
      return tl::unexpected(std::move(encoded.error()));
    }
    if (!(encoded->error <= bound)) {
      return tl::unexpected(
          Error{ErrorCode::bad_argument, std::nullopt, target_.path + ".root_motion",
                fmt::format(
                    "can't be stored within {:.3g}, the best that is reachable is {:.3g}; allow a "
                    "larger error",
                    bound, encoded->error)});
    }
    if (encoded->moves) {
      note(
          "moving root motion is stored in chunks of 8 keys: a guess, since no known file of the "
          "game has any; check it in the game, or move a joint instead");
    }
    out_.has_changed = true;
    if (!is_rotation) {
      const std::size_t joints =
          target_.fields.joint_translations ? target_.fields.joint_translations->bits.size() : 0;
      if (target_.fields.translation_table.size() <= joints) {
        return tl::unexpected(Error{ErrorCode::unsupported, std::nullopt,
                                    target_.path + ".root_motion",
                                    "the template's table has no entry for displacement, so that "
                                    "its path can't change"});
      }
      out_.table_entry = encoded->table_entry;
    }
    fields = std::move(encoded->stream);
    return {};
  }

  const RootToEdit& target_;
  EditedRoot out_;
};

}  // namespace

std::vector<RootCurves> root_curves(const Clip& stored, const Clip& edited,
                                    double ticks_per_second) {
  std::vector<RootCurves> curves;
  for (const Channel channel : {Channel::rotation, Channel::translation}) {
    auto before = curve_in(stored, channel, ticks_per_second);
    auto after = curve_in(edited, channel, ticks_per_second);
    if (before && after) curves.push_back({std::move(*before), std::move(*after)});
  }
  return curves;
}

Result<EditedRoot> edit_root(const RootToEdit& target) {
  return RootEditor(target).run();
}

}  // namespace mabkit::mab
