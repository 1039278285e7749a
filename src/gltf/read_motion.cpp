#include <fmt/format.h>

#include <cmath>
#include <mabkit/gltf.hpp>
#include <utility>

#include "base/allocation.hpp"
#include "base/json_document.hpp"
#include "gltf/bank_record.hpp"
#include "gltf/motion_source.hpp"
#include "gltf/source_buffers.hpp"
#include "gltf/source_nodes.hpp"

namespace mabkit {
namespace gltf {
namespace {

/// Document, asset, extras, mabkit, clips, clip, root_motion, reference, number: 8 levels. What is
/// deeper is other programs' own.
constexpr std::size_t deepest = 10;
/// A scene of more nodes is no rig.
constexpr std::size_t most_nodes = std::size_t{1} << 18U;

bool has_object(const Json& document, const char* name) {
  const auto member = document.find(name);
  return member != document.end() && member->is_object();
}

Result<Json> parse(std::string_view text, const ReadLimits& limits) {
  auto document =
      base::parse_json<Json>(text, {deepest, base::DeepValues::left_out, limits.max_decoded_bytes});
  if (document && document->is_object()) return document;
  if (!document && document.error().code == ErrorCode::limit) return document;
  Error problem = document ? Error{} : std::move(document.error());
  if (!text.starts_with('{') || document) problem.code = ErrorCode::unknown_format;
  if (document) problem.message = "is neither a .glb nor the JSON of a .gltf";
  return tl::unexpected(std::move(problem));
}

/// glTF 1 looks alike but keeps objects where 2 has lists.
Result<void> check_version(const Json& document) {
  for (const char* const name : {"nodes", "accessors", "animations"}) {
    if (has_object(document, name)) {
      return error(ErrorCode::unsupported, name, "is of glTF 1; only glTF 2 is read");
    }
  }
  return {};
}

Result<void> check_options(const ImportOptions& options) {
  if (!options.metres_per_unit) return {};
  const double unit = *options.metres_per_unit;
  if (std::isfinite(unit) && unit > 0.0) return {};
  return error(ErrorCode::bad_argument, {}, fmt::format("a unit of {} m is no length", unit));
}

/// Joints of the rig, and every node of ours that has values of its own.
std::vector<bool> find_frames(const SourceRig& rig, const std::vector<std::uint32_t>& joints) {
  std::vector<bool> is_frame(rig.nodes.size(), false);
  for (const std::uint32_t node : joints) is_frame[node] = true;
  for (std::size_t node = 0; node < rig.nodes.size(); ++node) {
    const SourceNode& in = rig.nodes[node];
    if (is_root_motion(in.name) || extra(in, "participant") != nullptr) is_frame[node] = true;
  }
  return is_frame;
}

/// Frames and everything above them.
std::vector<bool> what_matters(const SourceRig& rig, const std::vector<bool>& is_frame) {
  std::vector<bool> matters = is_frame;
  for (auto node = rig.order.rbegin(); node != rig.order.rend(); ++node) {
    const std::uint32_t parent = rig.nodes[*node].parent;
    if (matters[*node] && parent != no_node) matters[parent] = true;
  }
  return matters;
}

Result<SourceRig> read_rig(const Json& document) {
  SourceRig rig;
  auto nodes = read_nodes(document);
  if (!nodes) return tl::unexpected(nodes.error());
  rig.nodes = std::move(*nodes);
  if (rig.nodes.size() > most_nodes) {
    return error(
        ErrorCode::limit, "nodes",
        fmt::format("{} nodes are more than the limit of {}", rig.nodes.size(), most_nodes));
  }
  auto order = order_nodes(rig.nodes);
  if (!order) return tl::unexpected(order.error());
  rig.order = std::move(*order);
  return rig;
}

/// glTF says which axis is up and that a unit is a metre; only what overrules it is worth a word.
void say_space(const ImportOptions& options, ImportedMotion& out) {
  if (options.up) {
    out.notices.push_back(
        {std::nullopt, "up",
         fmt::format("{} is up, as was asked for", *options.up == UpAxis::z ? "Z" : "Y")});
  }
  if (options.metres_per_unit) {
    out.notices.push_back(
        {std::nullopt, "unit",
         fmt::format("a unit is {} m, as was asked for", *options.metres_per_unit)});
  }
}

Result<ImportedMotion> read_motion(std::span<const std::byte> bytes, const ImportOptions& options,
                                   const BufferSource& buffers_from) {
  const ReadLimits& limits = options.limits;
  if (bytes.size() > limits.max_file_size) {
    return error(
        ErrorCode::limit, {},
        fmt::format("has {} bytes, more than the limit of {}", bytes.size(), limits.max_file_size));
  }
  if (auto checked = check_options(options); !checked) return tl::unexpected(checked.error());
  const auto parts = split_container(bytes);
  if (!parts) return tl::unexpected(parts.error());
  const auto document = parse(parts->json, limits);
  if (!document) return tl::unexpected(document.error());
  if (auto checked = check_version(*document); !checked) return tl::unexpected(checked.error());

  MotionSource source;
  source.limits = limits;
  auto rig = read_rig(*document);
  if (!rig) return tl::unexpected(rig.error());
  source.rig = std::move(*rig);
  source.rig.is_y_up = options.up.value_or(UpAxis::y) == UpAxis::y;
  auto joints = find_joints(*document, source.rig.nodes);
  if (!joints) return tl::unexpected(joints.error());
  source.joints = std::move(*joints);
  if (source.joints.size() > limits.max_joints) {
    return error(ErrorCode::limit, "skins",
                 fmt::format("{} joints are more than the limit of {}", source.joints.size(),
                             limits.max_joints));
  }
  const std::vector<bool> is_frame = find_frames(source.rig, source.joints);
  auto frames = build_frames(source.rig.nodes, source.rig.order, is_frame, options);
  if (!frames) return tl::unexpected(frames.error());
  source.rig.frames = std::move(*frames);

  SourceBuffers buffers(*document, parts->binary, buffers_from, limits);
  auto animations = read_animations(*document, source.rig.nodes, what_matters(source.rig, is_frame),
                                    buffers, limits);
  if (!animations) return tl::unexpected(animations.error());
  source.animations = std::move(*animations);

  ImportedMotion out;
  out.bank.format = "gltf";
  say_space(options, out);
  out.notices.insert(out.notices.end(), source.rig.frames.notices.begin(),
                     source.rig.frames.notices.end());
  for (std::size_t i = 0; i < source.animations.size(); ++i) {
    const std::size_t count = source.animations[i].channels_elsewhere;
    if (count == 0) continue;
    out.notices.push_back({std::nullopt, fmt::format("animations[{}]", i),
                           fmt::format("{} channels are left out: they drive no joint", count)});
  }

  auto record = read_bank_record(*document, source.rig.nodes, limits);
  if (!record) {
    out.notices.push_back(
        {std::nullopt, record.error().path,
         fmt::format("{}, so the file is read like any other", record.error().message)});
  }
  const auto done = record && *record ? read_recorded_bank(source, std::move(**record), out)
                                      : read_takes(source, out);
  if (!done) return tl::unexpected(done.error());
  return out;
}

}  // namespace
}  // namespace gltf

Result<ImportedMotion> read_gltf_motion(std::span<const std::byte> bytes,
                                        const ImportOptions& options,
                                        const BufferSource& buffers_from) {
  return base::with_allocation_errors(
      [&] { return gltf::read_motion(bytes, options, buffers_from); });
}

}  // namespace mabkit
