import json
import time

from support import times

TITLE = "Replay at tenfold speed"
ABOUT = "A recording of 20 seconds passes in two: the same file runs live, in replay and in tests."
COMMAND = "streamrun stream.json --event-time value.ts --speed 10x < positions.ndjson"


def data(random):
    return {
        "positions.ndjson": [
            {"ts": ts, "ship": random.choice("ab"), "lat": round(random.uniform(0, 9), 3)}
            for ts in times(random, 40, 300)
        ]
    }


def run(folder, command):
    start = time.monotonic()
    output = command(COMMAND)
    rows = (folder / "positions.ndjson").read_text().splitlines()
    length = (json.loads(rows[-1])["ts"] - json.loads(rows[0])["ts"]) / 1000
    assert time.monotonic() - start > length / 10, "faster than tenfold"
    return output


def expected(data):
    published = {}
    for row in data["positions.ndjson"]:
        if row["ship"] not in published or row["ts"] - published[row["ship"]] > 1000:
            published[row["ship"]] = row["ts"]
            yield row
