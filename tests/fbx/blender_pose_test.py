"""Imports our FBX into Blender and compares its posed armatures with our own forward kinematics.

    blender -b --python-exit-code 1 --python blender_pose_test.py -- \\
        MABKIT_WRITE_FBX POSE_DUMP FIXTURES OUT

Blender's scene space is Z up and metres, as the engines' is, so numbers compare as they are.
"""

import json
import pathlib
import subprocess
import sys

import bpy
from mathutils import Vector

FRAMES_PER_SECOND = 30
TOLERANCE = 0.001  # metres

# Clips of real motion and the rigs that pose them: every joint is compared.
POSED = [
    ("cmu_01_01_fc2.mab", "cmu_01_01.skeleton"),
    ("cmu_01_01_fc5.mab", "cmu_01_01_fc5.xbg"),
    ("cmu_01_01_wd1.mab", "cmu_01_01_fc5.xbg"),
    ("cmu_01_01_wdl.mab", "cmu_01_01_fc5.xbg"),
]
# Banks with participants and root motion, without a rig: one armature and every animation arrive.
IMPORTED = ["mab/fc2_1.mab", "mab/fc2_2.mab", "mab/fc3_1.mab", "mab/wd1_2.mab", "mab/fc5_4.mab"]


def animated_clips(expected):
    """How many clips of the bank beside a fixture have a curve."""
    with open(expected, encoding="utf-8") as text:
        clips = json.load(text)["clips"]

    def has_curve(clip):
        motion = clip.get("root_motion") or {}
        return clip["tracks"] or motion.get("translation") or motion.get("rotation")

    return sum(bool(has_curve(clip)) for clip in clips)


def import_scene(path):
    """An empty scene with the file in it; returns its armature."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = FRAMES_PER_SECOND
    bpy.context.scene.render.fps_base = 1.0
    # Debian's 3.4 fails on custom properties with its newer Python; keys start at frame 0.
    bpy.ops.import_scene.fbx(filepath=str(path), use_custom_props=False, anim_offset=0.0)
    armatures = [thing for thing in bpy.data.objects if thing.type == "ARMATURE"]
    assert len(armatures) == 1, f"{path}: {len(armatures)} armatures, expected 1"
    empties = [thing.name for thing in bpy.data.objects if thing.type == "EMPTY"]
    assert not empties, f"{path}: joints became empties: {empties}"
    return armatures[0]


def head_positions(armature, seconds):
    frame = seconds * FRAMES_PER_SECOND
    whole = int(frame)
    bpy.context.scene.frame_set(whole, subframe=frame - whole)
    posed = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return {bone.name: posed.matrix_world @ bone.head for bone in posed.pose.bones}


def compare_poses(path, dump):
    """Returns the largest distance in metres between a joint in Blender and in our poses."""
    armature = import_scene(path)
    poses = dump["poses"]
    actions = list(bpy.data.actions)
    assert len(actions) == 1, f"{path}: actions {[a.name for a in actions]}, expected one"
    last = max(pose["time"] for pose in poses)
    end = actions[0].frame_range[1] / FRAMES_PER_SECOND
    assert abs(end - last) < 1e-4, f"{path}: the action ends at {end} s, the clip at {last} s"
    for name, parent in dump["parents"].items():
        bone = armature.data.bones[name]
        got = bone.parent.name if bone.parent else None
        assert got == parent or (parent is None and got.startswith("mabkit_root_motion")), (
            f"{path}: {name} hangs from {got}, expected {parent}"
        )
    worst = 0.0
    for pose in poses:
        heads = head_positions(armature, pose["time"])
        for name, expected in pose["joints"].items():
            distance = (heads[name] - Vector(expected)).length
            worst = max(worst, distance)
            assert distance <= TOLERANCE, (
                f"{path}: {name} at {pose['time']} s is {distance * 1000:.3f} mm from {expected}, "
                f"at {list(heads[name])}"
            )
    return worst


def check_mesh(path):
    """The proxy mesh is skinned: a group a joint that moves something, no vertex left alone."""
    meshes = [thing for thing in bpy.data.objects if thing.type == "MESH"]
    assert len(meshes) == 1, f"{path}: {len(meshes)} meshes, expected 1"
    lonely = [v.index for v in meshes[0].data.vertices if not v.groups]
    assert not lonely, f"{path}: vertices without a joint: {lonely}"
    modifiers = [m.type for m in meshes[0].modifiers]
    assert modifiers == ["ARMATURE"], f"{path}: modifiers {modifiers}"


def check_posed(write_fbx, pose_dump, fixtures, out):
    for clip, rig in POSED:
        source, skeleton = fixtures / "motion" / clip, fixtures / "motion" / rig
        target = out / f"{source.stem}.fbx"
        subprocess.run([write_fbx, str(source), str(skeleton), str(target)], check=True)
        dump = json.loads(subprocess.run(
            [pose_dump, str(source), str(skeleton)], check=True, capture_output=True, text=True
        ).stdout)
        joints = len(dump["poses"][0]["joints"])
        assert joints == 31, f"{clip}: {joints} joints, the rig has 31"
        worst = compare_poses(target, dump)
        check_mesh(target)
        print(f"{clip}: {joints} joints at {len(dump['poses'])} times, worst {worst * 1000:.4f} mm")


def check_imported(write_fbx, fixtures, out):
    for name in IMPORTED:
        target = out / pathlib.Path(name).with_suffix(".fbx").name
        subprocess.run([write_fbx, str(fixtures / name), "-", str(target)], check=True)
        import_scene(target)
        # An action a stack; clips that move nothing have none.
        actions = [action.name for action in bpy.data.actions]
        expected = animated_clips((fixtures / name).with_suffix(".json"))
        assert expected, f"{name}: no animations"
        assert len(actions) == expected, f"{name}: actions {actions}, expected {expected}"
        print(f"{name}: {len(actions)} animations")


def main():
    write_fbx, pose_dump, fixtures, out = sys.argv[sys.argv.index("--") + 1 :]
    fixtures, out = pathlib.Path(fixtures), pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    check_posed(write_fbx, pose_dump, fixtures, out)
    check_imported(write_fbx, fixtures, out)


main()
