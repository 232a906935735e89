#!/usr/bin/env python3
"""What Streams/tilt.json must publish, worked out by hand: the reference that the tests compare with.

Reads NDJSON samples {"ms", "x", "y", "z"} on standard input; prints NDJSON {"ms", "value"}.
"""
import json
import sys

SILENCE = 250


def frontal(sample):
    return "tiltedUp" if sample["z"] < -0.25 else "tiltedDown" if sample["z"] > 0.25 else "notTilted"


def lateral(sample):
    return "tiltedLeft" if sample["x"] < -0.125 else "tiltedRight" if sample["x"] > 0.125 else "notTilted"


class Debounced:
    """Changes of a reading, each told when it has stood for a quarter of a second."""

    def __init__(self, read):
        self.read, self.previous, self.waiting, self.due, self.order = read, None, None, None, 0

    def sample(self, sample, order):
        reading = self.read(sample)
        if reading != self.previous:
            self.previous = self.waiting = reading
            self.due, self.order = sample["ms"] + SILENCE, order


def main():
    sides = {"frontal": Debounced(frontal), "lateral": Debounced(lateral)}
    latest, order = {}, 0

    def fire(before):
        while True:
            due = [(s.due, s.order, name) for name, s in sides.items() if s.due is not None and s.due < before]
            if not due:
                return
            ms, _, name = min(due)
            latest[name], sides[name].due = sides[name].waiting, None
            if len(latest) == 2:
                upright = latest["frontal"] == latest["lateral"] == "notTilted"
                value = {"frontal": latest["frontal"], "lateral": latest["lateral"],
                         "position": "vertical" if upright else "notVertical"}
                print(json.dumps({"ms": ms, "value": value}, separators=(",", ":")))

    for line in sys.stdin:
        sample = json.loads(line)
        fire(sample["ms"])  # a sample of the very instant comes first
        for side in sides.values():
            order += 1
            side.sample(sample, order)
    # The end of the input drops what is still waiting, as Combine's debounce does.


main()
