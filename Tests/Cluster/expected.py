#!/usr/bin/env python3
"""The outputs of device.json for an input, computed without any stream engine.

    expected.py [--lateness SECONDS] [--late apply|drop|output] [--then] INPUT.ndjson > expected.ndjson

Prints the lines in the order of bytes. All events pass one router, in the order of the input.
"""
import argparse
import json
import sys

SILENCE = 5000


def events(path, lateness, late):
    """The events that reach their keys, as (time, device, value), and the late ones as lines."""
    newest, kept, output = None, [], []
    with open(path, encoding="utf-8") as file:
        for line in file:
            value = json.loads(line)
            time = value["ts"]
            watermark = None if newest is None else newest - lateness
            if watermark is not None and time < watermark:
                if late == "output":
                    output.append(line.rstrip("\n"))
                if late != "apply":
                    continue
                time = watermark
            newest = time if newest is None else max(newest, time)
            kept.append((time, value["device"], value["value"]))
    return newest, kept, output


def results(newest, kept, bursts=True):
    kept.sort(key=lambda event: event[0])  # stable: ties stay in the order of arrival
    totals, lines = {}, []

    def burst(device, count, total):
        lines.append((json.dumps({"device": device, "burst": count, "sum": total}, separators=(",", ":")), total))

    for time, device, value in kept:
        count, total, last = totals.get(device, (0, 0, None))
        if bursts and last is not None and time - last > SILENCE:
            burst(device, count, total)
        totals[device] = (count + 1, total + value, time)
        lines.append((f'{{"device":{json.dumps(device)},"count":{count + 1},"sum":{total + value}}}', total + value))
    for device, (count, total, last) in totals.items():
        if bursts and last + SILENCE < newest:
            burst(device, count, total)
    return lines


def expected(path, lateness=0, late="drop", then=False, bursts=True):
    """The lines of the output, and the late records, each in the order of bytes."""
    newest, kept, output = events(path, round(lateness * 1000), late)
    lines = results(newest, kept, bursts)
    if then:
        return [f'{{"results":{len(lines)},"sum":{sum(total for _, total in lines)}}}'], sorted(output)
    return sorted((line for line, _ in lines), key=lambda line: line.encode()), sorted(output, key=lambda line: line.encode())


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--lateness", type=float, default=0)
    parser.add_argument("--late", default="drop")
    parser.add_argument("--then", action="store_true")
    parser.add_argument("input")
    options = parser.parse_args()
    lines, late = expected(options.input, options.lateness, options.late, options.then)
    sys.stdout.write("".join(line + "\n" for line in lines))
    sys.stderr.write("".join(line + "\n" for line in late))
