"""Compares a bank in JSON with what a fixture expects, by the tolerances of tests/fixtures/README.md.

A key that the expected file has and the output lacks is a difference.
"""

import math
import struct


def float32_unit(value):
    """One unit in the last place of a float32 of this size."""
    (bits,) = struct.unpack("<I", struct.pack("<f", abs(value)))
    (above,) = struct.unpack("<f", struct.pack("<I", bits + 1))
    return above - struct.unpack("<f", struct.pack("<f", abs(value)))[0]


def time_tolerance(expected):
    return max(1e-6, float32_unit(expected))


def rotation_tolerance(component):
    return max(2e-6, min(1e-3, 5e-7 / max(abs(component), 1e-30)))


def value_differences(actual, expected, path):
    if len(actual) != len(expected):
        return [f"{path}: has {len(actual)} values, expected {len(expected)}"]
    largest = max((abs(c) for value in expected for c in value), default=0.0)
    found = []
    for key, (have, want) in enumerate(zip(actual, expected)):
        if len(have) != len(want):
            return [f"{path}[{key}]: has {len(have)} components, expected {len(want)}"]
        for a, e in zip(have, want):
            tolerance = rotation_tolerance(e) if len(want) == 4 else 2e-6 * max(1.0, largest)
            if a is None or not abs(a - e) <= tolerance:
                found.append(f"{path}[{key}]: has {have}, expected {want}")
                break
    return found


def differences(actual, expected, path=""):
    """Where `actual` differs from `expected`, in words; empty where it does not."""
    if isinstance(expected, dict):
        if not isinstance(actual, dict):
            return [f"{path}: has {actual}, expected an object"]
        found = []
        for key, want in expected.items():
            at = f"{path}.{key}"
            if key not in actual:
                found.append(f"{at}: is absent")
            elif key == "values":
                found += value_differences(actual[key], want, at)
            else:
                found += differences(actual[key], want, at)
        return found
    if isinstance(expected, list):
        if not isinstance(actual, list) or len(actual) != len(expected):
            return [f"{path}: has {actual if not isinstance(actual, list) else len(actual)} "
                    f"entries, expected {len(expected)}"]
        return [d for i, (a, e) in enumerate(zip(actual, expected))
                for d in differences(a, e, f"{path}[{i}]")]
    if isinstance(expected, float) and isinstance(actual, (int, float)):
        same = math.isclose(actual, expected, rel_tol=0.0, abs_tol=time_tolerance(expected))
        return [] if same else [f"{path}: has {actual}, expected {expected}"]
    return [] if actual == expected else [f"{path}: has {actual}, expected {expected}"]
