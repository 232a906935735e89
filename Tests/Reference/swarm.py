#!/usr/bin/env python3
"""What Streams/quakes-swarm.json must publish: regions where a third earthquake comes within an hour.

Reads NDJSON earthquakes on standard input, prints NDJSON {"region", "minutes", "places"}.
"""
import json
import sys

HOUR = 3_600_000
recent = []
for line in sys.stdin:
    quake = json.loads(line)
    region = quake["place"].split(", ")[-1]
    recent = [seen for seen in recent if quake["time"] - seen[0] < HOUR] + [(quake["time"], region, quake["place"])]
    near = [seen for seen in recent if seen[1] == region]
    if len(near) == 3:
        print(json.dumps({"region": region, "minutes": (near[2][0] - near[0][0]) // 60_000,
                          "places": [seen[2] for seen in near]}, separators=(",", ":"), ensure_ascii=False))
