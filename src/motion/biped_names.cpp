#include "motion/biped_names.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

// A hash says nothing of its name, so what a rig may call its joints is spelled out here, one
// convention at a time. A name that no game uses costs nothing.

namespace mabkit::motion {
namespace {

/// Joints on the middle line, and those of the actor as a whole.
constexpr std::array middle{
    "Root",      "Reference", "Trajectory", "Origin",     "Motion",    "RootMotion", "Skeleton",
    "Armature",  "COM",       "Ground",     "Footsteps",  "Pelvis",    "Hips",       "Hip",
    "LowerBack", "ToSpine",   "Waist",      "Abdomen",    "Belly",     "Chest",      "UpperChest",
    "Ribcage",   "Spine",     "Spine0",     "Spine1",     "Spine2",    "Spine3",     "Spine4",
    "Spine01",   "Spine02",   "Spine03",    "Neck",       "Neck0",     "Neck1",      "Neck2",
    "Neck01",    "Neck02",    "Head",       "Head1",      "HeadNub",   "HeadEnd",    "HeadTop_End",
    "Head_End",  "Jaw",       "JawNub",     "Chin",       "Tongue",    "Tongue1",    "Tongue2",
    "Tongue01",  "Tongue02",  "Face",       "Nose",       "Mouth",     "Hair",       "Hat",
    "Helmet",    "Tail",      "Tail1",      "Tail2",      "Tail3",     "Tail01",     "Tail02",
    "Tail03",    "Ponytail1", "Ponytail11", "Ponytail12", "Ponytail2", "Xtra01",     "Xtra02",
    "Cape",      "Backpack",  "Belt",       "Holster",    "Quiver",    "Dummy",      "Pivot",
    "LookAt",    "Aim",       "Eyes"};

/// Cameras, props, weapons and where they hang.
constexpr std::array attached{
    "Camera",       "Camera0",       "Camera1",      "Camera01",    "CameraBone", "Camera_Bone",
    "CameraTarget", "CameraRoot",    "CameraAttach", "Cam",         "Prop",       "Props",
    "Prop0",        "Prop1",         "Prop2",        "Prop3",       "Prop01",     "Prop02",
    "Prop03",       "PropAttach",    "Prop_Attach",  "Object",      "Item",       "Weapon",
    "Weapons",      "Weapon0",       "Weapon1",      "Weapon2",     "Weapon01",   "Weapon02",
    "WeaponAttach", "Weapon_Attach", "WeaponBone",   "Weapon_Bone", "WeaponRoot", "Gun",
    "Muzzle",       "Barrel",        "Trigger",      "Magazine",    "Bolt",       "Slide",
    "Bullet",       "Shell",         "Attach",       "Anchor",      "Anchor0",    "Anchor1",
    "Vehicle",      "Seat",          "Door",         "Wheel"};

/// Joints of one side, without fingers and face.
constexpr std::array sided{
    "HipJoint",    "Hip",         "Thigh",         "UpLeg",          "UpperLeg",       "ThighTwist",
    "ThighTwist1", "ThighTwist2", "UpLegTwist",    "UpLegRoll",      "Calf",           "CalfTwist",
    "CalfTwist1",  "CalfTwist2",  "Leg",           "LowerLeg",       "LegTwist",       "LegRoll",
    "HorseLink",   "Knee",        "Foot",          "Ankle",          "Heel",           "Ball",
    "Toe",         "ToeBase",     "Toe_End",       "Toe0",           "Toe01",          "Toe02",
    "Toe0Nub",     "Toe1",        "Toe2",          "Toes",           "Clavicle",       "Collar",
    "Shoulder",    "Scapula",     "Breast",        "UpperArm",       "Upperarm",       "UpArmTwist",
    "UpArmTwist1", "UpArmTwist2", "UpperArmTwist", "UpperArmTwist1", "UpperArmTwist2", "Arm",
    "ArmTwist",    "ArmRoll",     "Forearm",       "ForeArm",        "LowerArm",       "ForeTwist",
    "ForeTwist1",  "ForeTwist2",  "ForearmTwist",  "ForeArmTwist",   "ForeArmRoll",    "Elbow",
    "Wrist",       "Hand",        "HandTwist",     "Palm",           "Fingers",        "FingerBase",
    "Prop",        "Weapon"};

constexpr std::array facial{"Eye",         "Eyeball",   "Eyelid",    "UpperEyelid", "LowerEyelid",
                            "Brow",        "Eyebrow",   "InnerBrow", "OuterBrow",   "Cheek",
                            "MouthCorner", "LipCorner", "Ear"};

constexpr std::array digits{"Thumb", "Index", "Middle", "Ring", "Pinky", "Little"};

constexpr std::array sides{"L", "R"};
constexpr std::array side_words{"Left", "Right"};

using Names = std::vector<std::string>;

/// `Finger0` to `Finger42`, as 3ds Max numbers them.
Names numbered_fingers() {
  Names out;
  for (int finger = 0; finger <= 5; ++finger) {
    const std::string name = "Finger" + std::to_string(finger);
    out.push_back(name);
    for (int joint = 1; joint <= 3; ++joint) out.push_back(name + std::to_string(joint));
    out.push_back(name + "Nub");
  }
  return out;
}

/// `Index`, `Index1`, `Index01`, ... behind `prefix`.
Names named_fingers(std::string_view prefix) {
  Names out;
  for (const char* digit : digits) {
    const std::string name = std::string(prefix) + digit;
    out.push_back(name);
    for (int joint = 0; joint <= 4; ++joint) out.push_back(name + std::to_string(joint));
    for (int joint = 1; joint <= 3; ++joint) out.push_back(name + "0" + std::to_string(joint));
  }
  return out;
}

void append(Names& out, const Names& names) {
  out.insert(out.end(), names.begin(), names.end());
}

/// `LFoot`, `L Foot`, `L_Foot`, `Foot_L` and the same of the right.
Names with_side_letters(const Names& parts) {
  Names out;
  for (const std::string& part : parts) {
    for (const char* side : sides) {
      for (const char* gap : {"", " ", "_"}) out.push_back(std::string(side) + gap + part);
      out.push_back(part + "_" + side);
    }
  }
  return out;
}

/// `LeftFoot`, `Left Foot` and the same of the right.
Names with_side_words(const Names& parts) {
  Names out;
  for (const std::string& part : parts) {
    for (const char* side : side_words) {
      for (const char* gap : {"", " "}) out.push_back(std::string(side) + gap + part);
    }
  }
  return out;
}

/// `Bip01 Spine` and `Bip01 L Foot`: the names that 3ds Max gives its bipeds.
Names of_max_biped(const Names& middle_parts, const Names& side_parts) {
  Names out{"Bip01", "Bip001", "Bip02"};
  for (const std::string prefix : {"Bip01 ", "Bip01_", "Bip001 "}) {
    const char separator = prefix.back();
    for (const std::string& part : middle_parts) out.push_back(prefix + part);
    for (const std::string& part : side_parts) {
      for (const char* side : sides) {
        out.push_back(fmt::format("{}{}{}{}", prefix, side, separator, part));
      }
    }
  }
  return out;
}

/// `spine`, `camera`.
Names in_lower_case(const Names& names) {
  Names out;
  for (std::string name : names) {
    for (char& c : name) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    out.push_back(std::move(name));
  }
  return out;
}

}  // namespace

std::vector<std::string> biped_names() {
  const Names middle_parts(middle.begin(), middle.end());
  const Names attachments(attached.begin(), attached.end());
  Names side_parts(sided.begin(), sided.end());
  append(side_parts, numbered_fingers());
  const Names max_parts = side_parts;
  append(side_parts, named_fingers(""));
  append(side_parts, Names(facial.begin(), facial.end()));

  Names word_parts = side_parts;
  append(word_parts, named_fingers("Hand"));
  append(word_parts, named_fingers("InHand"));

  Names out = middle_parts;
  append(out, attachments);
  append(out, with_side_letters(side_parts));
  append(out, with_side_words(word_parts));
  append(out, of_max_biped(middle_parts, max_parts));
  append(out, in_lower_case(middle_parts));
  append(out, in_lower_case(attachments));
  return out;
}

}  // namespace mabkit::motion
