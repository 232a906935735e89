from collections import Counter

from support import START, iso

TITLE = "Sliding windows"
ABOUT = "The number of requests in the last minute, every 20 seconds; a window does not contain its end."
COMMAND = "streamrun stream.json --event-time value.ts < requests.ndjson"


def data(random):
    return {"requests.ndjson": [{"ts": START + 1000 * second} for second in range(181)]}


def expected(data):
    counts = Counter()
    for row in data["requests.ndjson"]:
        newest = row["ts"] // 20_000 * 20_000
        for start in (newest - 40_000, newest - 20_000, newest):
            counts[start] += 1
    return [{"from": iso(start), "to": iso(start + 60_000), "n": n} for start, n in sorted(counts.items())]
