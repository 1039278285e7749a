"""Nothing that was asked for is passed over in silence: options, files, names."""

import json
import shutil

import pytest
from conftest import FIXTURES, RIG, run

WD1 = FIXTURES / "motion" / "cmu_01_01_wd1.mab"
FC2 = FIXTURES / "motion" / "cmu_01_01_fc2.mab"
XBG = FIXTURES / "motion" / "cmu_01_01_fc2.xbg"


@pytest.mark.parametrize("arguments, reason", [
    (["--like", WD1, "--fps", "30", "-o", "x.mab"], "--fps is for new files"),
    (["--keep-grid", "-o", "x.mab"], "--keep-grid says what an edit"),
    (["--keep-tolerance", "0.1", "-o", "x.mab"], "--keep-tolerance says what an edit"),
    (["--root-motion", "joint", "-o", "x.json"], "--root-motion says how to write glTF"),
    (["--root-motion", "ignore", "-o", "x.mab"], "--root-motion says how to write glTF"),
    (["--bone-order", "-o", "x.glb"], "--bone-order says"),
    (["--bone-offset", "3", "-o", "x.glb"], "--bone-offset says"),
    (["--retarget", "off", "-o", "x.glb"], "--retarget says"),
])
def test_options_without_effect_are_refused(arguments, reason, tmp_path):
    done = run("convert", WD1, *arguments, cwd=tmp_path)
    assert done.code == 2
    assert reason in done.err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("source, arguments, reason", [
    (WD1, ["--up", "z", "-o", "x.glb"], "--up and --scale change nothing"),
    (WD1, ["--scale", "cm", "-o", "x.glb"], "--up and --scale change nothing"),
    (WD1, ["--bind", "delta", "-o", "x.glb"], "--bind changes nothing without a rig"),
    (WD1, ["--like", WD1, "--key-reduction", "on", "-o", "x.mab"], "--key-reduction on changes nothing"),
    (FC2, ["--like", FC2, "--keep-grid", "-o", "x.mab"], "--keep-grid changes nothing"),
    (WD1, ["--max-error-mm", "0.5", "-o", "x.mab"], "without a rig errors are bounded joint by joint"),
])
def test_options_that_do_nothing_for_a_file_are_told(source, arguments, reason, tmp_path):
    done = run("convert", source, *arguments, cwd=tmp_path)
    assert done.code == 0, done.err
    assert reason in done.err


def test_options_that_do_something_are_not_told(tmp_path):
    done = run("convert", FC2, "--like", FC2, "--key-reduction", "on", "--skeleton", RIG, "--bind",
               "absolute", "-o", tmp_path / "x.mab")
    assert done.code == 0
    assert "nothing" not in done.err


def test_files_that_a_folder_passes_over_are_counted(tmp_path):
    folder = tmp_path / "in"
    (folder / "deep").mkdir(parents=True)
    shutil.copy(WD1, folder / "walk.mab")
    for name in ["a.bvh", "deep/b.bvh", "c.glb", "notes.txt"]:
        (folder / name).write_text("")
    done = run("convert", folder, "-r", "--to", "glb", "-o", tmp_path / "out")
    assert done.code == 0
    assert "passed over in folders: 2 .bvh, 1 .glb." in done.err
    assert "passed over" not in run("verify", folder, "-r").err
    assert "passed over" not in run("convert", folder, "-r", "--to", "glb", "-q", "-o",
                                    tmp_path / "out").err


@pytest.mark.parametrize("game", ["fc3", "fc3bd", "fc4", "fcp"])
@pytest.mark.parametrize("source", [WD1, FC2], ids=["wd1", "fc2"])
def test_a_game_without_new_files_says_so_before_anything_else(game, source, tmp_path):
    done = run("convert", source, "--game", game, "-o", tmp_path / "x.mab")
    assert done.code == 1
    assert "can't be made" in done.err and "--like" in done.err


def test_joints_that_have_only_numbers_need_a_rig_with_numbers(tmp_path):
    out = tmp_path / "x.mab"
    none = run("convert", FC2, "--game", "wd1", "-o", out)
    assert none.code == 1
    assert "31 of 31 have only a number here" in none.err and "add --skeleton" in none.err
    without = run("convert", FC2, "--game", "wd1", "--skeleton", XBG, "-o", out)
    assert without.code == 1
    assert "the rig has no numbers" in without.err and "--bone-order" in without.err
    assert not out.exists()
    # The names that a scene makes up for them are none.
    scene = tmp_path / "walk.glb"
    assert run("convert", FC2, "-o", scene).code == 0
    made_up = run("convert", scene, "--game", "wd1", "-o", out)
    assert made_up.code == 1
    assert "have only a number here" in made_up.err


def test_the_order_of_bones_stands_in_for_numbers_that_are_written(tmp_path):
    out = tmp_path / "x.mab"
    refused = run("convert", WD1, "--game", "fc2", "--skeleton", XBG, "-o", out)
    assert refused.code == 1
    assert "--bone-order" in refused.err
    done = run("convert", WD1, "--game", "fc2", "--skeleton", XBG, "--bone-order", "-o", out)
    assert done.code == 0, done.err
    assert "a guess" in done.err
    clip = run("diff", out, FC2, "--json").json["clips"][0]
    assert clip["compared_joints"] == 31
    assert clip["worst_angle"]["amount"] <= 0.6


def test_the_order_of_a_captures_own_joints_is_not_proposed(tmp_path):
    scene = tmp_path / "walk.gltf"
    assert run("convert", WD1, "--skeleton", RIG, "-o", scene).code == 0
    document = json.loads(scene.read_text())
    del document["asset"]["extras"]
    for node in document["nodes"]:
        node.pop("extras", None)
    scene.write_text(json.dumps(document))
    done = run("convert", scene, "--game", "fc2", "-o", tmp_path / "x.mab")
    assert done.code == 1
    assert "add --skeleton" in done.err and "--bone-order" not in done.err


def test_one_joint_that_is_left_out_is_counted_as_one(tmp_path):
    names = tmp_path / "joints.json"
    names.write_text('{"Head": "Helmet"}')
    done = run("convert", WD1, "--skeleton", RIG, "--target-skeleton", XBG, "--map", names, "-o",
               tmp_path / "x.glb")
    assert done.code == 0
    assert "1 joint has no bone of that name in cmu_01_01_fc2.xbg and is left out: Helmet" in done.err


def test_a_map_names_joints_by_their_number(tmp_path):
    names = tmp_path / "joints.json"
    names.write_text('{"0": "Pelvis", "1": null}')
    out = tmp_path / "x.json"
    done = run("convert", FC2, "--map", names, "-o", out)
    assert done.code == 0 and "no joint here" not in done.err
    clip = json.loads(out.read_text())["clips"][0]
    assert clip["joints"][0]["name"] == "Pelvis"
    assert 1 not in {track["joint"] for track in clip["tracks"]}


@pytest.mark.parametrize("source", [WD1, FC2], ids=["wd1", "fc2"])
def test_between_two_rigs_the_map_goes_from_one_to_the_other(source, tmp_path):
    target = tmp_path / "target.gltf"
    assert run("convert", WD1, "--skeleton", RIG, "-o", target).code == 0
    document = json.loads(target.read_text())
    for node in document["nodes"]:
        if node.get("name") == "LeftArm":
            node["name"] = "L UpperArm"
            del node["extras"]["hash"]
    target.write_text(json.dumps(document))
    names = tmp_path / "joints.json"
    names.write_text('{"LeftArm": "L UpperArm"}')
    report = tmp_path / "report.json"
    done = run("convert", source, "--skeleton", RIG, "--target-skeleton", target, "--map", names,
               "--report", report, "-o", tmp_path / "x.glb")
    assert done.code == 0 and "no joint here" not in done.err, done.err
    retarget = json.loads(report.read_text())["files"][0]["retarget"]
    assert (retarget["matched"], retarget["left_out"]) == (31, [])


def test_a_name_against_its_hash_is_told(tmp_path):
    source = tmp_path / "x.json"
    assert run("convert", WD1, "--skeleton", RIG, "-o", source).code == 0
    bank = json.loads(source.read_text())
    assert "of another" not in run("convert", source, "--like", WD1, "-o", tmp_path / "a.mab").err
    bank["clips"][0]["joints"][4]["name"] = "Renamed"
    source.write_text(json.dumps(bank))
    done = run("convert", source, "--like", WD1, "-o", tmp_path / "b.mab")
    assert done.code == 0
    assert "1 joint has a name and the hash of another: Renamed (0x" in done.err
    assert (tmp_path / "b.mab").read_bytes() == WD1.read_bytes()


def test_the_only_clip_is_the_whole_file(tmp_path):
    out = tmp_path / "x.mab"
    assert run("convert", WD1, "--clip", 0, "-o", out).code == 0
    assert out.read_bytes() == WD1.read_bytes()
