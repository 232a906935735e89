from support import MINUTE, grouped, percentile, times

TITLE = "Latency per minute"
ABOUT = "The 95th percentile of each endpoint's latency in each minute of the clock: the minute is a part of the key."
COMMAND = "streamrun stream.json --event-time value.ts < requests.ndjson"
UNORDERED = True


def data(random):
    return {
        "requests.ndjson": [
            {"ts": ts, "path": random.choice(["/", "/a", "/b"]), "ms": int(random.expovariate(0.01))}
            for ts in times(random, 800, 800)
        ]
    }


def expected(data):
    for (path, minute), rows in grouped(
        data["requests.ndjson"], lambda row: (row["path"], row["ts"] // MINUTE)
    ).items():
        yield {"path": path, "minute": minute, "p95": percentile([row["ms"] for row in rows], 95)}
