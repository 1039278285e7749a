"""`mabkit info`: for people and for programs."""

import re

import pytest
from conftest import ALL_CLIPS, FIXTURES, run

WD1 = FIXTURES / "spec" / "example_wd1.mab"
FC2 = FIXTURES / "spec" / "example_fc2.mab"

GAMES = {"fc2", "fc3", "fc3bd", "fc4", "fcp", "fc5", "fc6", "wd1", "wd2", "wdl"}


def test_text_of_a_chunked_clip():
    # Spec mab-chunked, section 8: three bones, eleven keys, two animated rotations.
    done = run("info", WD1)
    assert done.code == 0
    assert "Watch Dogs (wd1), chunked family" in done.out
    assert "clip 0: 3 joints, 11 keys, 0.333 s" in done.out
    assert re.search(r"rotations +2 animated +1 constant", done.out)
    assert re.search(r"translations +1 animated +1 constant", done.out)
    assert re.search(r"6 JointRotations +0x98 +121 +37\.8%  #{9}\.{15} +2", done.out)
    assert re.search(r"oddities +none", done.out)


def test_text_of_a_sparse_bank():
    # Spec mab-sparse, section 7: two clips, a prop on the right hand.
    done = run("info", FC2)
    assert "Far Cry 2 / Avatar (fc2), sparse family" in done.out
    assert re.search(r"presence order +lsb", done.out)
    assert re.search(r"clips +2", done.out)
    assert '"prop"' in done.out
    assert "R Hand" in done.out
    assert re.search(r"root motion +translation in 10 keys, rotation in 10 keys", done.out)


def test_json_says_what_the_text_says():
    entry = run("info", FC2, "--json").json["files"][0]
    assert (entry["game"], entry["family"]) == ("fc2", "sparse")
    assert entry["presence_order"].startswith("lsb")
    assert [c["joints"] for c in entry["clips"]] == [3, 1]
    assert entry["participants"][0]["name"] == "prop"
    assert entry["participants"][0]["parent"] == {"hash": "0x975115f6", "name": "R Hand"}
    assert entry["error"] is None


def test_the_game_of_every_fixture():
    files = run("info", FIXTURES, "-r", "--json").json["files"]
    for entry in files:
        stem = re.split(r"[/\\]", entry["file"])[-1].removesuffix(".mab")
        named = next(part for part in reversed(stem.split("_")) if part in GAMES)
        assert entry["game"] == named, entry["file"]


@pytest.mark.parametrize("game", ["fc3", "fc3bd", "wd2"])
def test_an_inferred_layout_says_so(game):
    entry = run("info", FIXTURES / "mab" / f"{game}_0.mab", "--json").json["files"][0]
    assert entry["inferred"]
    text = run("info", FIXTURES / "mab" / f"{game}_0.mab").out
    assert entry["inferred"] in text


@pytest.mark.parametrize("clip", [c for c in ALL_CLIPS if "motion" not in c.parts], ids=lambda c: c.stem)
def test_raw_runs_tile_the_file(clip):
    entry = run("info", clip, "--raw", "--json").json["files"][0]
    end = 0
    for byte_run in entry["runs"]:
        assert byte_run["offset"] == end
        end += byte_run["size"]
    assert end == entry["size"] == clip.stat().st_size


def test_raw_text_lists_fields_with_values():
    done = run("info", WD1, "--raw")
    assert re.search(r"0x0 +4 +field +magic = 0x329B", done.out)
    assert re.search(r"0xA4 +73 +section ", done.out)


def test_presence_order_can_be_forced():
    entry = run("info", FC2, "--presence-order", "msb", "--json").json["files"][0]
    assert entry["presence_order"].startswith("msb")


def test_a_broken_file_does_not_hide_the_others(tmp_path):
    broken = tmp_path / "broken.mab"
    broken.write_bytes(WD1.read_bytes()[:90])
    done = run("info", broken, WD1)
    assert done.code == 1
    assert "clip 0: 3 joints" in done.out
    assert done.err.startswith(f"{broken}: offset 0x")


def test_output_that_can_not_be_written_is_a_failure():
    import os
    import subprocess

    from conftest import BINARY
    if not os.path.exists("/dev/full"):
        pytest.skip("needs /dev/full")
    with open("/dev/full", "wb") as full:
        done = subprocess.run([str(BINARY), "info", str(WD1)], stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 1
    assert b"could not be written" in done.stderr
