"""Converts clips to glTF, imports them into Blender, exports them again and compares what comes
back with the clips.

    blender -b --python-exit-code 1 --python blender_trip_test.py -- \\
        MABKIT COMPARE_TRIP FIXTURES OUT
"""

import pathlib
import subprocess
import sys

import numpy

numpy.bool = bool  # Debian's importer asks for a name that its numpy no longer has

import bpy  # noqa: E402

# Clip, rig, frames a second: Blender samples at the scene's rate.
TRIPS = [
    ("motion/cmu_01_01_fc2.mab", "motion/cmu_01_01.skeleton", 30),
    ("motion/cmu_01_01_fc5.mab", "motion/cmu_01_01_fc5.xbg", 30),
    ("mab/fc2_1.mab", None, 33),  # root motion, participants, events
    ("mab/fc3bd_3.mab", None, 30),
    ("mab/wd1_2.mab", None, 30),
    ("mab/fc5_4.mab", None, 30),
]


def run(*command):
    subprocess.run([str(part) for part in command], check=True)


def through_blender(source, target, rate, with_properties):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = rate
    bpy.ops.import_scene.gltf(filepath=str(source))
    # Left out: the exporter's own default, which drops custom properties.
    options = {"export_extras": True} if with_properties else {}
    bpy.ops.export_scene.gltf(filepath=str(target), **options)


def main():
    mabkit, compare, fixtures, out = sys.argv[sys.argv.index("--") + 1 :]
    fixtures, out = pathlib.Path(fixtures), pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    for clip, rig, rate in TRIPS:
        clip = fixtures / clip
        source, target = out / f"{clip.stem}.glb", out / f"{clip.stem}_trip.glb"
        source.unlink(missing_ok=True)
        run(mabkit, "convert", clip, "-o", source, *(["--skeleton", fixtures / rig] if rig else []))
        through_blender(source, target, rate, with_properties=True)
        run(compare, "tracks", clip, target)
        if rig:
            through_blender(source, target, rate, with_properties=False)
            run(compare, "poses", clip, target, fixtures / rig)


main()
