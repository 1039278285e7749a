#include "convert/unheeded.hpp"

#include <fmt/format.h>

#include <mabkit/names.hpp>
#include <variant>

#include "convert/listed.hpp"

namespace mabkit::conversion {
namespace {

/// Whether `--bind` has values of a game to speak of, and a rig whose bind pose they relate to.
bool heeds_bind(const Source& source, const RigChoice& rigs, const ConvertOptions& options) {
  const bool reads_values = source.document && rigs.source != nullptr && rigs.clip == 0;
  return reads_values || (options.to == OutputFormat::mab && rigs.output() != nullptr);
}

bool is_chunked(const Template& original) {
  return std::holds_alternative<ChunkedMab>(original.document.variant());
}

}  // namespace

std::vector<Diagnostic> unheeded_options(const Source& source, const RigChoice& rigs,
                                         const ConvertOptions& options) {
  std::vector<Diagnostic> found;
  const auto say = [&](std::string message) {
    found.push_back({std::nullopt, {}, std::move(message)});
  };
  if (source.is_of_games && (options.import.up || options.import.metres_per_unit)) {
    say("--up and --scale change nothing: they are for glTF, BVH and FBX, and this has Z up and "
        "metres");
  }
  if (options.bind_mode && !heeds_bind(source, rigs, options)) {
    say(options.to == OutputFormat::mab || source.document
            ? "--bind changes nothing without a rig: add --skeleton"
            : "--bind changes nothing: it is for values of a .mab");
  }
  if (options.like && options.encode.keep_grid && !is_chunked(*options.like)) {
    say(fmt::format("--keep-grid changes nothing: in {} each joint has keys of its own",
                    display_name(options.like->document.game())));
  }
  if (options.like && options.encode.key_reduction.value_or(false) && is_chunked(*options.like)) {
    say(fmt::format(
        "--key-reduction on changes nothing with --like: joints of {} share their keys, "
        "and an edit keeps them",
        display_name(options.like->document.game())));
  }
  return found;
}

std::optional<Diagnostic> names_against_hashes(const Clip& clip) {
  std::vector<std::string> found;
  for (const Joint& joint : clip.joints) {
    if (!joint.name || !joint.name_hash || name_hash(*joint.name) == *joint.name_hash) continue;
    found.push_back(fmt::format("{} ({})", *joint.name, hash_text(*joint.name_hash)));
  }
  if (found.empty()) return std::nullopt;
  return Diagnostic{
      std::nullopt, "clip[0].joints",
      fmt::format(
          "{} {} a name and the hash of another: {}; the hash counts. To rename a joint take "
          "its hash out as well, or use --map",
          found.size(), found.size() == 1 ? "joint has" : "joints have", listed(found))};
}

}  // namespace mabkit::conversion
