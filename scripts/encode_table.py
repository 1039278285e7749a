"""Prints what encoding clips cost: bytes, ratio to plain joints, bits, keys, errors, clip by clip."""

import json
import sys

HEAD = ("file", "game", "joints", "samples", "keys", "bytes", "ratio", "bits", "worst", "99 % within")
PLAIN_BYTES = 40  # a joint and sample: rotation, translation and scale in float32


def row(path):
    with open(path, encoding="utf-8") as file:
        entry = json.load(file)["files"][0]
    if entry["error"]:
        sys.exit(f"{entry['input']}: {entry['error']['message']}")
    clip = entry["encoding"]["clips"][0]
    size = entry["encoding"]["bytes"]
    bits = sorted({t["bits"] for t in clip["tracks"]
                   if t["channel"] == "rotation" and t["kind"] == "animated"})
    ratio = PLAIN_BYTES * clip["joints"] * clip["samples"] / size
    depth = str(bits[0]) if len(bits) == 1 else f"{bits[0]}-{bits[-1]}"
    errors = clip["object_mm"]
    return (entry["outputs"][0]["path"], entry["game"], str(clip["joints"]), str(clip["samples"]),
            str(clip["keys"]), f"{size:,}", f"{ratio:.1f}:1", depth, f"{errors['worst']:.3f} mm",
            f"{errors['percentile_99']:.3f} mm")


def main(paths):
    rows = [HEAD, *map(row, paths)]
    widths = [max(map(len, column)) for column in zip(*rows)]
    for cells in rows:
        texts = [cell.ljust(width) if i < 2 else cell.rjust(width)
                 for i, (cell, width) in enumerate(zip(cells, widths))]
        print("  ".join(texts).rstrip())


main(sys.argv[1:])
