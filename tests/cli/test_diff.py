"""`mabkit diff`: meaning, not bytes."""

import math
import struct

import pytest
from conftest import ALL_CLIPS, FIXTURES, RIG, run

MOTION = FIXTURES / "motion"
FC2 = FIXTURES / "spec" / "example_fc2.mab"


@pytest.mark.parametrize("clip", ALL_CLIPS[::7], ids=lambda clip: clip.stem)
def test_a_file_is_the_same_as_itself(clip):
    done = run("diff", clip, clip, "--json")
    assert done.code == 0
    assert done.json["same"]
    for part in done.json["clips"]:
        assert part["worst_angle"]["amount"] == part["worst_distance"]["amount"] == 0.0


def test_one_motion_in_two_games_of_a_family_is_the_same():
    done = run("diff", MOTION / "cmu_01_01_wd1.mab", MOTION / "cmu_01_01_wdl.mab", "--strict")
    assert done.code == 0, done.out
    assert done.out.splitlines()[-1].startswith("the same in meaning")


def test_two_families_meet_by_the_names_of_a_rig():
    pair = MOTION / "cmu_01_01_fc2.mab", MOTION / "cmu_01_01_fc5.mab"
    apart = run("diff", *pair, "--json").json["clips"][0]
    assert len(apart["only_in_a"]) == len(apart["only_in_b"]) == 31
    part = run("diff", *pair, "--skeleton", RIG, "--json").json["clips"][0]
    assert not part["only_in_a"] and not part["only_in_b"]
    assert part["compared_joints"] == 31
    # The packings differ, so the motions do by their quantisation, and by no more.
    assert 0 < part["worst_angle"]["amount"] < 0.5
    assert part["worst_distance"]["amount"] < 2


@pytest.fixture
def moved(tmp_path):
    """The spec's example with one translation key of bone 0 moved by 5 mm, at frame 3."""
    data = bytearray(FC2.read_bytes())
    at = 0x1F8 + 3 * 12  # spec mab-sparse, section 7
    (x,) = struct.unpack_from("<f", data, at)
    struct.pack_into("<f", data, at, x + 0.005)
    out = tmp_path / "moved.mab"
    out.write_bytes(data)
    return out


def test_says_which_joint_when_and_how_far(moved):
    part = run("diff", FC2, moved, "--json").json["clips"][0]
    assert not part["same"]
    worst = part["worst_distance"]
    assert math.isclose(worst["amount"], 5.0, abs_tol=0.001)
    assert math.isclose(worst["time"], 0.1, abs_tol=1e-6)
    assert worst["joint"] == "#0"
    assert [j["joint"] for j in part["joints"]] == ["#0"]
    text = run("diff", FC2, moved).out
    assert "#0: 5.000 mm at 0.100 s" in text


def test_differing_is_an_exit_code_only_where_asked(moved):
    assert run("diff", FC2, moved).code == 0
    assert run("diff", FC2, moved, "--strict").code == 1
    assert run("diff", FC2, moved, "--strict", "--max-offset", "6").code == 0


def test_clips_participants_and_keys_that_only_one_has():
    done = run("diff", FIXTURES / "mab" / "wd1_1.mab", FIXTURES / "mab" / "wd1_2.mab")
    assert "clips: 1 in A, 3 in B" in done.out
    assert "participants: 0 in A, 2 in B" in done.out
    assert "rotation only in B" in done.out


def test_a_file_that_can_not_be_read(tmp_path):
    broken = tmp_path / "broken.mab"
    broken.write_bytes(FC2.read_bytes()[:100])
    done = run("diff", FC2, broken)
    assert done.code == 1
    assert done.err.startswith(f"{broken}: offset 0x")


def test_tolerance_that_is_no_number_is_refused():
    clip = FIXTURES / "spec" / "example_wd1.mab"
    assert run("diff", clip, clip, "--max-angle", "nan").code == 2


def test_each_file_takes_the_rig_that_fits_it():
    wrong = MOTION / "cmu_01_01_fc2.xbg"  # has no numbers, which the clip goes by
    done = run("diff", MOTION / "cmu_01_01_fc2.mab", MOTION / "cmu_01_01_wd1.mab", "--skeleton", wrong,
               "--skeleton", RIG, "--json")
    assert done.json["clips"][0]["compared_joints"] == 31


def test_options_for_rigs_need_one():
    done = run("diff", FC2, FC2, "--bone-order")
    assert done.code == 2
    assert "add --skeleton" in done.err
