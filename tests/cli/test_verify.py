"""`mabkit verify`: a verdict a file."""

import struct

import pytest
from conftest import ALL_CLIPS, FIXTURES, run


def verify_json(*arguments):
    return run("verify", *arguments, "--json")


def test_no_fixture_fails():
    done = verify_json(FIXTURES, "-r")
    assert done.code == 0, done.err
    summary = done.json["summary"]
    assert summary["all"]["failed"] == 0
    assert sum(summary["all"].values()) == len(ALL_CLIPS)
    assert set(summary["by_game"]) == {
        "fc2", "fc3", "fc3bd", "fc4", "fcp", "fc5", "fc6", "wd1", "wd2", "wdl"}


def test_examples_of_the_specs_are_sound_and_canonical():
    for entry in verify_json(FIXTURES / "spec", "-r").json["files"]:
        assert entry["verdict"] == "ok", entry
        assert entry["canonical"], entry


def test_text_has_a_line_a_file_and_a_summary():
    done = run("verify", FIXTURES / "spec", "-r")
    lines = done.out.splitlines()
    assert lines[0] == f"ok       {FIXTURES / 'spec' / 'example_fc2.mab'}"
    assert lines[-1].split() == ["all", "5", "0", "0"]


@pytest.mark.parametrize("clip", ["example_wd1.mab", "example_fc2.mab"])
def test_a_truncated_file_fails(clip, tmp_path):
    broken = tmp_path / "broken.mab"
    broken.write_bytes((FIXTURES / "spec" / clip).read_bytes()[:-40])
    done = verify_json(broken)
    assert done.code == 1
    entry = done.json["files"][0]
    assert entry["verdict"] == "failed"
    finding = entry["findings"][0]
    assert finding["check"] == "structure" and finding["offset"] is not None and finding["path"]


def test_a_translation_that_is_not_a_number_fails(tmp_path):
    # Spec mab-sparse, section 7: the animated translations of clip 0 begin at 0x1F8.
    data = bytearray((FIXTURES / "spec" / "example_fc2.mab").read_bytes())
    data[0x1F8:0x1FC] = struct.pack("<f", float("nan"))
    broken = tmp_path / "nan.mab"
    broken.write_bytes(data)
    done = run("verify", broken)
    assert done.code == 1
    assert "not finite" in done.err


def test_a_warning_is_no_failure_unless_strict(tmp_path):
    # Spec mab-sparse, 1.3: a runtime pointer that is not zero on disk, at 0xAC.
    data = bytearray((FIXTURES / "spec" / "example_fc2.mab").read_bytes())
    data[0xAC] = 1
    odd = tmp_path / "odd.mab"
    odd.write_bytes(data)
    done = run("verify", odd)
    assert done.code == 0
    assert done.out.startswith("warning")
    assert f"{odd}: warning: offset 0xAC: " in done.err
    assert run("verify", odd, "--strict").code == 1


def test_another_layout_is_a_note(tmp_path):
    # Spec mab-sparse, 1.9: the record's distance to its clip, at 0x280, is computed by a writer.
    data = bytearray((FIXTURES / "spec" / "example_fc2.mab").read_bytes())
    data[0x280] += 1
    odd = tmp_path / "elsewhere.mab"
    odd.write_bytes(data)
    done = verify_json(odd)
    entry = done.json["files"][0]
    assert done.code == 0
    assert not entry["canonical"]
    assert any(f["check"] == "rebuild" and f["severity"] == "note" for f in entry["findings"])
