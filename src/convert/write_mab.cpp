#include "convert/write_mab.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mabkit/file.hpp>
#include <variant>

#include "convert/missed_motion.hpp"

namespace mabkit::conversion {
namespace {

tl::unexpected<Error> refused(ErrorCode code, std::string message) {
  return tl::unexpected(Error{code, std::nullopt, {}, std::move(message)});
}

/// Only the chunked family leaves it open (spec mab-sparse, 4: absolute; mab-chunked, 5).
bool may_be_relative(const Document& document) {
  return std::holds_alternative<ChunkedMab>(document.variant());
}

/// Whether the values that the output holds relate to the bind pose: as those of its template do.
Result<bool> output_is_relative(const RigChoice& rigs, const ConvertOptions& options,
                                std::vector<Diagnostic>& warnings) {
  if (options.bind_mode) return *options.bind_mode == BindMode::delta;
  if (!options.like || !rigs.is_of_game) return false;
  const auto stored = options.like->document.bank();
  if (!stored) return tl::unexpected(stored.error());
  return is_relative_to_bind_pose(stored->clips.front(), *rigs.output(), &options.like->document,
                                  options, warnings);
}

bool has_ids(const Skeleton& skeleton) {
  return std::any_of(skeleton.bones.begin(), skeleton.bones.end(),
                     [](const Bone& bone) { return bone.id.has_value(); });
}

/// Why no new file of a game can be made, whatever is to go into it.
std::optional<Error> refusal_of_new_files(Game game) {
  const auto empty = encode_mab(Bank{}, game, EncodeOptions{});
  if (empty || empty.error().code != ErrorCode::unsupported) return std::nullopt;
  return empty.error();
}

/// Joints of the sparse family are skeleton ids, which only a rig knows.
Result<void> check_ids(const Bank& bank, Game game, const Skeleton* skeleton,
                       const ConvertOptions& options, std::vector<Diagnostic>& warnings) {
  if (bank.game && names_joints_by_id(*bank.game)) return {};
  if (skeleton != nullptr && has_ids(*skeleton)) return {};
  // The order of a capture's own joints says nothing about a game's.
  const bool has_rig = !options.rigs.empty() || options.target_rig;
  if (has_rig && options.scene.bind.order_as_id) {
    warnings.push_back({std::nullopt, "clip[0].joints",
                        "their numbers are the order of the rig's bones, which is a guess"});
    return {};
  }
  return refused(ErrorCode::bad_argument,
                 fmt::format("{} names joints by skeleton id, which nothing here knows: add "
                             "--skeleton with the .skeleton of the character{}",
                             display_name(game),
                             !has_rig ? ""
                                      : ", or --bone-order to take the order of the "
                                        "rig's bones for ids (a guess)"));
}

/// Joints of the chunked family are hashes of names, which a clip of the sparse family has from its
/// rig.
Result<void> check_names(const Bank& bank, Game game, const RigChoice& rigs, bool is_edit) {
  const auto is_nameless = [](const Joint& joint) { return !joint.name && !joint.name_hash; };
  const auto& joints = bank.clips.front().joints;
  const auto first = std::find_if(joints.begin(), joints.end(), is_nameless);
  if (first == joints.end()) return {};
  const auto count = std::count_if(joints.begin(), joints.end(), is_nameless);
  // An edit says itself which joints it leaves out.
  if (is_edit && static_cast<std::size_t>(count) < joints.size()) return {};
  const std::string_view what_to_do =
      rigs.source == nullptr ? "add --skeleton with the .skeleton of the character"
      : has_ids(*rigs.source)
          ? "the rig has no bones of these numbers; take that of this clip, or name them with --map"
          : "the rig has no numbers; take the .skeleton of the character, or --bone-order to take "
            "the order of the rig's bones for them (a guess)";
  return refused(
      ErrorCode::bad_argument,
      fmt::format("{} names joints by name, and {} of {} have only a number here, such as "
                  "{}: {}",
                  display_name(game), count, joints.size(), first->id, what_to_do));
}

/// Whether bounds were set that only count where there is no rig.
bool bounds_joints(const EncodeOptions& encode) {
  const EncodeOptions plain;
  return encode.max_rotation_error != plain.max_rotation_error ||
         encode.max_translation_error != plain.max_translation_error;
}

}  // namespace

std::optional<Game> target_game(const Bank& bank, const ConvertOptions& options) {
  if (options.like) return options.like->document.game();
  return options.game ? options.game : bank.game;
}

bool is_relative_to_bind_pose(const Clip& clip, const Skeleton& skeleton, const Document* document,
                              const ConvertOptions& options, std::vector<Diagnostic>& warnings) {
  if (options.bind_mode) return *options.bind_mode == BindMode::delta;
  if (document == nullptr || !may_be_relative(*document)) return false;
  const Binding binding = bind(clip, skeleton, options.scene.bind);
  if (detect_bind_mode(clip, skeleton, binding) != BindMode::delta) return false;
  warnings.push_back({std::nullopt, "clip[0]",
                      "rotations were taken as relative to the bind pose, since most joints are "
                      "nearer to none than to it: a guess, --bind absolute overrules it"});
  return true;
}

Result<EncodedFile> write_mab(Bank& bank, const RigChoice& rigs, const ConvertOptions& options,
                              std::vector<Diagnostic>& warnings) {
  const Skeleton* const skeleton = rigs.output();
  const std::optional<Game> game = target_game(bank, options);
  if (!game) {
    return refused(ErrorCode::bad_argument,
                   "does not say which game it is for: add --game GAME, or --like ORIGINAL.mab");
  }
  if (options.like && options.game && *options.game != *game) {
    return refused(ErrorCode::bad_argument,
                   fmt::format("--like {} is a file of {}, not of {}: leave --game out, or take a "
                               "template of that game",
                               path_text(options.like->file.filename()), display_name(*game),
                               display_name(*options.game)));
  }
  if (!options.like) {
    if (auto refusal = refusal_of_new_files(*game)) return tl::unexpected(std::move(*refusal));
  }
  const auto checked = names_joints_by_id(*game)
                           ? check_ids(bank, *game, skeleton, options, warnings)
                           : check_names(bank, *game, rigs, options.like != nullptr);
  if (!checked) return tl::unexpected(checked.error());
  if (skeleton != nullptr && !bank.clips.empty()) {
    const auto is_relative = output_is_relative(rigs, options, warnings);
    if (!is_relative) return tl::unexpected(is_relative.error());
    Clip& clip = bank.clips.front();
    if (*is_relative) remove_bind_pose(clip, *skeleton, bind(clip, *skeleton, options.scene.bind));
  }
  if (skeleton != nullptr && bounds_joints(options.encode)) {
    warnings.push_back({std::nullopt, "clip[0]",
                        "with a rig errors are bounded in object space, by --max-error-mm; "
                        "--max-error and --max-offset bound clips without one"});
  }
  if (skeleton == nullptr && options.encode.max_object_error != EncodeOptions{}.max_object_error) {
    warnings.push_back({std::nullopt, "clip[0]",
                        "without a rig errors are bounded joint by joint, by --max-error and "
                        "--max-offset; --max-error-mm bounds clips with one: add --skeleton"});
  }
  EncodeOptions encode = options.encode;
  encode.skeleton = skeleton;
  encode.bind = options.scene.bind;
  if (options.like) return options.like->document.with(bank, encode);
  if (bank.clips.empty() ||
      (bank.clips.front().tracks.empty() && !bank.clips.front().root_motion)) {
    return refused(ErrorCode::bad_value, "moves nothing: its main clip has no track");
  }
  auto file = encode_mab(bank, *game, encode);
  if (!file) return file;
  if (auto missed = missed_motion(bank.clips.front(), *file, skeleton, options)) {
    warnings.push_back(std::move(*missed));
  }
  return file;
}

}  // namespace mabkit::conversion
