"""Many files: order, threads, memory, progress and interruption."""

import json
import os
import shutil
import signal
import subprocess
import time

import pytest
from conftest import BINARY, FIXTURES, IS_SANITIZED, clips, files_below, run

SMALL = [c for c in clips("mab") if c.stat().st_size < 4096]


@pytest.fixture
def many(tmp_path):
    """Two hundred clips, some of them broken."""
    root = tmp_path / "many"
    root.mkdir()
    for i in range(200):
        source = SMALL[i % len(SMALL)]
        if i % 17 == 5:
            (root / f"clip_{i:03}.mab").write_bytes(source.read_bytes()[:50])
        else:
            shutil.copy(source, root / f"clip_{i:03}.mab")
    return root


@pytest.mark.parametrize("arguments", [
    ["convert", "--to", "json", "-o", "{out}", "--report", "{out}/report.json"],
    ["verify", "--json"],
    ["verify"],
])
def test_output_is_the_same_whatever_the_number_of_jobs(arguments, many, tmp_path):
    outcomes = []
    for jobs in (1, 2, 16):
        out = tmp_path / "out"
        shutil.rmtree(out, ignore_errors=True)
        done = run(arguments[0], many, "-r", "--jobs", jobs,
                   *(a.format(out=out) for a in arguments[1:]))
        assert done.code == 1
        outputs = {n: p.read_bytes() for n, p in files_below(out).items()} if out.exists() else {}
        outcomes.append((done.out, done.err, outputs))
    assert outcomes[0] == outcomes[1] == outcomes[2]


def test_reports_come_in_the_order_of_the_inputs(many, tmp_path):
    done = run("convert", many, "-r", "--to", "json", "-o", tmp_path / "out", "--jobs", 8)
    lines = [line.split(" -> ")[0] for line in done.out.splitlines()]
    assert lines == sorted(lines) and len(lines) > 150


def peak_memory(arguments):
    """Kilobytes that a run of the binary held at most."""
    child = subprocess.Popen([str(BINARY), *map(str, arguments)], stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    return usage.ru_maxrss


@pytest.mark.skipif(IS_SANITIZED, reason="the sanitizers' own memory grows with every allocation")
def test_memory_does_not_grow_with_the_number_of_files(tmp_path):
    few, lots = tmp_path / "few", tmp_path / "lots"
    for root, count in ((few, 100), (lots, 2000)):
        root.mkdir()
        for i in range(count):
            shutil.copy(SMALL[i % len(SMALL)], root / f"clip_{i:04}.mab")
    begin = time.monotonic()
    memory = [peak_memory(["convert", root, "-r", "--to", "glb", "-o", tmp_path / f"out_{root.name}"])
              for root in (few, lots)]
    assert memory[1] < memory[0] + 8 * 1024, f"{memory} KB"
    assert len(files_below(tmp_path / "out_lots")) == 2000
    assert time.monotonic() - begin < 60


@pytest.mark.skipif(IS_SANITIZED, reason="the sanitizers' own memory grows with every allocation")
def test_what_nobody_asked_to_report_takes_no_memory(tmp_path):
    memory = []
    for count in (50, 1000):
        root = tmp_path / f"in_{count}"
        root.mkdir()
        for i in range(count):
            shutil.copy(FIXTURES / "spec" / "example_wd1.mab", root / f"clip_{i:04}.mab")
        memory.append(peak_memory(["convert", root, "-r", "--to", "mab", "--max-error", "0.06", "-q",
                                   "-o", tmp_path / f"out_{count}"]))
    assert memory[1] < memory[0] + 4 * 1024, f"{memory} KB"


def test_progress_for_programs(many, tmp_path):
    done = run("convert", many, "-r", "--to", "json", "-o", tmp_path / "out", "--progress", "json")
    events = [json.loads(line) for line in done.err.splitlines() if line.startswith("{")]
    assert events[-1]["event"] == "progress"
    assert events[-1]["done"] == events[-1]["total"] == 200
    assert events[-1]["failed"] == 12
    assert [e["done"] for e in events] == sorted(e["done"] for e in events)


def test_no_progress_line_where_no_terminal_is(many, tmp_path):
    done = run("convert", many, "-r", "--to", "json", "-o", tmp_path / "out")
    assert "files/s" not in done.err and "\r" not in done.err


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
def test_a_terminal_shows_rate_and_time_left(many, tmp_path):
    import pty

    controller, terminal = pty.openpty()
    child = subprocess.Popen([str(BINARY), "convert", str(many), "-r", "--to", "json", "-o",
                              str(tmp_path / "out")], stdout=subprocess.DEVNULL, stderr=terminal)
    os.close(terminal)
    seen = b""
    while True:
        try:
            part = os.read(controller, 65536)
        except OSError:  # Linux says so when the other end is closed
            break
        if not part:
            break
        seen += part
    os.close(controller)
    assert child.wait() == 1
    assert b"200/200 files, 12 failed" in seen and b"left" in seen
    assert seen.endswith(b"\r\x1b[K")


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interruption_finishes_the_file_at_hand_and_begins_no_other(number, tmp_path):
    clip = FIXTURES / "spec" / "example_wd1.mab"
    folder = tmp_path / "in"
    folder.mkdir()
    count = 400
    for i in range(count):
        shutil.copy(clip, folder / f"{i:03}.mab")
    out = tmp_path / "out"
    child = subprocess.Popen([str(BINARY), "convert", str(folder), "-r", "--to", "json", "-o", str(out),
                              "--jobs", "1"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 30
    while not (out / "000.json").exists() and time.monotonic() < deadline:
        time.sleep(0.001)
    child.send_signal(number)
    _, err = child.communicate(timeout=60)
    assert child.returncode == 130
    assert b"interrupted: " in err
    written = files_below(out)
    assert 0 < len(written) < count
    whole = (out / "000.json").read_bytes()
    assert all((out / name).read_bytes() == whole for name in written)


def test_folders_without_clips_and_links_in_circles(tmp_path):
    empty = tmp_path / "empty"
    empty.mkdir()
    done = run("verify", empty, "-r")
    assert done.code == 1
    assert "holds no .mab file" in done.err
    shutil.copy(FIXTURES / "spec" / "example_wd1.mab", empty / "walk.mab")
    (empty / "again").symlink_to(empty, target_is_directory=True)
    done = run("verify", empty, "-r")
    assert done.code == 0
    assert done.out.count("walk.mab") == 1
