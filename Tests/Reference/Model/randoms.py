"""The numbers of random(): the section "Random numbers" of the page Format, and the places of expressions.

`placed` gives the objects of a file their places; an expression that calls random() becomes a `Text`, which knows its own.
"""

import math
import struct

from values import Failure, Map, kind, write_json

MASK = (1 << 64) - 1
GAMMA = 0x9E3779B97F4A7C15
AROUND = ("key", "outerIndex", "windowIndex")  # the variables of streams around, by which their numbers differ


class Text(str):
    """An expression with its place: a JSON Pointer."""

    place = None

    def at(self, place):
        self.place = place
        return self


def token(name):
    return str(name).replace("~", "~0").replace("/", "~1")


def placed(value, origin="", pointer=""):
    """A copy whose objects know the place of their file's origin, and their own."""
    place = origin + pointer
    if isinstance(value, Map):
        result = Map((name, placed(member, origin, f"{pointer}/{token(name)}")) for name, member in value.items())
        result.place, result.origin = place, origin
        return result
    if isinstance(value, list):
        return [placed(element, origin, f"{pointer}/{at}") for at, element in enumerate(value)]
    return Text(value).at(place) if isinstance(value, str) and "random" in value else value


def mixed(bits):
    bits = (bits + GAMMA) & MASK
    bits = ((bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    bits = ((bits ^ (bits >> 27)) * 0x94D049BB133111EB) & MASK
    return bits ^ (bits >> 31)


def hashed(text):
    bits = 0xCBF29CE484222325
    for byte in text.encode():
        bits = ((bits ^ byte) * 0x100000001B3) & MASK
    return bits


def in_order(value):
    """The value with the keys of its objects in the order of their UTF-16 code units."""
    if isinstance(value, Map):
        names = sorted(value.keys(), key=lambda name: str(name).encode("utf-16-be"))
        return Map((name, in_order(value[name])) for name in names)
    return [in_order(element) for element in value] if isinstance(value, list) else value


def bits_of(value):
    if kind(value) in ("int", "uint"):
        return int(value) & MASK
    if isinstance(value, float):
        if math.isfinite(value) and value == int(value) and -(2**63) <= int(value) < 2**63:
            return int(value) & MASK
        return struct.unpack("<Q", struct.pack("<d", value))[0]
    return hashed(write_json(in_order(value)))


class Numbers:
    """The random numbers of one evaluation."""

    def __init__(self, seed, place, values):
        self.seed, self.place, self.values, self.key, self.draws = seed, place, values, None, 0

    def next(self):
        if self.seed is None or self.place is None:
            raise Failure("S204", "no seed, or no place")
        if self.key is None:
            self.key = mixed(mixed(int(self.seed) & MASK) ^ hashed(self.place))
            for value in self.values:
                self.key = mixed(self.key ^ bits_of(value))
        self.draws += 1
        return (mixed((self.key + (self.draws - 1) * GAMMA) & MASK) >> 11) * 2.0**-53
