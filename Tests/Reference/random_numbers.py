"""The numbers of `random()`, computed independently of the program: python3 random_numbers.py SEED PLACE [KEY…] INDEX COUNT.

PLACE is the JSON pointer of the expression. Keys and the index are JSON values. Prints the numbers of COUNT calls.
"""

import json
import struct
import sys

MASK = (1 << 64) - 1
GAMMA = 0x9E3779B97F4A7C15


def mixed(bits):
    """One step of SplitMix64 (Steele, Lea and Flood, 2014)."""
    bits = (bits + GAMMA) & MASK
    bits = ((bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    bits = ((bits ^ (bits >> 27)) * 0x94D049BB133111EB) & MASK
    return bits ^ (bits >> 31)


def fnv(data):
    """FNV-1a of 64 bits."""
    bits = 0xCBF29CE484222325
    for byte in data:
        bits = ((bits ^ byte) * 0x100000001B3) & MASK
    return bits


def bits_of(value):
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return fnv(json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode())
    if isinstance(value, int) or value == int(value):
        return int(value) & MASK
    return struct.unpack("<Q", struct.pack("<d", value))[0]


def numbers(seed, place, values, count):
    """The numbers of the first calls in the evaluation for these keys and this index."""
    key = mixed(mixed(seed & MASK) ^ fnv(place.encode()))
    for value in values:
        key = mixed(key ^ bits_of(value))
    return [(mixed((key + draw * GAMMA) & MASK) >> 11) * 2.0**-53 for draw in range(count)]


if __name__ == "__main__":
    seed, place, *values, count = sys.argv[1:]
    print(*numbers(int(seed), place, [json.loads(value) for value in values], int(count)))
