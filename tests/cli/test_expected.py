"""Every fixture becomes the JSON that its expected file holds, through the binary."""

import json

import pytest
from comparison import differences
from conftest import ALL_CLIPS, FIXTURES, run


@pytest.fixture(scope="module")
def converted(tmp_path_factory):
    out = tmp_path_factory.mktemp("json")
    done = run("convert", FIXTURES, "--recursive", "--to", "json", "-o", out, "--quiet")
    assert done.code == 0, done.err
    return out


WITH_EXPECTED = [clip for clip in ALL_CLIPS if clip.with_suffix(".json").exists()]


def test_most_fixtures_have_an_expected_file():
    assert len(WITH_EXPECTED) >= 60


@pytest.mark.parametrize("clip", WITH_EXPECTED, ids=lambda clip: clip.stem)
def test_matches_the_expected_file(clip, converted):
    actual = json.loads(
        (converted / clip.relative_to(FIXTURES)).with_suffix(".json").read_text("utf-8"))
    expected = json.loads(clip.with_suffix(".json").read_text("utf-8"))
    found = differences(actual, expected)
    assert not found, "\n".join(found[:20])


@pytest.mark.parametrize("change, says", [
    (lambda bank: bank["clips"][0].pop("duration"), ".duration: is absent"),
    (lambda bank: bank["clips"][0]["tracks"].pop(), "entries, expected"),
    (lambda bank: bank["clips"][0]["tracks"][0]["values"][0].__setitem__(0, 2.0), "values[0]: has"),
    (lambda bank: bank["clips"][0]["joints"][0].__setitem__("hash", "0x00000000"), "hash: has"),
])
def test_the_comparison_sees_a_difference(change, says):
    expected = json.loads((FIXTURES / "mab" / "wd1_0.json").read_text("utf-8"))
    actual = json.loads((FIXTURES / "mab" / "wd1_0.json").read_text("utf-8"))
    assert not differences(actual, expected)
    change(actual)
    assert any(says in d for d in differences(actual, expected))
