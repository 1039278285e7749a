#include "fbx/animation.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "scene/tree.hpp"
#include "unit/gltf/clips.hpp"

namespace mabkit::fbx {
namespace {

/// Bytes of a stack of as many turning joints, written under a limit.
std::size_t stack_size(std::uint32_t joints, std::uint64_t most_bytes) {
  Clip clip;
  for (std::uint32_t joint = 0; joint < joints; ++joint) {
    test::add_joint(clip, "Joint" + std::to_string(joint));
    test::add_track(clip, joint, Channel::rotation, TrackKind::animated, {0, 1},
                    {0, 0, 0, 1, 0, 0, test::half_root, test::half_root});
  }
  const Bank bank = test::bank_of({clip});
  std::vector<Diagnostic> diagnostics;
  const scene::NodeTree tree = scene::build_tree(bank, nullptr, {}, diagnostics);
  const Stack stack = make_stack(bank.clips[0], tree.clips[0], tree, {}, diagnostics);
  const std::vector<std::int64_t> models(tree.nodes.size());
  NodeWriter out;
  ObjectTable objects;
  const std::size_t before = out.size();
  write_stack(out, objects, stack, models, most_bytes);
  return out.size() - before;
}

TEST(FbxStack, StopsAfterTheCurveThatGoesPastTheLimit) {
  constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();
  const std::size_t of_one = stack_size(1, no_limit);
  EXPECT_EQ(stack_size(20, 0), of_one);
  EXPECT_GT(stack_size(20, no_limit), 5 * of_one);
}

}  // namespace
}  // namespace mabkit::fbx
