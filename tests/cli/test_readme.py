"""What the README and the guide say is true: the table of games, and every example."""

import re
import shlex

import pytest
from conftest import FIXTURES, ROOT, run

README = (ROOT / "README.md").read_text("utf-8")
GUIDES = sorted((ROOT / "docs" / "guide").glob("*.md"))


def blocks(path, language):
    """The fenced blocks of a page in a language; the empty one is that of output."""
    fences = re.findall(r"^```(\w*)\n(.*?)^```$", path.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    return [text for found, text in fences if found == language]


def examples(path):
    """The commands of a page that run mabkit: in its `sh` blocks and its tables."""
    lines = [line for block in blocks(path, "sh") for line in block.splitlines()]
    lines += re.findall(r"\| `(mabkit [^`]+)` \|$", path.read_text("utf-8"), re.MULTILINE)
    return [line for line in lines if line.startswith("mabkit ")]


EXAMPLES = [line for path in [ROOT / "README.md", *GUIDES] for line in examples(path)]


def games_of_the_library():
    """Short names, in order, as the binary lists them."""
    done = run("convert", FIXTURES / "spec" / "example_wd1.mab", "-o", "never.mab", "--game", "none")
    return done.err.split("known are: ")[1].split()


def test_the_table_of_games_is_the_librarys():
    rows = re.findall(r"^\| ([^|]+) \| `(\w+)` \|", README, re.MULTILINE)
    assert [short for _, short in rows] == games_of_the_library()
    files = run("info", FIXTURES / "mab", "-r", "--json").json["files"]
    names = {f["game"]: f["game_name"] for f in files}
    assert {short: name for name, short in rows} == names


def test_every_subcommand_has_an_example():
    table = run("--help").out.split("Subcommands:\n")[1].split("\n\n")[0]
    listed = re.findall(r"^  (\w+) +\S", table, re.MULTILINE)
    assert {line.split()[1] for line in examples(ROOT / "README.md")} == set(listed)


@pytest.mark.parametrize("subcommand", ["info", "convert", "verify", "diff", "names"])
def test_every_option_is_described(subcommand):
    page = (ROOT / "docs" / "guide" / "command-line.md").read_text("utf-8")
    for option in re.findall(r"^  (?:-\w,)?(--[\w-]+)", run(subcommand, "--help").out, re.MULTILINE):
        assert f"`{option}" in page or option == "--help", option


@pytest.fixture
def checkout(tmp_path):
    """A folder with the samples, and the list of names that a page's first example makes."""
    (tmp_path / "samples").symlink_to(ROOT / "samples", target_is_directory=True)
    assert run("names", "--from", "samples/cmu_01_01.skeleton", "-o", "out/names.txt",
               cwd=tmp_path).code == 0
    return tmp_path


@pytest.mark.parametrize("line", EXAMPLES)
def test_example_runs(line, checkout):
    done = run(*shlex.split(line)[1:], cwd=checkout)
    assert done.code == 0, done.err
    assert not done.err


def test_output_that_the_guide_shows_is_what_comes(checkout):
    shown = [line for path in GUIDES for block in blocks(path, "") for line in block.splitlines()]
    said = "\n".join(run(*shlex.split(line)[1:], cwd=checkout).out for path in GUIDES
                     for line in examples(path))
    assert len(shown) >= 4
    for line in shown:
        assert line in said


def test_links_lead_somewhere():
    for path in [ROOT / "README.md", ROOT / "samples" / "README.md", *GUIDES]:
        for target in re.findall(r"\]\((?!http)([^)#]+)\)", path.read_text("utf-8")):
            assert (path.parent / target).exists(), f"{path.name}: {target}"


def test_samples_are_the_fixtures_and_say_where_they_are_from():
    for sample in (ROOT / "samples").iterdir():
        if sample.suffix != ".md":
            assert sample.read_bytes() == (FIXTURES / "motion" / sample.name).read_bytes()
    text = " ".join((ROOT / "samples" / "README.md").read_text("utf-8").split())
    assert "NSF EIA-0196217" in text and "mocap.cs.cmu.edu" in text
