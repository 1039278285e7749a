#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <mabkit/names.hpp>
#include <mabkit/rig.hpp>

#include "support/fixtures.hpp"
#include "unit/rig/rig_bytes.hpp"

namespace mabkit {
namespace {

using test::RawLksBone;

// Distances in a bone by spec mab-sparse, 6.1, and the size of what stands before bone 0.
constexpr std::size_t header_size = 20;
constexpr std::size_t id_at = 8 + 16 + 12 + 4;
constexpr std::size_t parent_at = id_at + 2;
constexpr std::size_t orientation_at = id_at + 8;

std::vector<std::byte> with_bone(const RawLksBone& bone) {
  return test::raw_lks({bone});
}

Error error_of(const std::vector<std::byte>& bytes, const ReadLimits& limits = {}) {
  const auto parsed = parse_lks(bytes, limits);
  if (parsed) return {ErrorCode::io, std::nullopt, "none", "none"};
  return parsed.error();
}

std::vector<Diagnostic> warnings_of(const std::vector<std::byte>& bytes) {
  const auto parsed = parse_lks(bytes);
  if (!parsed) return {{parsed.error().offset, "error", parsed.error().message}};
  return parsed->diagnostics;
}

TEST(LksFixture, HoldsTheCmuRigWithoutAWarning) {
  const auto parsed = parse_lks(test::read_fixture("motion/cmu_01_01.skeleton"));
  ASSERT_TRUE(parsed) << describe("", parsed.error());
  EXPECT_TRUE(parsed->diagnostics.empty());
  ASSERT_EQ(parsed->bones.size(), 31U);
  EXPECT_EQ(parsed->version, 7U);
  EXPECT_TRUE(parsed->common.empty());
  EXPECT_TRUE(parsed->handles.empty());
  EXPECT_EQ(parsed->scale_factor, 1.0F);
  EXPECT_EQ(parsed->translation_bones, std::vector<std::uint16_t>{0});

  const LksBone& hips = parsed->bones[0];
  EXPECT_EQ(hips.name.text, "Hips");
  EXPECT_EQ(hips.name.hash, 0xDED10611U);
  EXPECT_EQ(hips.parent, lks_none);
  EXPECT_EQ(hips.first_child, 1);
  EXPECT_EQ(hips.animated_translation, 1);
  EXPECT_FLOAT_EQ(hips.rotation.x, std::sqrt(0.5F));
  EXPECT_FLOAT_EQ(hips.rotation.w, std::sqrt(0.5F));

  const LksBone& thumb = parsed->bones[30];
  EXPECT_EQ(thumb.name.text, "RThumb");
  EXPECT_EQ(thumb.parent, 27);
  EXPECT_EQ(thumb.animated_translation, 0);
}

TEST(LksFixture, EndsEarlyAtEveryByteWithAnErrorThatNamesTheField) {
  const auto bytes = test::read_fixture("motion/cmu_01_01.skeleton");
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto parsed = parse_lks(std::span(bytes).first(size));
    ASSERT_FALSE(parsed) << size;
    ASSERT_EQ(parsed.error().code, ErrorCode::truncated) << size;
    ASSERT_FALSE(parsed.error().path.empty()) << size;
    ASSERT_TRUE(parsed.error().offset && *parsed.error().offset <= size) << size;
  }
}

TEST(LksErrors, CutNameIsReportedAtItsBone) {
  const auto bytes = test::read_fixture("motion/cmu_01_01.skeleton");
  // Bone 0 has no payloads: its name's characters begin 58 bytes in.
  const Error error = error_of({bytes.begin(), bytes.begin() + header_size + 60});
  EXPECT_EQ(error.path, "bone[0].name");
  EXPECT_EQ(error.offset, header_size + 58);
  EXPECT_EQ(error.message, "needs 4 bytes, but the file ends at 0x50");
}

struct PayloadCase {
  const char* name;
  std::string_view hex;
  LksOrientation value;
};
class LksOrientationPayload : public testing::TestWithParam<PayloadCase> {};

struct SameOrientation {
  bool operator()(std::monostate, std::monostate) const { return true; }
  bool operator()(const LksLookAt& a, const LksLookAt& b) const {
    return a.bone == b.bone && a.vector == b.vector;
  }
  bool operator()(const LksBlend& a, const LksBlend& b) const {
    return a.first_bone == b.first_bone && a.first_weight == b.first_weight &&
           a.second_bone == b.second_bone && a.second_weight == b.second_weight;
  }
  bool operator()(const LksDependent& a, const LksDependent& b) const {
    return a.bone == b.bone && a.weight == b.weight;
  }
  bool operator()(const LksDamped& a, const LksDamped& b) const {
    return a.bone == b.bone && a.weight == b.weight;
  }
  template <class A, class B>
  bool operator()(const A& /*a*/, const B& /*b*/) const {
    return false;
  }
};

TEST_P(LksOrientationPayload, FollowsItsKindAndIsWrittenBack) {
  const auto bytes = with_bone({.orientation = GetParam().hex});
  const auto parsed = parse_lks(bytes);
  ASSERT_TRUE(parsed) << describe("", parsed.error());
  EXPECT_TRUE(std::visit(SameOrientation{}, parsed->bones[0].orientation, GetParam().value));
  EXPECT_EQ(write_lks(*parsed).value(), bytes);
}

INSTANTIATE_TEST_SUITE_P(
    Spec, LksOrientationPayload,
    testing::Values(PayloadCase{"none", "00", {}},
                    PayloadCase{"look_at", "01 02000000 0000803F 00000040 0000C0BF",
                                LksLookAt{2, {1.0F, 2.0F, -1.5F}}},
                    PayloadCase{"blend", "02 03000000 0000003F FFFFFFFF 0000803E",
                                LksBlend{3, 0.5F, -1, 0.25F}},
                    PayloadCase{"dependent", "03 05000000 0000403F", LksDependent{5, 0.75F}},
                    PayloadCase{"damped", "04 06000000 0000803F", LksDamped{6, 1.0F}}),
    [](const auto& test) { return test.param.name; });

TEST(LksPositionPayload, IsTheSameForKindsOneToThree) {
  for (const char* hex :
       {"01 07000000 0000803F 00000040 00004040", "02 07000000 0000803F 00000040 00004040",
        "03 07000000 0000803F 00000040 00004040"}) {
    const auto bytes = with_bone({.position = hex});
    const auto parsed = parse_lks(bytes);
    ASSERT_TRUE(parsed) << describe("", parsed.error());
    const auto& position = parsed->bones[0].position;
    ASSERT_TRUE(position);
    EXPECT_EQ(position->kind, hex[1] - '0');
    EXPECT_EQ(position->bone, 7);
    EXPECT_EQ(position->vector, (Vec3{1.0F, 2.0F, 3.0F}));
    EXPECT_EQ(write_lks(*parsed).value(), bytes);
  }
}

TEST(LksBoneFields, StandInTheSpecsOrder) {
  const auto bytes = with_bone({.rotation = {0.0F, 0.6F, 0.0F, 0.8F},
                                .offset = {1.0F, 2.0F, 3.0F},
                                .length = 0.5F,
                                .name = "Bip01 Pelvis",
                                .animated_translation = 1,
                                .body_part = 9,
                                .mass_weight = 0.25F});
  const auto parsed = parse_lks(bytes);
  ASSERT_TRUE(parsed) << describe("", parsed.error());
  const LksBone& bone = parsed->bones[0];
  EXPECT_EQ(bone.rotation, (Quat{0.0F, 0.6F, 0.0F, 0.8F}));
  EXPECT_EQ(bone.offset, (Vec3{1.0F, 2.0F, 3.0F}));
  EXPECT_EQ(bone.length, 0.5F);
  EXPECT_EQ(bone.name.text, "Bip01 Pelvis");
  EXPECT_EQ(bone.animated_translation, 1);
  EXPECT_EQ(bone.body_part, 9);
  EXPECT_EQ(bone.mass_weight, 0.25F);
}

TEST(LksTail, HoldsCommonTableHandlesScaleAndTranslationBones) {
  std::string tail = "0000 FFFF";  // common table
  tail += "0100 B168DE3A 03000000 0100" + test::text_hex("Grip") + test::text_hex("Root");
  tail += "00000000 00000000 0000803F 00000000";  // rotation
  tail += "0000803F 00000040 00004040";           // offset
  tail += "00000000 00000000 000080BF 00000000";  // inverse rotation
  tail += "000080BF 000000C0 000040C0";           // inverse offset
  tail += "00000000 000080BF 00000000 00000000";  // inverse rotation again
  tail += "00000040 0200 0000 0700";              // scale, translation bones
  for (int mask = 0; mask < 3; ++mask) tail += "05000000" + std::string(40, '0');
  const auto bytes = test::raw_lks({{}}, 2, tail);
  const auto parsed = parse_lks(bytes);
  ASSERT_TRUE(parsed) << describe("", parsed.error());
  EXPECT_TRUE(parsed->diagnostics.empty());
  EXPECT_EQ(parsed->common, (std::vector<std::uint16_t>{0, lks_none}));
  ASSERT_EQ(parsed->handles.size(), 1U);
  const LksHandle& handle = parsed->handles[0];
  EXPECT_EQ(handle.id, 1);
  EXPECT_EQ(handle.name.text, "Grip");
  EXPECT_EQ(handle.parent.text, "Root");
  EXPECT_EQ(handle.rotation, (Quat{0.0F, 0.0F, 1.0F, 0.0F}));
  EXPECT_EQ(handle.offset, (Vec3{1.0F, 2.0F, 3.0F}));
  EXPECT_EQ(handle.inverse_rotation, (Quat{0.0F, 0.0F, -1.0F, 0.0F}));
  EXPECT_EQ(handle.inverse_offset, (Vec3{-1.0F, -2.0F, -3.0F}));
  EXPECT_EQ(handle.inverse_rotation_again, (Quat{0.0F, -1.0F, 0.0F, 0.0F}));
  EXPECT_EQ(parsed->scale_factor, 2.0F);
  EXPECT_EQ(parsed->translation_bones, (std::vector<std::uint16_t>{0, 7}));
  EXPECT_EQ(write_lks(*parsed).value(), bytes);
}

TEST(LksErrors, OtherFileVersionsAreUnsupported) {
  auto bytes = with_bone({});
  bytes[4] = std::byte{30};
  const Error error = error_of(bytes);
  EXPECT_EQ(error.code, ErrorCode::unsupported);
  EXPECT_EQ(error.offset, 4U);
  EXPECT_NE(error.message.find("is 30"), std::string::npos);
}

TEST(LksErrors, MagicOtherThanLksIsUnknown) {
  auto bytes = with_bone({});
  bytes[0] = std::byte{'X'};
  EXPECT_EQ(error_of(bytes).code, ErrorCode::unknown_format);
}

TEST(LksErrors, ObjectMarkMustBeTheConstant) {
  const Error error = error_of(with_bone({.mark = 0x3ADE68B0}));
  EXPECT_EQ(error.path, "bone[0].mark");
  EXPECT_EQ(error.offset, header_size);
}

TEST(LksErrors, IdMustBeThePosition) {
  const Error error = error_of(test::raw_lks({{.first_child = 1}, {.id = 2, .parent = 0}}));
  EXPECT_EQ(error.code, ErrorCode::inconsistent);
  EXPECT_EQ(error.path, "bone[1].id");
  EXPECT_EQ(error.message, "is 2, but the bone stands at position 1");
}

TEST(LksErrors, ParentMustBeABone) {
  const Error error = error_of(with_bone({.parent = 1}));
  EXPECT_EQ(error.path, "bone[0].parent");
  EXPECT_EQ(error.offset, header_size + parent_at);
}

TEST(LksErrors, ParentsMustNotFormACircle) {
  const Error own = error_of(with_bone({.parent = 0}));
  EXPECT_EQ(own.code, ErrorCode::inconsistent);
  EXPECT_EQ(own.path, "bone[0].parent");
  EXPECT_EQ(own.offset, header_size + parent_at);
  const Error two = error_of(test::raw_lks(
      {{}, {.id = 1, .parent = 2, .name = "A"}, {.id = 2, .parent = 1, .name = "B"}}));
  EXPECT_EQ(two.path, "bone[1].parent");
}

TEST(LksErrors, UnknownConstraintKindsHaveNoKnownSize) {
  const Error orientation = error_of(with_bone({.orientation = "05"}));
  EXPECT_EQ(orientation.path, "bone[0].orientation");
  EXPECT_EQ(orientation.offset, header_size + orientation_at);
  EXPECT_EQ(error_of(with_bone({.position = "04"})).path, "bone[0].position");
}

TEST(LksErrors, MasksHaveFiveWords) {
  const Error error = error_of(test::raw_lks({{}}, 0, "0000 0000803F 0000 06000000"));
  EXPECT_EQ(error.code, ErrorCode::bad_value);
  EXPECT_EQ(error.path, "lod_mask[0]");
}

TEST(LksErrors, BytesBehindTheEndAreRefused) {
  auto bytes = with_bone({});
  const std::size_t size = bytes.size();
  bytes.push_back(std::byte{0});
  const Error error = error_of(bytes);
  EXPECT_EQ(error.code, ErrorCode::inconsistent);
  EXPECT_EQ(error.offset, size);
}

TEST(LksErrors, BonesOverTheLimitAreRefusedBeforeTheyAreRead) {
  const Error error = error_of(test::raw_lks({{}}), ReadLimits{.max_joints = 0});
  EXPECT_EQ(error.code, ErrorCode::limit);
  EXPECT_EQ(error.path, "bone_count");
}

TEST(LksErrors, TextLongerThanTheFileIsTruncated) {
  auto bytes = with_bone({});
  const std::size_t length_at = header_size + orientation_at + 2 + 4;
  for (std::size_t i = 0; i < 4; ++i) bytes[length_at + i] = std::byte{0xFF};
  const Error error = error_of(bytes);
  EXPECT_EQ(error.code, ErrorCode::truncated);
  EXPECT_EQ(error.path, "bone[0].name");
}

struct SalvageCase {
  const char* name;
  RawLksBone bone;
  const char* path;
};
class LksSalvage : public testing::TestWithParam<SalvageCase> {};

TEST_P(LksSalvage, WarnsOnceAndKeepsTheBytes) {
  const auto bytes = with_bone(GetParam().bone);
  const auto warnings = warnings_of(bytes);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0].path, GetParam().path);
  EXPECT_GE(warnings[0].offset, header_size);
  EXPECT_EQ(write_lks(parse_lks(bytes).value()).value(), bytes);
}

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
INSTANTIATE_TEST_SUITE_P(
    Fields, LksSalvage,
    testing::Values(SalvageCase{"mark_version", {.mark_version = 8}, "bone[0].mark"},
                    SalvageCase{"name_hash", {.hash = 1}, "bone[0].name"},
                    SalvageCase{"name_bytes", {.name = "A\x01"}, "bone[0].name"},
                    SalvageCase{
                        "flag", {.animated_translation = 2}, "bone[0].animated_translation"},
                    SalvageCase{"length", {.rotation = {0, 0, 0, 2}}, "bone[0].rotation"},
                    SalvageCase{"nan_rotation", {.rotation = {nan, 0, 0, 1}}, "bone[0].rotation"},
                    SalvageCase{"nan_offset", {.offset = {0, nan, 0}}, "bone[0].offset"},
                    SalvageCase{"child", {.first_child = 0}, "bone[0].first_child"}),
    [](const auto& test) { return test.param.name; });

TEST(LksSalvageTail, NonZeroMaskIsToldAndKept) {
  std::string tail = test::empty_tail();
  tail.back() = '1';
  const auto bytes = test::raw_lks({{}}, 0, tail);
  const auto warnings = warnings_of(bytes);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0].path, "lod_mask[2]");
  EXPECT_EQ(write_lks(parse_lks(bytes).value()).value(), bytes);
}

TEST(LksLinks, RootsMayOrMayNotBeSiblings) {
  EXPECT_TRUE(warnings_of(test::raw_lks({{}, {.id = 1, .name = "B"}})).empty());
  EXPECT_TRUE(warnings_of(test::raw_lks({{.next_sibling = 1}, {.id = 1, .name = "B"}})).empty());
}

TEST(LksToSkeleton, GivesIdsParentsAndFlags) {
  const auto rig = to_skeleton(parse_lks(test::raw_lks({
                                             {.id = 0, .parent = 1, .name = "Child"},
                                             {.offset = {1, 2, 3},
                                              .id = 1,
                                              .first_child = 0,
                                              .name = "Root",
                                              .animated_translation = 1},
                                         }))
                                   .value());
  EXPECT_EQ(rig.source, "skeleton");
  EXPECT_TRUE(rig.diagnostics.empty());
  ASSERT_EQ(rig.bones.size(), 2U);
  EXPECT_EQ(rig.bones[0].name, "Child");
  EXPECT_EQ(rig.bones[0].id, 0U);
  EXPECT_EQ(rig.bones[0].parent, 1U);
  EXPECT_EQ(rig.bones[0].animated_translation, false);
  EXPECT_EQ(rig.bones[1].name_hash, 0xB6C65665U);  // spec mab-chunked, 1.2
  EXPECT_EQ(rig.bones[1].parent, std::nullopt);
  EXPECT_EQ(rig.bones[1].translation, (Vec3{1, 2, 3}));
  EXPECT_EQ(rig.bones[1].animated_translation, true);
}

TEST(LksToSkeleton, MakesABrokenBindPoseUsable) {
  const auto rig = to_skeleton(parse_lks(test::raw_lks({
                                             {.rotation = {0, 0, 0, 2}, .offset = {0, nan, 0}},
                                             {.rotation = {nan, 0, 0, 1}, .id = 1, .name = "B"},
                                             {.rotation = {0, 0, 0, 0}, .id = 2, .name = "C"},
                                         }))
                                   .value());
  for (const Bone& bone : rig.bones) {
    EXPECT_EQ(bone.rotation, (Quat{0, 0, 0, 1})) << bone.name;
    EXPECT_EQ(bone.translation, (Vec3{})) << bone.name;
  }
  EXPECT_EQ(rig.diagnostics.size(), 4U);
}

TEST(LksToSkeleton, NamesAreTextWhateverTheBytes) {
  const auto rig = to_skeleton(parse_lks(test::raw_lks({
                                             {.name = "\xC3\xA9paule"},  // UTF-8
                                             {.id = 1, .name = "\xE9paule\n"},
                                         }))
                                   .value());
  EXPECT_EQ(rig.bones[0].name, "\xC3\xA9paule");
  EXPECT_EQ(rig.bones[1].name, "\\xE9paule\\x0A");
  EXPECT_EQ(rig.bones[1].name_hash, name_hash("\xE9paule\n"));
}

}  // namespace
}  // namespace mabkit
