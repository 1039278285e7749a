"""What the tests of the command line share: the binary, the fixtures, and how to run one on the other."""

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "tests" / "fixtures"
SCHEMAS = ROOT / "docs" / "schema"
BINARY = Path(os.environ.get("MABKIT_BINARY", ROOT / "build" / "release" / "bin" / "mabkit"))
# Sanitizers slow everything down and need memory of their own: no limits on either are tested.
IS_SANITIZED = os.environ.get("MABKIT_SANITIZED") == "1"

RIG = FIXTURES / "motion" / "cmu_01_01.skeleton"


@dataclass
class Outcome:
    code: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)


def run(*arguments, cwd=None, env=None, timeout=120):
    """Runs the binary and returns what came of it."""
    done = subprocess.run(
        [str(BINARY), *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, **(env or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=timeout,
    )
    out = done.stdout.decode("utf-8", "replace")
    err = done.stderr.decode("utf-8", "replace")
    assert "terminate called" not in err and "Sanitizer" not in err, err
    return Outcome(done.returncode, out, err)


def clips(folder):
    """The .mab files of a folder of fixtures, sorted."""
    found = sorted((FIXTURES / folder).glob("*.mab"))
    assert found, f"no fixtures in {folder}"
    return found


ALL_CLIPS = clips("spec") + clips("mab") + clips("motion")


def files_below(folder):
    """Every file below a folder, by its path relative to it."""
    return {str(p.relative_to(folder)): p for p in sorted(Path(folder).rglob("*")) if p.is_file()}


@pytest.fixture
def tree(tmp_path):
    """A folder of folders of clips, some of them named as people name things."""
    root = tmp_path / "animations"
    places = {
        "walk.mab": "spec/example_wd1.mab",
        "npc/run fast.mab": "spec/example_fc5.mab",
        "npc/deep/Läufer ✓.MAB": "spec/example_wdl.mab",
    }
    for place, source in places.items():
        (root / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(FIXTURES / source, root / place)
    (root / "notes.txt").write_text("not a clip")
    return root
