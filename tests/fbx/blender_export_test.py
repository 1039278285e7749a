"""Takes a clip through Blender to FBX, the current frame in the middle of the motion, and makes a
clip of it again: the bones' rest pose is that of the mesh, whatever Blender shows at the time.

    blender -b --python-exit-code 1 --python blender_export_test.py -- MABKIT FIXTURES OUT
"""

import json
import pathlib
import subprocess
import sys

import numpy

numpy.bool = bool  # Debian's importer asks for a name that its numpy no longer has

import bpy  # noqa: E402

FRAMES_PER_SECOND = 30  # of the clip
CURRENT_FRAMES = [0, 150]
# Both clips are within 0.1 mm of the motion at 3 cm from a joint, which is 0.19 degrees each.
TOLERANCE = 0.4  # degrees
PLACE_TOLERANCE = 0.2  # millimetres


def export(source, target, frame):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = FRAMES_PER_SECOND
    bpy.ops.import_scene.gltf(filepath=str(source))
    bpy.context.scene.frame_set(frame)
    # Blender drops keys that it thinks nobody misses, unless told not to.
    bpy.ops.export_scene.fbx(filepath=str(target), bake_anim_simplify_factor=0)


def main():
    mabkit, fixtures, out = sys.argv[sys.argv.index("--") + 1 :]
    fixtures, out = pathlib.Path(fixtures), pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    for old in out.iterdir():
        old.unlink()
    clip = fixtures / "motion/cmu_01_01_wd1.mab"
    rig = fixtures / "motion/cmu_01_01.skeleton"
    source = out / "walk.glb"
    subprocess.run([mabkit, "convert", clip, "-o", source, "--skeleton", rig], check=True)
    for frame in CURRENT_FRAMES:
        fbx, back = out / f"walk_{frame}.fbx", out / f"walk_{frame}.mab"
        export(source, fbx, frame)
        subprocess.run(
            [mabkit, "convert", fbx, "--game", "wd1", "--skeleton", rig, "-o", back], check=True
        )
        report = subprocess.run(
            [mabkit, "diff", clip, back, "--json"], capture_output=True, text=True
        )
        compared = json.loads(report.stdout)
        worst = compared["clips"][0]
        assert worst["compared_joints"] == 31, compared
        assert worst["worst_angle"]["amount"] <= TOLERANCE, worst["worst_angle"]
        assert worst["worst_distance"]["amount"] <= PLACE_TOLERANCE, worst["worst_distance"]


main()
