#!/usr/bin/env python3
"""Writes made-up sensor records as NDJSON to standard output: make-ndjson.py BYTES (about that many).

The same number gives the same bytes.
"""
import random
import sys


def main():
    size = int(float(sys.argv[1]))
    chance = random.Random(1)
    block = []
    for index in range(20_000):
        x, y, z = (round(chance.uniform(-1, 1), 6) for _ in range(3))
        block.append(f'"device":"d{index % 50}","x":{x},"y":{y},"z":{z}}}\n')
    written, time, out = 0, 0, sys.stdout
    while written < size:
        lines = []
        for rest in block:
            lines.append(f'{{"t":{time},{rest}')
            time += 10
        text = "".join(lines)
        out.write(text)
        written += len(text)


try:
    main()
except BrokenPipeError:
    sys.stderr.close()
