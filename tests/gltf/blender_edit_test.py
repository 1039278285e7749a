"""Turns one joint of a clip in Blender and writes the clip back over the original: that joint turns
as it did in Blender, and nothing else of the file changes. Where nothing was turned, the file comes
back to the byte.

    blender -b --python-exit-code 1 --python blender_edit_test.py -- \\
        MABKIT POSE_DUMP FIXTURES OUT
"""

import json
import math
import pathlib
import subprocess
import sys

import numpy

numpy.bool = bool  # Debian's importer asks for a name that its numpy no longer has

import bpy  # noqa: E402
from mathutils import Quaternion, Vector  # noqa: E402

# Clip, and whether Blender exports custom properties. Its default is not to; bones then keep the
# axes that Blender gave them, and only a rig tells which axes the clip has.
TRIPS = [
    ("cmu_01_01_fc2", True),
    ("cmu_01_01_fc5", True),
    ("cmu_01_01_wd1", True),
    ("cmu_01_01_wdl", True),
    ("cmu_01_01_fc2", False),
    ("cmu_01_01_fc5", False),
]
RIG = "cmu_01_01.skeleton"
FRAMES_PER_SECOND = 30

JOINT = "LeftForeArm"
MOVED_BY_JOINT = "LeftHand"
DEGREES = 10.0
# Half a second. The turn is whole in the middle of it, where MABKIT_POSE_DUMP takes a pose.
FIRST, LAST, RAMP = 218, 233, 5

PEAK_TOLERANCE = 0.1  # degrees
ENCODER_BOUND = math.degrees(0.1 / 30.0)  # its default with a rig: 0.1 mm at 3 cm from the joint
POSE_TOLERANCE = 0.001  # metres
LEAST_MOVE = 0.02  # metres, of MOVED_BY_JOINT in the middle of the turn


def run(*command):
    command = [str(part) for part in command]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def degrees_at(frame):
    return DEGREES * max(0.0, min(1.0, (frame - FIRST) / RAMP, (LAST - frame) / RAMP))


def turn_joint(action):
    """Multiplies the joint's rotation by a turn about the bone's x, with a key at each frame."""
    path = f'pose.bones["{JOINT}"].rotation_quaternion'
    curves = [action.fcurves.find(path, index=i) for i in range(4)]
    frames = range(FIRST, LAST + 1)
    # All are read before the first is changed: a new key bends what is beside it.
    rotations = [Quaternion([curve.evaluate(frame) for curve in curves]) for frame in frames]
    for frame, rotation in zip(frames, rotations):
        turned = rotation @ Quaternion((1.0, 0.0, 0.0), math.radians(degrees_at(frame)))
        for curve, value in zip(curves, turned):
            curve.keyframe_points.insert(frame, value).interpolation = "LINEAR"


def joint_positions(armature, action, seconds):
    for track in list(armature.animation_data.nla_tracks):
        armature.animation_data.nla_tracks.remove(track)
    armature.animation_data.action = action
    frame = seconds * FRAMES_PER_SECOND
    bpy.context.scene.frame_set(int(frame), subframe=frame - int(frame))
    posed = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return {bone.name: posed.matrix_world @ bone.head for bone in posed.pose.bones}


def through_blender(source, target, with_properties, is_edited, times):
    """Returns where Blender had the joints at these times."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = FRAMES_PER_SECOND
    bpy.ops.import_scene.gltf(filepath=str(source))
    (action,) = bpy.data.actions
    (armature,) = [thing for thing in bpy.data.objects if thing.type == "ARMATURE"]
    if is_edited:
        turn_joint(action)
    # Left out: the exporter's own default, which drops custom properties.
    options = {"export_extras": True} if with_properties else {}
    bpy.ops.export_scene.gltf(filepath=str(target), **options)
    return [joint_positions(armature, action, time) for time in times]


def poses_of(pose_dump, clip, rig):
    return json.loads(run(pose_dump, clip, rig))["poses"]


def bank_of(mabkit, clip, rig, out):
    run(mabkit, "convert", clip, "--skeleton", rig, "-o", out)
    return json.loads(out.read_text(encoding="utf-8"))


def take_track(bank):
    """Takes the joint's rotation out of a bank, and returns it."""
    clip = bank["clips"][0]
    (joint,) = [i for i, joint in enumerate(clip["joints"]) if joint["name"] == JOINT]
    (track,) = [t for t in clip["tracks"] if (t["joint"], t["channel"]) == (joint, "rotation")]
    clip["tracks"].remove(track)
    return track


def rotation_at(track, frame):
    """At a frame, slerped between keys as the engines do."""
    time = frame / FRAMES_PER_SECOND
    times = [0.0, *track["times"]]
    rotations = [Quaternion((w, x, y, z)).normalized() for x, y, z, w in track["values"]]
    rotations.insert(0, rotations[0])
    for begin, end, a, b in zip(times, times[1:], rotations, rotations[1:]):
        if time <= end:
            return a.slerp(b, (time - begin) / (end - begin)) if end > begin else b
    return rotations[-1]


def turn_between(a, b):
    """The shorter turn from one rotation to another, as a vector in degrees."""
    turn = a.inverted() @ b
    axis = Vector((turn.x, turn.y, turn.z))
    sine = axis.length
    angle = 2.0 * math.degrees(math.atan2(sine, abs(turn.w)))
    return axis * math.copysign(angle / sine, turn.w) if sine > 0.0 else Vector()


def check_turn(before, after, what):
    """Returns the largest turn of the joint in degrees, and how far any turn is off."""
    last = round(before["times"][-1] * FRAMES_PER_SECOND)
    assert LAST < last, f"{what}: the clip ends at frame {last}"
    turns = [
        turn_between(rotation_at(before, frame), rotation_at(after, frame))
        for frame in range(last + 1)
    ]
    peak = max(turns, key=lambda turn: turn.length)
    assert abs(peak.length - DEGREES) <= PEAK_TOLERANCE, f"{what}: turned by {peak.length} degrees"
    # One axis for all frames; which one, the poses say.
    axis = peak.normalized()
    worst = 0.0
    for frame, turn in enumerate(turns):
        off = (turn - axis * degrees_at(frame)).length
        worst = max(worst, off)
        assert off <= ENCODER_BOUND, f"{what}: the turn at frame {frame} is off by {off} degrees"
    return peak.length, worst


def check_poses(poses, in_blender, what):
    for pose, seen in zip(poses, in_blender, strict=True):
        for joint, position in pose["joints"].items():
            off = (seen[joint] - Vector(position)).length
            assert off <= POSE_TOLERANCE, (
                f"{what}: {joint} at {pose['time']} s is off by {off * 1000:.3f} mm"
            )


def check_moved(before, after, what):
    moved = max(
        (Vector(a["joints"][MOVED_BY_JOINT]) - Vector(b["joints"][MOVED_BY_JOINT])).length
        for a, b in zip(before, after, strict=True)
    )
    assert moved >= LEAST_MOVE, f"{what}: {MOVED_BY_JOINT} moved by {moved} m only"


def kept_flags(report):
    (file,) = json.loads(report.read_text(encoding="utf-8"))["files"]
    (clip,) = file["encoding"]["clips"]
    return [track["kept"] for track in clip["tracks"]]


def check_trip(mabkit, pose_dump, clip, rig, with_properties, out):
    what = f"{clip.stem}, {'with' if with_properties else 'without'} custom properties"
    source = out / f"{clip.stem}.glb"
    run(mabkit, "convert", clip, "--skeleton", rig, "-o", source)
    poses = poses_of(pose_dump, clip, rig)
    times = [pose["time"] for pose in poses]

    def trip(name, is_edited):
        exported, written, report = (out / f"{clip.stem}_{name}.{end}" for end in ("glb", "mab", "json"))
        in_blender = through_blender(source, exported, with_properties, is_edited, times)
        rig_option = [] if with_properties else ["--skeleton", rig]
        run(mabkit, "convert", exported, "--like", clip, *rig_option, "-o", written, "--report", report)
        return written, report, in_blender

    same, report, _ = trip("same", is_edited=False)
    lost = kept_flags(report).count(False)
    assert same.read_bytes() == clip.read_bytes(), (
        f"{what}: nothing was edited, but bytes differ; {lost} tracks were not kept"
    )

    edited, report, in_blender = trip("edited", is_edited=True)
    run(mabkit, "verify", edited)
    written_anew = kept_flags(report).count(False)
    assert written_anew == 1, f"{what}: {written_anew} tracks were written anew, one was edited"
    bank_before = bank_of(mabkit, clip, rig, out / f"{clip.stem}_before.json")
    bank_after = bank_of(mabkit, edited, rig, out / f"{clip.stem}_after.json")
    before, after = take_track(bank_before), take_track(bank_after)
    assert bank_before == bank_after, f"{what}: more changed than the rotation of {JOINT}"
    peak, worst = check_turn(before, after, what)
    poses_after = poses_of(pose_dump, edited, rig)
    check_poses(poses_after, in_blender, what)
    check_moved(poses, poses_after, what)
    print(f"{what}: peak {peak:.4f} degrees, off by {worst:.4f} at most, all else the same")


def main():
    mabkit, pose_dump, fixtures, out = sys.argv[sys.argv.index("--") + 1 :]
    motion, out = pathlib.Path(fixtures) / "motion", pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    for name, with_properties in TRIPS:
        check_trip(mabkit, pose_dump, motion / f"{name}.mab", motion / RIG, with_properties, out)


main()
