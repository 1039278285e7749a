"""`mabkit convert` into `.mab`: edits of an original, new files, other games, and what is refused."""

import json
import math
from pathlib import Path

import pytest
from conftest import ALL_CLIPS, FIXTURES, RIG, run

WD1 = FIXTURES / "motion" / "cmu_01_01_wd1.mab"
FC2 = FIXTURES / "motion" / "cmu_01_01_fc2.mab"
BVH = Path("/usr/share/assimp/models/BVH/01_01.bvh")
NEW_GAMES = ["fc2", "fc5", "fc6", "wd1", "wd2", "wdl"]
TEMPLATE_GAMES = ["fc3", "fc3bd", "fc4", "fcp"]

needs_bvh = pytest.mark.skipif(not BVH.exists(), reason="assimp-testmodels is not installed")


def convert(*arguments):
    done = run("convert", *arguments)
    assert done.code == 0, done.err
    return done


def bank_of(path, tmp_path, *options):
    out = tmp_path / f"{path.stem}.bank.json"
    convert(path, "-o", out, *options)
    return json.loads(out.read_text())


def report_of(tmp_path, *arguments):
    path = tmp_path / "report.json"
    convert(*arguments, "--report", path)
    return json.loads(path.read_text())["files"][0]


def tracks_of(bank, clip=0):
    return {(t["joint"], t["channel"]): t for t in bank["clips"][clip]["tracks"]}


def multiply(a, b):
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return [aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz]


def angle(a, b):
    x, y, z, w = multiply([-a[0], -a[1], -a[2], a[3]], b)
    return 2.0 * math.degrees(math.atan2(math.sqrt(x * x + y * y + z * z), abs(w)))


def turn(track, degrees, begin, end):
    """Turns the keys between two times about x."""
    half = math.radians(degrees) / 2.0
    for i, time in enumerate(track["times"]):
        if begin <= time <= end:
            track["values"][i] = multiply(track["values"][i], [math.sin(half), 0, 0, math.cos(half)])


@pytest.mark.parametrize("extension", ["json", "glb", "gltf"])
@pytest.mark.parametrize("clip", ALL_CLIPS, ids=lambda clip: clip.stem)
def test_nothing_edited_gives_the_same_bytes(clip, extension, tmp_path):
    middle = tmp_path / f"clip.{extension}"
    convert(clip, "-o", middle)
    out = tmp_path / "back.mab"
    convert(middle, "--like", clip, "-o", out)
    assert out.read_bytes() == clip.read_bytes()


@pytest.mark.parametrize("game", ["fc2", "fc5", "wd1", "wdl"])
def test_one_joint_edited_changes_only_its_track(game, tmp_path):
    clip = FIXTURES / "motion" / f"cmu_01_01_{game}.mab"
    before = bank_of(clip, tmp_path)
    joint = 7
    edited = json.loads(json.dumps(before))
    turn(tracks_of(edited)[joint, "rotation"], 10.0, 3.0, 3.5)
    source = tmp_path / "edited.json"
    source.write_text(json.dumps(edited))
    out = tmp_path / "edited.mab"
    report = report_of(tmp_path, source, "--like", clip, "-o", out)
    after = bank_of(out, tmp_path)

    kept = [t["kept"] for t in report["encoding"]["clips"][0]["tracks"]]
    assert kept.count(False) == 1
    for key, track in tracks_of(before).items():
        if key != (joint, "rotation"):
            assert tracks_of(after)[key] == track, key
    wanted = tracks_of(edited)[joint, "rotation"]
    have = tracks_of(after)[joint, "rotation"]
    assert have["times"] == wanted["times"]
    assert max(angle(a, b) for a, b in zip(have["values"], wanted["values"])) <= 0.0501
    stored = tracks_of(before)[joint, "rotation"]["values"]
    moved = [angle(a, b) for a, b in zip(have["values"], stored)]
    assert max(moved) == pytest.approx(10.0, abs=0.1)
    assert run("verify", out).code == 0


@pytest.mark.parametrize("game", NEW_GAMES)
def test_every_written_game_takes_a_clip_of_another(game, tmp_path):
    source = WD1 if game != "wd1" else FC2
    out = tmp_path / "new.mab"
    report = report_of(tmp_path, source, "--skeleton", RIG, "--game", game, "-o", out)
    assert report["game"] == game
    figures = report["encoding"]["clips"][0]["object_mm"]
    assert 0 < figures["percentile_99"] <= figures["worst"] <= 0.1
    assert run("info", out, "--json").json["files"][0]["game"] == game
    assert run("verify", out).code == 0
    # What the report says is what another look at both files finds.
    diff = run("diff", source, out, "--skeleton", RIG, "--json").json["clips"][0]
    assert diff["compared_joints"] == 31
    assert diff["worst_angle"]["amount"] <= 0.6
    assert diff["worst_distance"]["amount"] <= 0.2


@pytest.mark.parametrize("game", TEMPLATE_GAMES)
def test_a_game_that_needs_a_template_says_why(game, tmp_path):
    out = tmp_path / "new.mab"
    done = run("convert", WD1, "--skeleton", RIG, "--game", game, "-o", out)
    assert done.code == 1
    assert "--like" in done.err
    assert not out.exists()


def test_a_template_of_another_game_is_refused(tmp_path):
    done = run("convert", WD1, "--like", FC2, "--game", "wd1", "-o", tmp_path / "x.mab")
    assert done.code == 1
    assert "not of Watch Dogs" in done.err and "leave --game out" in done.err


def test_a_bank_whose_joints_the_template_lacks_is_refused(tmp_path):
    source = tmp_path / "other.json"
    bank = bank_of(WD1, tmp_path)
    for joint in bank["clips"][0]["joints"]:
        joint["hash"], joint["name"] = None, f"Unknown {joint['id']}"
    source.write_text(json.dumps(bank))
    out = tmp_path / "x.mab"
    done = run("convert", source, "--like", WD1, "-o", out)
    assert done.code == 1
    assert "joint" in done.err and not out.exists()


def test_a_bound_out_of_reach_names_what_is_in_reach(tmp_path):
    out = tmp_path / "x.mab"
    done = run("convert", WD1, "--skeleton", RIG, "--game", "fc5", "--max-error-mm", "0.000001",
               "-o", out)
    assert done.code == 1
    assert "mm" in done.err and "reach" in done.err
    assert not out.exists()


def test_a_smaller_bound_takes_more_bytes(tmp_path):
    sizes = []
    for bound in ["1", "0.1", "0.03"]:
        out = tmp_path / f"{bound}.mab"
        report = report_of(tmp_path, WD1, "--skeleton", RIG, "--game", "fc5", "--max-error-mm",
                           bound, "-o", out)
        assert report["encoding"]["clips"][0]["object_mm"]["worst"] <= float(bound)
        sizes.append(out.stat().st_size)
    assert sizes == sorted(sizes) and sizes[0] < sizes[1] < sizes[2]


def test_skeleton_ids_need_a_rig_that_has_them(tmp_path):
    done = run("convert", WD1, "--game", "fc2", "-o", tmp_path / "x.mab")
    assert done.code == 1
    assert "--skeleton" in done.err


def test_a_new_file_that_would_move_nothing_is_refused_with_the_reasons(tmp_path):
    bank = bank_of(WD1, tmp_path, "--skeleton", RIG)
    clip = bank["clips"][0]
    nobody = {**clip["joints"][0], "name": "Nobody", "hash": None, "parent": None}
    track = next(t for t in clip["tracks"] if t["channel"] == "rotation")
    clip["joints"] = [nobody, {**clip["joints"][1], "parent": 0}]
    moved = {"joint": 1, "channel": "translation", "kind": "constant", "times": [0], "values": [[0, 0, 1]]}
    clip["tracks"] = [{**track, "joint": 0}, moved]
    edited = tmp_path / "edited.json"
    edited.write_text(json.dumps(bank))
    out = tmp_path / "walk.mab"
    done = run("convert", edited, "--skeleton", RIG, "--game", "fc2", "-o", out)
    assert done.code == 1
    assert "would move nothing" in done.err and "Nobody" in done.err
    assert not out.exists()


@needs_bvh
@pytest.mark.parametrize("game", ["wd1", "fc5", "wdl"])
def test_a_capture_becomes_a_clip(game, tmp_path):
    out = tmp_path / "walk.mab"
    report = report_of(tmp_path, BVH, "--game", game, "-o", out)
    assert report["encoding"]["clips"][0]["object_mm"]["worst"] <= 0.1
    info = run("info", out, "--json").json["files"][0]["clips"][0]
    assert info["joints"] == 31
    assert info["duration"] == pytest.approx(2751 / 120, abs=1 / 60)
    assert run("verify", out).code == 0


@needs_bvh
def test_a_capture_becomes_a_clip_at_the_rate_that_was_asked_for(tmp_path):
    report = report_of(tmp_path, BVH, "--game", "wd1", "--fps", "30", "-o", tmp_path / "walk.mab")
    assert report["encoding"]["clips"][0]["samples"] == 689


def test_motion_between_the_frames_of_a_file_is_told(tmp_path):
    arguments = [WD1, "--skeleton", RIG, "--game", "fc5", "-o", tmp_path / "walk.mab"]
    assert "its motion is lost" not in convert(*arguments).err
    done = convert(*arguments, "--fps", "5")
    assert "its motion is lost" in done.err and "degrees" in done.err


def test_a_buffer_outside_its_folder_is_not_read(tmp_path):
    folder = tmp_path / "clip"
    folder.mkdir()
    (tmp_path / "secret.bin").write_bytes(bytes(64))
    (folder / "link.bin").symlink_to(tmp_path / "secret.bin")
    for uri in ["link.bin", "../secret.bin", "%2e%2e/secret.bin", str(tmp_path / "secret.bin")]:
        source = folder / "walk.gltf"
        source.write_text(json.dumps({
            "asset": {"version": "2.0"}, "buffers": [{"uri": uri, "byteLength": 64}],
            "bufferViews": [{"buffer": 0, "byteLength": 64}],
            "accessors": [
                {"bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR"},
                {"bufferView": 0, "componentType": 5126, "count": 2, "type": "VEC4"}],
            "nodes": [{"name": "Hips"}], "skins": [{"joints": [0]}],
            "animations": [{"samplers": [{"input": 0, "output": 1}],
                            "channels": [{"sampler": 0, "target": {"node": 0, "path": "rotation"}}]}]}))
        done = run("convert", source, "-o", tmp_path / "walk.json")
        assert done.code == 1
        assert "not a file beside the glTF" in done.err, done.err


@needs_bvh
def test_a_capture_is_carried_over_to_the_rig_of_a_game(tmp_path):
    report = report_of(tmp_path, BVH, "--game", "fc2", "--fps", "30", "--skeleton", RIG, "-o",
                       tmp_path / "walk.mab")
    assert report["retarget"]["matched"] == 31
    assert report["retarget"]["left_out"] == []


@needs_bvh
def test_a_map_names_joints_as_the_rig_does(tmp_path):
    names = tmp_path / "joints.json"
    names.write_text('{"Hips": "Pelvis", "LThumb": null, "Nobody": "X"}')
    out = tmp_path / "walk.json"
    done = convert(BVH, "--map", names, "-o", out)
    assert "Nobody" in done.err
    clip = json.loads(out.read_text())["clips"][0]
    joints = [joint["name"] for joint in clip["joints"]]
    assert "Pelvis" in joints and "Hips" not in joints
    assert joints.index("LThumb") not in {track["joint"] for track in clip["tracks"]}


def test_a_folder_of_edits_finds_its_folder_of_originals(tmp_path):
    originals, edits, out = tmp_path / "originals", tmp_path / "edits", tmp_path / "out"
    for place, clip in {"walk.mab": "spec/example_wd1.mab", "npc/run.mab": "spec/example_fc5.mab"}.items():
        (originals / place).parent.mkdir(parents=True, exist_ok=True)
        (originals / place).write_bytes((FIXTURES / clip).read_bytes())
    convert(originals, "-r", "--to", "glb", "-o", edits)
    convert(edits, "-r", "--to", "mab", "--like", originals, "-o", out)
    for place in ["walk.mab", "npc/run.mab"]:
        assert (out / place).read_bytes() == (originals / place).read_bytes()
    # An edit without an original is an error of its own.
    (edits / "lost.glb").write_bytes((edits / "walk.glb").read_bytes())
    done = run("convert", edits, "-r", "--to", "mab", "--like", originals, "-o", tmp_path / "again")
    assert done.code == 1
    assert "lost.mab" in done.err
    assert (tmp_path / "again" / "walk.mab").exists()


def test_originals_are_not_written_to(tmp_path):
    clip = tmp_path / "walk.mab"
    clip.write_bytes(WD1.read_bytes())
    convert(clip, "-o", tmp_path / "walk.glb")
    done = run("convert", tmp_path / "walk.glb", "--like", clip, "-o", clip)
    assert done.code == 2
    assert clip.read_bytes() == WD1.read_bytes()


def test_dry_run_encodes_and_writes_nothing(tmp_path):
    out = tmp_path / "new.mab"
    done = convert(WD1, "--skeleton", RIG, "--game", "fc5", "--dry-run", "-o", out)
    assert "would write" in done.out and "worst error" in done.out
    assert not out.exists()


def test_encoding_is_deterministic(tmp_path):
    for name in ["a", "b"]:
        convert(WD1, "--skeleton", RIG, "--game", "wdl", "-o", tmp_path / f"{name}.mab")
    assert (tmp_path / "a.mab").read_bytes() == (tmp_path / "b.mab").read_bytes()


def test_options_for_mab_are_refused_elsewhere(tmp_path):
    done = run("convert", WD1, "--like", WD1, "-o", tmp_path / "x.glb")
    assert done.code == 2
    assert "--like says how to write .mab" in done.err


@pytest.mark.parametrize("text, reason", [
    ("{", "JSON"),
    ('{"asset":{"version":"2.0"}}', "animation"),
    ("HIERARCHY\nROOT Hips\n{", "BVH"),
    ("HIERARCHY\n", ""),
    ('{"schema":"mabkit.bank/1","clips":[]}', "clip"),
])
def test_what_is_no_motion_is_an_error(text, reason, tmp_path):
    source = tmp_path / "broken.txt"
    source.write_text(text)
    out = tmp_path / "x.mab"
    done = run("convert", source, "--game", "wd1", "-o", out)
    assert done.code == 1
    assert done.err.count("\n") >= 1
    assert not out.exists()


MODELS = sorted(Path("/usr/share/assimp/models").glob("**/*"))
MALFORMED = [m for m in MODELS if m.suffix in {".gltf", ".glb", ".bvh", ".fbx"}]


@pytest.mark.skipif(not MALFORMED, reason="assimp-testmodels is not installed")
def test_every_test_model_is_an_answer_or_an_error(tmp_path):
    report = tmp_path / "report.json"
    done = run("convert", *MALFORMED, "--to", "json", "-o", tmp_path / "out", "--report", report,
               timeout=600)
    # Two models of one name would become one output: those are told before anything is done.
    if done.code == 2:
        assert "both become" in done.err
        by_name = {model.stem: model for model in MALFORMED}
        done = run("convert", *by_name.values(), "--to", "json", "-o", tmp_path / "out",
                   "--report", report, timeout=600)
    assert done.code in {0, 1}, done.err
    files = json.loads(report.read_text())["files"]
    for file in files:
        if file["error"]:
            assert file["error"]["message"] and not file["outputs"], file
        else:
            assert all(Path(o["path"]).exists() for o in file["outputs"]), file
