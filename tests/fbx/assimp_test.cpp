// Our FBX as assimp reads it, against our own pose arithmetic.

#include <assimp/scene.h>
#include <gtest/gtest.h>

#include <array>
#include <assimp/Importer.hpp>
#include <cmath>
#include <mabkit/document.hpp>
#include <mabkit/fbx.hpp>
#include <mabkit/names.hpp>
#include <mabkit/pose.hpp>
#include <mabkit/rig.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/fixtures.hpp"

namespace mabkit {
namespace {

constexpr double centimetre = 0.01;

Bank read_bank(const std::string& fixture) {
  auto bank = Document::parse(test::read_fixture(fixture)).and_then([](const auto& document) {
    return document.bank();
  });
  if (!bank) throw std::runtime_error(bank.error().message);
  return std::move(*bank);
}

Skeleton read_rig(const std::string& fixture) {
  auto rig = parse_rig(test::read_fixture(fixture));
  if (!rig) throw std::runtime_error(rig.error().message);
  return std::move(*rig);
}

/// A file of ours as assimp has it.
class Imported {
 public:
  Imported(const Bank& bank, const Skeleton* skeleton, FbxOptions options = {}) {
    options.name = "clip";
    const auto file = write_fbx(bank, skeleton, options);
    if (!file) throw std::runtime_error(file.error().message);
    scene_ = importer_.ReadFileFromMemory(file->bytes.data(), file->bytes.size(), 0, "fbx");
    if (scene_ == nullptr) throw std::runtime_error(importer_.GetErrorString());
  }

  [[nodiscard]] const aiScene& scene() const { return *scene_; }
  [[nodiscard]] const aiNode* node(const std::string& name) const {
    return scene_->mRootNode->FindNode(name.c_str());
  }
  [[nodiscard]] const aiNodeAnim* channel(unsigned animation, const aiString& node) const {
    const aiAnimation& found = *scene_->mAnimations[animation];
    for (unsigned i = 0; i < found.mNumChannels; ++i) {
      if (found.mChannels[i]->mNodeName == node) return found.mChannels[i];
    }
    return nullptr;
  }

  /// The transform of a node below its parent at `time` seconds of an animation.
  [[nodiscard]] aiMatrix4x4 local(unsigned animation, const aiNode& node, double time) const {
    const aiNodeAnim* driven = channel(animation, node.mName);
    if (driven == nullptr) return node.mTransformation;
    const double tick = time * scene_->mAnimations[animation]->mTicksPerSecond;
    return {vector_at(driven->mScalingKeys, driven->mNumScalingKeys, tick),
            rotation_at(*driven, tick),
            vector_at(driven->mPositionKeys, driven->mNumPositionKeys, tick)};
  }

  /// Where a node is, in metres, Z up.
  [[nodiscard]] Vec3 place(unsigned animation, const aiNode& node, double time) const {
    aiMatrix4x4 world = local(animation, node, time);
    for (const aiNode* at = node.mParent; at != nullptr; at = at->mParent) {
      world = local(animation, *at, time) * world;
    }
    return {static_cast<float>(centimetre * world.a4), static_cast<float>(-centimetre * world.c4),
            static_cast<float>(centimetre * world.b4)};
  }

 private:
  template <class Key>
  static std::pair<unsigned, float> place_of(const Key* keys, unsigned count, double tick) {
    unsigned i = 0;
    while (i + 1 < count && keys[i + 1].mTime <= tick) ++i;
    if (i + 1 == count || tick <= keys[i].mTime) return {i, 0.0F};
    return {i, static_cast<float>((tick - keys[i].mTime) / (keys[i + 1].mTime - keys[i].mTime))};
  }
  static aiVector3D vector_at(const aiVectorKey* keys, unsigned count, double tick) {
    const auto [i, fraction] = place_of(keys, count, tick);
    if (fraction == 0.0F) return keys[i].mValue;
    return keys[i].mValue + (keys[i + 1].mValue - keys[i].mValue) * fraction;
  }
  static aiQuaternion rotation_at(const aiNodeAnim& driven, double tick) {
    const auto [i, fraction] = place_of(driven.mRotationKeys, driven.mNumRotationKeys, tick);
    aiQuaternion out = driven.mRotationKeys[i].mValue;
    if (fraction != 0.0F) {
      aiQuaternion::Interpolate(out, driven.mRotationKeys[i].mValue,
                                driven.mRotationKeys[i + 1].mValue, fraction);
    }
    return out.Normalize();
  }

  Assimp::Importer importer_;
  const aiScene* scene_ = nullptr;
};

double distance(const Vec3& a, const Vec3& b) {
  return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z);
}

/// Our own pose of the whole actor: T(p(t) - p(0)) R(r(t) r(0)^-1) over the joints.
std::vector<Transform> expected_pose(const Clip& clip, const Skeleton& skeleton, float time) {
  const auto local = local_pose(clip, skeleton, bind(clip, skeleton, {}), time);
  auto object = object_pose(skeleton, local);
  if (!clip.root_motion) return object;
  const RootMotion& motion = *clip.root_motion;
  Transform actor;
  if (motion.translation) {
    const Vec3 start = clip.translation(*motion.translation, 0);
    const Vec3 now = sample_translation(clip, *motion.translation, time);
    actor.translation = {now.x - start.x, now.y - start.y, now.z - start.z};
  }
  if (motion.rotation) {
    actor.rotation = multiply(sample_rotation(clip, *motion.rotation, time),
                              conjugate(clip.rotation(*motion.rotation, 0)));
  }
  for (Transform& joint : object) joint = combine(actor, joint);
  return object;
}

struct Posed {
  const char* clip;
  const char* rig;
};

class AssimpPose : public testing::TestWithParam<Posed> {};

TEST_P(AssimpPose, EveryJointIsWhereWePutIt) {
  const Bank bank = read_bank(GetParam().clip);
  const Skeleton skeleton = read_rig(GetParam().rig);
  const Imported fbx(bank, &skeleton);
  ASSERT_EQ(fbx.scene().mNumAnimations, 1U);
  ASSERT_EQ(skeleton.bones.size(), 31U);
  const Clip& clip = bank.clips[0];
  EXPECT_NEAR(fbx.scene().mAnimations[0]->mDuration / fbx.scene().mAnimations[0]->mTicksPerSecond,
              clip.duration, 1e-6);
  for (const float time : {0.0F, 2.5166667F, 5.0F, 7.7499F, clip.duration}) {
    const auto pose = expected_pose(clip, skeleton, time);
    for (std::size_t i = 0; i < skeleton.bones.size(); ++i) {
      const Bone& bone = skeleton.bones[i];
      const aiNode* node = fbx.node(bone.name);
      ASSERT_NE(node, nullptr) << bone.name;
      EXPECT_STREQ(node->mParent->mName.C_Str(), bone.parent
                                                     ? skeleton.bones[*bone.parent].name.c_str()
                                                 : clip.root_motion ? node->mParent->mName.C_Str()
                                                                    : "clip");
      EXPECT_LT(distance(fbx.place(0, *node, time), pose[i].translation), 0.001)
          << bone.name << " at " << time;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Motion, AssimpPose,
    testing::Values(Posed{"motion/cmu_01_01_fc2.mab", "motion/cmu_01_01.skeleton"},
                    Posed{"motion/cmu_01_01_fc5.mab", "motion/cmu_01_01_fc5.xbg"},
                    Posed{"motion/cmu_01_01_wd1.mab", "motion/cmu_01_01_fc5.xbg"},
                    Posed{"motion/cmu_01_01_wdl.mab", "motion/cmu_01_01_fc5.xbg"}));

TEST(AssimpMesh, EveryJointIsABoneThatUndoesItsPlace) {
  const Skeleton skeleton = read_rig("motion/cmu_01_01_fc5.xbg");
  const Imported fbx(read_bank("motion/cmu_01_01_fc5.mab"), &skeleton);
  ASSERT_EQ(fbx.scene().mNumMeshes, 1U);
  const aiMesh& mesh = *fbx.scene().mMeshes[0];
  EXPECT_EQ(mesh.mNumBones, 31U);
  EXPECT_EQ(mesh.mNumFaces, 31U * 8U);
  for (unsigned i = 0; i < mesh.mNumBones; ++i) {
    aiMatrix4x4 world;
    for (const aiNode* at = fbx.node(mesh.mBones[i]->mName.C_Str()); at != nullptr;
         at = at->mParent) {
      world = at->mTransformation * world;
    }
    const aiMatrix4x4 undone = world * mesh.mBones[i]->mOffsetMatrix;
    for (unsigned row = 0; row < 4; ++row) {
      for (unsigned column = 0; column < 4; ++column) {
        EXPECT_NEAR(undone[row][column], row == column ? 1.0F : 0.0F, 1e-3F)
            << mesh.mBones[i]->mName.C_Str();
      }
    }
  }
}

std::string joint_name(const Joint& joint) {
  if (joint.name && !joint.name->empty()) return *joint.name;
  return joint.name_hash ? hash_text(*joint.name_hash) : "bone_" + std::to_string(joint.id);
}

double angle_between(const aiQuaternion& q, const Quat& engine) {
  // Z up to Y up.
  const Quat e{engine.x, engine.z, -engine.y, engine.w};
  const double length =
      std::sqrt(double{e.x} * e.x + double{e.y} * e.y + double{e.z} * e.z + double{e.w} * e.w);
  const double dot =
      (double{q.x} * e.x + double{q.y} * e.y + double{q.z} * e.z + double{q.w} * e.w) / length;
  return 2.0 * std::acos(std::min(1.0, std::abs(dot)));
}

/// Banks without a rig, most with several clips.
class AssimpTracks : public testing::TestWithParam<std::string> {};

TEST_P(AssimpTracks, EveryTrackOfEveryClipIsThere) {
  const Bank bank = read_bank(GetParam());
  const Imported fbx(bank, nullptr);
  unsigned animation = 0;
  std::size_t compared = 0;
  for (std::size_t position = 0; position < bank.clips.size(); ++position) {
    const Clip& clip = bank.clips[position];
    const bool has_root_motion = clip.root_motion && (clip.root_motion->translation.has_value() ||
                                                      clip.root_motion->rotation.has_value());
    if (clip.tracks.empty() && !has_root_motion) continue;
    ASSERT_LT(animation, fbx.scene().mNumAnimations);
    const std::string label =
        clip.name && !clip.name->empty() ? *clip.name : "clip_" + std::to_string(position);
    for (const Track& track : clip.tracks) {
      const std::string name =
          (position == 0 ? "" : label + ".") + joint_name(clip.joints[track.joint]);
      const aiNode* node = fbx.node(name);
      ASSERT_NE(node, nullptr) << name;
      const auto times = clip.times_of(track.keys);
      for (const std::size_t key : {std::size_t{0}, times.size() / 2, times.size() - 1}) {
        const float time = times[key];
        const float between = key + 1 < times.size() ? (time + times[key + 1]) / 2 : time;
        for (const float t : {time, between}) {
          aiVector3D scale;
          aiVector3D at;
          aiQuaternion turn;
          fbx.local(animation, *node, t).Decompose(scale, turn, at);
          ++compared;
          if (track.channel == Channel::rotation) {
            EXPECT_LT(angle_between(turn, sample_rotation(clip, track.keys, t)), 1.5e-3)
                << name << " at " << t;
          } else {
            const Vec3 expected = sample_translation(clip, track.keys, t);
            const Vec3 got{static_cast<float>(centimetre * at.x),
                           static_cast<float>(-centimetre * at.z),
                           static_cast<float>(centimetre * at.y)};
            EXPECT_LT(distance(got, expected), 1e-4 + 1e-6 * distance(expected, {}))
                << name << " at " << t;
          }
        }
      }
    }
    ++animation;
  }
  EXPECT_EQ(animation, fbx.scene().mNumAnimations);
  EXPECT_GT(compared, 10U);
}

INSTANTIATE_TEST_SUITE_P(Banks, AssimpTracks,
                         testing::Values("spec/example_fc2.mab", "mab/fc2_1.mab", "mab/fc3_1.mab",
                                         "mab/wd1_2.mab", "mab/fc5_4.mab", "mab/wdl_2.mab"),
                         test::fixture_test_name);

}  // namespace
}  // namespace mabkit
