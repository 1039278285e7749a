"""Converts clips with the command line, imports the results into Blender and compares its posed
armatures with our own forward kinematics.

    blender -b --python-exit-code 1 --python blender_pose_test.py -- \\
        MABKIT POSE_DUMP FIXTURES OUT

Blender's scene space is Z up and metres, as the engines' is, so numbers compare as they are.
"""

import json
import pathlib
import subprocess
import sys

import numpy

numpy.bool = bool  # Debian's importer asks for a name that its numpy no longer has

import bpy  # noqa: E402
from mathutils import Vector  # noqa: E402

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
IMPORTED = ["spec/example_fc2.mab", "mab/fc2_1.mab", "mab/fc3_1.mab", "mab/wd1_2.mab", "mab/fc5_4.mab"]


def convert(mabkit, source, target, *options):
    command = [mabkit, "convert", source, "-o", target, *options]
    subprocess.run([str(part) for part in command], check=True)


def animation_names(path):
    """Names of the animations of a .gltf."""
    with open(path, encoding="utf-8") as text:
        return [animation["name"] for animation in json.load(text).get("animations", [])]


def import_scene(path):
    """An empty scene with the file in it; returns its armature."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    # The importer turns seconds into frames by the scene's rate.
    bpy.context.scene.render.fps = FRAMES_PER_SECOND
    bpy.context.scene.render.fps_base = 1.0
    bpy.ops.import_scene.gltf(filepath=str(path))
    armatures = [thing for thing in bpy.data.objects if thing.type == "ARMATURE"]
    assert len(armatures) == 1, f"{path}: {len(armatures)} armatures, expected 1"
    empties = [thing.name for thing in bpy.data.objects if thing.type == "EMPTY"]
    assert not empties, f"{path}: joints became empties: {empties}"
    return armatures[0]


def play(armature, name):
    """Makes the action of an imported animation the armature's only one."""
    actions = [action for action in bpy.data.actions if action.name.startswith(name)]
    assert len(actions) == 1, f"actions {[a.name for a in bpy.data.actions]}, expected {name}"
    for track in list(armature.animation_data.nla_tracks):
        armature.animation_data.nla_tracks.remove(track)
    armature.animation_data.action = actions[0]
    return actions[0]


def head_positions(armature, seconds):
    frame = seconds * FRAMES_PER_SECOND
    whole = int(frame)
    bpy.context.scene.frame_set(whole, subframe=frame - whole)
    posed = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return {bone.name: posed.matrix_world @ bone.head for bone in posed.pose.bones}


def compare_poses(path, poses):
    """Returns the largest distance in metres between a joint in Blender and in `poses`."""
    armature = import_scene(path)
    action = play(armature, path.stem)
    last = max(pose["time"] for pose in poses)
    end = action.frame_range[1] / FRAMES_PER_SECOND
    assert abs(end - last) < 1e-4, f"{path}: the action ends at {end} s, the clip at {last} s"
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


def check_posed(mabkit, pose_dump, fixtures, out):
    for clip, rig in POSED:
        source, skeleton = fixtures / "motion" / clip, fixtures / "motion" / rig
        target = out / f"{source.stem}.glb"
        convert(mabkit, source, target, "--skeleton", skeleton)
        dump = subprocess.run(
            [pose_dump, str(source), str(skeleton)], check=True, capture_output=True, text=True
        )
        poses = json.loads(dump.stdout)["poses"]
        joints = len(poses[0]["joints"])
        assert joints == 31, f"{clip}: {joints} joints, the rig has 31"
        moved = sum((Vector(poses[0]["joints"][j]) - Vector(poses[-1]["joints"][j])).length > 0.01
                    for j in poses[0]["joints"])
        assert moved > 20, f"{clip}: only {moved} joints move"
        worst = compare_poses(target, poses)
        print(f"{clip}: {joints} joints at {len(poses)} times, worst {worst * 1000:.4f} mm")


def check_imported(mabkit, fixtures, out):
    for name in IMPORTED:
        target = out / pathlib.Path(name).with_suffix(".gltf").name
        convert(mabkit, fixtures / name, target)
        import_scene(target)
        expected = animation_names(target)
        assert expected, f"{name}: no animations"
        assert len(bpy.data.actions) == len(expected), (
            f"{name}: actions {[a.name for a in bpy.data.actions]}, animations {expected}"
        )
        print(f"{name}: {len(expected)} animations")


def main():
    mabkit, pose_dump, fixtures, out = sys.argv[sys.argv.index("--") + 1 :]
    fixtures, out = pathlib.Path(fixtures), pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    check_posed(mabkit, pose_dump, fixtures, out)
    check_imported(mabkit, fixtures, out)


main()
