#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mabkit/fbx.hpp>
#include <map>
#include <set>
#include <stdexcept>
#include <string>

#include "support/fbx_tree.hpp"
#include "unit/gltf/clips.hpp"

namespace mabkit {
namespace {

using test::add_joint;
using test::add_track;
using test::bank_of;
using test::bone;
using test::FbxNode;
using test::half_root;

constexpr std::int64_t second = 46186158000;

/// A written file, by the objects in it.
class Written {
 public:
  Written(const Bank& bank, const Skeleton* skeleton, FbxOptions options = {}) {
    if (options.name.empty()) options.name = "walk";
    auto file = write_fbx(bank, skeleton, options);
    if (!file) throw std::runtime_error(file.error().message);
    diagnostics = std::move(file->diagnostics);
    bytes = std::move(file->bytes);
    tree = test::parse_fbx(bytes);
  }

  [[nodiscard]] std::vector<const FbxNode*> objects(std::string_view type) const {
    return tree.child("Objects").all(type);
  }
  [[nodiscard]] static std::string name_of(const FbxNode& object) {
    const auto& joined = object.value<std::string>(1);
    return joined.substr(0, joined.find(std::string("\0\1", 2)));
  }
  [[nodiscard]] const FbxNode& model(std::string_view name) const {
    for (const FbxNode* object : objects("Model")) {
      if (name_of(*object) == name) return *object;
    }
    throw std::runtime_error("no model " + std::string(name));
  }
  /// Names of the objects that `parent` is connected to as children.
  [[nodiscard]] std::vector<const FbxNode*> children(std::int64_t parent,
                                                     const std::string& property = "") const {
    std::vector<const FbxNode*> out;
    for (const FbxNode* link : tree.child("Connections").all("C")) {
      const bool is_property = link->value<std::string>(0) == "OP";
      if (link->value<std::int64_t>(2) != parent || is_property != !property.empty()) continue;
      if (is_property && link->value<std::string>(3) != property) continue;
      for (const FbxNode& object : tree.child("Objects").children) {
        if (object.value<std::int64_t>(0) == link->value<std::int64_t>(1)) out.push_back(&object);
      }
    }
    return out;
  }
  [[nodiscard]] std::string parent_model(std::string_view name) const {
    for (const FbxNode* candidate : objects("Model")) {
      for (const FbxNode* child : children(candidate->value<std::int64_t>(0))) {
        if (child == &model(name)) return name_of(*candidate);
      }
    }
    return {};
  }
  /// The three curves that drive a property of a joint in the first stack.
  [[nodiscard]] std::vector<const FbxNode*> curves(std::string_view joint,
                                                   const std::string& property) const {
    std::vector<const FbxNode*> out;
    for (const FbxNode* node : children(model(joint).value<std::int64_t>(0), property)) {
      for (const char* axis : {"d|X", "d|Y", "d|Z"}) {
        for (const FbxNode* curve : children(node->value<std::int64_t>(0), axis)) {
          out.push_back(curve);
        }
      }
    }
    return out;
  }

  std::vector<Diagnostic> diagnostics;
  std::vector<std::byte> bytes;
  FbxNode tree;
};

Skeleton two_bones() {
  Skeleton skeleton;
  skeleton.bones = {bone("Hips", std::nullopt, {0.25F, 0.5F, 1.0F}, {0, 0, half_root, half_root}),
                    bone("Spine", 0, {0.5F, 0.0F, 0.0F})};
  return skeleton;
}

Clip moving(const std::string& joint) {
  Clip clip;
  clip.duration = 2.0F;
  add_joint(clip, joint);
  add_track(clip, 0, Channel::translation, TrackKind::animated, {0, 0.5F, 2},
            {1, 2, 3, 4, 5, 6, 7, 8, 9});
  add_track(clip, 0, Channel::rotation, TrackKind::constant, {0}, {0, 0, half_root, half_root});
  return clip;
}

TEST(Fbx, IsWrittenAsTheSdkLaysItOut) {
  const Skeleton skeleton = two_bones();
  const Written file(bank_of({moving("Spine")}), &skeleton);
  std::vector<std::string> sections;
  for (const FbxNode& node : file.tree.children) sections.push_back(node.name);
  EXPECT_EQ(sections,
            (std::vector<std::string>{"FBXHeaderExtension", "FileId", "CreationTime", "Creator",
                                      "GlobalSettings", "Documents", "References", "Definitions",
                                      "Objects", "Connections", "Takes"}));
}

TEST(Fbx, SaysThatItIsYUpAndInCentimetres) {
  const Written file(bank_of({moving("Hips")}), nullptr);
  const FbxNode& settings = file.tree.child("GlobalSettings");
  EXPECT_EQ(settings.property("UpAxis").value<std::int32_t>(4), 1);
  EXPECT_EQ(settings.property("FrontAxis").value<std::int32_t>(4), 2);
  EXPECT_EQ(settings.property("CoordAxis").value<std::int32_t>(4), 0);
  EXPECT_EQ(settings.property("UnitScaleFactor").value<double>(4), 1.0);
}

TEST(Fbx, SaysTheFrameRateOfTheClip) {
  Clip clip = moving("Hips");
  const auto mode = [&](float rate) {
    clip.frame_rate = rate;
    const Written file(bank_of({clip}), nullptr);
    return file.tree.child("GlobalSettings").property("TimeMode").value<std::int32_t>(4);
  };
  EXPECT_EQ(mode(30.0F), 6);
  EXPECT_EQ(mode(60.0F), 3);
  EXPECT_EQ(mode(37.5F), 14);
  EXPECT_EQ(mode(std::numeric_limits<float>::quiet_NaN()), 6);
}

TEST(Fbx, JointsAreLimbNodesWithTheHierarchyAndBindPoseOfTheRig) {
  const Skeleton skeleton = two_bones();
  const Written file(bank_of({moving("Spine")}), &skeleton);
  EXPECT_EQ(file.parent_model("Spine"), "Hips");
  EXPECT_EQ(file.parent_model("Hips"), "walk");
  const FbxNode& hips = file.model("Hips");
  EXPECT_EQ(hips.value<std::string>(2), "LimbNode");
  const FbxNode& place = hips.property("Lcl Translation");
  EXPECT_FLOAT_EQ(static_cast<float>(place.value<double>(4)), 25.0F);
  EXPECT_FLOAT_EQ(static_cast<float>(place.value<double>(5)), 100.0F);
  EXPECT_FLOAT_EQ(static_cast<float>(place.value<double>(6)), -50.0F);
  EXPECT_NEAR(hips.property("Lcl Rotation").value<double>(5), 90.0, 1e-5);
  const auto attributes = file.children(hips.value<std::int64_t>(0));
  EXPECT_TRUE(std::any_of(attributes.begin(), attributes.end(), [](const FbxNode* child) {
    return child->name == "NodeAttribute" &&
           child->child("TypeFlags").value<std::string>(0) == "Skeleton";
  }));
}

TEST(Fbx, TheBindPoseHasEveryModelWhereItStands) {
  const Skeleton skeleton = two_bones();
  const Written file(bank_of({moving("Spine")}), &skeleton);
  const FbxNode& pose = *file.objects("Pose").at(0);
  EXPECT_EQ(pose.value<std::string>(2), "BindPose");
  const auto nodes = pose.all("PoseNode");
  EXPECT_EQ(pose.child("NbPoseNodes").value<std::int32_t>(0), 4);
  ASSERT_EQ(nodes.size(), 4U);
  for (const FbxNode* node : nodes) {
    if (node->child("Node").value<std::int64_t>(0) != file.model("Spine").value<std::int64_t>(0)) {
      continue;
    }
    // Hips turned by 90 degrees about up: the spine's +X 0.5 m is the scene's -Z.
    const auto& matrix = node->child("Matrix").value<std::vector<double>>(0);
    EXPECT_NEAR(matrix[12], 25.0, 1e-4);
    EXPECT_NEAR(matrix[13], 100.0, 1e-4);
    EXPECT_NEAR(matrix[14], -100.0, 1e-4);
    return;
  }
  FAIL() << "Spine is not in the bind pose";
}

TEST(Fbx, EveryJointHasAClusterWhosePlaceItsTransformUndoes) {
  const Skeleton skeleton = two_bones();
  const Written file(bank_of({moving("Spine")}), &skeleton);
  std::size_t clusters = 0;
  std::set<std::int32_t> moved;
  for (const FbxNode* deformer : file.objects("Deformer")) {
    if (deformer->value<std::string>(2) != "Cluster") continue;
    ++clusters;
    const auto& undo = deformer->child("Transform").value<std::vector<double>>(0);
    const auto& link = deformer->child("TransformLink").value<std::vector<double>>(0);
    for (std::size_t row = 0; row < 4; ++row) {
      for (std::size_t column = 0; column < 4; ++column) {
        double sum = 0.0;
        for (std::size_t k = 0; k < 4; ++k) sum += link[4 * k + row] * undo[4 * column + k];
        EXPECT_NEAR(sum, row == column ? 1.0 : 0.0, 1e-6);
      }
    }
    for (const FbxNode* indexes : deformer->all("Indexes")) {
      const auto& vertices = indexes->value<std::vector<std::int32_t>>(0);
      moved.insert(vertices.begin(), vertices.end());
    }
  }
  EXPECT_EQ(clusters, 2U);
  const auto& vertices =
      file.objects("Geometry").at(0)->child("Vertices").value<std::vector<double>>(0);
  EXPECT_EQ(moved.size(), vertices.size() / 3);
}

TEST(Fbx, KeysStandAtTheirTimes) {
  const Written file(bank_of({moving("Hips")}), nullptr);
  const auto curves = file.curves("Hips", "Lcl Translation");
  ASSERT_EQ(curves.size(), 3U);
  EXPECT_EQ(curves[0]->child("KeyTime").value<std::vector<std::int64_t>>(0),
            (std::vector<std::int64_t>{0, second / 2, 2 * second}));
  EXPECT_EQ(curves[0]->child("KeyValueFloat").value<std::vector<float>>(0),
            (std::vector<float>{100, 400, 700}));
  EXPECT_EQ(curves[2]->child("KeyValueFloat").value<std::vector<float>>(0),
            (std::vector<float>{-200, -500, -800}));
  EXPECT_EQ(curves[0]->child("KeyAttrRefCount").value<std::vector<std::int32_t>>(0),
            std::vector<std::int32_t>{3});
}

TEST(Fbx, AConstantTrackSpansTheClip) {
  const Written file(bank_of({moving("Hips")}), nullptr);
  const auto curves = file.curves("Hips", "Lcl Rotation");
  ASSERT_EQ(curves.size(), 3U);
  EXPECT_EQ(curves[1]->child("KeyTime").value<std::vector<std::int64_t>>(0),
            (std::vector<std::int64_t>{0, 2 * second}));
  EXPECT_NEAR(curves[1]->child("KeyValueFloat").value<std::vector<float>>(0).at(1), 90.0F, 1e-4F);
}

TEST(Fbx, EachClipIsAStackWithItsSpan) {
  Clip prop = moving("Root");
  prop.name = "prop";
  prop.duration = 3.0F;
  const Written file(bank_of({moving("Hips"), prop}), nullptr);
  const auto stacks = file.objects("AnimationStack");
  ASSERT_EQ(stacks.size(), 2U);
  EXPECT_EQ(Written::name_of(*stacks[0]), "walk");
  EXPECT_EQ(Written::name_of(*stacks[1]), "walk_prop");
  EXPECT_EQ(stacks[1]->property("LocalStop").value<std::int64_t>(4), 3 * second);
  EXPECT_EQ(file.tree.child("Takes").all("Take").size(), 2U);
  EXPECT_EQ(file.tree.child("Takes").child("Current").value<std::string>(0), "walk");
  for (const FbxNode* stack : stacks) {
    EXPECT_EQ(file.children(stack->value<std::int64_t>(0)).size(), 1U);
  }
  EXPECT_EQ(file.parent_model("prop.Root"), "walk");
}

TEST(Fbx, DefinitionsCountWhatThereIs) {
  const Skeleton skeleton = two_bones();
  const Written file(bank_of({moving("Spine")}), &skeleton);
  std::map<std::string, std::int32_t> counts;
  for (const FbxNode& object : file.tree.child("Objects").children) ++counts[object.name];
  std::int32_t total = 1;
  for (const FbxNode* type : file.tree.child("Definitions").all("ObjectType")) {
    const auto& name = type->value<std::string>(0);
    const auto count = type->child("Count").value<std::int32_t>(0);
    if (name == "GlobalSettings") continue;
    EXPECT_EQ(count, counts[name]) << name;
    total += count;
    counts.erase(name);
  }
  EXPECT_TRUE(counts.empty());
  EXPECT_EQ(file.tree.child("Definitions").child("Count").value<std::int32_t>(0), total);
}

TEST(Fbx, IdsAreUniqueAndEveryConnectionLeadsSomewhere) {
  const Skeleton skeleton = two_bones();
  const Written file(bank_of({moving("Spine"), moving("Root")}), &skeleton);
  std::set<std::int64_t> ids{0};
  for (const FbxNode& object : file.tree.child("Objects").children) {
    EXPECT_TRUE(ids.insert(object.value<std::int64_t>(0)).second);
  }
  for (const FbxNode* link : file.tree.child("Connections").all("C")) {
    EXPECT_TRUE(ids.count(link->value<std::int64_t>(1)) == 1);
    EXPECT_TRUE(ids.count(link->value<std::int64_t>(2)) == 1);
  }
}

TEST(Fbx, NamesOfModelsAreUnique) {
  Clip clip = moving("Hips");
  add_joint(clip, "Hips");
  add_joint(clip, "walk_proxy");
  const Written file(bank_of({clip}), nullptr);
  std::set<std::string> names;
  for (const FbxNode* model : file.objects("Model")) {
    EXPECT_TRUE(names.insert(Written::name_of(*model)).second) << Written::name_of(*model);
  }
  EXPECT_EQ(names.size(), 5U);
}

TEST(Fbx, ControlCharactersOfANameDoNotCutIt) {
  const Written file(bank_of({moving(std::string("Hi\0\1ps", 6))}), nullptr);
  EXPECT_EQ(Written::name_of(file.model("Hi__ps")), "Hi__ps");
}

TEST(Fbx, TheSameBankGivesTheSameBytes) {
  const Skeleton skeleton = two_bones();
  const Bank bank = bank_of({moving("Spine"), moving("Root")});
  EXPECT_EQ(Written(bank, &skeleton).bytes, Written(bank, &skeleton).bytes);
}

TEST(Fbx, CurvesThatTicksCannotHoldAreLeftOutAndSaid) {
  Clip clip = moving("Hips");
  add_joint(clip, "Spine");
  add_track(clip, 1, Channel::translation, TrackKind::animated, {0, 1e9F}, {0, 0, 0, 1, 1, 1});
  const Written file(bank_of({clip}), nullptr);
  ASSERT_EQ(file.diagnostics.size(), 1U);
  EXPECT_NE(file.diagnostics[0].message.find("Spine"), std::string::npos);
  EXPECT_TRUE(file.curves("Spine", "Lcl Translation").empty());
  EXPECT_EQ(file.objects("AnimationStack").at(0)->property("LocalStop").value<std::int64_t>(4),
            2 * second);
}

TEST(Fbx, PlacesThatCentimetresCannotHoldAreLeftOutAndSaid) {
  Clip clip = moving("Hips");
  add_joint(clip, "Spine");
  add_track(clip, 1, Channel::translation, TrackKind::animated, {0, 1}, {0, 0, 0, 3e38F, 1, 1});
  const Written file(bank_of({clip}), nullptr);
  ASSERT_EQ(file.diagnostics.size(), 1U);
  EXPECT_NE(file.diagnostics[0].message.find("its values"), std::string::npos);
  EXPECT_TRUE(file.curves("Spine", "Lcl Translation").empty());
}

TEST(Fbx, ABankWithoutMotionIsStillAFile) {
  Clip clip;
  const Written file(bank_of({clip}), nullptr);
  EXPECT_TRUE(file.objects("AnimationStack").empty());
  EXPECT_EQ(file.objects("Model").size(), 1U);
}

TEST(Fbx, AClipThatIsNotThereIsAnError) {
  FbxOptions options;
  options.clip = 1;
  const auto file = write_fbx(bank_of({moving("Hips")}), nullptr, options);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::bad_argument);
}

}  // namespace
}  // namespace mabkit
