"""Files of other tools with several animations: each is one of the file's rig."""

import base64
import json
import math
import struct

import pytest
from conftest import run

HIPS, SPINE = [0, 1, 0], [0, 0.5, 0]


class Maker:
    """A glTF of two joints, with animations that turn both about z within a second."""

    def __init__(self, turns):
        self.buffer, self.views, self.accessors = b"", [], []
        animations = [{"name": name, "samplers": [self.sampler(turn)],
                       "channels": [{"sampler": 0, "target": {"node": node, "path": "rotation"}}
                                    for node in (0, 1)]} for name, turn in turns.items()]
        uri = "data:application/octet-stream;base64," + base64.b64encode(self.buffer).decode()
        self.document = {
            "asset": {"version": "2.0"},
            "nodes": [{"name": "Hips", "children": [1], "translation": HIPS},
                      {"name": "Spine", "translation": SPINE}],
            "skins": [{"joints": [0, 1]}], "animations": animations, "bufferViews": self.views,
            "accessors": self.accessors, "buffers": [{"byteLength": len(self.buffer), "uri": uri}]}

    def sampler(self, turn):
        end = [0, 0, math.sin(turn / 2), math.cos(turn / 2)]
        return {"input": self.add([0, 1], "SCALAR", 1), "output": self.add([0, 0, 0, 1, *end], "VEC4", 4)}

    def add(self, values, kind, width):
        self.views.append({"buffer": 0, "byteOffset": len(self.buffer), "byteLength": 4 * len(values)})
        self.accessors.append({"bufferView": len(self.views) - 1, "componentType": 5126,
                               "count": len(values) // width, "type": kind})
        self.buffer += struct.pack(f"<{len(values)}f", *values)
        return len(self.accessors) - 1


@pytest.fixture
def takes(tmp_path):
    path = tmp_path / "takes.gltf"
    path.write_text(json.dumps(Maker({"walk": 0.5, "run": 1.5}).document))
    return path


def scene(path):
    """Names of animations, and where the nodes with a place are."""
    document = json.loads(path.read_text())
    places = {n["name"]: n["translation"] for n in document["nodes"] if "translation" in n}
    return [a["name"] for a in document["animations"]], places


@pytest.mark.parametrize("clip, name", [(0, "walk"), (1, "run")])
def test_each_take_keeps_the_rig(clip, name, takes, tmp_path):
    out = tmp_path / "one.gltf"
    done = run("convert", takes, "--clip", clip, "-o", out)
    assert done.code == 0 and not done.err
    assert scene(out) == ([name], {"Hips": HIPS, "Spine": SPINE})


def test_split_takes_keep_the_rig(takes, tmp_path):
    assert run("convert", takes, "--split", "--to", "gltf", "-o", tmp_path / "out").code == 0
    for file in ["takes.0-walk.gltf", "takes.1-run.gltf"]:
        assert scene(tmp_path / "out" / file)[1] == {"Hips": HIPS, "Spine": SPINE}


@pytest.mark.parametrize("extension", ["gltf", "fbx"])
def test_one_scene_takes_the_first_and_says_so(extension, takes, tmp_path):
    out = tmp_path / f"all.{extension}"
    done = run("convert", takes, "-o", out)
    assert done.code == 0
    assert "only the first of 2 animations is taken (0: walk, 1: run)" in done.err
    assert "--split" in done.err
    if extension == "gltf":
        assert scene(out) == (["walk"], {"Hips": HIPS, "Spine": SPINE})


def test_json_has_every_take_carried_over(takes, tmp_path):
    rig = tmp_path / "rig.gltf"
    document = Maker({"rest": 0.1}).document
    for node, name in zip(document["nodes"], ["Pelvis", "Chest"]):
        node["name"] = name
        node["rotation"] = [0, 0, math.sqrt(0.5), math.sqrt(0.5)]
    rig.write_text(json.dumps(document))
    names = tmp_path / "names.json"
    names.write_text('{"Hips": "Pelvis", "Spine": "Chest"}')
    out = tmp_path / "out.json"
    done = run("convert", takes, "--skeleton", rig, "--map", names, "-o", out)
    assert done.code == 0 and "no bone of that name" not in done.err, done.err
    clips = json.loads(out.read_text())["clips"]
    assert [clip["name"] for clip in clips] == ["walk", "run"]
    for clip in clips:
        assert [joint["name"] for joint in clip["joints"]] == ["Pelvis", "Chest"]
        # At rest at first: the bind pose of the target, and a quarter about glTF's z is one about -y.
        first = clip["tracks"][0]["values"][0]
        assert first == pytest.approx([0, -math.sqrt(0.5), 0, math.sqrt(0.5)], abs=1e-6)
