"""Keeps the rows of a table with z > 0.25 and prints their device and twice their z."""

import csv
import sys

import orjson

write = sys.stdout.buffer.write
rows = csv.reader(sys.stdin)
names = next(rows)
device, z = names.index("device"), names.index("z")
for row in rows:
    number = float(row[z])
    if number > 0.25:
        write(orjson.dumps({"device": row[device], "z": number * 2}, option=orjson.OPT_APPEND_NEWLINE))
