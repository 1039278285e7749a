#include <gtest/gtest.h>

#include <mabkit/names.hpp>
#include <mabkit/rig.hpp>
#include <mabkit/skeleton.hpp>

#include "support/fixtures.hpp"

namespace mabkit {
namespace {

/// The joints of clip 0 as the expected bank of a motion fixture has them.
Clip joints_of(const std::string& name) {
  Clip clip;
  const auto bank = test::read_fixture_json("motion/" + name + ".json");
  for (const auto& stored : bank["clips"][0]["joints"]) {
    Joint& joint = clip.joints.emplace_back();
    joint.id = stored["id"].get<std::uint32_t>();
    if (stored["hash"].is_string()) {
      joint.name_hash = hash_from_text(stored["hash"].get<std::string>());
    }
  }
  return clip;
}

Skeleton rig(const std::string& name) {
  return parse_rig(test::read_fixture("motion/" + name)).value();
}

struct Pair {
  const char* clip;
  const char* rig;
};
class CmuClip : public testing::TestWithParam<Pair> {};

TEST_P(CmuClip, FindsEveryJointInTheRig) {
  Clip clip = joints_of(GetParam().clip);
  const Skeleton skeleton = rig(GetParam().rig);
  const Binding binding = bind(clip, skeleton, {});
  EXPECT_EQ(clip.joints.size(), 31U);
  EXPECT_EQ(binding.matched, 31U);
  EXPECT_TRUE(binding.unmatched.empty());

  name_joints(clip, skeleton, binding);
  for (std::size_t i = 0; i < clip.joints.size(); ++i) {
    const Joint& joint = clip.joints[i];
    EXPECT_EQ(joint.name_hash, name_hash(*joint.name));
    // Every bone is matched, so that the hierarchy is the rig's.
    const auto parent = skeleton.bones[*binding.bone_of_joint[i]].parent;
    ASSERT_EQ(joint.parent.has_value(), parent.has_value()) << *joint.name;
    if (parent) {
      EXPECT_EQ(clip.joints[*joint.parent].name, skeleton.bones[*parent].name);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(ByHashOrId, CmuClip,
                         testing::Values(Pair{"cmu_01_01_fc2", "cmu_01_01.skeleton"},
                                         Pair{"cmu_01_01_fc5", "cmu_01_01.skeleton"},
                                         Pair{"cmu_01_01_fc5", "cmu_01_01_fc5.xbg"},
                                         Pair{"cmu_01_01_wd1", "cmu_01_01_fc2.xbg"},
                                         Pair{"cmu_01_01_wdl", "cmu_01_01_fc5.xbg"}));

TEST(CmuSparseClip, NeedsTheSkeletonOrTheUsersWord) {
  const Clip clip = joints_of("cmu_01_01_fc2");
  const Skeleton model = rig("cmu_01_01_fc2.xbg");
  const Binding refused = bind(clip, model, {});
  EXPECT_EQ(refused.matched, 0U);
  EXPECT_EQ(refused.unmatched.size(), 31U);
  EXPECT_TRUE(refused.rig_lacks_ids);
  EXPECT_EQ(bind(clip, model, {.order_as_id = true}).matched, 31U);
}

}  // namespace
}  // namespace mabkit
