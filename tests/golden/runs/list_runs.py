#!/usr/bin/env python3
"""Writes the golden run list of each `.mab` fixture, straight from the tables of the format pages.

It shares no code with the library: it knows headers, counts and offsets only, and takes a stretch
that it can't name for `preserved`. Run it when a fixture is added, and read what it wrote:

    tests/golden/runs/list_runs.py tests/fixtures/*/NEW.mab

A line is OFFSET SIZE NAME; neighbouring runs of one name are one line.
"""
import pathlib
import struct
import sys

BASE = 0x10
SECTIONS = ("KeyTimes TranslationTable DisplacementOrientations DisplacementTranslations "
            "JointConstantRotations JointConstantTranslations JointRotations JointTranslations "
            "PartAnimations Markup").split()
# magic: joint count, counts, offsets, data size, last frame, header size, part record size
CHUNKED = {
    0x329B: (0x10, 0x12, 0x20, 0x08, 0x4C, 0x50, 32),
    0x00B0: (0x20, 0x22, 0x34, 0x14, 0x64, 0x68, 32),
    0x00B6: (0x20, 0x22, 0x34, 0x14, 0x60, 0x68, 28),
    0x46AF: (0x20, 0x22, 0x38, 0x14, 0x6C, 0x70, 32),
    0x46B4: (0x20, 0x22, 0x38, 0x14, 0x6C, 0x70, 32),
}
# version: clip header size, position of the section table, bytes of one mask
SPARSE = {0x4C: (0xA0, 0x78), 0x61: (0xE0, 0xB8), 0x62: (0xE0, 0xB8)}


def u16(data, at):
    return struct.unpack_from("<H", data, at)[0]


def u32(data, at):
    return struct.unpack_from("<I", data, at)[0]


def stream_size(data, at):
    """A stream ends where the last entry of its chunk table says."""
    return u32(data, at + u32(data, at) - 4)


def chunked_block(data, base, number, runs, next_number):
    joints_at, counts_at, offsets_at, _, last_at, header, record = CHUNKED[u32(data, 0)]
    joints = u16(data, base + joints_at) & 0xFFF
    counts = [u16(data, base + counts_at + 2 * i) for i in range(7)]
    offsets = [u32(data, base + offsets_at + 4 * i) for i in range(10)]
    end = base + u32(data, base + CHUNKED[u32(data, 0)][3])
    clip = f"clip[{number}]"
    runs.append((base, header, f"{clip}.header"))
    runs.append((base + header, 4 * joints, f"{clip}.boneCRCs"))
    runs.append((base + header + 4 * joints, joints, f"{clip}.boneFlags"))
    sizes = {0: 2 * (u16(data, base + last_at) + 1), 1: 4 * counts[6],
             4: 6 * counts[2], 5: 6 * counts[3]}
    for index, count in ((2, counts[0]), (3, counts[1]), (6, counts[4]), (7, counts[5])):
        sizes[index] = stream_size(data, base + offsets[index]) if count else 0
    for index, size in sizes.items():
        runs.append((base + offsets[index], size, f"{clip}.section[{index}].{SECTIONS[index]}"))
    if offsets[8]:
        next_number = chunked_parts(data, base + offsets[8], record, clip, runs, next_number)
    if base + offsets[9] < end:
        runs.append((base + offsets[9], end - base - offsets[9], f"{clip}.section[9].Markup preserved"))
    return next_number


def chunked_parts(data, at, record, clip, runs, next_number):
    name = f"{clip}.section[8].PartAnimations"
    records = u32(data, at)
    runs.append((at, 4 + records * record, name))
    for i in range(records):
        here = at + 4 + i * record
        fields = here + record - 28
        text = here + u16(data, fields + 26)
        runs.append((text, data.index(b"\0", text) - text + 1, name))
        child = u32(data, fields)
        if child:
            next_number = chunked_block(data, here + child, next_number, runs, next_number + 1)
    return next_number


def far_cry_4(data, runs):
    origin = 0x18
    joints = u16(data, 0x1C) & 0xFFF
    flags, crcs = origin + u32(data, 0x28), origin + u32(data, 0x2C)
    offsets = [origin + u16(data, 0x40 + 2 * i) for i in range(10)]
    runs.append((BASE, 0x44, "clip[0].header"))
    census = data[flags:flags + joints]
    constants = sum(1 for f in census if f & 0x20)
    runs.append((offsets[0], 6 * constants, "clip[0].section[0].JointConstantRotations"))
    # Key times fill their section; the fixtures' sections 3 begin right behind them.
    runs.append((offsets[2], offsets[3] - offsets[2], "clip[0].section[2].KeyTimes"))
    if any(f & 0x10 and not f & 0x20 for f in census):
        runs.append((offsets[4], stream_size(data, offsets[4]), "clip[0].section[4].JointRotations"))
    runs.append((crcs, 4 * joints, "clip[0].boneCRCs"))
    runs.append((flags, joints, "clip[0].boneFlags"))


def sparse_section_size(data, at, slot, span):
    if slot == 6:
        return 4 + 172 * u32(data, at)
    if slot == 7:
        return span
    count, last = u16(data, at), u16(data, at + 2)
    if slot == 3:
        return 8 if count == 0 else u32(data, at + 8 + 4 * ((last >> 3) + 1))
    width = {0: 12, 1: 6, 2: 6, 4: 12, 5: 12}[slot]
    entries = {0: last + 1, 1: last + 1, 5: count * (last + 1)}.get(slot, count)
    return 8 + width * entries if count else 8


def event_chain_size(data, at):
    """Nodes of 12 bytes and a payload; the last has no next."""
    node = at
    while True:
        size, following = u16(data, node + 8), u16(data, node + 10)
        if not following:
            return node + 12 + size - at
        node += following


def sparse(data, runs):
    header, table = SPARSE[u16(data, 0)]
    base, number = BASE, 0
    while base < len(data):
        clip = f"clip[{number}]"
        runs.append((base, header, f"{clip}.header"))
        offsets = [u32(data, base + table + 4 * i) for i in range(9)]
        for slot in range(8):
            if not offsets[slot]:
                continue
            at = base + offsets[slot]
            if slot == 7:
                size = event_chain_size(data, at)
            else:
                size = sparse_section_size(data, at, slot, 0)
            runs.append((at, size, f"{clip}.section[{slot}]"))
        base += offsets[8]
        number += 1


def list_runs(data):
    runs = []
    magic = u32(data, 0)
    runs.append((0, BASE, "header"))
    if magic in CHUNKED:
        chunked_block(data, BASE, 0, runs, 1)
    elif magic in (0x81, 0x82):
        far_cry_4(data, runs)
    else:
        sparse(data, runs)
    return sorted(run for run in runs if run[1])


def fill_gaps(data, runs):
    position = 0
    for at, size, name in runs + [(len(data), 0, "")]:
        assert at >= position, f"{name} at {at:#x} overlaps what ends at {position:#x}"
        if at > position:
            gap = data[position:at]
            yield position, at - position, "padding" if not any(gap) else "preserved"
        if size:
            yield at, size, "preserved" if name.endswith(" preserved") else name
        position = at + size


def merge(runs):
    merged = []
    for at, size, name in runs:
        if merged and merged[-1][2] == name:
            merged[-1][1] += size
        else:
            merged.append([at, size, name])
    return merged


def main():
    folder = pathlib.Path(__file__).parent
    for argument in sys.argv[1:]:
        path = pathlib.Path(argument)
        data = path.read_bytes()
        lines = [f"{at:06x} {size} {name}\n" for at, size, name in merge(fill_gaps(data, list_runs(data)))]
        (folder / f"{path.parent.name}_{path.stem}.txt").write_text("".join(lines))


main()
