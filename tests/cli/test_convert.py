"""`mabkit convert`: where outputs go, what is refused, and what is left behind."""

import json
import os
import shutil
import stat

import pytest
from conftest import FIXTURES, RIG, clips, files_below, run

WD1 = FIXTURES / "spec" / "example_wd1.mab"
FC2 = FIXTURES / "spec" / "example_fc2.mab"


def magic(path):
    return path.read_bytes()[:4]


@pytest.mark.parametrize("extension, begins", [
    ("glb", b"glTF"), ("gltf", b"{"), ("json", b'{"schema":"mabkit.bank/1"'), ("mab", b"\x9b\x32"),
    ("GLB", b"glTF"),
])
def test_the_extension_says_the_format(extension, begins, tmp_path):
    out = tmp_path / f"walk.{extension}"
    assert run("convert", WD1, "-o", out).code == 0
    assert out.read_bytes().startswith(begins)


@pytest.mark.parametrize("clip", clips("spec") + clips("mab"), ids=lambda clip: clip.stem)
def test_mab_to_mab_is_byte_identical(clip, tmp_path):
    out = tmp_path / "same.mab"
    assert run("convert", clip, "-o", out).code == 0
    assert out.read_bytes() == clip.read_bytes()


def test_missing_folders_are_made(tmp_path):
    out = tmp_path / "a" / "b" / "walk.glb"
    assert run("convert", WD1, "-o", out).code == 0
    assert out.exists()


def test_one_input_goes_into_an_existing_folder(tmp_path):
    assert run("convert", WD1, "-o", tmp_path, "--to", "glb").code == 0
    assert list(files_below(tmp_path)) == ["example_wd1.glb"]


def test_to_makes_a_folder_of_a_name_without_extension(tmp_path):
    assert run("convert", WD1, "-o", tmp_path / "out", "--to", ".json").code == 0
    assert list(files_below(tmp_path)) == ["out/example_wd1.json"]


def test_recursive_mirrors_the_tree(tree, tmp_path):
    out = tmp_path / "out"
    done = run("convert", tree, "--recursive", "--to", "json", "-o", out)
    assert done.code == 0, done.err
    assert set(files_below(out)) == {
        "walk.json", "npc/run fast.json", "npc/deep/Läufer ✓.json"}


def test_several_inputs_go_into_a_folder(tmp_path):
    done = run("convert", WD1, FC2, "-o", tmp_path / "out", "--to", "json")
    assert done.code == 0, done.err
    assert set(files_below(tmp_path / "out")) == {"example_wd1.json", "example_fc2.json"}


def test_dry_run_says_and_writes_nothing(tree, tmp_path):
    out = tmp_path / "out"
    done = run("convert", tree, "-r", "--to", "glb", "-o", out, "--dry-run")
    assert done.code == 0
    assert done.out.count("would write: ") == 3
    assert f"{out / 'npc' / 'run fast.glb'}" in done.out
    assert not out.exists()


def test_split_does_not_replace_what_it_reads(tmp_path):
    rig = tmp_path / "walk.0.glb"
    assert run("convert", FC2, "-o", rig).code == 0
    before = rig.read_bytes()
    done = run("convert", FC2, "--split", "--skeleton", rig, "-o", tmp_path / "walk.glb")
    assert done.code == 1
    assert "walk.0.glb" in done.err
    assert rig.read_bytes() == before


def test_pipes_and_devices_are_no_inputs(tmp_path):
    pipe = tmp_path / "pipe.mab"
    os.mkfifo(pipe)
    done = run("convert", pipe, "-o", tmp_path / "walk.glb")
    assert done.code == 1
    assert "device or a pipe" in done.err


def test_split_writes_a_file_a_clip(tmp_path):
    done = run("convert", FC2, "--split", "--to", "json", "-o", tmp_path)
    assert done.code == 0, done.err
    assert set(files_below(tmp_path)) == {"example_fc2.0.json", "example_fc2.1-prop.json"}
    whole = tmp_path / "whole.json"
    run("convert", FC2, "-o", whole)
    for index, name in enumerate(["example_fc2.0.json", "example_fc2.1-prop.json"]):
        part = json.loads((tmp_path / name).read_text("utf-8"))
        expected = json.loads(whole.read_text("utf-8"))["clips"][index]
        assert len(part["clips"]) == 1
        # A participant says where its clip is, which is another place in a part.
        assert {**part["clips"][0], "participant": None} == {**expected, "participant": None}
    assert part["clips"][0]["participant"]["clip"] == 0


def test_clip_picks_one(tmp_path):
    out = tmp_path / "prop.json"
    assert run("convert", FC2, "--clip", 1, "-o", out).code == 0
    bank = json.loads(out.read_text("utf-8"))
    assert [c["name"] for c in bank["clips"]] == ["prop"]
    done = run("convert", FC2, "--clip", 2, "-o", tmp_path / "none.glb")
    assert done.code == 1
    assert "has 2 clips, so clip 2 does not exist" in done.err


@pytest.mark.parametrize("how", ["node", "joint", "ignore"])
def test_root_motion_is_chosen(how, tmp_path):
    out = tmp_path / "walk.gltf"
    assert run("convert", FC2, "--root-motion", how, "-o", out).code == 0
    assert out.exists()


# What can't be done is refused with exit 2 before anything is written.

@pytest.mark.parametrize("arguments, says", [
    (["{wd1}"], "--output is required"),
    (["{wd1}", "-o", "{out}/walk.xyz"], "has the extension .xyz, which is not one that can be written"),
    (["{wd1}", "-o", "{out}/walk.obj"], "use .mab, .json, .glb, .gltf and .fbx"),
    (["{wd1}", "-o", "{out}/walk"], "--to EXT"),
    (["{wd1}", "-o", "{out}/"], "add --to EXT"),
    (["{wd1}", "{fc2}", "-o", "{out}/both.json"], "add --to EXT"),
    (["{wd1}", "-o", "{out}/walk.json", "--to", "glb"], "--to glb contradicts"),
    (["{wd1}", "-o", "{out}/walk", "--to", "bvh"], "--to bvh"),
    (["{folder}", "-o", "{out}/x", "--to", "glb"], "add --recursive"),
    (["{wd1}", "-o", "{out}/walk.glb", "--game", "fc5"], "--game"),
    (["{wd1}", "-o", "{out}/walk.mab", "--game", "fc7"], "known are: fc2 fc3"),
    (["{wd1}", "-o", "{out}/walk.mab", "--split"], "--split"),
    (["{wd1}", "-o", "{out}/walk.glb", "--jobs", "0"], "--jobs"),
    (["{wd1}", "-o", "{out}/walk.glb", "--presence-order", "middle"], "--presence-order"),
    (["{wd1}", "-o", "{out}/walk.glb", "--no-such-option"], "--no-such-option"),
])
def test_usage_errors(arguments, says, tmp_path):
    out = tmp_path / "out"
    places = {"wd1": WD1, "fc2": FC2, "folder": FIXTURES / "spec", "out": out}
    done = run("convert", *(a.format(**places) for a in arguments))
    assert done.code == 2
    assert says in done.err
    assert not out.exists()


def test_an_output_is_never_an_input(tmp_path):
    clip = tmp_path / "walk.mab"
    shutil.copy(WD1, clip)
    before = clip.read_bytes()
    link = tmp_path / "link.mab"
    link.symlink_to(clip)
    for target in [clip, tmp_path / "." / "walk.mab", link]:
        done = run("convert", clip, "-o", target)
        assert done.code == 2
        assert "inputs are never written to" in done.err
    done = run("convert", clip, "-o", tmp_path / "walk.glb", "--report", clip)
    assert done.code == 2
    assert clip.read_bytes() == before
    assert set(files_below(tmp_path)) == {"walk.mab", "link.mab"}


def test_a_rig_is_never_an_output(tmp_path):
    rig = tmp_path / "rig.glb"
    assert run("convert", FIXTURES / "motion" / "cmu_01_01_wd1.mab", "--skeleton", RIG, "-o", rig).code == 0
    before = rig.read_bytes()
    assert run("convert", WD1, "--skeleton", rig, "-o", rig).code == 2
    assert rig.read_bytes() == before


def test_two_inputs_for_one_output_are_refused_before_anything_is_written(tree, tmp_path):
    other = tmp_path / "other"
    (other / "npc").mkdir(parents=True)
    shutil.copy(WD1, other / "npc" / "run fast.mab")
    out = tmp_path / "out"
    done = run("convert", tree, other, "-r", "--to", "glb", "-o", out)
    assert done.code == 2
    assert "would both become" in done.err
    assert str(tree / "npc" / "run fast.mab") in done.err
    assert not out.exists()


def test_the_same_input_twice_is_one_input(tree, tmp_path):
    out = tmp_path / "out"
    done = run("convert", tree, f"{tree}/", "-r", "--to", "json", "-o", out)
    assert done.code == 0, done.err
    assert len(done.out.splitlines()) == 3


# What fails does not stop the others, and leaves nothing behind.

def test_a_bad_file_does_not_stop_the_others(tree, tmp_path):
    (tree / "npc" / "bad.mab").write_bytes(WD1.read_bytes()[:-60])
    out = tmp_path / "out"
    report = tmp_path / "report.json"
    done = run("convert", tree, tmp_path / "gone.mab", "-r", "--to", "json", "-o", out,
               "--report", report)
    assert done.code == 1
    assert f"{tmp_path / 'gone.mab'}: does not exist" in done.err
    assert set(files_below(out)) == {"walk.json", "npc/run fast.json", "npc/deep/Läufer ✓.json"}
    files = json.loads(report.read_text("utf-8"))["files"]
    assert [f["status"] for f in files].count("failed") == 2


@pytest.mark.skipif(os.name != "posix", reason="folder permissions are those of POSIX")
def test_a_folder_that_can_not_be_written(tmp_path):
    if os.geteuid() == 0:
        folder = "/proc"  # where even root makes no files
    else:
        folder = tmp_path / "locked"
        folder.mkdir()
        folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
    done = run("convert", WD1, "-o", f"{folder}/walk.json")
    assert done.code == 1
    assert done.err.startswith(f"{folder}/walk.json: can't be written")


def test_a_file_where_a_folder_is_needed(tmp_path):
    (tmp_path / "file").write_text("x")
    done = run("convert", WD1, "-o", tmp_path / "file" / "walk.json")
    assert done.code == 1
    assert "its folder can't be made" in done.err
    assert (tmp_path / "file").read_text() == "x"
    done = run("convert", WD1, FC2, "-o", tmp_path / "file", "--to", "json")
    assert done.code == 2


def test_an_output_that_is_a_folder_leaves_no_temporary_file(tmp_path):
    (tmp_path / "out" / "walk.json" / "inside").mkdir(parents=True)
    shutil.copy(WD1, tmp_path / "walk.mab")
    done = run("convert", tmp_path / "walk.mab", "-o", tmp_path / "out", "--to", "json")
    assert done.code == 1
    assert "can't be put in place" in done.err
    assert set(files_below(tmp_path)) == {"walk.mab"}


def test_strict_makes_a_warning_a_failure(tmp_path):
    clip = FIXTURES / "motion" / "cmu_01_01_fc2.mab"
    xbg = FIXTURES / "motion" / "cmu_01_01_fc2.xbg"
    out = tmp_path / "walk.glb"
    done = run("convert", clip, "--skeleton", xbg, "-o", out, "--strict")
    assert done.code == 1
    assert not out.exists()
    assert run("convert", clip, "--skeleton", xbg, "-o", out).code == 0


def test_the_game_that_a_file_is_of_is_a_plain_copy(tmp_path):
    out = tmp_path / "walk.mab"
    assert run("convert", WD1, "--game", "wd1", "-o", out).code == 0
    assert out.read_bytes() == WD1.read_bytes()


def test_what_is_no_motion_says_what_can_be_read(tmp_path):
    picture = tmp_path / "hero.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n")
    done = run("convert", picture, "-o", tmp_path / "hero.glb")
    assert done.code == 1
    assert ".glb, .gltf, .bvh and .fbx" in done.err


def test_inputs_are_never_modified(tree, tmp_path):
    before = {name: (p.read_bytes(), p.stat().st_mtime_ns) for name, p in files_below(tree).items()}
    for arguments in (["convert", tree, "-r", "--to", "glb", "-o", tmp_path / "out"],
                      ["verify", tree, "-r"], ["info", tree, "-r", "--raw"]):
        assert run(*arguments).code == 0
    assert before == {n: (p.read_bytes(), p.stat().st_mtime_ns) for n, p in files_below(tree).items()}
