#include <gtest/gtest.h>

#include <cmath>
#include <mabkit/names.hpp>
#include <mabkit/rig.hpp>
#include <random>

#include "base/bytes.hpp"
#include "support/fixtures.hpp"

namespace mabkit {
namespace {

/// Random `.skeleton` files that the reader must accept: any float bits, any names, any trees.
class RandomLks {
 public:
  explicit RandomLks(std::uint32_t seed) : random_(seed) {}

  LksSkeleton skeleton() {
    LksSkeleton out;
    out.bones.resize(below(40));
    const auto order = shuffled_positions(out.bones.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      // A parent earlier in a random order makes trees whose parents may stand after children.
      LksBone& bone = out.bones[order[i]];
      fill(bone);
      bone.id = order[i];
      if (i != 0 && below(10) != 0) bone.parent = order[below(i)];
    }
    out.common = ids();
    out.handles.resize(below(4));
    for (LksHandle& handle : out.handles) fill(handle);
    out.scale_factor = real();
    out.translation_bones = ids();
    for (auto& mask : out.lod_masks) {
      for (std::uint32_t& word : mask) word = below(2) == 0 ? 0 : bits();
    }
    return out;
  }

 private:
  std::uint32_t below(std::size_t bound) {
    return bound == 0 ? 0 : static_cast<std::uint32_t>(random_() % bound);
  }
  std::uint32_t bits() { return static_cast<std::uint32_t>(random_()); }
  float real() { return base::cast_bits<float>(bits()); }
  Vec3 vector() { return {real(), real(), real()}; }
  Quat rotation() { return {real(), real(), real(), real()}; }
  std::int32_t bone() { return static_cast<std::int32_t>(below(42)) - 1; }
  LksText text() {
    std::string characters(below(12), '\0');
    for (char& c : characters) c = static_cast<char>(below(256));
    LksText out = lks_text(characters);
    if (below(8) == 0) out.hash = bits();
    return out;
  }
  std::vector<std::uint16_t> ids() {
    std::vector<std::uint16_t> out(below(6));
    for (std::uint16_t& id : out) id = static_cast<std::uint16_t>(random_());
    return out;
  }
  std::vector<std::uint16_t> shuffled_positions(std::size_t count) {
    std::vector<std::uint16_t> out(count);
    for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<std::uint16_t>(i);
    for (std::size_t i = count; i > 1; --i) std::swap(out[i - 1], out[below(i)]);
    return out;
  }
  LksOrientation orientation() {
    switch (below(5)) {
      case 1:
        return LksLookAt{bone(), vector()};
      case 2:
        return LksBlend{bone(), real(), bone(), real()};
      case 3:
        return LksDependent{bone(), real()};
      case 4:
        return LksDamped{bone(), real()};
      default:
        return {};
    }
  }
  void fill(LksBone& out) {
    out.version = below(9);
    out.rotation = rotation();
    out.offset = vector();
    out.length = real();
    out.first_child = static_cast<std::uint16_t>(random_());
    out.next_sibling = static_cast<std::uint16_t>(random_());
    out.orientation = orientation();
    if (const auto kind = static_cast<std::uint8_t>(below(4)); kind != 0) {
      out.position = LksPosition{kind, bone(), vector()};
    }
    out.name = text();
    out.animated_translation = static_cast<std::uint8_t>(below(256));
    out.body_part = static_cast<std::uint8_t>(below(256));
    out.mass_weight = real();
  }
  void fill(LksHandle& out) {
    out.version = below(5);
    out.id = static_cast<std::uint16_t>(random_());
    out.name = text();
    out.parent = text();
    out.rotation = rotation();
    out.offset = vector();
    out.inverse_rotation = rotation();
    out.inverse_offset = vector();
    out.inverse_rotation_again = rotation();
  }

  std::mt19937 random_;
};

/// What may be asked of any rig that was read: every number usable, every bone under a root.
void expect_usable(const Skeleton& rig) {
  ASSERT_EQ(parents_first(rig.bones).size(), rig.bones.size());
  for (const Bone& bone : rig.bones) {
    const Quat& q = bone.rotation;
    const double length =
        std::sqrt(double{q.x} * q.x + double{q.y} * q.y + double{q.z} * q.z + double{q.w} * q.w);
    ASSERT_NEAR(length, 1.0, 1e-3);
    ASSERT_TRUE(std::isfinite(bone.translation.x) && std::isfinite(bone.scale.x));
  }
}

TEST(RandomSkeletons, AreReadAsTheyWereWritten) {
  for (std::uint32_t seed = 0; seed < 500; ++seed) {
    const LksSkeleton written = RandomLks(seed).skeleton();
    const auto bytes = write_lks(written);
    ASSERT_TRUE(bytes) << seed << describe("", bytes.error());
    const auto read = parse_lks(*bytes);
    ASSERT_TRUE(read) << seed << describe("", read.error());
    ASSERT_EQ(write_lks(*read).value(), *bytes) << seed;
    ASSERT_EQ(read->bones.size(), written.bones.size()) << seed;
    for (std::size_t i = 0; i < read->bones.size(); ++i) {
      ASSERT_EQ(read->bones[i].name.text, written.bones[i].name.text) << seed;
      ASSERT_EQ(read->bones[i].parent, written.bones[i].parent) << seed;
      ASSERT_EQ(read->bones[i].orientation.index(), written.bones[i].orientation.index()) << seed;
    }
    expect_usable(to_skeleton(*read));
  }
}

TEST(RandomSkeletons, EndEarlyWithAnErrorAtEveryByte) {
  for (std::uint32_t seed = 0; seed < 4; ++seed) {
    const auto bytes = write_lks(RandomLks(seed).skeleton()).value();
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      const auto read = parse_lks(std::span(bytes).first(size));
      ASSERT_FALSE(read) << seed << " " << size;
      ASSERT_FALSE(read.error().path.empty()) << seed << " " << size;
    }
  }
}

TEST(RandomSkeletons, DerivedLinksNeverContradictTheParents) {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    LksSkeleton skeleton = RandomLks(seed).skeleton();
    derive_links(skeleton);
    const auto read = parse_lks(write_lks(skeleton).value()).value();
    for (const Diagnostic& diagnostic : read.diagnostics) {
      ASSERT_FALSE(diagnostic.path.ends_with("first_child")) << diagnostic.path;
      ASSERT_FALSE(diagnostic.path.ends_with("next_sibling")) << diagnostic.path;
    }
  }
}

/// Calls `check` with each byte of a fixture set to 0, to 0xFF and flipped, one at a time.
template <class Check>
void spoil_each_byte(const std::string& fixture, Check check) {
  const auto bytes = test::read_fixture(fixture);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const std::byte value : {std::byte{0}, std::byte{0xFF}, ~bytes[i]}) {
      auto spoilt = bytes;
      spoilt[i] = value;
      check(spoilt, i);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(SpoiltSkeleton, IsAnErrorWithAPlaceOrRoundTrips) {
  spoil_each_byte("motion/cmu_01_01.skeleton", [](const auto& bytes, std::size_t at) {
    const auto read = parse_lks(bytes);
    if (!read) {
      ASSERT_FALSE(read.error().path.empty()) << at;
      ASSERT_FALSE(read.error().message.empty()) << at;
      ASSERT_TRUE(read.error().offset && *read.error().offset <= bytes.size()) << at;
      return;
    }
    ASSERT_EQ(write_lks(*read).value(), bytes) << at;
    expect_usable(to_skeleton(*read));
  });
}

class SpoiltXbg : public testing::TestWithParam<const char*> {};

TEST_P(SpoiltXbg, IsAnErrorWithAPlaceOrAUsableRig) {
  spoil_each_byte(GetParam(), [](const auto& bytes, std::size_t at) {
    const auto read = parse_xbg(bytes);
    if (!read) {
      ASSERT_FALSE(read.error().path.empty()) << at;
      ASSERT_FALSE(read.error().message.empty()) << at;
      ASSERT_TRUE(read.error().offset && *read.error().offset <= bytes.size()) << at;
      return;
    }
    expect_usable(*read);
  });
}

INSTANTIATE_TEST_SUITE_P(Cmu, SpoiltXbg,
                         testing::Values("motion/cmu_01_01_fc2.xbg", "motion/cmu_01_01_fc5.xbg"));

}  // namespace
}  // namespace mabkit
