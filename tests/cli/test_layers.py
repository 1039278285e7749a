"""No include points up a layer, or sideways between formats."""

import re
from pathlib import Path

import pytest
from conftest import ROOT

# From below to above. A folder may include itself and what stands in a lower row.
LAYERS = [
    ["base"],
    ["motion"],
    ["codec"],
    ["nbcf"],
    ["mab", "mac", "markup", "rig"],
    ["document"],
    ["scene"],
    ["gltf", "fbx", "bvh", "json", "xml"],
    ["convert", "compile", "verify", "runtime"],
]
ROW = {folder: row for row, folders in enumerate(LAYERS) for folder in folders}

# Where each public header's concept lives.
HEADERS = {
    "base": ["byte_run", "error", "file", "game", "limits", "math"],
    "motion": ["bank", "encode", "imported_motion", "joint_map", "names", "pose", "retarget", "skeleton"],
    "codec": ["presence_order"],
    "mab": ["mab", "summary"],
    "rig": ["rig"],
    "document": ["document"],
    "scene": ["scene"],
    "gltf": ["gltf"],
    "fbx": ["fbx"],
    "bvh": ["bvh"],
    "json": ["json"],
    "convert": ["batch", "convert", "fbx_file"],
    "verify": ["diff", "verify"],
}
FOLDER_OF_HEADER = {header: folder for folder, headers in HEADERS.items() for header in headers}
UMBRELLA = "mabkit"  # includes every public header, and is included by none

INCLUDE = re.compile(r'^\s*#\s*include\s+(?:<mabkit/(\w+)\.hpp>|"(\w+)/[\w/]+\.hpp")', re.MULTILINE)


def included_folders(text):
    """The folders that a source's includes of ours belong to."""
    for header, folder in INCLUDE.findall(text):
        yield folder or (UMBRELLA if header == UMBRELLA else FOLDER_OF_HEADER[header])


def sources():
    """Every source, with the folder that it belongs to."""
    for path in sorted((ROOT / "src").rglob("*.[ch]pp")):
        yield path, path.relative_to(ROOT / "src").parts[0]
    for path in sorted((ROOT / "include" / "mabkit").glob("*.hpp")):
        if path.stem != UMBRELLA:
            yield path, FOLDER_OF_HEADER.get(path.stem)


def violations(text, folder):
    for other in included_folders(text):
        if other == UMBRELLA:
            yield f"{folder} includes every header"
        elif other != folder and ROW[other] >= ROW[folder]:
            yield f"{folder} includes {other}, which is not below it"


def test_every_source_belongs_to_a_layer():
    strays = [str(path.relative_to(ROOT)) for path, folder in sources() if folder not in ROW]
    assert not strays, f"give these a place in LAYERS or HEADERS: {strays}"


def test_no_include_points_up():
    found = [f"{path.relative_to(ROOT)}: {v}"
             for path, folder in sources() for v in violations(path.read_text("utf-8"), folder)]
    assert not found, "\n".join(found)


def test_front_ends_know_public_headers_only():
    for path in sorted((ROOT / "apps").rglob("*.[ch]pp")):
        inner = [f for f in re.findall(r'#include "([^"]+)"', path.read_text("utf-8")) if "/" in f]
        assert not inner, f"{path.relative_to(ROOT)} includes {inner}"


def test_only_the_file_layer_and_batches_touch_files_and_threads():
    allowed = {ROOT / "src" / "base" / "file.cpp"}
    for path, folder in sources():
        if folder == "convert" or path in allowed or path.name == "file.hpp":
            continue
        found = re.findall(r"#include <(filesystem|fstream|thread|mutex)>", path.read_text("utf-8"))
        assert not found, f"{path.relative_to(ROOT)} includes {found}"


@pytest.mark.parametrize("folder, line, is_allowed", [
    ("codec", '#include "mab/chunked_layout.hpp"', False),
    ("base", "#include <mabkit/bank.hpp>", False),
    ("rig", '#include "mab/chunked_layout.hpp"', False),
    ("json", '#include "gltf/writer.hpp"', False),
    ("mab", "#include <mabkit/mabkit.hpp>", False),
    ("mab", '#include "nbcf/object.hpp"', True),
    ("verify", "#include <mabkit/document.hpp>", True),
    ("mab", '#include "mab/chunked_layout.hpp"', True),
])
def test_the_check_tells_up_from_down(folder, line, is_allowed):
    assert (not list(violations(line, folder))) == is_allowed


TYPE = re.compile(r"^(?:struct|class|enum class|enum|union) (\w+)(?=[^;]*\{)", re.MULTILINE)
NAMESPACE = re.compile(r"^namespace ([\w:]+) \{", re.MULTILINE)


def test_no_two_headers_define_one_type():
    """Two types of one name are one to the linker, which takes the code of either for both."""
    owner = {}
    for header in sorted([*ROOT.glob("src/**/*.hpp"), *ROOT.glob("include/mabkit/*.hpp")]):
        text = header.read_text(encoding="utf-8")
        namespace = NAMESPACE.search(text)
        for name in TYPE.findall(text):
            full = f"{namespace.group(1) if namespace else ''}::{name}"
            assert owner.setdefault(full, header) == header, f"{full}: {owner[full]} and {header}"
