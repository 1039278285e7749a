#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fbx/curve_keys.hpp"
#include "fbx/node_writer.hpp"
#include "fbx/objects.hpp"
#include "scene/curves.hpp"

namespace mabkit::fbx {

/// An animation stack to write: a clip, by the names and times that FBX has.
struct Stack {
  std::string name;
  std::int64_t end = 0;  ///< tick of the clip's end or of its last key, whatever is later
  scene::ClipCurves clip;
};

/// What the animation of clip `nodes.clip` is made of. Curves whose times or values FBX can't
/// say are left out with a diagnostic.
[[nodiscard]] Stack make_stack(const Clip& clip, const scene::ClipNodes& nodes,
                               const scene::NodeTree& tree, RootMotionTarget root_motion,
                               std::vector<Diagnostic>& diagnostics);

/// Writes the stack, its layer and its curves. `models` has the id of each node's model. Stops
/// after the curve that takes the file past `most_bytes`: the keys that straight lines need may be
/// many times those of the clip.
void write_stack(NodeWriter& out, ObjectTable& objects, const Stack& stack,
                 std::span<const std::int64_t> models, std::uint64_t most_bytes);

}  // namespace mabkit::fbx
