"""Keeps the records with z > 0.25 and prints their device and twice their z."""

import sys

import orjson

write = sys.stdout.buffer.write
for line in sys.stdin.buffer:
    record = orjson.loads(line)
    if record["z"] > 0.25:
        write(orjson.dumps({"device": record["device"], "z": record["z"] * 2}, option=orjson.OPT_APPEND_NEWLINE))
