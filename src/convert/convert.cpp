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
  /// `skeleton` is the rig of clip `rig_clip`; null where there is none.
  Exporter(const Bank& bank, std::string_view name, const Skeleton* skeleton,
           std::uint32_t rig_clip, const ConvertOptions& options)
      : bank_(bank), name_(name), skeleton_(skeleton), rig_clip_(rig_clip), options_(options) {}

  Result<Parts> write(std::vector<Diagnostic>& warnings) {
    Parts parts;
    const auto add = [&](std::string infix, std::optional<std::uint32_t> clip) -> Result<void> {
      auto bytes = write_part(name_ + infix, clip, warnings);
      if (!bytes) return tl::unexpected(std::move(bytes.error()));
      parts.push_back({std::move(infix), std::move(*bytes)});
      return {};
    };

    const std::optional<std::uint32_t>& only = options_.scene.clip;
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
    const Skeleton* const skeleton = clip.value_or(0) == rig_clip_ ? skeleton_ : nullptr;
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
  std::uint32_t rig_clip_;
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
          settle_names();
          make_absolute();
          if (rigs_.target != nullptr) {
            done_.retarget = conversion::carry_over(bank_, rigs_, options_, done_.warnings);
          }
          return write();
        });
  }

 private:
  /// A `.mab` that becomes one of its own game without a change is copied to the byte.
  [[nodiscard]] bool is_plain_copy() const {
    return options_.to == OutputFormat::mab && source_.document && !options_.like &&
           !options_.target_rig && !options_.scene.clip && !options_.reencode &&
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

  /// Of several takes, and for a `.mab` of several clips, the one that was asked for stays.
  Result<void> choose_clip() {
    const std::size_t count = bank_.clips.size();
    const std::uint32_t clip = options_.scene.clip.value_or(0);
    if (clip >= count) {
      return tl::unexpected(
          refused(ErrorCode::bad_argument,
                  fmt::format("has {} {}, so clip {} does not exist (the first is 0)", count,
                              count == 1 ? "clip" : "clips", clip)));
    }
    if (options_.to != OutputFormat::mab) return {};
    if (source_.are_takes && count > 1 && !options_.scene.clip) {
      done_.warnings.push_back(
          {std::nullopt, "clip[0]",
           fmt::format("only the first of {} animations is taken ({}); --clip N takes another",
                       count, clip_names())});
    }
    if (source_.are_takes || options_.scene.clip) bank_ = conversion::single_clip(bank_, clip);
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
    done_.clips = bank_.clips.size();
    const Clip& clip = bank_.clips.front();
    done_.joints = clip.joints.size();
    for (const Track& track : clip.tracks) done_.keys = std::max(done_.keys, track.keys.count);
    done_.duration = clip.duration;
  }

  /// An input with a rig of its own keeps it, or is carried over to the best of those given. A
  /// `.mab` has none, so the best of those given is its own.
  void choose_rigs() {
    for (const std::string& name : apply_joint_map(options_.joint_map, bank_, source_.skeleton)) {
      done_.warnings.push_back(
          {std::nullopt, "clip[0]", fmt::format("the map names {}, which is no joint here", name)});
    }
    // Names that hashes give away let the report propose bones for joints that the rig lacks.
    name_joints(bank_, options_.names);
    if (!source_.skeleton.bones.empty()) {
      rigs_.source = &source_.skeleton;
      rigs_.target = conversion::best_target(source_.skeleton, options_);
      if (rigs_.target == nullptr && !options_.rigs.empty()) rigs_.target = &options_.rigs.front();
    } else {
      done_.rig = conversion::match_rig(bank_, options_);
      if (done_.rig) {
        rigs_.source = &options_.rigs[done_.rig->rig].skeleton;
        const auto about_rig = conversion::describe_match(bank_, *done_.rig, options_);
        done_.warnings.insert(done_.warnings.end(), about_rig.begin(), about_rig.end());
      }
    }
    if (options_.target_rig) rigs_.target = &*options_.target_rig;
    rigs_.is_of_game = rigs_.target != nullptr || !source_.are_takes;
  }

  /// Which clip the source's rig is of.
  [[nodiscard]] std::uint32_t rig_clip() const { return done_.rig ? done_.rig->clip : 0; }

  /// Names joints as far as that is knowledge: by the rig for the clip that it was matched with, by
  /// hash everywhere. An id of another clip's joint says nothing about this rig.
  void settle_names() {
    if (rigs_.source != nullptr) {
      Clip& clip = bank_.clips[rig_clip()];
      name_joints(clip, *rigs_.source, bind(clip, *rigs_.source, options_.scene.bind));
    }
    name_joints(bank_, options_.names);
  }

  void make_absolute() {
    if (!source_.document || rigs_.source == nullptr || rig_clip() != 0) return;
    Clip& clip = bank_.clips.front();
    if (conversion::is_relative_to_bind_pose(clip, *rigs_.source, &*source_.document, options_,
                                             done_.warnings)) {
      apply_bind_pose(clip, *rigs_.source, bind(clip, *rigs_.source, options_.scene.bind));
    }
  }

  Result<Conversion> write() {
    if (options_.to == OutputFormat::mab) return write_mab();
    auto parts = Exporter(bank_, name_, rigs_.output(), rig_clip(), options_).write(done_.warnings);
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
