#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <mabkit/pose.hpp>
#include <numbers>
#include <vector>

#include "fbx/node_writer.hpp"
#include "fbx/objects.hpp"

namespace mabkit::test {

// A file of Maya's kind: joint A has a pivot, an offset, pre- and post-rotation, and turns about X
// from 20 to 60 degrees in a second; joint B hangs from it. Z up, metres, so that numbers are the
// bank's own.

inline void write_pivot_joint(fbx::NodeWriter& out, std::int64_t id, const char* name,
                              bool has_pivots) {
  const auto vector = [&out](const char* property, double x, double y, double z) {
    out.property(property, "Vector3D", "Vector", "", x, y, z);
  };
  out.begin("Model");
  out.value(id);
  out.object_name(name, "Model");
  out.value("LimbNode");
  out.leaf("Version", std::int32_t{232});
  out.begin("Properties70");
  out.property("RotationActive", "bool", "", "", std::int32_t{1});
  out.property("InheritType", "enum", "", "", std::int32_t{1});
  if (has_pivots) {
    vector("PreRotation", 0, 0, 90);
    vector("PostRotation", 0, 30, 0);
    vector("RotationPivot", 10, 0, 0);
    vector("RotationOffset", 0, 7, 0);
  }
  out.property("Lcl Translation", "Lcl Translation", "", "A", 1.0, 2.0, 3.0);
  out.property("Lcl Rotation", "Lcl Rotation", "", "A", 20.0, 0.0, 0.0);
  out.property("Lcl Scaling", "Lcl Scaling", "", "A", 1.0, 1.0, 1.0);
  out.end();
  out.end();
}

inline void write_pivot_curve(fbx::NodeWriter& out, std::int64_t id, float from, float to) {
  out.begin("AnimationCurve");
  out.value(id);
  out.object_name("", "AnimCurve");
  out.value("");
  out.array_leaf<std::int64_t>("KeyTime", std::array<std::int64_t, 2>{0, 46186158000});
  out.array_leaf<float>("KeyValueFloat", std::array{from, to});
  out.array_leaf<std::int32_t>("KeyAttrFlags", std::array<std::int32_t, 1>{4});
  out.array_leaf<float>("KeyAttrDataFloat", std::array<float, 4>{});
  out.array_leaf<std::int32_t>("KeyAttrRefCount", std::array<std::int32_t, 1>{2});
  out.end();
}

inline std::vector<std::byte> fbx_with_pivots() {
  fbx::NodeWriter out;
  out.begin("FBXHeaderExtension");
  out.leaf("FBXVersion", std::int32_t{7400});
  out.end();
  out.begin("GlobalSettings");
  out.begin("Properties70");
  out.property("UpAxis", "int", "Integer", "", std::int32_t{2});
  out.property("UpAxisSign", "int", "Integer", "", std::int32_t{1});
  out.property("UnitScaleFactor", "double", "Number", "", 100.0);
  out.property("TimeMode", "enum", "", "", std::int32_t{6});
  out.end();
  out.end();
  out.begin("Definitions");
  out.leaf("Version", std::int32_t{100});
  out.end();
  out.begin("Objects");
  write_pivot_joint(out, 100, "A", true);
  write_pivot_joint(out, 101, "B", false);
  out.begin("AnimationStack");
  out.value(std::int64_t{200});
  out.object_name("turn", "AnimStack");
  out.value("");
  out.begin("Properties70");
  out.property("LocalStop", "KTime", "Time", "", std::int64_t{46186158000});
  out.end();
  out.end();
  out.begin("AnimationLayer");
  out.value(std::int64_t{201});
  out.object_name("turn", "AnimLayer");
  out.value("");
  out.begin("Properties70");
  out.end();
  out.end();
  out.begin("AnimationCurveNode");
  out.value(std::int64_t{202});
  out.object_name("R", "AnimCurveNode");
  out.value("");
  out.begin("Properties70");
  out.property("d|X", "Number", "", "A", 20.0);
  out.end();
  out.end();
  write_pivot_curve(out, 210, 20.0F, 60.0F);
  write_pivot_curve(out, 211, 0.0F, 0.0F);
  write_pivot_curve(out, 212, 0.0F, 0.0F);
  out.end();
  fbx::ObjectTable objects;
  objects.connect(100, 0);
  objects.connect(101, 100);
  objects.connect(201, 200);
  objects.connect(202, 201);
  objects.connect(202, 100, "Lcl Rotation");
  objects.connect(210, 202, "d|X");
  objects.connect(211, 202, "d|Y");
  objects.connect(212, 202, "d|Z");
  objects.write_connections(out);
  return std::move(out).finish();
}

/// What the FBX SDK says about joint A: T * Roff * Rp * Rpre * R * Rpost^-1 * Rp^-1, by
/// quaternions.
inline Transform pivot_joint_at(double degrees) {
  const auto turn = [](double angle, float x, float y, float z) {
    const double half = angle * std::numbers::pi / 360.0;
    const auto sine = static_cast<float>(std::sin(half));
    return Quat{x * sine, y * sine, z * sine, static_cast<float>(std::cos(half))};
  };
  const auto move = [](float x, float y, float z) { return Transform{{}, {x, y, z}}; };
  const Transform pre{turn(90, 0, 0, 1), {}};
  const Transform own{turn(degrees, 1, 0, 0), {}};
  const Transform post{conjugate(turn(30, 0, 1, 0)), {}};
  Transform out = move(1, 2, 3);
  for (const Transform& next : {move(0, 7, 0), move(10, 0, 0), pre, own, post, move(-10, 0, 0)}) {
    out = combine(out, next);
  }
  return out;
}

}  // namespace mabkit::test
