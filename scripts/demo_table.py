"""Prints the report of a conversion as a table: file, game, joints, keys, duration, size, output."""

import json
import os
import sys

HEAD = ("file", "game", "joints", "keys", "duration", "bytes", "output", "bytes")
RIGHT = {"joints", "keys", "duration", "bytes"}


def row(entry):
    output = entry["outputs"][0] if entry["outputs"] else {"path": entry["status"], "size": 0}
    return (os.path.basename(entry["input"]), entry["game"] or "?", str(entry["joints"]),
            str(entry["keys"]), f"{entry['duration'] or 0:.2f} s",
            f"{os.path.getsize(entry['input']):,}", output["path"], f"{output['size']:,}")


def main(report):
    with open(report, encoding="utf-8") as file:
        rows = [HEAD, *map(row, json.load(file)["files"])]
    widths = [max(map(len, column)) for column in zip(*rows)]
    for cells in rows:
        print("  ".join(cell.rjust(width) if name in RIGHT else cell.ljust(width)
                        for cell, width, name in zip(cells, widths, HEAD)).rstrip())


main(sys.argv[1])
