"""Skeletons on the command line: what matched, what did not, and what to do then."""

import json

import pytest
from conftest import FIXTURES, RIG, run

MOTION = FIXTURES / "motion"
XBG = MOTION / "cmu_01_01_fc5.xbg"


@pytest.mark.parametrize("game", ["fc2", "fc5", "wd1", "wdl"])
def test_the_skeleton_names_every_joint(game, tmp_path):
    out = tmp_path / "walk.json"
    done = run("convert", MOTION / f"cmu_01_01_{game}.mab", "--skeleton", RIG, "-o", out)
    assert done.code == 0
    assert "31 of 31 joints in cmu_01_01.skeleton" in done.out
    assert not done.err
    joints = json.loads(out.read_text("utf-8"))["clips"][0]["joints"]
    assert joints[0]["name"] == "Hips"
    assert [j["parent"] for j in joints].count(None) == 1


def test_ids_need_a_rig_with_ids(tmp_path):
    clip = MOTION / "cmu_01_01_fc2.mab"
    xbg = MOTION / "cmu_01_01_fc2.xbg"
    done = run("convert", clip, "--skeleton", xbg, "-o", tmp_path / "walk.glb")
    assert done.code == 0
    assert "0 of 31 joints" in done.out
    assert ".skeleton" in done.err and "--bone-order" in done.err
    done = run("convert", clip, "--skeleton", xbg, "--bone-order", "-o", tmp_path / "walk.glb")
    assert "31 of 31 joints" in done.out
    assert "guess" in done.err


def test_the_rig_that_fits_best_is_taken(tmp_path):
    out = tmp_path / "walk.glb"
    done = run("convert", MOTION / "cmu_01_01_fc2.mab", "--skeleton", MOTION / "cmu_01_01_fc2.xbg",
               "--skeleton", RIG, "-o", out)
    assert "31 of 31 joints in cmu_01_01.skeleton" in done.out
    assert not done.err


def test_unmatched_joints_are_listed(tmp_path):
    report = tmp_path / "report.json"
    done = run("convert", FIXTURES / "spec" / "example_wd1.mab", "--skeleton", RIG, "-o",
               tmp_path / "walk.glb", "--report", report)
    assert done.code == 0
    assert "warning: clip[0]: 1 of 3 joints are not in cmu_01_01.skeleton: Pelvis" in done.err
    rig = json.loads(report.read_text("utf-8"))["files"][0]["rig"]
    assert rig["matched"] == 2
    assert [(u["joint"], u["hash"]) for u in rig["unmatched"]] == [(0, "0xb021fd58")]  # Pelvis


def test_names_that_hashes_give_away_propose_bones(tmp_path):
    done = run("convert", FIXTURES / "mab" / "fc6_2.mab", "--skeleton", RIG, "-o",
               tmp_path / "walk.glb")
    assert done.code == 0
    assert "LFoot (near: LeftFoot)" in done.err


def test_a_gltf_is_a_rig(tmp_path):
    rig = tmp_path / "rig.glb"
    clip = MOTION / "cmu_01_01_wd1.mab"
    assert run("convert", clip, "--skeleton", RIG, "-o", rig).code == 0
    for options in ([], ["--root-motion", "ignore"]):
        done = run("convert", clip, "--skeleton", rig, *options, "-o", tmp_path / "again.glb")
        assert "31 of 31 joints in rig.glb" in done.out, done.err


def test_bone_offset_shifts_ids(tmp_path):
    clip = MOTION / "cmu_01_01_fc2.mab"
    done = run("convert", clip, "--skeleton", RIG, "--bone-offset", "-5", "-o", tmp_path / "walk.json")
    assert "26 of 31 joints" in done.out


def test_names_of_a_list_name_joints(tmp_path):
    names = tmp_path / "names.txt"
    names.write_text("# a list\nHead\nZzUnheardOf\n", "utf-8")
    out = tmp_path / "walk.json"
    clip = FIXTURES / "spec" / "example_wd1.mab"
    assert run("convert", clip, "--names", names, "-o", out).code == 0
    joints = json.loads(out.read_text("utf-8"))["clips"][0]["joints"]
    assert [j["name"] for j in joints] == ["Pelvis", "Spine", "Head"]


@pytest.mark.parametrize("content", [b"", b"LKS", b"LKS" + bytes(40), b"HSEM" + bytes(40), b"{broken",
                                     b"glTF" + bytes(8)])
def test_a_broken_rig_is_an_error(content, tmp_path):
    rig = tmp_path / "bad.skeleton"
    rig.write_bytes(content)
    out = tmp_path / "walk.glb"
    done = run("convert", MOTION / "cmu_01_01_fc2.mab", "--skeleton", rig, "-o", out)
    assert done.code == 1
    assert done.err.startswith(f"{rig}: ")
    assert not out.exists()
