#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <mabkit/fbx.hpp>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "base/allocation.hpp"
#include "fbx/animation.hpp"
#include "fbx/node_writer.hpp"
#include "fbx/objects.hpp"
#include "scene/curves.hpp"
#include "scene/tree.hpp"
#include "scene/values.hpp"

namespace mabkit {
namespace fbx {
namespace {

constexpr std::size_t max_joints = 65536;
constexpr std::uint64_t max_file_size = std::numeric_limits<std::uint32_t>::max();

// A file says when it was made. Ours always say the same, so that equal banks give equal bytes; the
// id and the footer belong to this time.
constexpr std::string_view creation_time = "1970-01-01 10:00:00:000";
constexpr std::array<std::uint8_t, 16> file_id{0x28, 0xB3, 0x2A, 0xEB, 0xB6, 0x24, 0xCC, 0xC2,
                                               0xBF, 0xC8, 0xB0, 0x2A, 0xA9, 0x2B, 0xFC, 0xF1};
constexpr std::int32_t header_version = 1003;
constexpr std::int32_t stamp_version = 1000;
constexpr std::int32_t settings_version = 1000;
constexpr std::int32_t definitions_version = 100;
constexpr std::string_view creator = "mabkit";

/// `TimeMode` of FBX for frame rates that it has a number for.
struct TimeMode {
  float frames_per_second = 0.0F;
  std::int32_t mode = 0;
};
constexpr std::array time_modes{TimeMode{120, 1}, TimeMode{100, 2}, TimeMode{60, 3},
                                TimeMode{50, 4},  TimeMode{48, 5},  TimeMode{30, 6},
                                TimeMode{25, 10}, TimeMode{24, 11}};
constexpr std::int32_t custom_time_mode = 14;

/// The authoring grid of the clip; 30 where it has no rate that is one.
float frames_per_second(const Clip& clip) {
  constexpr float fallback = 30.0F;
  return scene::frame_time(clip) == 1.0F / clip.frame_rate ? clip.frame_rate : fallback;
}

std::int32_t time_mode(float frames_per_second) {
  for (const TimeMode& row : time_modes) {
    if (row.frames_per_second == frames_per_second) return row.mode;
  }
  return custom_time_mode;
}

tl::unexpected<Error> error(ErrorCode code, std::string message) {
  return tl::unexpected(Error{code, std::nullopt, {}, std::move(message)});
}

void write_header(NodeWriter& out) {
  out.begin("FBXHeaderExtension");
  out.leaf("FBXHeaderVersion", header_version);
  out.leaf("FBXVersion", static_cast<std::int32_t>(fbx_version));
  out.leaf("EncryptionType", std::int32_t{0});
  out.begin("CreationTimeStamp");
  out.leaf("Version", stamp_version);
  constexpr std::array<std::pair<std::string_view, std::int32_t>, 7> stamp{{{"Year", 1970},
                                                                            {"Month", 1},
                                                                            {"Day", 1},
                                                                            {"Hour", 10},
                                                                            {"Minute", 0},
                                                                            {"Second", 0},
                                                                            {"Millisecond", 0}}};
  for (const auto& [name, value] : stamp) out.leaf(name, value);
  out.end();
  out.leaf("Creator", creator);
  out.end();
  out.begin("FileId");
  out.raw(std::as_bytes(std::span(file_id)));
  out.end();
  out.leaf("CreationTime", creation_time);
  out.leaf("Creator", creator);
}

void write_settings(NodeWriter& out, float frame_rate, std::int64_t end) {
  const auto integer = [&out](std::string_view name, std::int32_t value) {
    out.property(name, "int", "Integer", "", value);
  };
  out.begin("GlobalSettings");
  out.leaf("Version", settings_version);
  out.begin("Properties70");
  // Y up, Z to the front, X to the right.
  integer("UpAxis", 1);
  integer("UpAxisSign", 1);
  integer("FrontAxis", 2);
  integer("FrontAxisSign", 1);
  integer("CoordAxis", 0);
  integer("CoordAxisSign", 1);
  integer("OriginalUpAxis", 1);
  integer("OriginalUpAxisSign", 1);
  // Centimetres in a unit.
  out.property("UnitScaleFactor", "double", "Number", "", 1.0);
  out.property("OriginalUnitScaleFactor", "double", "Number", "", 1.0);
  out.property("TimeMode", "enum", "", "", time_mode(frame_rate));
  out.property("TimeSpanStart", "KTime", "Time", "", std::int64_t{0});
  out.property("TimeSpanStop", "KTime", "Time", "", end);
  out.property("CustomFrameRate", "double", "Number", "", double{frame_rate});
  out.end();
  out.end();
}

void write_document(NodeWriter& out, std::string_view name, std::string_view active_stack) {
  constexpr std::int64_t document_id = 999'999;
  out.begin("Documents");
  out.leaf("Count", std::int32_t{1});
  out.begin("Document");
  out.value(document_id);
  out.value(name);
  out.value("Scene");
  out.begin("Properties70");
  out.property("SourceObject", "object", "", "");
  out.property("ActiveAnimStackName", "KString", "", "", active_stack);
  out.end();
  out.leaf("RootNode", ObjectTable::scene);
  out.end();
  out.end();
  out.begin("References");
  out.end();
}

/// How many objects of each type there are.
void write_definitions(NodeWriter& out, const scene::NodeTree& tree,
                       const std::vector<Stack>& stacks) {
  std::size_t curves = 0;
  for (const Stack& stack : stacks) curves += stack.clip.curves.size();
  const std::size_t nodes = tree.nodes.size();
  const auto clusters = static_cast<std::size_t>(
      std::count_if(tree.nodes.begin(), tree.nodes.end(),
                    [](const scene::Node& node) { return node.role != scene::NodeRole::fixed; }));
  const std::size_t meshes = nodes == 0 ? 0 : 1;
  const std::array<std::pair<std::string_view, std::size_t>, 10> counts{
      {{"GlobalSettings", 1},
       {"NodeAttribute", nodes + 1},
       {"Model", nodes + 1 + meshes},
       {"Geometry", meshes},
       {"Deformer", meshes == 0 ? 0 : clusters + 1},
       {"Pose", meshes},
       {"AnimationStack", stacks.size()},
       {"AnimationLayer", stacks.size()},
       {"AnimationCurveNode", curves},
       {"AnimationCurve", 3 * curves}}};
  std::size_t total = 0;
  for (const auto& [type, count] : counts) total += count;

  out.begin("Definitions");
  out.leaf("Version", definitions_version);
  out.leaf("Count", static_cast<std::int32_t>(total));
  for (const auto& [type, count] : counts) {
    if (count == 0) continue;
    out.begin("ObjectType");
    out.value(type);
    out.leaf("Count", static_cast<std::int32_t>(count));
    out.end();
  }
  out.end();
}

void write_takes(NodeWriter& out, const std::vector<Stack>& stacks, std::string_view current) {
  out.begin("Takes");
  out.leaf("Current", current);
  for (const Stack& stack : stacks) {
    out.begin("Take");
    out.value(stack.name);
    out.leaf("FileName", stack.name + ".tak");
    out.leaf("LocalTime", std::int64_t{0}, stack.end);
    out.leaf("ReferenceTime", std::int64_t{0}, stack.end);
    out.end();
  }
  out.end();
}

/// One stack for each clip that has a curve.
std::vector<Stack> make_stacks(const Bank& bank, const scene::NodeTree& tree,
                               const FbxOptions& options, std::vector<Diagnostic>& diagnostics) {
  const std::string stem = options.name.empty() ? "clip" : options.name;
  std::unordered_set<std::string> names;
  std::vector<Stack> stacks;
  for (const scene::ClipNodes& nodes : tree.clips) {
    Stack stack = make_stack(bank.clips[nodes.clip], nodes, tree, options.root_motion, diagnostics);
    if (stack.clip.curves.empty()) continue;
    stack.name = fbx_name(scene::animation_name(bank, nodes.clip, stem, names));
    stacks.push_back(std::move(stack));
  }
  return stacks;
}

Result<FbxFile> write(const Bank& bank, const Skeleton* skeleton, const FbxOptions& options) {
  const std::uint32_t first = options.clip.value_or(0);
  if (first >= bank.clips.size()) {
    return error(ErrorCode::bad_argument,
                 fmt::format("there is no clip {}: the bank has {}", first, bank.clips.size()));
  }
  FbxFile file;
  const scene::NodeTree tree = scene::build_tree(bank, skeleton, options, file.diagnostics);
  if (tree.nodes.size() > max_joints) {
    return error(ErrorCode::limit, fmt::format("{} joints are more than the {} that are written",
                                               tree.nodes.size(), max_joints));
  }
  const std::vector<Stack> stacks = make_stacks(bank, tree, options, file.diagnostics);
  const std::string current = stacks.empty() ? "" : stacks.front().name;
  std::int64_t end = 0;
  for (const Stack& stack : stacks) end = std::max(end, stack.end);

  NodeWriter out;
  ObjectTable objects;
  write_header(out);
  write_settings(out, frames_per_second(bank.clips[first]), end);
  write_document(out, fbx_name(tree.root_name), current);
  write_definitions(out, tree, stacks);
  out.begin("Objects");
  const std::vector<std::int64_t> models = write_models(out, objects, tree);
  for (const Stack& stack : stacks) {
    write_stack(out, objects, stack, models, max_file_size);
    if (out.size() > max_file_size) break;
  }
  out.end();
  objects.write_connections(out);
  write_takes(out, stacks, current);
  file.bytes = std::move(out).finish();
  if (file.bytes.size() > max_file_size) {
    return error(ErrorCode::limit, "would need more than 4 GiB, which FBX 7.4 can't say");
  }
  return file;
}

}  // namespace
}  // namespace fbx

Result<FbxFile> write_fbx(const Bank& bank, const Skeleton* skeleton, const FbxOptions& options) {
  return base::with_allocation_errors([&] { return fbx::write(bank, skeleton, options); });
}

}  // namespace mabkit
