#include <fmt/format.h>

#include <algorithm>
#include <mabkit/convert.hpp>
#include <mabkit/document.hpp>
#include <mabkit/json.hpp>

#include "base/allocation.hpp"
#include "convert/parts.hpp"
#include "convert/rig_match.hpp"

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

/// Writes a bank, or clips of it, as one format.
class Encoder {
 public:
  Encoder(const Bank& bank, std::string_view name, const std::optional<RigMatch>& match,
          const ConvertOptions& options)
      : bank_(bank), name_(name), match_(match), options_(options) {}

  Result<Parts> encode(std::vector<Diagnostic>& warnings) {
    Parts parts;
    const auto add = [&](std::string infix, std::optional<std::uint32_t> clip) -> Result<void> {
      auto bytes = encode_part(name_ + infix, clip, warnings);
      if (!bytes) return tl::unexpected(std::move(bytes.error()));
      parts.push_back({std::move(infix), std::move(*bytes)});
      return {};
    };

    const std::optional<std::uint32_t>& only = options_.gltf.clip;
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
  Result<std::vector<std::byte>> encode_part(std::string name, std::optional<std::uint32_t> clip,
                                             std::vector<Diagnostic>& warnings) const {
    if (options_.to == OutputFormat::json) {
      return to_bytes(write_json(clip ? conversion::single_clip(bank_, *clip) : bank_));
    }
    GltfOptions gltf = options_.gltf;
    gltf.name = std::move(name);
    gltf.clip = clip;
    const auto asset = build_gltf(bank_, skeleton_of(clip.value_or(0)), gltf);
    if (!asset) return tl::unexpected(asset.error());
    warnings.insert(warnings.end(), asset->diagnostics.begin(), asset->diagnostics.end());
    if (options_.to == OutputFormat::glb) return write_glb(*asset);
    return write_gltf(*asset).map([](const std::string& text) { return to_bytes(text); });
  }

  /// The rig of a clip; other clips than the matched one are of other entities.
  [[nodiscard]] const Skeleton* skeleton_of(std::uint32_t clip) const {
    return match_ && match_->clip == clip ? &options_.rigs[match_->rig].skeleton : nullptr;
  }

  const Bank& bank_;
  std::string name_;
  const std::optional<RigMatch>& match_;
  const ConvertOptions& options_;
};

Result<void> check_clip(const Bank& bank, const ConvertOptions& options) {
  const std::size_t count = bank.clips.size();
  if (!options.gltf.clip || *options.gltf.clip < count) return {};
  return tl::unexpected(
      refused(ErrorCode::bad_argument,
              fmt::format("has {} {}, so clip {} does not exist (the first is 0)", count,
                          count == 1 ? "clip" : "clips", *options.gltf.clip)));
}

/// Names joints as far as that is knowledge: by the rig for the clip that it was matched with, by
/// hash everywhere. An id of another clip's joint says nothing about this rig.
void name_bank(Bank& bank, const std::optional<RigMatch>& match, const ConvertOptions& options) {
  if (match) {
    Clip& clip = bank.clips[match->clip];
    const Skeleton& skeleton = options.rigs[match->rig].skeleton;
    name_joints(clip, skeleton, bind(clip, skeleton, options.gltf.bind));
  }
  name_joints(bank, options.names);
}

Conversion describe_document(const Document& document) {
  Conversion done;
  done.game = document.game();
  const FileSummary summary = document.summary();
  done.clips = summary.clips.size();
  if (!summary.clips.empty()) {
    done.joints = summary.clips[0].joints;
    done.keys = summary.clips[0].keys;
    done.duration = summary.clips[0].duration;
  }
  const auto found = document.diagnostics();
  done.warnings.assign(found.begin(), found.end());
  return done;
}

Result<Conversion> convert_document(const Document& document, std::string_view name,
                                    const ConvertOptions& options) {
  Conversion done = describe_document(document);
  if (options.game && *options.game != done.game) {
    return tl::unexpected(
        refused(ErrorCode::unsupported,
                fmt::format("is a {} file; writing it for another game ({}) is not available yet",
                            display_name(done.game), display_name(*options.game))));
  }
  if (options.to == OutputFormat::mab) {
    const auto bytes = document.bytes();
    done.parts.push_back({{}, {bytes.begin(), bytes.end()}});
    return done;
  }

  auto bank = document.bank();
  if (!bank) return tl::unexpected(std::move(bank.error()));
  done.warnings.insert(done.warnings.end(), bank->diagnostics.begin(), bank->diagnostics.end());
  if (const auto checked = check_clip(*bank, options); !checked) {
    return tl::unexpected(checked.error());
  }
  // Names that hashes give away let the report propose bones for joints that the rig lacks.
  name_joints(*bank, options.names);
  done.rig = conversion::match_rig(*bank, options);
  if (done.rig) {
    const auto about_rig = conversion::describe_match(*bank, *done.rig, options);
    done.warnings.insert(done.warnings.end(), about_rig.begin(), about_rig.end());
  }
  name_bank(*bank, done.rig, options);

  auto parts = Encoder(*bank, name, done.rig, options).encode(done.warnings);
  if (!parts) return tl::unexpected(std::move(parts.error()));
  done.parts = std::move(*parts);
  return done;
}

}  // namespace

Result<Conversion> convert(std::vector<std::byte> bytes, std::string_view name,
                           const ConvertOptions& options) {
  return base::with_allocation_errors([&]() -> Result<Conversion> {
    const auto document = Document::parse(std::move(bytes), options.read);
    if (!document) return tl::unexpected(document.error());
    return convert_document(*document, name, options);
  });
}

}  // namespace mabkit
