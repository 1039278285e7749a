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

/// One clip, or all of them, in the format that `options` ask for.
Result<std::vector<std::byte>> encode(const Bank& bank, const Skeleton* skeleton,
                                      const ConvertOptions& options,
                                      std::optional<std::uint32_t> clip) {
  if (options.to == OutputFormat::json) {
    return to_bytes(write_json(clip ? conversion::single_clip(bank, *clip) : bank));
  }
  GltfOptions gltf = options.gltf;
  gltf.clip = clip;
  const auto asset = build_gltf(bank, skeleton, gltf);
  if (!asset) return tl::unexpected(asset.error());
  if (options.to == OutputFormat::glb) return write_glb(*asset);
  return write_gltf(*asset).map([](const std::string& text) { return to_bytes(text); });
}

Result<Parts> encode_parts(const Bank& bank, const Skeleton* skeleton,
                           const ConvertOptions& options) {
  Parts parts;
  const auto add = [&](std::string infix, std::optional<std::uint32_t> clip) -> Result<void> {
    auto bytes = encode(bank, skeleton, options, clip);
    if (!bytes) return tl::unexpected(std::move(bytes.error()));
    parts.push_back({std::move(infix), std::move(*bytes)});
    return {};
  };

  const auto count = static_cast<std::uint32_t>(bank.clips.size());
  if (options.gltf.clip && *options.gltf.clip >= count) {
    return tl::unexpected(
        refused(ErrorCode::bad_argument,
                fmt::format("has {} {}, so clip {} does not exist (the first is 0)", count,
                            count == 1 ? "clip" : "clips", *options.gltf.clip)));
  }
  if (!options.split) {
    return add({}, options.gltf.clip).map([&] { return std::move(parts); });
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    if (options.gltf.clip && *options.gltf.clip != i) continue;
    const auto added = add(conversion::part_infix(i, bank.clips[i]), i);
    if (!added) return tl::unexpected(added.error());
  }
  return parts;
}

/// Names joints as far as that is knowledge: by the rig for clip 0, by hash everywhere.
void name_bank(Bank& bank, const std::optional<RigMatch>& match, const ConvertOptions& options) {
  if (match) {
    // Other clips belong to other rigs: an id of theirs says nothing about this one.
    const Skeleton& skeleton = options.rigs[match->rig].skeleton;
    name_joints(bank.clips[0], skeleton, bind(bank.clips[0], skeleton, options.gltf.bind));
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

Result<Conversion> convert_document(const Document& document, const ConvertOptions& options) {
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
  done.rig = conversion::match_rig(*bank, options);
  if (done.rig) {
    const auto about_rig = conversion::describe_match(*bank, *done.rig, options);
    done.warnings.insert(done.warnings.end(), about_rig.begin(), about_rig.end());
  }
  name_bank(*bank, done.rig, options);

  const Skeleton* skeleton = done.rig ? &options.rigs[done.rig->rig].skeleton : nullptr;
  auto parts = encode_parts(*bank, skeleton, options);
  if (!parts) return tl::unexpected(std::move(parts.error()));
  done.parts = std::move(*parts);
  return done;
}

}  // namespace

Result<Conversion> convert(std::vector<std::byte> bytes, const ConvertOptions& options) {
  return base::with_allocation_errors([&]() -> Result<Conversion> {
    const auto document = Document::parse(std::move(bytes), options.read);
    if (!document) return tl::unexpected(document.error());
    return convert_document(*document, options);
  });
}

}  // namespace mabkit
