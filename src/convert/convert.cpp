#include <fmt/format.h>

#include <algorithm>
#include <mabkit/convert.hpp>
#include <mabkit/document.hpp>
#include <mabkit/fbx.hpp>
#include <mabkit/file.hpp>
#include <mabkit/gltf.hpp>
#include <mabkit/json.hpp>

#include "base/allocation.hpp"
#include "convert/carry_over.hpp"
#include "convert/parts.hpp"
#include "convert/rig_match.hpp"
#include "convert/source.hpp"
#include "convert/unheeded.hpp"
#include "convert/write_mab.hpp"

namespace mabkit {
namespace {

using Parts = std::vector<ConvertedPart>;

Error refused(ErrorCode code, std::string message) {
  return {code, std::nullopt, {}, std::move(message)};
}

std::vector<std::byte> to_bytes(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

/// Writes a bank, or clips of it, as one format of other tools.
class Exporter {
 public:
  /// `skeleton` is the rig of clip `rig_clip`, or of every clip where that is absent; null where
  /// there is none.
  Exporter(const Bank& bank, std::string_view name, const Skeleton* skeleton,
           std::optional<std::uint32_t> rig_clip, const ConvertOptions& options)
      : bank_(bank), name_(name), skeleton_(skeleton), rig_clip_(rig_clip), options_(options) {}

  /// Writes clip `only`, or all of them.
  Result<Parts> write(std::optional<std::uint32_t> only, std::vector<Diagnostic>& warnings) {
    Parts parts;
    const auto add = [&](std::string infix, std::optional<std::uint32_t> clip) -> Result<void> {
      auto bytes = write_part(name_ + infix, clip, warnings);
      if (!bytes) return tl::unexpected(std::move(bytes.error()));
      parts.push_back({std::move(infix), std::move(*bytes)});
      return {};
    };

    if (!options_.split) return add({}, only).map([&] { return std::move(parts); });
    for (std::uint32_t i = 0; i < bank_.clips.size(); ++i) {
      if (only && *only != i) continue;
      const auto added = add(conversion::part_infix(i, bank_.clips[i]), i);
      if (!added) return tl::unexpected(added.error());
    }
    return parts;
  }

 private:
  /// One clip, or all of them.
  Result<std::vector<std::byte>> write_part(std::string name, std::optional<std::uint32_t> clip,
                                            std::vector<Diagnostic>& warnings) const {
    if (options_.to == OutputFormat::json) {
      return to_bytes(write_json(clip ? conversion::single_clip(bank_, *clip) : bank_));
    }
    SceneOptions scene = options_.scene;
    scene.name = std::move(name);
    scene.clip = clip;
    // Other clips than that of the rig are of other entities.
    const bool is_of_rig = !rig_clip_ || *rig_clip_ == clip.value_or(0);
    const Skeleton* const skeleton = is_of_rig ? skeleton_ : nullptr;
    if (options_.to == OutputFormat::fbx) {
      auto fbx = write_fbx(bank_, skeleton, scene);
      if (!fbx) return tl::unexpected(std::move(fbx.error()));
      warnings.insert(warnings.end(), fbx->diagnostics.begin(), fbx->diagnostics.end());
      return std::move(fbx->bytes);
    }
    const auto asset = build_gltf(bank_, skeleton, scene);
    if (!asset) return tl::unexpected(asset.error());
    warnings.insert(warnings.end(), asset->diagnostics.begin(), asset->diagnostics.end());
    if (options_.to == OutputFormat::glb) return write_glb(*asset);
    return write_gltf(*asset).map([](const std::string& text) { return to_bytes(text); });
  }

  const Bank& bank_;
  std::string name_;
  const Skeleton* skeleton_;
  std::optional<std::uint32_t> rig_clip_;
  const ConvertOptions& options_;
};

/// Takes an input to its output, step by step.
class Job {
 public:
  Job(conversion::Source source, std::string_view name, const ConvertOptions& options)
      : source_(std::move(source)), name_(name), options_(options) {
    done_.notices = std::move(source_.notices);
  }

  Result<Conversion> run() {
    if (source_.document) describe_document();
    if (is_plain_copy()) {
      const auto bytes = source_.document->bytes();
      done_.parts.push_back({{}, {bytes.begin(), bytes.end()}});
      return std::move(done_);
    }
    return decode()
        .and_then([this] { return choose_clip(); })
        .and_then([this]() -> Result<Conversion> {
          describe_bank();
          choose_rigs();
          say_unheeded();
          settle_names();
          make_absolute();
          carry_over();
          return write();
        });
  }

 private:
  /// A `.mab` that becomes one of its own game without a change is copied to the byte.
  [[nodiscard]] bool is_plain_copy() const {
    const bool is_whole = !options_.scene.clip || (*options_.scene.clip == 0 && done_.clips == 1);
    return options_.to == OutputFormat::mab && source_.document && !options_.like &&
           !options_.target_rig && is_whole && !options_.reencode &&
           (!options_.game || *options_.game == source_.document->game());
  }

  void describe_document() {
    done_.game = source_.document->game();
    const FileSummary summary = source_.document->summary();
    done_.clips = summary.clips.size();
    if (!summary.clips.empty()) {
      done_.joints = summary.clips[0].joints;
      done_.keys = summary.clips[0].keys;
      done_.duration = summary.clips[0].duration;
    }
    const auto found = source_.document->diagnostics();
    done_.warnings.assign(found.begin(), found.end());
  }

  Result<void> decode() {
    if (!source_.document) {
      bank_ = std::move(source_.bank);
    } else if (auto bank = source_.document->bank()) {
      bank_ = std::move(*bank);
    } else {
      return tl::unexpected(std::move(bank.error()));
    }
    done_.warnings.insert(done_.warnings.end(), bank_.diagnostics.begin(), bank_.diagnostics.end());
    if (bank_.clips.empty()) {
      return tl::unexpected(refused(ErrorCode::bad_value, "holds no clip"));
    }
    return {};
  }

  /// Of several takes, and for a `.mab` of several clips, the one that was asked for stays. All
  /// takes stay where each gets an output of its own, and in JSON.
  Result<void> choose_clip() {
    const std::size_t count = bank_.clips.size();
    done_.clips = count;
    const std::uint32_t clip = options_.scene.clip.value_or(0);
    if (clip >= count) {
      return tl::unexpected(
          refused(ErrorCode::bad_argument,
                  fmt::format("has {} {}, so clip {} does not exist (the first is 0)", count,
                              count == 1 ? "clip" : "clips", clip)));
    }
    const bool makes_mab = options_.to == OutputFormat::mab;
    const bool takes_one =
        makes_mab || (source_.are_takes && options_.to != OutputFormat::json && !options_.split);
    if (source_.are_takes && takes_one && count > 1 && !options_.scene.clip) {
      done_.warnings.push_back(
          {std::nullopt, "clip[0]",
           fmt::format("only the first of {} animations is taken ({}); --clip N takes another{}",
                       count, clip_names(), makes_mab ? "" : ", --split writes a file for each")});
    }
    only_ = options_.scene.clip;
    const bool is_asked_for = options_.scene.clip && (makes_mab || source_.are_takes);
    if (is_asked_for || (source_.are_takes && takes_one)) {
      bank_ = conversion::single_clip(bank_, clip);
      only_.reset();
    }
    rigs_.clip = only_.value_or(0);
    return {};
  }

  [[nodiscard]] std::string clip_names() const {
    constexpr std::size_t most_listed = 8;
    std::vector<std::string> names;
    for (const Clip& clip : bank_.clips) {
      if (names.size() == most_listed) {
        names.emplace_back("...");
        break;
      }
      names.push_back(fmt::format("{}: {}", names.size(), clip.name.value_or("unnamed")));
    }
    return fmt::format("{}", fmt::join(names, ", "));
  }

  void describe_bank() {
    if (source_.document) return;
    done_.game = bank_.game;
    const Clip& clip = bank_.clips.front();
    done_.joints = clip.joints.size();
    for (const Track& track : clip.tracks) done_.keys = std::max(done_.keys, track.keys.count);
    done_.duration = clip.duration;
  }

  /// An input with a rig of its own keeps it, or is carried over to the best of those given. A
  /// `.mab` has none, so the best of those given is its own.
  void choose_rigs() {
    // Names that hashes give away let the report propose bones for joints that the rig lacks.
    name_joints(bank_, options_.names);
    const bool brings_rig = !source_.skeleton.bones.empty();
    const bool maps_onto_target = !brings_rig && options_.target_rig;
    if (!maps_onto_target) apply_map();
    if (brings_rig) {
      rigs_.source = &source_.skeleton;
      rigs_.target = conversion::best_target(source_.skeleton, options_);
      if (rigs_.target == nullptr && !options_.rigs.empty()) rigs_.target = &options_.rigs.front();
    } else {
      match_given_rig();
    }
    if (maps_onto_target) map_onto_target();
    if (options_.target_rig) rigs_.target = &*options_.target_rig;
    rigs_.is_of_game = rigs_.target != nullptr || !source_.are_takes;
  }

  void match_given_rig() {
    done_.rig = conversion::match_rig(bank_, rigs_.clip, options_);
    if (!done_.rig) return;
    rigs_.source = &options_.rigs[done_.rig->rig].skeleton;
    const auto about_rig = conversion::describe_match(bank_, *done_.rig, options_);
    done_.warnings.insert(done_.warnings.end(), about_rig.begin(), about_rig.end());
  }

  /// Between two rigs the map is from the names of the one to those of the other, so joints get the
  /// names of their own first.
  void map_onto_target() {
    if (options_.joint_map.entries.empty()) return;
    if (rigs_.source != nullptr) {
      Clip& clip = bank_.clips[rigs_.clip];
      name_joints(clip, *rigs_.source, bind(clip, *rigs_.source, options_.scene.bind));
      source_.skeleton = *rigs_.source;
      rigs_.source = &source_.skeleton;
    }
    apply_map();
  }

  void apply_map() {
    for (const std::string& name : apply_joint_map(options_.joint_map, bank_, source_.skeleton)) {
      done_.warnings.push_back(
          {std::nullopt, "clip[0]", fmt::format("the map names {}, which is no joint here", name)});
    }
    if (!source_.are_takes) return;
    // The other takes have the same joints.
    for (std::size_t i = 1; i < bank_.clips.size(); ++i) {
      Bank other;
      other.clips.push_back(std::move(bank_.clips[i]));
      Skeleton renamed_already;
      (void)apply_joint_map(options_.joint_map, other, renamed_already);
      bank_.clips[i] = std::move(other.clips.front());
    }
  }

  /// The input brings the rig itself: it can't name joints that the input does not name.
  [[nodiscard]] bool has_own_rig() const { return rigs_.source == &source_.skeleton; }

  void say_unheeded() {
    const auto unheeded = conversion::unheeded_options(source_, rigs_, options_);
    done_.notices.insert(done_.notices.end(), unheeded.begin(), unheeded.end());
    if (source_.document || options_.to != OutputFormat::mab) return;
    if (auto found = conversion::names_against_hashes(bank_.clips.front())) {
      done_.warnings.push_back(std::move(*found));
    }
  }

  /// Names joints as far as that is knowledge: by the rig for the clip that it was matched with, by
  /// hash everywhere. An id of another clip's joint says nothing about this rig.
  void settle_names() {
    if (rigs_.source != nullptr && !has_own_rig()) {
      Clip& clip = bank_.clips[rigs_.clip];
      name_joints(clip, *rigs_.source, bind(clip, *rigs_.source, options_.scene.bind));
    }
    name_joints(bank_, options_.names);
  }

  /// Takes all move the same rig; of a bank's clips only one does.
  void carry_over() {
    if (rigs_.target == nullptr) return;
    done_.retarget = conversion::carry_over(bank_, rigs_, options_, done_.warnings);
    if (!source_.are_takes) return;
    conversion::RigChoice rigs = rigs_;
    for (rigs.clip = 1; rigs.clip < bank_.clips.size(); ++rigs.clip) {
      std::vector<Diagnostic> said_of_the_first;
      (void)conversion::carry_over(bank_, rigs, options_, said_of_the_first);
    }
  }

  void make_absolute() {
    if (!source_.document || rigs_.source == nullptr || rigs_.clip != 0) return;
    Clip& clip = bank_.clips.front();
    if (conversion::is_relative_to_bind_pose(clip, *rigs_.source, &*source_.document, options_,
                                             done_.warnings)) {
      apply_bind_pose(clip, *rigs_.source, bind(clip, *rigs_.source, options_.scene.bind));
    }
  }

  Result<Conversion> write() {
    if (options_.to == OutputFormat::mab) return write_mab();
    const auto rig_clip = source_.are_takes ? std::nullopt : std::optional(rigs_.clip);
    auto parts =
        Exporter(bank_, name_, rigs_.output(), rig_clip, options_).write(only_, done_.warnings);
    if (!parts) return tl::unexpected(std::move(parts.error()));
    done_.parts = std::move(*parts);
    return std::move(done_);
  }

  /// A take of another tool on a rig of its own: nothing says that its bones have the axes of the
  /// original's.
  void doubt_axes() {
    if (!options_.like || !source_.are_takes || rigs_.source == nullptr || rigs_.target) return;
    done_.warnings.push_back(
        {std::nullopt, "clip[0]",
         "values are taken as they are, but the bones of this file may have other axes than the "
         "original's, as glTF and FBX out of Blender have them: add --skeleton with the original's "
         "rig"});
  }

  Result<Conversion> write_mab() {
    doubt_axes();
    auto encoded = conversion::write_mab(bank_, rigs_, options_, done_.warnings);
    if (!encoded) return tl::unexpected(std::move(encoded.error()));
    done_.game = conversion::target_game(bank_, options_);
    done_.notices.insert(done_.notices.end(), encoded->report.notices.begin(),
                         encoded->report.notices.end());
    done_.parts.push_back({{}, std::move(encoded->bytes)});
    done_.encoding = std::move(encoded->report);
    return std::move(done_);
  }

  conversion::Source source_;
  Bank bank_;
  conversion::RigChoice rigs_;
  std::optional<std::uint32_t> only_;  ///< the one clip of `bank_` that is written; absent: all
  std::string_view name_;
  const ConvertOptions& options_;
  Conversion done_;
};

}  // namespace

Result<Template> load_template(const std::filesystem::path& file, const ReadOptions& options) {
  return base::with_allocation_errors([&]() -> Result<Template> {
    auto bytes = read_file(file, options.limits.max_file_size);
    if (!bytes) return tl::unexpected(std::move(bytes.error()));
    auto document = Document::parse(std::move(*bytes), options);
    if (!document) return tl::unexpected(std::move(document.error()));
    return Template{file, std::move(*document)};
  });
}

Result<Conversion> convert(std::vector<std::byte> bytes, std::string_view name,
                           const ConvertOptions& options, const std::filesystem::path& file) {
  return base::with_allocation_errors([&]() -> Result<Conversion> {
    auto source = conversion::read_source(std::move(bytes), file, options);
    if (!source) return tl::unexpected(std::move(source.error()));
    return Job(std::move(*source), name, options).run();
  });
}

}  // namespace mabkit
