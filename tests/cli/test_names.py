"""`mabkit names`: hashes and the names behind them."""

import zlib

from conftest import FIXTURES, RIG, run


def test_hash_is_crc32_of_the_text_as_it_is():
    done = run("names", "hash", "Pelvis", "pelvis", "Läufer")
    assert done.code == 0
    assert done.out.splitlines() == [
        f"0x{zlib.crc32(name.encode('utf-8')):08x}  {name}" for name in ("Pelvis", "pelvis", "Läufer")]
    # Spec mab-chunked, 1.2.
    assert done.out.startswith("0xb021fd58  Pelvis")


def test_find_knows_common_names_and_those_of_rigs_and_lists(tmp_path):
    assert run("names", "find", "0xb021fd58").out == "0xb021fd58  Pelvis\n"
    unheard_of = f"{zlib.crc32(b'ZzUnheardOf'):08X}"
    assert run("names", "find", unheard_of).code == 1
    names = tmp_path / "names.txt"
    names.write_text("ZzUnheardOf\n")
    rig = tmp_path / "rig.gltf"
    rig.write_text('{"asset":{"version":"2.0"},"nodes":[{"name":"ZzUnheardOf"}],'
                   '"scenes":[{"nodes":[0]}]}')
    for source in (["--names", names], ["--from", rig]):
        done = run("names", "find", unheard_of, *source)
        assert done.out.split() == [f"0x{unheard_of.lower()}", "ZzUnheardOf"], done.err


def test_find_says_what_is_unknown_and_what_is_no_hash():
    done = run("names", "find", "0x00000001", "0xb021fd58")
    assert done.code == 1
    assert "0x00000001" in done.err and "Pelvis" in done.out
    assert run("names", "find", "not-a-hash").code == 2


def test_a_rig_becomes_a_list_that_names_its_joints(tmp_path):
    done = run("names", "--from", RIG)
    assert done.code == 0
    names = done.out.splitlines()
    assert names == sorted(names) and len(names) == 31 and "Hips" in names
    out = tmp_path / "names.txt"
    assert run("names", "--from", RIG, "-o", out).code == 0
    assert out.read_text("utf-8").splitlines() == names
    clip = tmp_path / "walk.json"
    run("convert", FIXTURES / "motion" / "cmu_01_01_wd1.mab", "--names", out, "-o", clip)
    assert '"name":"LHipJoint"' in clip.read_text("utf-8")


def test_a_rig_is_never_written_to(tmp_path):
    rig = tmp_path / "rig.skeleton"
    rig.write_bytes(RIG.read_bytes())
    assert run("names", "--from", rig, "-o", rig).code == 2
    assert rig.read_bytes() == RIG.read_bytes()


def test_a_missing_rig_is_an_error():
    done = run("names", "--from", "no/such.skeleton")
    assert done.code == 1
    assert done.err.startswith("no/such.skeleton: ")
