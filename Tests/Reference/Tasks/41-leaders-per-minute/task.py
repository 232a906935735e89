from collections import Counter

from support import MINUTE, grouped, times

TITLE = "Leaders of each minute"
ABOUT = "The three endpoints with the most requests in each minute, equal ones in the order of their names."
COMMAND = "streamrun stream.json --event-time value.ts < requests.ndjson"


def data(random):
    return {
        "requests.ndjson": [{"ts": ts, "path": f"/{random.choice('abcdefg')}"} for ts in times(random, 600, 1500)]
    }


def expected(data):
    for minute, rows in grouped(data["requests.ndjson"], lambda row: row["ts"] // MINUTE).items():
        counts = Counter(row["path"] for row in rows)
        top = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:3]
        yield {"minute": minute, "top": [{"path": path, "n": n} for path, n in top]}
