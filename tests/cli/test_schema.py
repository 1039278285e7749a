"""Every JSON output is what its schema in docs/schema says."""

import json

import jsonschema
import pytest
from conftest import ALL_CLIPS, FIXTURES, RIG, SCHEMAS, run


def validator(name):
    schema = json.loads((SCHEMAS / f"{name}-1.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def assert_valid(name, document):
    errors = [f"{list(e.absolute_path)}: {e.message}" for e in validator(name).iter_errors(document)]
    assert not errors, "\n".join(errors[:10])


@pytest.fixture(scope="module")
def banks(tmp_path_factory):
    out = tmp_path_factory.mktemp("json")
    done = run("convert", FIXTURES, "--recursive", "--to", "json", "-o", out, "--quiet")
    assert done.code == 0, done.err
    return out


@pytest.mark.parametrize("clip", ALL_CLIPS, ids=lambda clip: clip.stem)
def test_bank(clip, banks):
    text = (banks / clip.relative_to(FIXTURES)).with_suffix(".json").read_text("utf-8")
    assert_valid("bank", json.loads(text))


def test_bank_with_names_of_a_rig(tmp_path):
    out = tmp_path / "named.json"
    assert run("convert", FIXTURES / "motion" / "cmu_01_01_fc2.mab", "--skeleton", RIG, "-o", out).code == 0
    bank = json.loads(out.read_text("utf-8"))
    assert_valid("bank", bank)
    joints = bank["clips"][0]["joints"]
    assert all(j["name"] and j["hash"] for j in joints)
    assert sum(j["parent"] is None for j in joints) == 1


@pytest.mark.parametrize("change", [
    lambda bank: bank.pop("schema"),
    lambda bank: bank["clips"][0]["tracks"][0].__setitem__("channel", "scale"),
    lambda bank: bank["clips"][0]["tracks"][0]["values"][0].append(1.0),
    lambda bank: bank["clips"][0]["joints"][0].__setitem__("hash", "B021FD58"),
    lambda bank: bank.__setitem__("surprise", 1),
])
def test_bank_schema_refuses(change, banks):
    bank = json.loads((banks / "spec" / "example_wd1.json").read_text("utf-8"))
    change(bank)
    assert not validator("bank").is_valid(bank)


def test_info():
    done = run("info", FIXTURES, "--recursive", "--json")
    assert done.code == 0, done.err
    assert_valid("info", done.json)
    assert len(done.json["files"]) == len(ALL_CLIPS)


def test_info_raw_and_broken(tmp_path):
    broken = tmp_path / "broken.mab"
    broken.write_bytes((FIXTURES / "spec" / "example_wd1.mab").read_bytes()[:70])
    done = run("info", broken, tmp_path / "missing.mab", FIXTURES / "spec" / "example_fc2.mab",
               "--json", "--raw")
    assert done.code == 1
    assert_valid("info", done.json)
    assert [f["error"] is None for f in done.json["files"]].count(True) == 1


def test_verify(tmp_path):
    (tmp_path / "broken.mab").write_bytes(b"not a clip at all")
    done = run("verify", FIXTURES, tmp_path, "--recursive", "--json")
    assert done.code == 1
    assert_valid("verify", done.json)


def test_convert_report(tmp_path):
    (tmp_path / "broken.mab").write_bytes(b"not a clip at all")
    report = tmp_path / "report.json"
    run("convert", FIXTURES, tmp_path, "--recursive", "--to", "glb", "-o", tmp_path / "out",
        "--skeleton", RIG, "--report", report)
    document = json.loads(report.read_text("utf-8"))
    assert_valid("convert", document)
    assert document["summary"]["failed"] == 1
    assert document["summary"]["done"] == len(ALL_CLIPS)


def test_diff():
    done = run("diff", FIXTURES / "mab" / "wd1_1.mab", FIXTURES / "mab" / "wd1_2.mab", "--json")
    assert done.code == 0, done.err
    assert_valid("diff", done.json)
