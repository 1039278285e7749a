"""The form of errors, exit codes, and text that surroundings could change."""

import re
import subprocess

import pytest
from conftest import FIXTURES, run

WD1 = FIXTURES / "spec" / "example_wd1.mab"
FC2 = FIXTURES / "spec" / "example_fc2.mab"


@pytest.mark.parametrize("command", [["info"], ["verify"], ["convert", "-o", "{out}"]])
@pytest.mark.parametrize("clip", [WD1, FC2], ids=lambda clip: clip.stem)
def test_an_error_says_file_offset_path_and_reason(command, clip, tmp_path):
    broken = tmp_path / "cut short.mab"
    broken.write_bytes(clip.read_bytes()[:200])
    done = run(*(a.format(out=tmp_path / "x.glb") for a in command), broken)
    assert done.code == 1
    form = re.escape(str(broken)) + r": offset 0x[0-9A-F]+: [\w.\[\]]+: .+"
    assert re.fullmatch(form, done.err.strip()), done.err


@pytest.mark.parametrize("content", [b"", b"L", b"LKSx", b"\x00" * 64, b"\xff" * 4096,
                                     bytes(range(256)) * 8])
@pytest.mark.parametrize("command", ["info", "verify"])
def test_what_is_no_clip_fails_in_words(command, content, tmp_path):
    stranger = tmp_path / "stranger.mab"
    stranger.write_bytes(content)
    done = run(command, stranger)
    assert done.code == 1
    assert str(stranger) in done.err


def test_missing_files_and_folders():
    done = run("info", "no/such.mab")
    assert (done.code, done.err) == (1, "no/such.mab: does not exist\n")
    done = run("info", FIXTURES)
    assert done.code == 2
    assert "--recursive" in done.err


@pytest.mark.parametrize("arguments", [[], ["nonsense"], ["info"], ["info", "--nonsense", "x"],
                                       ["verify"], ["diff", "one"], ["names"], ["names", "hash"]])
def test_usage_is_exit_2_and_says_something(arguments):
    done = run(*arguments)
    assert done.code == 2
    assert done.err.strip()
    assert not done.out


@pytest.mark.parametrize("subcommand", ["info", "convert", "verify", "diff", "names"])
def test_help_has_an_example(subcommand):
    done = run(subcommand, "--help")
    assert done.code == 0
    assert f"  mabkit {subcommand} " in done.out


def test_version():
    done = run("--version")
    assert done.code == 0
    assert re.fullmatch(r"mabkit \d+\.\d+\.\d+", done.out.strip())


def test_names_with_spaces_accents_and_signs(tmp_path):
    for name in ["with space.mab", "Läufer.mab", "走る ✓.mab", "-dash.mab", "quo'te\".mab", ".mab"]:
        clip = tmp_path / name
        clip.write_bytes(WD1.read_bytes())
        out = tmp_path / "out" / (name + ".json")
        done = run("convert", clip, "-o", out)
        assert done.code == 0, (name, done.err)
        assert out.exists()
        assert str(clip) in done.out


def installed_comma_locale():
    known = subprocess.run(["locale", "-a"], capture_output=True, text=True).stdout.split()
    return next((name for name in known if name.startswith(("de_", "fr_"))), None)


@pytest.mark.skipif(installed_comma_locale() is None, reason="no locale with decimal commas")
def test_a_locale_with_decimal_commas_changes_nothing(tmp_path):
    locale = installed_comma_locale()
    outputs = []
    for name in ("C", locale):
        out = tmp_path / f"{name}.json"
        done = run("convert", WD1, "-o", out, env={"LC_ALL": name, "LANG": name})
        info = run("info", WD1, env={"LC_ALL": name, "LANG": name})
        outputs.append((out.read_bytes(), info.out, done.code))
    assert outputs[0] == outputs[1]


def test_what_a_terminal_would_obey_is_not_printed(tmp_path):
    # The name of the second clip, spec mab-sparse section 7: `prop` at 0x290.
    clip = tmp_path / "escape.mab"
    clip.write_bytes(FC2.read_bytes().replace(b"prop\x00", b"\x1b[2J\x00", 1))
    done = run("info", clip)
    assert "\x1b" not in done.out + done.err
    assert "?[2J" in done.out
